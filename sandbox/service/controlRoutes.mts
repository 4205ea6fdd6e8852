import type { FastifyInstance } from 'fastify';

import type { Fault } from './faultBoard.mts';
import { OPERATIONS } from './model.mts';
import type { Inspection, Operation } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Sandbox } from './sandbox.mts';
import { settingsSchema } from './settings.mts';
import type { SandboxSettings } from './settings.mts';
import type { InspectionPatch, InspectionSpec, WriteTiming } from './specs.mts';
import { formatTimestamp } from './timestamp.mts';
import { dataView, filesView, inspectionView, sharedUsersView } from './view.mts';

const timingSchema = {
	type: 'object',
	properties: {
		at: { type: 'string' },
		visibleAt: { type: 'string' },
		visibleInMs: { type: 'number' },
	},
	additionalProperties: false,
};

/** What another process may want of a fault: all but `run`. */
const faultSchema = {
	type: 'object',
	required: ['do'],
	additionalProperties: false,
	properties: {
		on: {
			type: 'object',
			additionalProperties: false,
			properties: {
				operation: { type: 'string', enum: OPERATIONS },
				nth: { type: 'integer', minimum: 1 },
				urlIncludes: { type: 'string' },
			},
		},
		times: { type: 'integer', minimum: 1 },
		do: {
			type: 'object',
			required: ['kind'],
			properties: {
				kind: {
					enum: [
						'latency',
						'status',
						'html',
						'truncate',
						'malformed',
						'empty',
						'contentType',
						'body',
						'resetBefore',
						'resetWhile',
						'resetAfter',
						'flood',
						'hang',
						'redirect',
						'rateLimit',
					],
				},
			},
		},
	},
};

interface RemoteFault {
	on?: { operation?: Operation; nth?: number; urlIncludes?: string };
	times?: number;
	do: Fault<Sandbox>;
}

interface BulkUpdate {
	/** Template id or identifier; none means all. */
	template?: string;
	count?: number;
	patch?: InspectionPatch;
	timing?: WriteTiming;
}

interface ClockChange {
	offsetMs?: number;
	advanceMs?: number;
	/** True: at now. */
	freeze?: boolean | string;
	resume?: boolean;
}

function inspectionRecord(inspection: Inspection, sandbox: Sandbox) {
	return {
		...inspectionView(inspection, sandbox),
		...filesView(inspection, sandbox),
		...sharedUsersView(inspection, sandbox),
		data: dataView(inspection, sandbox),
	};
}

function requestRecord(entry: LoggedRequest) {
	return { ...entry, query: Object.fromEntries(entry.query) };
}

function stateRecord({ store, clock, tenants }: Sandbox) {
	const organizations = store.organizations().map(({ id, name }) => ({
		id,
		name,
		teams: store.teams(id).map((team) => ({ id: team.id, name: team.name })),
		members: store.members(id).map((user) => ({ id: user.id, name: user.name, email: user.email })),
		inspections: store.inspections(id).length,
	}));
	return {
		now: formatTimestamp(clock.now(), '100ns'),
		north: tenants.north.organization.id,
		south: tenants.south.organization.id,
		organizations,
		templates: store.templates().map((template) => ({
			id: template.id,
			identifier: template.identifier,
			name: template.name,
			organization_id: template.organizationId,
			team_id: template.teamId,
			published: template.published,
			disabled: template.disabled,
			deleted: template.deleted,
			control_count: template.controls.length,
		})),
		tasks: store.tasks(),
	};
}

function addInspectionRoutes(server: FastifyInstance, sandbox: Sandbox): void {
	const { store } = sandbox;
	const show = (id: string) => {
		const inspection = store.find(id);
		return inspection === undefined
			? { id, visible: false }
			: inspectionRecord(inspection, sandbox);
	};

	server.get<{ Querystring: { organization?: string } }>('/inspections', ({ query }) =>
		store
			.inspections(query.organization)
			.map((inspection) => inspectionRecord(inspection, sandbox)),
	);
	server.get<{ Params: { id: string } }>('/inspections/:id', ({ params }) => show(params.id));
	server.post<{ Body: InspectionSpec & { timing?: WriteTiming } }>(
		'/inspections',
		{
			schema: {
				body: {
					type: 'object',
					required: ['template'],
					properties: { template: { type: 'string' }, timing: timingSchema },
				},
			},
		},
		({ body: { timing, ...spec } }) => show(store.addInspection(spec, timing).id),
	);
	server.patch<{ Params: { id: string }; Body: InspectionPatch & { timing?: WriteTiming } }>(
		'/inspections/:id',
		{ schema: { body: { type: 'object', properties: { timing: timingSchema } } } },
		({ params, body: { timing, ...patch } }) => {
			store.updateInspection(params.id, patch, timing);
			return show(params.id);
		},
	);
	server.delete<{ Params: { id: string } }>('/inspections/:id', ({ params }) => {
		store.removeInspection(params.id);
		return { removed: params.id };
	});
	server.post<{ Params: { id: string } }>('/inspections/:id/complete', ({ params }) => {
		store.updateInspection(params.id, { status: 'completed' });
		return show(params.id);
	});
	server.post<{ Body: BulkUpdate }>(
		'/bulk-update',
		{
			schema: {
				body: {
					type: 'object',
					additionalProperties: false,
					properties: {
						template: { type: 'string' },
						count: { type: 'integer', minimum: 0 },
						patch: { type: 'object' },
						timing: timingSchema,
					},
				},
			},
		},
		({ body: { template, count = Infinity, patch, timing } }) => {
			const wanted = template === undefined ? undefined : store.findTemplate(null, template)?.id;
			const ids = store
				.inspections()
				.filter((inspection) => template === undefined || inspection.templateId === wanted)
				.slice(0, count)
				.map((inspection) => inspection.id);
			for (const id of ids) store.updateInspection(id, patch, timing);
			return { updated: ids };
		},
	);
}

function addFaultRoutes(server: FastifyInstance, { faults }: Sandbox): void {
	const show = (id: number) => ({ id, hits: faults.find(id)?.hits ?? 0 });

	server.get('/faults', () => faults.all().map(({ id }) => show(id)));
	server.get<{ Params: { id: string } }>('/faults/:id', ({ params }) => show(Number(params.id)));
	server.post<{ Body: RemoteFault }>('/faults', { schema: { body: faultSchema } }, ({ body }) => {
		const { urlIncludes, ...on } = body.on ?? {};
		const where = (request: LoggedRequest) => request.url.includes(urlIncludes ?? '');
		const { times } = body;
		const rule = { on: { ...on, where }, do: body.do, ...(times === undefined ? {} : { times }) };
		return show(faults.add(rule).id);
	});
	server.delete<{ Params: { id: string } }>('/faults/:id', ({ params }) => {
		const shown = show(Number(params.id));
		faults.find(shown.id)?.remove();
		return shown;
	});
	server.delete('/faults', () => {
		faults.clear();
		return [];
	});
}

function addClockRoutes(server: FastifyInstance, { clock }: Sandbox): void {
	const show = () => ({ now: formatTimestamp(clock.now(), '100ns') });
	server.get('/clock', show);
	server.patch<{ Body: ClockChange }>(
		'/clock',
		{
			schema: {
				body: {
					type: 'object',
					additionalProperties: false,
					properties: {
						offsetMs: { type: 'number' },
						advanceMs: { type: 'number' },
						freeze: { type: ['boolean', 'string'] },
						resume: { type: 'boolean' },
					},
				},
			},
		},
		({ body }) => {
			if (body.resume === true) clock.resume();
			if (body.offsetMs !== undefined) clock.setOffset(body.offsetMs);
			if (body.freeze === true) clock.freeze();
			if (typeof body.freeze === 'string') clock.freeze(body.freeze);
			if (body.advanceMs !== undefined) clock.advance(body.advanceMs);
			return show();
		},
	);
}

/**
 * Steers a sandbox that runs in another process, as a small JSON API: state, inspections, bulk-update, faults,
 * requests, settings, clock. Opened by the option `control` only.
 */
export function controlRoutes(sandbox: Sandbox) {
	return (server: FastifyInstance, _options: object, done: () => void): void => {
		server.removeAllContentTypeParsers();
		server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => {
			try {
				const value: unknown = JSON.parse(String(body) === '' ? '{}' : String(body));
				parsed(null, value);
			} catch {
				parsed(new TypeError('The body is not JSON'));
			}
		});
		server.setErrorHandler((error, _request, reply) =>
			reply.code(400).send({ message: error instanceof Error ? error.message : String(error) }),
		);

		server.get('/state', () => stateRecord(sandbox));
		server.get<{ Querystring: { operation?: Operation } }>('/requests', ({ query }) => {
			const requests = sandbox.requests.all(query.operation);
			return {
				count: requests.length,
				peak_in_flight: sandbox.requests.peakInFlight(query.operation),
				requests: requests.map(requestRecord),
			};
		});
		server.delete('/requests', () => {
			sandbox.requests.clear();
			return { count: 0 };
		});
		server.get('/settings', () => sandbox.settings);
		server.patch<{ Body: Partial<SandboxSettings> }>(
			'/settings',
			{ schema: { body: settingsSchema } },
			({ body }) => Object.assign(sandbox.settings, body),
		);
		addInspectionRoutes(server, sandbox);
		addFaultRoutes(server, sandbox);
		addClockRoutes(server, sandbox);
		done();
	};
}
