import { randomUUID } from 'node:crypto';

import { isRecord, type JsonRecord, textOf } from '../../nodes/InspectionService/domain/json.ts';

/** n8n answered with a status that is not 2xx. */
export class N8nApiError extends Error {
	readonly status: number;
	constructor(status: number, message: string) {
		super(message);
		this.name = 'N8nApiError';
		this.status = status;
	}
}

/** One request to n8n's REST API: the path is below /rest. */
export type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

/** Cookie and browser id: n8n ties a session to both. Rejects with N8nApiError where the status is not 2xx. */
export function createSession(url: string): Send {
	const browserId = randomUUID();
	let cookie = '';
	return async (method, path, body) => {
		const response = await fetch(`${url}/rest${path}`, {
			method,
			headers: {
				'browser-id': browserId,
				cookie,
				// n8n closes a connection that was idle for 5 s, perhaps the moment that it is used again.
				connection: 'close',
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(60_000),
		});
		const issued = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (issued !== undefined) cookie = issued.split(';')[0] ?? '';
		if (response.ok) return response;
		const text = await response.text();
		const message = textOf(recordIn(parseJson(text))['message']) ?? text.slice(0, 500);
		throw new N8nApiError(response.status, `${method} /rest${path}: ${response.status} ${message}`);
	};
}

export const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** JSON text as a value, undefined where it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
