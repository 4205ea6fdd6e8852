import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodeTypes,
	IPollFunctions,
	IRunExecutionData,
	NodeExecutionHint,
	OnError,
	ResourceMapperFields,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalDataFor } from './additionalData.mts';
import { loadNode } from './builtPackage.mts';
import { type Credential, CREDENTIAL_TYPE } from './credential.mts';
import { core, workflow as n8n } from './n8nCore.mts';

/** A workflow of one node of the package: what contexts are made of. */
type OneNodeWorkflow = Awaited<ReturnType<typeof oneNodeWorkflow>>;

/** Options of the one node; parameters left out get the node's defaults, as in the editor. */
export interface NodeOptions {
	parameters: INodeParameters;
	credential: Credential;
	nodeName?: string;
	/** True for the node as a tool of an AI Agent, which n8n makes a node type of its own for. */
	asTool?: boolean;
	nodeId?: string;
	onError?: OnError;
	/** n8n hands a node with this setting its first item only, which tests do themselves. */
	executeOnce?: boolean;
	/** IANA zone of the workflow; UTC where not given. */
	timezone?: string;
	staticData?: IDataObject;
}

/** A workflow whose only node is `type` of the package. */
export async function oneNodeWorkflow(
	type: 'inspectionService' | 'inspectionServiceTrigger',
	options: NodeOptions,
) {
	const nodeType = await loadNode(type);
	const nodeTypes: INodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const node: INode = {
		id: options.nodeId ?? 'node-under-test',
		name: options.nodeName ?? nodeType.description.displayName,
		type: `n8n-nodes-inspection-service.${type}${options.asTool === true ? 'Tool' : ''}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: options.parameters,
		credentials: { [CREDENTIAL_TYPE]: { id: '1', name: 'Sandbox' } },
		...(options.onError === undefined ? {} : { onError: options.onError }),
		...(options.executeOnce === undefined ? {} : { executeOnce: options.executeOnce }),
	};
	const workflow = new n8n.Workflow({
		id: 'workflow-under-test',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
		staticData: options.staticData ?? {},
		settings: { timezone: options.timezone ?? 'UTC' },
	});
	return { workflow, node, nodeType, additionalData: additionalDataFor(options.credential) };
}

export interface Execution {
	items: INodeExecutionData[];
	hints: NodeExecutionHint[];
}

/** Executions that are not given an id have one each: nodes of one execution have their templates in common. */
let nextExecution = 1;

/** One run of the action node, and where it stands in its execution. */
export interface NodeRunOptions extends NodeOptions {
	/** The input; one empty item where neither `items` nor `input` are given. */
	items?: IDataObject[];
	/** The input as n8n's own objects, so that runs can have them in common. */
	input?: INodeExecutionData[];
	signal?: AbortSignal;
	runIndex?: number;
	executionId?: string;
	/** The execution that called this one as a sub-workflow. */
	parentExecutionId?: string;
	/** What n8n keeps with the execution, where several runs have it in common. */
	runData?: IRunExecutionData;
}

export function executionData(parentExecutionId?: string): IRunExecutionData {
	return n8n.createRunExecutionData({
		executionData: {
			nodeExecutionStack: [],
			runtimeData: { version: 1, establishedAt: 0, source: 'integrated', parentExecutionId },
		},
	});
}

/** A run of the action node through n8n-core's own ExecuteContext. Each call is a try on the same input, as Retry On Fail makes it. */
export async function nodeRun(options: NodeRunOptions): Promise<() => Promise<Execution>> {
	const oneNode = await oneNodeWorkflow('inspectionService', options);
	const input =
		options.input ?? (options.items ?? [{}]).map((json, item) => ({ json, pairedItem: { item } }));
	const kept = {
		runData: options.runData ?? executionData(options.parentExecutionId),
		executionId: options.executionId ?? String(nextExecution++),
	};
	return async () => {
		const context = executeContext(oneNode, { ...options, ...kept, input });
		const execute = oneNode.nodeType.execute;
		if (execute === undefined) throw new Error('the node has no execute');
		const output = await execute.call(context);
		if (!Array.isArray(output)) throw new Error('the node asked the engine for something');
		return { items: output[0] ?? [], hints: context.hints };
	};
}

/** n8n-core's context of one try of the action node. */
export function executeContext(
	{ workflow, node, additionalData }: OneNodeWorkflow,
	{ input = [], runIndex = 0, executionId, runData, signal }: Partial<NodeRunOptions>,
) {
	const data = { main: [input] };
	return new core.ExecuteContext(
		workflow,
		node,
		{ ...additionalData, executionId },
		'manual',
		runData ?? executionData(),
		runIndex,
		input,
		data,
		{ node, data, source: null },
		[],
		signal,
	);
}

export async function executeNode(options: NodeRunOptions): Promise<Execution> {
	const once = await nodeRun(options);
	return await once();
}

/** What the editor asks: a context for load-options methods with the node's current parameters. */
export async function loadOptionsContext(options: NodeOptions) {
	const oneNode = await oneNodeWorkflow('inspectionService', options);
	const { workflow, node, nodeType, additionalData } = oneNode;
	const data = { ...additionalData, currentNodeParameters: options.parameters };
	return { context: new core.LoadOptionsContext(workflow, node, data, ''), nodeType };
}

/** A page of a searchable list, as the editor asks for it. */
export async function searchList(
	options: NodeOptions,
	method: string,
	page: { filter?: string; token?: string } = {},
): Promise<INodeListSearchResult> {
	const { context, nodeType } = await loadOptionsContext(options);
	const ask = nodeType.methods?.listSearch?.[method];
	if (ask === undefined) throw new Error(`the node has no ${method}`);
	return await ask.call(context, page.filter, page.token);
}

/** The columns that Create's mapper gets for the template in the node's parameters. */
export async function questionColumns(options: NodeOptions): Promise<ResourceMapperFields> {
	const { context, nodeType } = await loadOptionsContext(options);
	const ask = nodeType.methods?.resourceMapping?.getQuestionColumns;
	if (ask === undefined) throw new Error('the node has no getQuestionColumns');
	return await ask.call(context);
}

/** A trigger node of its own: each call is one poll over the same static data, and gives its items. */
export async function triggerPolls(
	options: NodeOptions,
): Promise<() => Promise<INodeExecutionData[]>> {
	const trigger = await oneNodeWorkflow('inspectionServiceTrigger', options);
	const { poll } = trigger.nodeType;
	if (poll === undefined) throw new Error('the trigger has no poll');
	return async () => (await poll.call(pollContext(trigger)))?.[0] ?? [];
}

/** A polling context for the trigger node over a given workflow, so that static data lives on between polls. */
export function pollContext(
	{ workflow, node, additionalData }: OneNodeWorkflow,
	mode: WorkflowExecuteMode = 'trigger',
): IPollFunctions {
	return new core.PollContext(workflow, node, additionalData, mode, 'activate');
}
