/** Workflows around the connector's nodes, as a user draws them. */
import type { JsonRecord } from '#connector/domain/json.ts';
import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { EXAMPLE_NODES, pollEvery } from '#sandbox/demo/exampleWorkflow.mts';
import type { SavedCredential, WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import { PACKAGE_NAME } from '#sandbox/demo/packedConnector.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

export type { SavedCredential } from '#sandbox/demo/n8nClient.mts';

export const ACTION_TYPE = `${PACKAGE_NAME}.inspectionService`;

/** A node without its place on the canvas. */
export interface PlainNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: JsonRecord;
	credentials?: JsonRecord;
	webhookId?: string;
}

/** Nodes one after the other, each connected to the next. */
export function chain(name: string, nodes: readonly PlainNode[]): WorkflowFile {
	const pairs = nodes.slice(1).map((node, index) => [nodes[index]?.name ?? '', node.name] as const);
	return {
		name,
		nodes: nodes.map((node, index) => ({ ...node, id: node.name, position: [index * 220, 0] })),
		connections: Object.fromEntries(
			pairs.map(([from, to]) => [from, { main: [[{ node: to, type: 'main', index: 0 }]] }]),
		),
	};
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

/** Passes on what it gets. */
export const KEEP = n8nNode('noOp', 1, {}, 'Keep');

/** All items as an XLSX file. */
export const AS_SHEET = n8nNode('convertToFile', 1.1, { operation: 'xlsx' }, 'As sheet');

/** The rows of a file as items: of an XLSX file where `parameters` say nothing else. */
export const fromSheet = (parameters: JsonRecord = {}) =>
	n8nNode('extractFromFile', 1, { operation: 'xlsx', ...parameters }, 'From sheet');

/** A file of n8n's files folder. */
export const readFileNode = (path: string) =>
	n8nNode('readWriteFile', 1, { operation: 'read', fileSelector: path }, 'Read the file');

/** Writes the binary data `data`. */
export const writeFileNode = (path: string) =>
	n8nNode('readWriteFile', 1, { operation: 'write', fileName: path }, 'Write the file');

/** Items that are made by an expression, one for each item that comes in. */
export const setNode = (name: string, jsonOutput: string) =>
	n8nNode('set', 3.4, { mode: 'raw', jsonOutput, options: {} }, name);

/** One item per element of a list. */
export const splitNode = (name: string, fieldToSplitOut: string) =>
	n8nNode('splitOut', 1, { fieldToSplitOut, options: {} }, name);

/** Items with these fields; the last node is called `Items`. */
export const itemsNodes = (items: readonly JsonRecord[]): PlainNode[] => [
	setNode('Rows', JSON.stringify({ rows: items })),
	splitNode('Items', 'rows'),
];

/** All rows of a data table of n8n. */
export const dataTableNode = (name: string) =>
	n8nNode('dataTable', 1.1, {
		...{ resource: 'row', operation: 'get', returnAll: true },
		dataTableId: { __rl: true, mode: 'name', value: name },
	});

export function credentialsOf(credential: SavedCredential): JsonRecord {
	return { [CREDENTIAL_TYPE]: credential };
}

/** The action node; `parameters` as a workflow saves them. */
export function actionNode(
	credential: SavedCredential,
	parameters: JsonRecord,
	name = 'Inspection Service',
): PlainNode {
	return {
		...{ name, type: ACTION_TYPE, typeVersion: 1, parameters },
		credentials: credentialsOf(credential),
	};
}

/** Downloads a file with this content, which the service has from now on. */
export function downloadNode(
	credential: SavedCredential,
	{ store }: Sandbox,
	content: Buffer,
): PlainNode {
	const { id, files } = store.addInspection({
		template: 'SITE-SAFETY',
		files: [{ kind: 'attachment', content: { form: 'bytes', base64: content.toString('base64') } }],
	});
	const fileId = files[0]?.id ?? '';
	const file = { resource: 'file', operation: 'download', inspectionId: id, fileId };
	return actionNode(credential, file);
}

/** The trigger node; by default it polls every ten seconds. */
export function triggerNode(
	credential: SavedCredential,
	parameters: JsonRecord = {},
	pollSeconds = 10,
): PlainNode {
	return {
		...{ name: 'Inspection Service Trigger', type: `${ACTION_TYPE}Trigger`, typeVersion: 1 },
		parameters: { pollTimes: pollEvery(pollSeconds), ...parameters },
		credentials: credentialsOf(credential),
	};
}

/** A connection: from a node's output to a node's input, both counted from 0. */
export type Wire = readonly [from: string, output: number, to: string, input: number];

/** The items, and behind them nodes that are wired otherwise than one after the other; the first wire begins at `Items`. */
export function wired(
	items: readonly JsonRecord[],
	nodes: readonly PlainNode[],
	wires: readonly Wire[],
): WorkflowFile {
	const first = [START, ...itemsNodes(items)];
	const { connections } = chain('', first);
	for (const [from, own] of Map.groupBy(wires, ([node]) => node)) {
		const count = Math.max(...own.map(([, output]) => output)) + 1;
		const main = Array.from({ length: count }, (_, output) =>
			own
				.filter((wire) => wire[1] === output)
				.map(([, , node, index]) => ({ node, type: 'main', index })),
		);
		connections[from] = { main };
	}
	return { ...chain('Wired', [...first, ...nodes]), connections };
}
