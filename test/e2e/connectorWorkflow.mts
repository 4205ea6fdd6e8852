/** Functions that build workflows with the connector's nodes. */
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

/** Returns wires that connect each node to the next one. */
export const wiresInSequence = (nodes: readonly PlainNode[]) =>
	nodes.slice(1).map(({ name }, index): Wire => [nodes[index]?.name ?? '', 0, name, 0]);

/** Returns a workflow with these nodes. By default, each node is connected to the next one. */
export function chain(
	name: string,
	nodes: readonly PlainNode[],
	wires: readonly Wire[] = wiresInSequence(nodes),
): WorkflowFile {
	const connections: Record<string, { main: JsonRecord[][] }> = {};
	for (const [from, output, node, index] of wires) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node, type: 'main', index });
	}
	const placed = nodes.map((node, index) => ({
		...node,
		id: node.name,
		position: [index * 220, 0],
	}));
	return { name, nodes: placed, connections };
}

/** Returns one of n8n's own nodes. Example: `n8nNode('noOp', 1)`. */
export const n8nNode = (
	type: string,
	typeVersion: number,
	parameters: JsonRecord = {},
	name = type,
): PlainNode => ({ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters });

/** The manual trigger "When clicking ‘Execute workflow’", named as in the examples. */
export const START = n8nNode('manualTrigger', 1, {}, EXAMPLE_NODES.start);

/** A node that returns its input unchanged, so that tests can read the items that reach it. */
export const KEEP = n8nNode('noOp', 1, {}, 'Keep');

/** Returns a node that turns the rows of an XLSX file into items. */
export const fromSheet = (options: JsonRecord = {}) =>
	n8nNode('extractFromFile', 1, { operation: 'xlsx', options });

/** Returns a node that evaluates the expression for each input item and returns the result as an item. */
export const setNode = (name: string, jsonOutput: string) =>
	n8nNode('set', 3.4, { mode: 'raw', jsonOutput, options: {} }, name);

/** Returns a node that turns each element of a field's list into an item. */
export const splitNode = (name: string, fieldToSplitOut: string) =>
	n8nNode('splitOut', 1, { fieldToSplitOut, options: {} }, name);

/** Returns nodes that produce these items. The last node's name is `Items`. */
export const itemsNodes = (items: readonly JsonRecord[]): PlainNode[] => [
	setNode('Rows', JSON.stringify({ rows: items })),
	splitNode('Items', 'rows'),
];

/** Returns a node that reads all rows of an n8n data table. */
export const dataTableNode = (name: string) =>
	n8nNode('dataTable', 1.1, {
		resource: 'row',
		operation: 'get',
		returnAll: true,
		dataTableId: { __rl: true, mode: 'name', value: name },
	});

export const credentialsOf = (credential: SavedCredential) => ({ [CREDENTIAL_TYPE]: credential });

/** Returns the connector's action node. `parameters` have the form in which n8n saves them. */
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

/** Returns the connector's trigger node, which polls every `pollSeconds`. */
export function triggerNode(
	credential: SavedCredential,
	parameters: JsonRecord = {},
	pollSeconds = 10,
): PlainNode {
	return {
		name: 'Inspection Service Trigger',
		type: `${ACTION_TYPE}Trigger`,
		typeVersion: 1,
		parameters: { pollTimes: pollEvery(pollSeconds), event: 'updated', ...parameters },
		credentials: credentialsOf(credential),
	};
}
