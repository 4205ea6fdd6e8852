import type { FastifyInstance } from 'fastify';

import type { Inspection } from './model.mts';
import type { Sandbox } from './sandbox.mts';
import type { InspectionPatch, InspectionSpec, WriteTiming } from './specs.mts';
import { wholeInspectionView } from './view.mts';

const timing = {
	type: 'object',
	additionalProperties: false,
	properties: {
		at: { type: 'string' },
		visibleAt: { type: 'string' },
		visibleInMs: { type: 'number' },
	},
};
const SCHEMAS = {
	add: {
		type: 'object',
		required: ['template'],
		properties: { template: { type: 'string' }, timing },
	},
	change: { type: 'object', properties: { timing } },
	bulk: {
		type: 'object',
		additionalProperties: false,
		properties: {
			template: { type: 'string' },
			count: { type: 'integer', minimum: 0 },
			patch: { type: 'object' },
			timing,
		},
	},
};

interface Timed {
	timing?: WriteTiming;
}

interface BulkUpdate extends Timed {
	/** Template id or identifier; none means all. */
	template?: string;
	count?: number;
	patch?: InspectionPatch;
}

interface OneInspection {
	Params: { id: string };
}

/** Changes several inspections at once, the oldest changes first; gives their ids. */
function updateMany(
	{ store }: Sandbox,
	{ template, count, patch, timing: when }: BulkUpdate,
): string[] {
	const wanted = template === undefined ? undefined : store.findTemplate(null, template)?.id;
	const ids = store
		.inspections()
		.filter(({ templateId }) => template === undefined || templateId === wanted)
		.slice(0, count)
		.map(({ id }) => id);
	for (const id of ids) store.updateInspection(id, patch, when);
	return ids;
}

const recordOf = (inspection: Inspection | undefined, sandbox: Sandbox) =>
	inspection && wholeInspectionView(inspection, sandbox);

/** What `/_control/inspections` and `/_control/bulk-update` do. */
export function inspectionRoutes(server: FastifyInstance, sandbox: Sandbox): void {
	const { store } = sandbox;
	const show = (id: string) => recordOf(store.find(id), sandbox) ?? { id, visible: false };

	server.get<{ Querystring: { organization?: string } }>('/inspections', ({ query }) =>
		store.inspections(query.organization).map((inspection) => recordOf(inspection, sandbox)),
	);
	server.get<OneInspection>('/inspections/:id', ({ params }) => show(params.id));
	server.post<{ Body: InspectionSpec & Timed }>(
		'/inspections',
		{ schema: { body: SCHEMAS.add } },
		({ body: { timing: when, ...spec } }) => show(store.addInspection(spec, when).id),
	);
	server.patch<OneInspection & { Body: InspectionPatch & Timed }>(
		'/inspections/:id',
		{ schema: { body: SCHEMAS.change } },
		({ params, body: { timing: when, ...patch } }) => {
			store.updateInspection(params.id, patch, when);
			return show(params.id);
		},
	);
	server.delete<OneInspection>('/inspections/:id', ({ params }) => {
		store.removeInspection(params.id);
		return { removed: params.id };
	});
	server.post<OneInspection>('/inspections/:id/complete', ({ params }) => {
		store.updateInspection(params.id, { status: 'completed' });
		return show(params.id);
	});
	server.post<{ Body: BulkUpdate }>(
		'/bulk-update',
		{ schema: { body: SCHEMAS.bulk } },
		({ body }) => ({
			updated: updateMany(sandbox, body),
		}),
	);
}
