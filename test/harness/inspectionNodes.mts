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
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalDataFor } from './additionalData.mts';
import { builtNode } from './builtPackage.mts';
import { type Credential, CREDENTIAL_TYPE } from './credential.mts';
import { core, workflow as n8n } from './n8nCore.mts';

/** A workflow with one node of the package, and what n8n needs to run that node. */
type OneNodeWorkflow = Awaited<ReturnType<typeof oneNodeWorkflow>>;

/** How to configure the node. Parameters that are omitted have the editor's defaults. */
export interface NodeOptions {
	parameters: INodeParameters;
	credential: Credential;
	nodeName?: string;
	/** Whether to run the node as the tool of an AI Agent. n8n creates a separate node type for tools. */
	asTool?: boolean;
	nodeId?: string;
	onError?: OnError;
	/**
	 * The node's setting Execute Once. With it, n8n passes only the first input item, so tests must pass only one item as
	 * well.
	 */
	executeOnce?: boolean;
	/** The IANA name of the workflow's time zone. Default: UTC. */
	timezone?: string;
	staticData?: IDataObject;
}

/** Returns a workflow whose only node is the package's node `type`. */
export async function oneNodeWorkflow(
	type: 'inspectionService' | 'inspectionServiceTrigger',
	options: NodeOptions,
) {
	const nodeType = builtNode(type);
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

/**
 * The number in the next execution ID, for runs without a given ID. An execution caches templates, so such runs must
 * not share an ID.
 */
let nextExecution = 1;

/** One run of the action node in an execution. */
export interface NodeRunOptions extends NodeOptions {
	/** The input items' data. Default: one empty item. */
	items?: IDataObject[];
	/** The input as n8n's own objects, so that several runs can share these objects. */
	input?: INodeExecutionData[];
	signal?: AbortSignal;
	/** Default: `trigger`. `manual` means a test run in the editor. */
	mode?: WorkflowExecuteMode;
	runIndex?: number;
	executionId?: string;
	/** The ID of the execution that called this one as a sub-workflow. */
	parentExecutionId?: string;
	/** The execution's data in n8n, if several runs share it. */
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

/**
 * Prepares a run of the action node through n8n-core's ExecuteContext. Each call of the returned function is one
 * attempt with the same input, as with Retry On Fail.
 */
export async function nodeRun(options: NodeRunOptions): Promise<() => Promise<Execution>> {
	const oneNode = await oneNodeWorkflow('inspectionService', options);
	const input =
		options.input ?? (options.items ?? [{}]).map((json, item) => ({ json, pairedItem: { item } }));
	const kept = {
		runData: options.runData ?? executionData(options.parentExecutionId),
		executionId: options.executionId ?? `own ${String(nextExecution++)}`,
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

/** Returns n8n-core's context for one attempt of the action node. */
export function executeContext(
	{ workflow, node, additionalData }: OneNodeWorkflow,
	{
		input = [],
		mode = 'trigger',
		runIndex = 0,
		executionId,
		runData,
		signal,
	}: Partial<NodeRunOptions>,
) {
	const data = { main: [input] };
	return new core.ExecuteContext(
		workflow,
		node,
		{ ...additionalData, executionId },
		mode,
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

/** Returns the node type, and the context with which the editor calls the methods that load lists and columns. */
export async function loadOptionsContext(options: NodeOptions) {
	const oneNode = await oneNodeWorkflow('inspectionService', options);
	const { workflow, node, nodeType, additionalData } = oneNode;
	const data = { ...additionalData, currentNodeParameters: options.parameters };
	return { context: new core.LoadOptionsContext(workflow, node, data, ''), nodeType };
}

/** Returns one page of a searchable list, as the editor requests it. */
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

/** Returns the columns of Create's mapper for the template in the node's parameters. */
export async function questionColumns(options: NodeOptions): Promise<ResourceMapperFields> {
	const { context, nodeType } = await loadOptionsContext(options);
	const ask = nodeType.methods?.resourceMapping?.getQuestionColumns;
	if (ask === undefined) throw new Error('the node has no getQuestionColumns');
	return await ask.call(context);
}

/**
 * Prepares a trigger node. Each call of the returned function is one poll and returns the poll's items. All polls share
 * static data.
 */
export async function triggerPolls(
	options: NodeOptions,
): Promise<() => Promise<INodeExecutionData[]>> {
	const trigger = await oneNodeWorkflow('inspectionServiceTrigger', options);
	const { poll } = trigger.nodeType;
	if (poll === undefined) throw new Error('the trigger has no poll');
	return async () => (await poll.call(pollContext(trigger)))?.[0] ?? [];
}

/** Returns the context of one poll. The static data belongs to the workflow, so it persists between polls. */
export function pollContext(
	{ workflow, node, additionalData }: OneNodeWorkflow,
	mode: WorkflowExecuteMode = 'trigger',
	activation: WorkflowActivateMode = 'activate',
): IPollFunctions {
	return new core.PollContext(workflow, node, additionalData, mode, activation);
}
