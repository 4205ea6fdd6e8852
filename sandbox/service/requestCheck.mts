import { channel } from 'node:diagnostics_channel';

import type { ApiOperation } from './model.mts';
import { readQuery } from './queryParameters.mts';
import type { LoggedRequest } from './requestLog.mts';
import { documentedOperation, problemsOf } from './serviceDocument.mts';
import type { SandboxSettings } from './settings.mts';

/** Node's diagnostics channel on which every request to the API is told, with what the document says against it. */
export const REQUEST_CHANNEL = 'inspection-sandbox:request';

/** A request to one of the documented operations, and in what it departs from the document. */
export interface CheckedRequest {
	operation: ApiOperation;
	method: string;
	url: string;
	problems: string[];
}

const requests = channel(REQUEST_CHANNEL);

function decode(step: string): string {
	try {
		return decodeURIComponent(step);
	} catch {
		return step;
	}
}

/** The values of `{name}` in an operation's path. */
function pathParameters(template: string, path: string): Record<string, string> {
	const given = path.split('/');
	return Object.fromEntries(
		template.split('/').flatMap((step, index) => {
			const name = /^\{(.*)\}$/.exec(step)?.[1];
			return name === undefined ? [] : [[name, decode(given[index] ?? '')]];
		}),
	);
}

function bodyProblems(schema: object | undefined, text: string): string[] {
	if (schema === undefined) return text === '' ? [] : ['there is a body'];
	try {
		return problemsOf(JSON.parse(text), schema, 'json');
	} catch {
		return ['the body is not JSON'];
	}
}

/** In what a request departs from docs/service.openapi.yaml, parameters that it does not have included. */
export function requestProblems(
	operation: ApiOperation,
	entry: Pick<LoggedRequest, 'path' | 'query' | 'headers' | 'body'>,
	settings: SandboxSettings,
): string[] {
	const { schemas, path } = documentedOperation(operation);
	const query = readQuery(entry.query.toString(), settings.dataFilter);
	return [
		...(typeof entry.headers['access-token'] === 'string' ? [] : ['there is no access-token']),
		...problemsOf(pathParameters(path, entry.path), schemas.params, 'text'),
		...problemsOf(query, schemas.knownQuery, 'text'),
		...bodyProblems(schemas.body, entry.body),
	];
}

/** Tells the channel of an answered request; costs nothing where nobody listens. */
export function publishRequest(entry: LoggedRequest, settings: SandboxSettings): void {
	const { operation, method, url } = entry;
	if (!requests.hasSubscribers || operation === null || operation === 'downloadFile') return;
	const problems = requestProblems(operation, entry, settings);
	requests.publish({ operation, method, url, problems } satisfies CheckedRequest);
}
