import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { hasStatus, isInDoubt, RequestFailure } from '../domain/request/requestFailure';
import { messageText, textOfHtml } from '../domain/shownText';
import { nodeError } from '../transport/nodeError';
import type { Unit } from './operation';
import { isTool } from './toolItems';

export type ItemError = NodeApiError | NodeOperationError;

/** Turns whatever was thrown into an error of n8n, with the index of the item that it is about, if it is about one. */
export function itemErrorOf(
	context: IExecuteFunctions,
	cause: unknown,
	itemIndex: number | undefined,
): ItemError {
	const error = nodeError(context.getNode(), cause);
	error.context.itemIndex = itemIndex;
	// Of an error, the agent (3 and later) hands only the message to its model.
	if (isTool(context)) {
		error.message = messageText(errorText(error));
		error.description = undefined;
	}
	return error;
}

/**
 * Whether something was thrown because of trouble with the service, and not of what a unit asks for: 400 and 404 are the
 * fault of a unit, which may name an unknown template.
 */
export function isTrouble(cause: unknown): boolean {
	return cause instanceof RequestFailure && !isInDoubt(cause) && !hasStatus(cause, 400, 404);
}

/**
 * An error's message and description as one plain text. It becomes the field `error` of an item: that is all of an error
 * that reaches the error output, and nothing shows it as HTML.
 */
export function errorText({ message, description }: ItemError): string {
	if (!description) return message;
	const end = /[.!?…]$/.test(message) ? '' : '.';
	return `${message}${end} ${textOfHtml(description)}`;
}

/**
 * The output of a failed unit: each of its items with its own fields and the field `error`, so that no row is lost. n8n's
 * own property `error` of an item is not used, because such an item would lose its fields. For the error output n8n
 * (2.41) takes only items whose one field is `error`, and adds the item's own fields by itself.
 */
export function errorItems(
	context: IExecuteFunctions,
	unit: Unit,
	error: ItemError,
): INodeExecutionData[] {
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const input = context.getInputData();
	return unit.map((item) => {
		const { json = {}, binary } = input[item] ?? {};
		return {
			json: { ...(hasErrorOutput ? {} : json), error: errorText(error) },
			...(binary === undefined ? {} : { binary }),
			pairedItem: { item },
		};
	});
}
