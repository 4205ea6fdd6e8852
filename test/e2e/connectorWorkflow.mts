/** Workflows around the connector's nodes, as a user draws them. */
import type { JsonRecord } from '../../nodes/InspectionService/domain/json.ts';
import { pollEvery } from '../../sandbox/demo/exampleWorkflow.mts';
import type { SavedCredential, WorkflowFile } from '../../sandbox/demo/n8nClient.mts';
import { PACKAGE_NAME } from '../../sandbox/demo/packedConnector.mts';

export type { SavedCredential } from '../../sandbox/demo/n8nClient.mts';

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

/** A template locator by identifier. */
export function templateBy(identifier: string): JsonRecord {
	return { __rl: true, mode: 'identifier', value: identifier };
}

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
