import { problemsOf } from '#harness/requestCheck.mts';
import type { ApiOperation } from '#sandbox/service/model.mts';
import { documentedOperation, serviceDocument } from '#sandbox/service/serviceDocument.mts';
import type { Reply } from './apiCall.mts';

/** In what a response departs from docs/service.openapi.yaml: its status, its content type, its body. */
export function responseProblems(operation: ApiOperation, reply: Reply): string[] {
	const response = documentedOperation(operation).responses[String(reply.status)];
	if (response === undefined) return [`status ${String(reply.status)} is not documented`];
	const shared = serviceDocument.components.responses[response.$ref?.split('/').at(-1) ?? ''];
	const content = response.content ?? shared?.content ?? {};
	const type = reply.headers.get('content-type')?.split(';', 1)[0] ?? '';
	const media = content[type];
	if (media === undefined) return [`content type ${type} is not documented`];
	if (media.schema === undefined) return [];
	return reply.json === undefined ? ['no JSON'] : problemsOf(reply.json, media.schema, 'json');
}
