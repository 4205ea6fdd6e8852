import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { RequestFailure } from '../domain/request/requestFailure';
import { UnexpectedResponseError } from '../domain/responseShape';
import { htmlList, htmlText, messageText, withoutCanceled } from '../domain/shownText';

/**
 * Turns whatever was thrown into an error of n8n; the only place that does. n8n shows its texts as HTML. By `failure` n8n's
 * scheduler decides about the next poll.
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
	// Our own errors are not handed to n8n as a cause: n8n would store their message as it was, with its HTML.
	const isOwn = error instanceof InputError || error instanceof UnexpectedResponseError;
	const cause = error instanceof Error ? error : String(error);
	const shown = new NodeOperationError(node, isOwn ? error.message : cause);
	// Set once more: n8n has replaced a message that holds a code such as ECONNREFUSED by a general sentence.
	shown.message = messageText(isOwn ? error.message : shown.message);
	const detail = error instanceof InputError ? error.detail : undefined;
	shown.description = detail === undefined ? undefined : htmlList(detail);
	// After wrong input no poll succeeds: a person has to correct that.
	if (error instanceof InputError) shown.failure = { cause: 'configuration-invalid' };
	// A maintenance page or a proxy may respond in the service's place for a while.
	if (error instanceof UnexpectedResponseError)
		shown.failure = { cause: 'temporarily-unavailable' };
	return shown;
}

/**
 * The error as it leaves the node: everything that the nodes throw at n8n passes here. n8n stores an execution as canceled
 * if the message contains that word, and nobody who looks for failed executions finds it. The message gets a capital
 * letter then, and the description begins with the text as it was.
 */
export function thrownError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	const shown = nodeError(node, error);
	const exact = shown.message;
	const message = withoutCanceled(exact);
	if (message === exact) return shown;
	const description = [htmlText(exact), shown.description].filter(Boolean).join(' ');
	return Object.assign(shown, { message, description });
}
