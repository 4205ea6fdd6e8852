import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';

/** The calls whose responses are changed. */
export const CALLS = ['template', 'create', 'list', 'fileUrl', 'storage'] as const;
export type CallName = (typeof CALLS)[number];

/** The JSON text that is sent for a response to a call. */
export type Change = (call: CallName, json: unknown) => string;

/** What one run of a scenario has of the service. */
export interface ServiceSession {
	baseUrl: string;
	requests: number;
	change: Change;
}

const FILE = Buffer.from('not much of a photo');
/** Of the headers that a storage sends with a file, those that the connector reads. */
const STORAGE_HEADERS = {
	'content-type': 'image/jpeg',
	'content-disposition': 'attachment; filename="photo.jpg"',
	'content-length': String(FILE.length),
};
/** A scenario that asks this often does not end. */
const MAX_REQUESTS = 400;

/**
 * A sandbox, and before it a server that changes its responses: each session has a base URL of its own, so
 * that many run at once. Responses are remembered by their address, because nothing changes behind them; a create is
 * made once and then remembered too.
 */
export class MutatingService {
	readonly apiKey: string;
	private readonly sandbox: Sandbox;
	private readonly sessions = new Map<string, ServiceSession>();
	private readonly remembered = new Map<string, Promise<{ status: number; body: unknown }>>();
	private readonly server = createServer(
		(request, response) => void this.respond(request, response),
	);
	private origin = '';
	private nextSession = 1;

	constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
		this.apiKey = sandbox.keys.north;
	}

	async listen(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		const address = this.server.address();
		if (address === null || typeof address === 'string') throw new Error('the server has no port');
		this.origin = `http://127.0.0.1:${String(address.port)}`;
	}

	open(change: Change = (_, json) => JSON.stringify(json)): ServiceSession {
		const name = `s${String(this.nextSession++)}`;
		const session = { baseUrl: `${this.origin}/${name}`, requests: 0, change };
		this.sessions.set(name, session);
		return session;
	}

	close(session: ServiceSession): void {
		this.sessions.delete(session.baseUrl.slice(this.origin.length + 1));
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
		await this.sandbox.close();
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const [, name = '', rest = ''] = /^\/(s\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
		const session = this.sessions.get(name);
		if (session === undefined) return void response.writeHead(410).end();
		session.requests += 1;
		if (session.requests > MAX_REQUESTS) return void response.writeHead(400).end('asked too often');
		const call = callOf(request.method ?? '', rest);
		if (call === 'storage') return void sendFile(response, session.change(call, STORAGE_HEADERS));
		const sent = request.method === 'POST' ? await jsonOf(request) : undefined;
		const { status, body } = await this.ask(rest, sent);
		const own =
			call === 'fileUrl' ? { ...Object(body), url: `${session.baseUrl}/storage/photo.jpg` } : body;
		response
			.writeHead(status, { 'content-type': 'application/json' })
			.end(session.change(call, own));
	}

	private async ask(path: string, create?: unknown) {
		const key = create === undefined ? path : `create ${String(hasTask(create))}`;
		const known = this.remembered.get(key) ?? this.askSandbox(path, create);
		this.remembered.set(key, known);
		return await known;
	}

	private async askSandbox(path: string, create?: unknown) {
		const response = await fetch(this.sandbox.apiUrl + path, {
			method: create === undefined ? 'GET' : 'POST',
			headers: { 'access-token': this.apiKey, 'content-type': 'application/json' },
			...(create === undefined ? {} : { body: JSON.stringify(create) }),
		});
		const text = await response.text();
		const body: unknown = JSON.parse(text);
		return { status: response.status, body };
	}
}

/** A sandbox with the demo's data, few enough for one page. */
export async function startMutatingService(): Promise<{
	service: MutatingService;
	sandbox: Sandbox;
}> {
	const sandbox = await startSandbox({ data: 'demo', demoInspections: 8 });
	const service = new MutatingService(sandbox);
	await service.listen();
	return { service, sandbox };
}

function callOf(method: string, path: string): CallName {
	if (path.startsWith('/storage')) return 'storage';
	if (method === 'POST') return 'create';
	if (path.startsWith('/v1/templates/')) return 'template';
	return /\/files\/[^/]+\/url/.test(path) ? 'fileUrl' : 'list';
}

function hasTask(create: unknown): boolean {
	return typeof create === 'object' && create !== null && 'task' in create;
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
	return JSON.parse(Buffer.concat(chunks).toString());
}

/** Headers that HTTP cannot carry are left out: no server can send them. */
function sendFile(response: ServerResponse, mutatedHeaders: string): void {
	const headers: unknown = JSON.parse(mutatedHeaders);
	const isList = typeof headers === 'object' && headers !== null;
	for (const [name, value] of isList ? Object.entries(headers) : []) {
		if (!Object.hasOwn(STORAGE_HEADERS, name) || typeof value === 'object') continue;
		// Another length than the file's is an error of HTTP, which the tests of the transport have.
		if (name === 'content-length' && value !== String(FILE.length)) continue;
		const text = String(value).slice(0, 2_000);
		if (/^[\x20-\x7e]*$/.test(text)) response.setHeader(name, text);
	}
	response.end(FILE);
}
