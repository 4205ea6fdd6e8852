import type { FastifyInstance } from 'fastify';

import type { Sandbox } from './sandbox.mts';
import { checkedSettings } from './settings.mts';
import { formatTimestamp } from './time.mts';

/** Prefix of the routes that control the sandbox over HTTP. They aren't part of the service. */
export const CONTROL_PREFIX = '/_control';

/** The methods that other processes can call, by part of the sandbox. */
const CALLS = {
	store: [
		'addTemplate',
		'updateTemplate',
		'findTemplate',
		'addInspection',
		'updateInspection',
		'updateOldest',
		'removeInspection',
		'inspections',
		'find',
	],
	faults: ['add', 'all', 'remove', 'clear'],
	clock: ['date', 'freeze', 'advance', 'setOffset'],
	requests: ['all', 'count', 'peakInFlight', 'clear'],
} as const satisfies { [Part in keyof Sandbox]?: readonly (keyof Sandbox[Part])[] };

function call(sandbox: Sandbox, part: keyof typeof CALLS, name: string, parameters: unknown) {
	const isOffered = Object.hasOwn(CALLS, part) && CALLS[part].some((offered) => offered === name);
	if (!isOffered) throw new TypeError(`There is no ${part}/${name}: ${JSON.stringify(CALLS)}`);
	if (!Array.isArray(parameters)) throw new TypeError('The body must be a list of arguments');
	const target: object = sandbox[part];
	return Reflect.apply(Reflect.get(target, name), target, parameters);
}

/** Converts a method's result to JSON: timestamps become ISO 8601 text, and undefined becomes null. */
const shown = (value: unknown): string =>
	JSON.stringify(value ?? null, function (this: object, key, member: unknown) {
		// Reads the original value, because `member` can already be text: if n8n-workflow is loaded, it gives every bigint
		// a `toJSON`.
		const moment: unknown = Reflect.get(this, key);
		return typeof moment === 'bigint' ? formatTimestamp(moment, '100ns') : member;
	});

/**
 * Routes that control the sandbox from another process. For example, `POST /_control/store/updateInspection` with the
 * body `["<id>", {"status": "completed"}]` calls `store.updateInspection` with these two arguments and returns the
 * result. `PATCH /_control/settings` changes settings. The sandbox has these routes only with the option `control`.
 */
export function controlRoutes(sandbox: Sandbox) {
	return (server: FastifyInstance, _options: object, done: () => void): void => {
		server.setErrorHandler((error, _request, reply) =>
			reply.code(400).send({ message: error instanceof Error ? error.message : String(error) }),
		);
		server.addHook('onRequest', async (_request, reply) => {
			reply.type('application/json');
		});
		server.patch<{ Body: string }>('/settings', ({ body }) =>
			Object.assign(sandbox.settings, checkedSettings(JSON.parse(body))),
		);
		server.post<{ Params: { part: keyof typeof CALLS; name: string }; Body?: string }>(
			'/:part/:name',
			({ params: { part, name }, body }) =>
				shown(call(sandbox, part, name, JSON.parse(body ?? '[]'))),
		);
		done();
	};
}
