/** Workflows around the connector's nodes, as a user draws them. */
import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { EXAMPLE_NODES, pollEvery } from '#sandbox/demo/exampleWorkflow.mts';
import type { SavedCredential, WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import { PACKAGE_NAME } from '#sandbox/demo/packedConnector.mts';
import type { JsonRecord } from '#sandbox/json.mts';

export type { SavedCredential } from '#sandbox/demo/n8nClient.mts';

export const ACTION_TYPE = `${PACKAGE_NAME}.inspectionService`;

/** A node without its position on the canvas. */
export interface PlainNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: JsonRecord;
	credentials?: JsonRecord;
	webhookId?: string;
}

/** A connection from a node's output to a node's input, both counted from 0. */
export type Wire = readonly [from: string, output: number, to: string, input: number];

/** Connects each node to the next. */
export const inTurn = (nodes: readonly PlainNode[]) =>
	nodes.slice(1).map(({ name }, index): Wire => [nodes[index]?.name ?? '', 0, name, 0]);

/** A workflow of these nodes, in sequence unless `wires` differ. */
export function chain(
	name: string,
	nodes: readonly PlainNode[],
	wires: readonly Wire[] = inTurn(nodes),
): WorkflowFile {
	const connections: Record<string, { main: JsonRecord[][] }> = {};
	for (const [from, output, node, index] of wires) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node, type: 'main', index });
	}
	const placed = nodes.map((node, at) => ({ ...node, id: node.name, position: [at * 220, 0] }));
	return { name, nodes: placed, connections };
}

/** One of n8n's own nodes, e.g. `n8nNode('noOp', 1)`. */
export const n8nNode = (
	type: string,
	typeVersion: number,
	parameters: JsonRecord = {},
	name = type,
): PlainNode => ({ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters });

/** "When clicking Execute workflow", as in the examples. */
export const START = n8nNode('manualTrigger', 1, {}, EXAMPLE_NODES.start);

/** Passes its input on. */
export const KEEP = n8nNode('noOp', 1, {}, 'Keep');

/** The rows of an XLSX file as items. */
export const fromSheet = (options: JsonRecord = {}) =>
	n8nNode('extractFromFile', 1, { operation: 'xlsx', options });

/** Items from an expression, one for each input item. */
export const setNode = (name: string, jsonOutput: string) =>
	n8nNode('set', 3.4, { mode: 'raw', jsonOutput, options: {} }, name);

/** One item per list element. */
export const splitNode = (name: string, fieldToSplitOut: string) =>
	n8nNode('splitOut', 1, { fieldToSplitOut, options: {} }, name);

/** Items with these fields. The last node is named `Items`. */
export const itemsNodes = (items: readonly JsonRecord[]): PlainNode[] => [
	setNode('Rows', JSON.stringify({ rows: items })),
	splitNode('Items', 'rows'),
];

/** All rows of an n8n data table. */
export const dataTableNode = (name: string) =>
	n8nNode('dataTable', 1.1, {
		resource: 'row',
		operation: 'get',
		returnAll: true,
		dataTableId: { __rl: true, mode: 'name', value: name },
	});

export const credentialsOf = (credential: SavedCredential) => ({ [CREDENTIAL_TYPE]: credential });

/** The action node. `parameters` as a workflow saves them. */
export function actionNode(
	credential: SavedCredential,
	parameters: JsonRecord,
	name = 'Inspection Service',
): PlainNode {
	return {
		name,
		type: ACTION_TYPE,
		typeVersion: 1,
		parameters,
		credentials: credentialsOf(credential),
	};
}

/** The trigger node. By default, it polls every ten seconds. */
export function triggerNode(
	credential: SavedCredential,
	parameters: JsonRecord = {},
	pollSeconds = 10,
): PlainNode {
	return {
		name: 'Inspection Service Trigger',
		type: `${ACTION_TYPE}Trigger`,
		typeVersion: 1,
		parameters: { pollTimes: pollEvery(pollSeconds), ...parameters },
		credentials: credentialsOf(credential),
	};
}
