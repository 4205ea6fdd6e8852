import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { UnexpectedResponseError } from '../domain/unexpectedResponse';

/**
 * Whatever ended a poll, as n8n's error. The transport's errors carry their cause and wait already. Input that
 * only a person can correct says so: n8n's scheduler (2.38 and later) then does not ask again every minute.
 */
export function triggerError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof UnexpectedResponseError) return withoutList(node, error);
	const cause = error instanceof Error ? error : String(error);
	if (!(error instanceof InputError)) return new NodeOperationError(node, cause);
	const inputError = new NodeOperationError(node, error.message, { description: error.detail });
	inputError.failure = { cause: 'configuration-invalid' };
	return inputError;
}

/** Something else often responds in the place of the service for a while: n8n asks again. */
function withoutList(node: INode, error: UnexpectedResponseError): NodeOperationError {
	const unexpected = new NodeOperationError(node, error);
	unexpected.failure = { cause: 'temporarily-unavailable' };
	return unexpected;
}
