import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { itemsForModel } from '../domain/itemsForModel';

/** Whether the node runs as a tool of n8n's AI Agent. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * What the model of an AI Agent gets of the items: the agent hands it the `json` of all of them as one text. What is too
 * much is left out, and one more item says so under `left_out`.
 */
export function toolItems(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	const { count, withoutFields, leftOut } = itemsForModel(items.map(({ json }) => json));
	if (leftOut === undefined) return [...items];
	const isKept = ([name]: [string, unknown]) => !withoutFields.has(name);
	const [first, ...others] = items.slice(0, count);
	if (first === undefined) return [];
	const json = Object.fromEntries(Object.entries(first.json).filter(isKept));
	const { pairedItem } = first;
	return [{ ...first, json }, ...others, { json: { left_out: leftOut }, pairedItem }];
}
