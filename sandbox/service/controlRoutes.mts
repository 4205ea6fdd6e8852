import { Ajv } from 'ajv';
import type { FastifyInstance } from 'fastify';

import { inspectionRoutes } from './controlInspections.mts';
import { type Fault, FAULTS } from './faults.mts';
import { type Operation, OPERATIONS } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Sandbox } from './sandbox.mts';
import { type SandboxSettings, settingsSchema } from './settings.mts';
import { formatTimestamp } from './timestamp.mts';

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
			properties: { kind: { enum: Object.keys(FAULTS).filter((kind) => kind !== 'run') } },
		},
	},
};

interface RemoteFault {
	on?: { operation?: Operation; nth?: number; urlIncludes?: string };
	times?: number;
	do: Fault<Sandbox>;
}

const clockSchema = {
	type: 'object',
	additionalProperties: false,
	properties: {
		offsetMs: { type: 'number' },
		advanceMs: { type: 'number' },
		freeze: { type: ['boolean', 'string'] },
		resume: { type: 'boolean' },
	},
};

interface ClockChange {
	offsetMs?: number;
	advanceMs?: number;
	/** True: at now. */
	freeze?: boolean | string;
	resume?: boolean;
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
		templates: store.templates().map(({ organizationId, teamId, controls, ...template }) => ({
			id: template.id,
			identifier: template.identifier,
			name: template.name,
			organization_id: organizationId,
			team_id: teamId,
			published: template.published,
			disabled: template.disabled,
			deleted: template.deleted,
			control_count: controls.length,
		})),
		tasks: store.tasks(),
	};
}

function faultRoutes(server: FastifyInstance, { faults }: Sandbox): void {
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

function clockRoutes(server: FastifyInstance, { clock }: Sandbox): void {
	const show = () => ({ now: formatTimestamp(clock.now(), '100ns') });
	server.get('/clock', show);
	server.patch<{ Body: ClockChange }>('/clock', { schema: { body: clockSchema } }, ({ body }) => {
		if (body.resume === true) clock.resume();
		if (body.offsetMs !== undefined) clock.setOffset(body.offsetMs);
		if (body.freeze === true) clock.freeze();
		if (typeof body.freeze === 'string') clock.freeze(body.freeze);
		if (body.advanceMs !== undefined) clock.advance(body.advanceMs);
		return show();
	});
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
		server.get('/settings', () => sandbox.settings);
		server.patch<{ Body: Partial<SandboxSettings> }>(
			'/settings',
			{ schema: { body: settingsSchema } },
			({ body }) => Object.assign(sandbox.settings, body),
		);
		for (const add of [inspectionRoutes, faultRoutes, clockRoutes, requestRoutes]) {
			add(server, sandbox);
		}
		done();
	};
}
