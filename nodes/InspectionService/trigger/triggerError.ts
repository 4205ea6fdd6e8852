import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { UnexpectedAnswerError } from '../domain/unexpectedAnswer';

/**
 * Whatever ended a poll, as n8n's error. The transport's errors carry their cause and wait already. Input that
 * only a person can correct says so: n8n's scheduler (2.38 and later) then does not ask again every minute.
 */
export function triggerError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof UnexpectedAnswerError) return unexpectedAnswer(node, error);
	const cause = error instanceof Error ? error : String(error);
	if (!(error instanceof InputError)) return new NodeOperationError(node, cause);
	const inputError = new NodeOperationError(node, error.message, { description: error.detail });
	inputError.failure = { cause: 'configuration-invalid' };
	return inputError;
}

/** As for an answer that no list is found in: often something else answers in the service's place for a while. */
function unexpectedAnswer(node: INode, error: UnexpectedAnswerError): NodeOperationError {
	const unexpected = new NodeOperationError(node, error);
	unexpected.failure = { cause: 'temporarily-unavailable' };
	return unexpected;
}
