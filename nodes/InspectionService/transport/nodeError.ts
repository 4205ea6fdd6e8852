import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { UnexpectedResponseError } from '../domain/responseShape';
import { htmlList, messageText } from '../domain/shownText';

/**
 * Turns whatever was thrown into an error of n8n. n8n shows messages and descriptions as HTML, so text of the service or
 * of an item is made harmless in them. An error that is one of n8n's already is handed back as it is.
 * `failure` tells n8n's scheduler (2.38 and later) whether the next poll may succeed. After wrong input it cannot: a
 * person has to correct that.
 */
export function nodeError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const shown = new NodeOperationError(node, isOwn(error) ? error.message : causeOf(error));
	// Set once more: n8n has replaced a message that holds a code such as ECONNREFUSED by a general sentence.
	shown.message = messageText(isOwn(error) ? error.message : shown.message);
	shown.description = descriptionOf(error);
	if (error instanceof InputError) shown.failure = { cause: 'configuration-invalid' };
	// A maintenance page or a proxy may respond in the service's place for a while.
	if (error instanceof UnexpectedResponseError)
		shown.failure = { cause: 'temporarily-unavailable' };
	return shown;
}

/** Our own errors are not handed to n8n as a cause: n8n would store their message as it was, with its HTML. */
function isOwn(error: unknown): error is InputError | UnexpectedResponseError {
	return error instanceof InputError || error instanceof UnexpectedResponseError;
}

function causeOf(error: unknown): Error | string {
	return error instanceof Error ? error : String(error);
}

function descriptionOf(error: unknown): string | undefined {
	const detail = error instanceof InputError ? error.detail : undefined;
	return detail === undefined ? undefined : htmlList(detail);
}
