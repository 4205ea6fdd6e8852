import { type INode, NodeApiError } from 'n8n-workflow';

import type { FailureReport } from '../domain/request/failureReport';
import { htmlText, messageText } from '../domain/shownText';

/**
 * A report as n8n's error. Nothing of the original error goes along: it holds the request's headers, and with
 * them the API key. Before 2.38 n8n ignores `failure`.
 */
export function serviceError(node: INode, report: FailureReport): NodeApiError {
	const { message, description, httpCode, failure, inDoubt } = report;
	const error = new NodeApiError(node, {}, { message, description, httpCode, failure });
	// n8n replaces messages that contain a code such as ECONNREFUSED by a general one.
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

/** The same error once more, for another item: n8n writes into the errors that it gets. */
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

/** Everyone who shares a failure gets an error of their own: n8n writes the item's index into it. */
export function failAlone(error: unknown): never {
	throw error instanceof NodeApiError ? copyOfError(error) : error;
}
