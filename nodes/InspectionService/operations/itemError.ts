import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { messageText, plainText } from '../domain/shownText';
import { nodeError } from '../transport/nodeError';
import type { Unit } from './operation';

export type ItemError = NodeApiError | NodeOperationError;

/** Whatever a unit failed with, as n8n's error with the index of the unit's first item. */
export function itemErrorOf(
	context: IExecuteFunctions,
	cause: unknown,
	itemIndex: number,
): ItemError {
	const error = nodeError(context.getNode(), cause);
	error.context.itemIndex = itemIndex;
	if (isTool(context)) {
		error.message = messageText(errorText(error));
		error.description = undefined;
	}
	return error;
}

/** n8n's AI Agent (3 and later) hands the message of a tool's error to its model, and nothing else. */
function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Everything that an error says, in one plain text: nothing but an item's own `error` reaches the error output, and
 * nobody renders it as HTML.
 */
export function errorText({ message, description }: ItemError): string {
	if (!description) return message;
	const end = /[.!?…]$/.test(message) ? '' : '.';
	return `${message}${end} ${plainText(description)}`;
}

/**
 * What a failed unit puts out: each of its items with its own fields and `error`, so that no row is lost. An item with
 * n8n's own property `error` would lose them. On the error output n8n (2.41) adds the fields by itself, and it takes
 * for errors only items without any others.
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
