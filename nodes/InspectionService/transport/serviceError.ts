import { type INode, NodeApiError } from 'n8n-workflow';

import type { FailureReport } from '../domain/request/failureReport';
import { htmlText, messageText } from '../domain/shownText';

/**
 * A report as an error of n8n. The original error is left out, because it holds the request's headers and in them the
 * API key. n8n before 2.38 ignores `failure`.
 */
export function serviceError(node: INode, report: FailureReport): NodeApiError {
	const { message, description, httpCode, failure, inDoubt } = report;
	const error = new NodeApiError(node, {}, { message, description, httpCode, failure });
	// Set once more: n8n has replaced a message that holds a code such as ECONNREFUSED by a general sentence.
	error.message = messageText(message);
	error.description = htmlText(description);
	if (inDoubt === true) error.context.inDoubt = true;
	return error;
}

/** Whether an error is that of a response with one of these HTTP statuses. */
export function hasStatus(error: unknown, statuses: ReadonlySet<string | null>): boolean {
	return error instanceof NodeApiError && statuses.has(error.httpCode);
}

/** Whether an error is that of a create which may have taken effect. */
export function isInDoubt(error: NodeApiError): boolean {
	return error.context.inDoubt === true;
}

/** A copy of an error for another item: n8n writes the item's index into the error that it gets. */
export function copyOfError(error: NodeApiError): NodeApiError {
	const { node, message, description, httpCode, failure, context } = error;
	const copy = new NodeApiError(
		node,
		{},
		{
			message,
			description: description ?? undefined,
			httpCode: httpCode ?? undefined,
			failure,
		},
	);
	copy.message = message;
	copy.description = description;
	copy.context = { ...context };
	return copy;
}

/** A copy of the error with another description: first `text`, which is plain text, then `html`. */
export function withDescription(error: NodeApiError, text: string, html = ''): NodeApiError {
	const copy = copyOfError(error);
	copy.description = `${htmlText(text)} ${html}`.trim();
	return copy;
}

/** Throws a copy. For a failure that several items share: each needs an error of its own (`copyOfError`). */
export function failAlone(error: unknown): never {
	throw error instanceof NodeApiError ? copyOfError(error) : error;
}
