import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { htmlList, messageText } from '../domain/shownText';
import { UnexpectedResponseError } from '../domain/unexpectedResponse';

/**
 * Whatever was thrown, as n8n's error. Its message and description are safe to show, whatever text of the service or
 * of an item they hold. Errors of n8n itself and of the transport are handed back as they are.
 * `failure` tells n8n's scheduler (2.38 and later) whether a poll may succeed later: only a person can correct input.
 */
export function nodeError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const shown = new NodeOperationError(node, isOwn(error) ? error.message : causeOf(error));
	// Where a message holds a code such as ECONNREFUSED, n8n puts a sentence about the network in its place.
	shown.message = messageText(isOwn(error) ? error.message : shown.message);
	shown.description = descriptionOf(error);
	if (error instanceof InputError) shown.failure = { cause: 'configuration-invalid' };
	// Something else often responds in the place of the service for a while.
	if (error instanceof UnexpectedResponseError)
		shown.failure = { cause: 'temporarily-unavailable' };
	return shown;
}

/** n8n stores an error's cause beside it, with its message as it was: that of our own errors adds nothing. */
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
