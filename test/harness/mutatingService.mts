import { fastify } from 'fastify';

import { startSandbox } from '#sandbox/service/sandbox.mts';
import type { Credential } from './credential.mts';

/** The requests of the connector whose responses can be changed. */
export const CALLS = ['template', 'create', 'list', 'fileUrl', 'storage'] as const;
export type CallName = (typeof CALLS)[number];

/** Returns the JSON text to send instead of a response. */
export type Change = (call: CallName, json: unknown) => string;

const FILE = Buffer.from('not much of a photo');
/**
 * The file storage's headers that the connector reads. Content-Length isn't included, because a wrong length would
 * break HTTP itself.
 */
const STORAGE_HEADERS = {
	'content-type': 'image/jpeg',
	'content-disposition': 'attachment; filename="photo.jpg"',
};
/** A scenario that sends more requests than this would never end. */
const MAX_REQUESTS = 400;

/**
 * Starts a sandbox with few of the demo's inspections, so that a list fits on one page. A server in front of the
 * sandbox changes the responses. Each session has a separate base URL, so that many sessions can run concurrently. Responses
 * are cached by address, which is possible because the data doesn't change. The sandbox gets only two create requests:
 * one with a task and one without.
 */
export async function startMutatingService() {
	const sandbox = await startSandbox({ data: 'demo', demoInspections: 8 });
	const apiKey = sandbox.keys.north;
	const sessions = new Map<string, { requests: number; change: Change }>();
	const remembered = new Map<string, ReturnType<typeof askSandbox>>();
	const askSandbox = async (path: string, create: unknown) => {
		const headers = { 'access-token': apiKey, 'content-type': 'application/json' };
		const post = create !== undefined && { method: 'POST', body: JSON.stringify(create) };
		const response = await fetch(sandbox.apiUrl + path, { headers, ...post });
		return { status: response.status, body: await response.json() };
	};
	const ask = async (path: string, create: unknown) => {
		const key = create === undefined ? path : `create ${String('task' in Object(create))}`;
		const known = remembered.get(key) ?? askSandbox(path, create);
		remembered.set(key, known);
		return await known;
	};

	const server = fastify({
		forceCloseConnections: true,
		// Without these options, Fastify would reject bodies that have such keys. The mutated responses can have them, and
		// the connector can send them back.
		onProtoPoisoning: 'ignore',
		onConstructorPoisoning: 'ignore',
	});
	server.all('/:session/*', async ({ method, url, body: create }, reply) => {
		const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(url) ?? [];
		const session = sessions.get(name);
		if (session === undefined) return await reply.code(410).send();
		session.requests += 1;
		if (session.requests > MAX_REQUESTS) return await reply.code(400).send('asked too often');
		const call = callOf(method, path);
		if (call === 'storage')
			return await reply.headers(headersIn(session.change(call, STORAGE_HEADERS))).send(FILE);
		const { status, body } = await ask(path, method === 'POST' ? create : undefined);
		const storage = { url: `${origin}/${name}/storage/photo.jpg` };
		const own = call === 'fileUrl' ? { ...Object(body), ...storage } : body;
		return await reply.code(status).type('application/json').send(session.change(call, own));
	});
	const origin = await server.listen({ host: '127.0.0.1', port: 0 });

	return {
		sandbox,
		/** Does some work in a new session, in which `change` changes the responses. */
		async during<T>(change: Change, work: (credential: Credential) => Promise<T>): Promise<T> {
			const name = crypto.randomUUID();
			sessions.set(name, { requests: 0, change });
			const result = await work({ baseUrl: `${origin}/${name}`, apiKey });
			sessions.delete(name);
			return result;
		},
		async stop(): Promise<void> {
			await server.close();
			await sandbox.close();
		},
	};
}

function callOf(method: string, path: string): CallName {
	if (path.startsWith('/storage')) return 'storage';
	if (method === 'POST') return 'create';
	if (path.startsWith('/v1/templates/')) return 'template';
	return /\/files\/[^/]+\/url/.test(path) ? 'fileUrl' : 'list';
}

/** Omits headers that HTTP can't represent, because a real server couldn't send them either. */
function headersIn(mutated: string): Record<string, string> {
	const headers = Object.entries(Object(JSON.parse(mutated))).filter(([name, value]) => {
		if (!Object.hasOwn(STORAGE_HEADERS, name) || typeof value === 'object') return false;
		return /^[\x20-\x7e]*$/.test(String(value));
	});
	return Object.fromEntries(headers.map(([name, value]) => [name, String(value).slice(0, 2_000)]));
}
