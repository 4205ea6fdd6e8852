/** Workflows around the connector's nodes, as a user draws them. */
import type { JsonRecord } from '#connector/domain/json.ts';
import { pollEvery } from '#sandbox/demo/exampleWorkflow.mts';
import type { SavedCredential, WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import { PACKAGE_NAME } from '#sandbox/demo/packedConnector.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

export type { SavedCredential } from '#sandbox/demo/n8nClient.mts';

export const CREDENTIAL_TYPE = 'inspectionServiceApi';
export const ACTION_TYPE = `${PACKAGE_NAME}.inspectionService`;
export const TRIGGER_TYPE = `${PACKAGE_NAME}.inspectionServiceTrigger`;

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
		name,
		type: ACTION_TYPE,
		typeVersion: 1,
		parameters,
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
	return actionNode(credential, {
		resource: 'file',
		operation: 'download',
		inspectionId: id,
		fileId: files[0]?.id ?? '',
	});
}

/** The trigger node; by default it polls every ten seconds. */
export function triggerNode(
	credential: SavedCredential,
	parameters: JsonRecord = {},
	pollSeconds = 10,
): PlainNode {
	return {
		name: 'Inspection Service Trigger',
		type: TRIGGER_TYPE,
		typeVersion: 1,
		parameters: { pollTimes: pollEvery(pollSeconds), ...parameters },
		credentials: credentialsOf(credential),
	};
}

/** "When clicking Execute workflow" */
export const START: PlainNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** Answers at once; the rows in its body become items through `splitRows`. */
export function webhookNode(path: string): PlainNode {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
	};
}

/** Passes on what it gets. */
export const KEEP: PlainNode = {
	name: 'Keep',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};

/** All items as an XLSX file. */
export const AS_SHEET: PlainNode = {
	name: 'As sheet',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: { operation: 'xlsx' },
};

/** The rows of an XLSX file as items. */
export const FROM_SHEET: PlainNode = {
	name: 'From sheet',
	type: 'n8n-nodes-base.extractFromFile',
	typeVersion: 1,
	parameters: { operation: 'xlsx' },
};

/** One item per element of `rows` in the body that the webhook got. */
export const SPLIT_ROWS: PlainNode = {
	name: 'Split rows',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.rows', options: {} },
};

/** Items with these fields, one JSON object after the other. */
export function itemsNodes(items: readonly JsonRecord[]): PlainNode[] {
	return [
		{
			name: 'Rows',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				mode: 'raw',
				jsonOutput: JSON.stringify({ rows: items }),
				options: {},
			},
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
	];
}

/** n8n's If or Filter node with one condition. */
export function condition(type: 'if' | 'filter', name: string, leftValue: string): PlainNode {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 };
	return {
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options,
				combinator: 'and',
				conditions: [{ id: 'one', leftValue, rightValue: '', operator }],
			},
			options: {},
		},
	};
}

/** A connection: from a node's output to a node's input, both counted from 0. */
type Wire = readonly [from: string, output: number, to: string, input: number];

/** The items, and behind them nodes that are wired in another way than one after the other; the first wire begins at `Items`. */
export function wired(
	items: readonly JsonRecord[],
	nodes: readonly PlainNode[],
	wires: readonly Wire[],
): WorkflowFile {
	const first = [START, ...itemsNodes(items)];
	const { connections } = chain('', first);
	const outputs = Map.groupBy(wires, ([from]) => from);
	for (const [from, own] of outputs) {
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
