import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { htmlList, htmlText, messageText, withoutCanceled } from '../domain/formatting';
import { InputError } from '../domain/inputError';
import { RequestFailure } from '../domain/request/requestFailure';
import { CHECK_ADDRESS } from '../domain/request/statusFailure';
import { UnexpectedResponseError } from '../domain/unexpectedResponse';

/**
 * Converts any thrown value into an n8n error. No other code does this. n8n renders the message and description as
 * HTML. n8n's scheduler uses `failure` to decide about the next poll.
 */
export function nodeError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof RequestFailure) {
		const { httpCode, cause, retryAfterMs } = error.facts;
		const message = messageText(error.facts.message);
		const description = htmlText(error.facts.description);
		const failure = cause && { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) };
		const shown = new NodeApiError(node, {}, { message, description, httpCode, failure });
		return Object.assign(shown, { message, description });
	}
	// Don't pass the nodes' own errors to n8n as a cause, because n8n would store their original message with its
	// HTML.
	const isOwn = error instanceof InputError || error instanceof UnexpectedResponseError;
	const cause = error instanceof Error ? error : String(error);
	const shown = new NodeOperationError(node, isOwn ? error.message : cause);
	// Set the message again, because n8n replaces a message that contains a code such as ECONNREFUSED with a general
	// sentence.
	shown.message = messageText(isOwn ? error.message : shown.message);
	const detail = error instanceof InputError ? error.detail : undefined;
	shown.description = detail === undefined ? undefined : htmlList(detail);
	// No poll can succeed until a person corrects the input.
	if (error instanceof InputError) shown.failure = { cause: 'configuration-invalid' };
	// A maintenance page or a proxy can temporarily respond instead of the service.
	if (error instanceof UnexpectedResponseError) {
		shown.description = `${CHECK_ADDRESS} If it does, ask the service administrator.`;
		shown.failure = { cause: 'temporarily-unavailable' };
	}
	return shown;
}

/**
 * Every error that the nodes throw to n8n passes through here. n8n stores an execution as canceled if the message
 * contains the word "canceled", so a search for failed executions misses the execution. In that case, the word is
 * capitalized in the message, and the description starts with the original text.
 */
export function thrownError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	const shown = nodeError(node, error);
	const exact = shown.message;
	const message = withoutCanceled(exact);
	if (message === exact) return shown;
	const description = [htmlText(exact), shown.description].filter(Boolean).join(' ');
	return Object.assign(shown, { message, description });
}
