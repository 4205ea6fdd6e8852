import { Ajv } from 'ajv';
import type { FastifyInstance } from 'fastify';

import type { FaultRule } from './faultBoard.mts';
import { FAULTS } from './faults.mts';
import { type Operation, OPERATIONS } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Sandbox } from './sandbox.mts';
import { type SandboxSettings, settingsSchema } from './settings.mts';
import type { InspectionPatch, InspectionSpec, WriteTiming } from './specs.mts';
import { formatTimestamp } from './timestamp.mts';
import { templateView, wholeInspectionView } from './view.mts';

/** JSON schema of an object with these members and no others. */
const only = (properties: object, ...required: string[]) => ({
	type: 'object',
	additionalProperties: false,
	required,
	properties,
});

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 1 };
const TIMING = only({ at: TEXT, visibleAt: TEXT, visibleInMs: { type: 'number' } });
/** What another process may want of a fault: all but `run`. */
const KINDS = Object.keys(FAULTS).filter((kind) => kind !== 'run');

/** Bodies of the routes; what an inspection may hold is left to the store. */
const SCHEMAS = {
	settings: settingsSchema,
	add: { type: 'object', required: ['template'], properties: { template: TEXT, timing: TIMING } },
	change: { type: 'object', properties: { timing: TIMING } },
	bulk: only({
		template: TEXT,
		count: { type: 'integer', minimum: 0 },
		patch: { type: 'object' },
		timing: TIMING,
	}),
	fault: only(
		{
			on: only({ operation: { enum: OPERATIONS }, nth: COUNT, urlIncludes: TEXT }),
			times: COUNT,
			do: { type: 'object', required: ['kind'], properties: { kind: { enum: KINDS } } },
		},
		'do',
	),
	clock: only({
		resume: { type: 'boolean' },
		offsetMs: { type: 'number' },
		freeze: { type: ['boolean', 'string'] },
		advanceMs: { type: 'number' },
	}),
};

interface ById {
	Params: { id: string };
}

interface Timed {
	timing?: WriteTiming;
}

interface BulkUpdate extends Timed {
	/** Template id or identifier; none means all. */
	template?: string;
	count?: number;
	patch?: InspectionPatch;
}

function inspectionRoutes(server: FastifyInstance, sandbox: Sandbox): void {
	const { store } = sandbox;
	const show = (id: string) => {
		const inspection = store.find(id);
		return inspection ? wholeInspectionView(inspection, sandbox) : { id, visible: false };
	};
	const change = (id: string, patch: InspectionPatch, timing?: WriteTiming) => {
		store.updateInspection(id, patch, timing);
		return show(id);
	};

	server.get<{ Querystring: { organization?: string } }>('/inspections', ({ query }) =>
		store.inspections(query.organization).map(({ id }) => show(id)),
	);
	server.get<ById>('/inspections/:id', ({ params }) => show(params.id));
	server.post<{ Body: InspectionSpec & Timed }>(
		'/inspections',
		{ schema: { body: SCHEMAS.add } },
		({ body: { timing, ...spec } }) => show(store.addInspection(spec, timing).id),
	);
	server.patch<ById & { Body: InspectionPatch & Timed }>(
		'/inspections/:id',
		{ schema: { body: SCHEMAS.change } },
		({ params, body: { timing, ...patch } }) => change(params.id, patch, timing),
	);
	server.delete<ById>('/inspections/:id', ({ params }) => {
		store.removeInspection(params.id);
		return { removed: params.id };
	});
	server.post<ById>('/inspections/:id/complete', ({ params }) =>
		change(params.id, { status: 'completed' }),
	);
	server.post<{ Body: BulkUpdate }>(
		'/bulk-update',
		{ schema: { body: SCHEMAS.bulk } },
		({ body }) => ({ updated: updateMany(sandbox, body) }),
	);
}

/** Changes several inspections, the oldest changes first; gives their ids. */
function updateMany({ store }: Sandbox, { template, count, patch, timing }: BulkUpdate): string[] {
	const wanted = template && store.findTemplate(null, template)?.id;
	const found = store.inspections().filter((one) => !template || one.templateId === wanted);
	const updated = found.slice(0, count).map(({ id }) => id);
	for (const id of updated) store.updateInspection(id, patch, timing);
	return updated;
}

/** A fault as another process names it: `urlIncludes` stands for a condition. */
type RemoteFault = Omit<FaultRule, 'on'> & {
	on?: Omit<NonNullable<FaultRule['on']>, 'where'> & { urlIncludes?: string };
};

function faultRoutes(server: FastifyInstance, { faults }: Sandbox): void {
	const show = (id: string | number) => ({
		id: Number(id),
		hits: faults.find(Number(id))?.hits ?? 0,
	});

	server.get('/faults', () => faults.all().map(({ id }) => show(id)));
	server.get<ById>('/faults/:id', ({ params }) => show(params.id));
	server.post<{ Body: RemoteFault }>(
		'/faults',
		{ schema: { body: SCHEMAS.fault } },
		({ body: { on: { urlIncludes = '', ...on } = {}, ...rule } }) => {
			const where = ({ url }: LoggedRequest) => url.includes(urlIncludes);
			return show(faults.add({ ...rule, on: { ...on, where } }).id);
		},
	);
	server.delete<ById>('/faults/:id', ({ params }) => {
		const shown = show(params.id);
		faults.find(shown.id)?.remove();
		return shown;
	});
	server.delete('/faults', () => {
		faults.clear();
		return [];
	});
}

interface ClockChange {
	resume?: boolean;
	offsetMs?: number;
	/** True: at now. */
	freeze?: boolean | string;
	advanceMs?: number;
}

function clockRoutes(server: FastifyInstance, { clock }: Sandbox): void {
	const show = () => ({ now: formatTimestamp(clock.now(), '100ns') });
	server.get('/clock', show);
	server.patch<{ Body: ClockChange }>(
		'/clock',
		{ schema: { body: SCHEMAS.clock } },
		({ body: { resume, offsetMs, freeze, advanceMs = 0 } }) => {
			if (resume === true) clock.resume();
			if (offsetMs !== undefined) clock.setOffset(offsetMs);
			if (freeze) clock.freeze(freeze === true ? undefined : freeze);
			clock.advance(advanceMs);
			return show();
		},
	);
}

function requestRoutes(server: FastifyInstance, { requests }: Sandbox): void {
	server.get<{ Querystring: { operation?: Operation } }>('/requests', ({ query }) => {
		const found = requests.all(query.operation);
		return {
			count: found.length,
			peak_in_flight: requests.peakInFlight(query.operation),
			requests: found.map((entry) => ({ ...entry, query: Object.fromEntries(entry.query) })),
		};
	});
	server.delete('/requests', () => {
		requests.clear();
		return { count: 0 };
	});
}

function stateOf(sandbox: Sandbox) {
	const { store, clock, tenants } = sandbox;
	return {
		now: formatTimestamp(clock.now(), '100ns'),
		north: tenants.north.organization.id,
		south: tenants.south.organization.id,
		organizations: store.organizations().map((organization) => ({
			...organization,
			teams: store.teams(organization.id),
			members: store.members(organization.id),
			inspections: store.inspections(organization.id).length,
		})),
		templates: store.templates().map((template) => ({
			...templateView(template, sandbox),
			identifier: template.identifier,
			published: template.published,
			disabled: template.disabled,
			deleted: template.deleted,
			control_count: template.controls.length,
		})),
		tasks: store.tasks(),
	};
}

/** Where the sandbox itself is steered over HTTP: beside the service, and no part of it. */
export const CONTROL_PREFIX = '/_control';

/**
 * Steers a sandbox that runs in another process, as a small JSON API: state, inspections, bulk-update, faults,
 * requests, settings, clock. Opened by the option `control` only.
 */
export function controlRoutes(sandbox: Sandbox) {
	return (server: FastifyInstance, _options: object, done: () => void): void => {
		const ajv = new Ajv({ allowUnionTypes: true });
		server.setValidatorCompiler(({ schema }) => ajv.compile(schema));
		server.removeAllContentTypeParsers();
		server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => {
			try {
				const value: unknown = JSON.parse(String(body) || '{}');
				parsed(null, value);
			} catch {
				parsed(new TypeError('The body is not JSON'));
			}
		});
		server.setErrorHandler((error, _request, reply) =>
			reply.code(400).send({ message: error instanceof Error ? error.message : String(error) }),
		);
		server.get('/state', () => stateOf(sandbox));
		server.get('/settings', () => sandbox.settings);
		server.patch<{ Body: Partial<SandboxSettings> }>(
			'/settings',
			{ schema: { body: SCHEMAS.settings } },
			({ body }) => Object.assign(sandbox.settings, body),
		);
		for (const add of [inspectionRoutes, faultRoutes, clockRoutes, requestRoutes]) {
			add(server, sandbox);
		}
		done();
	};
}
