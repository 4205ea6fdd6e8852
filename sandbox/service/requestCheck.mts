import { channel } from 'node:diagnostics_channel';

import type { FastifyRequest } from 'fastify';

import type { ApiOperation } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';
import { documentedOperation, problemsOf } from './serviceDocument.mts';

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

function bodyProblems(schema: object | undefined, text: string): string[] {
	if (schema === undefined) return text === '' ? [] : ['there is a body'];
	try {
		return problemsOf(JSON.parse(text), schema, 'json');
	} catch {
		return ['the body is not JSON'];
	}
}

/** In what a request departs from docs/service.openapi.yaml, parameters that it does not have included. */
function requestProblems(operation: ApiOperation, request: FastifyRequest, body: string): string[] {
	const { schemas, knownQuery } = documentedOperation(operation);
	return [
		...(typeof request.headers['access-token'] === 'string' ? [] : ['there is no access-token']),
		// As they are now: the checks put defaults and numbers in the place of texts.
		...problemsOf(structuredClone(request.params), schemas.params, 'text'),
		...problemsOf(structuredClone(request.query), knownQuery, 'text'),
		...bodyProblems(schemas.body, body),
	];
}

/** Tells the channel of a request; costs nothing where nobody listens. */
export function publishRequest(request: FastifyRequest, entry: LoggedRequest): void {
	const { operation, method, url, body } = entry;
	if (!requests.hasSubscribers || operation === null || operation === 'downloadFile') return;
	const problems = requestProblems(operation, request, body);
	requests.publish({ operation, method, url, problems } satisfies CheckedRequest);
}
