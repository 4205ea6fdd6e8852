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

/** A workflow with one node of the package, for creating contexts. */
type OneNodeWorkflow = Awaited<ReturnType<typeof oneNodeWorkflow>>;

/** Options of the node. Omitted parameters get the node's defaults, as in the editor. */
export interface NodeOptions {
	parameters: INodeParameters;
	credential: Credential;
	nodeName?: string;
	/** Whether to run the node as an AI Agent's tool, for which n8n creates a separate node type. */
	asTool?: boolean;
	nodeId?: string;
	onError?: OnError;
	/** n8n passes only the first item to a node with this setting. Tests must do the same. */
	executeOnce?: boolean;
	/** IANA zone of the workflow. Default: UTC. */
	timezone?: string;
	staticData?: IDataObject;
}

/** A workflow whose only node is the package's `type`. */
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

/** Executions without a given ID get separate ones, unlike any ID that a test gives: one execution shares templates. */
let nextExecution = 1;

/** One run of the action node within an execution. */
export interface NodeRunOptions extends NodeOptions {
	/** The input. One empty item if both `items` and `input` are omitted. */
	items?: IDataObject[];
	/** The input as n8n's own objects, so that runs can share them. */
	input?: INodeExecutionData[];
	signal?: AbortSignal;
	/** `trigger` by default. `manual` is a test run in the editor. */
	mode?: WorkflowExecuteMode;
	runIndex?: number;
	executionId?: string;
	/** The execution that called this one as a sub-workflow. */
	parentExecutionId?: string;
	/** n8n's data of the execution, if several runs share it. */
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
 * A run of the action node through n8n-core's ExecuteContext. Each call is an attempt with the same input, as with
 * Retry On Fail.
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

/** n8n-core's context for one attempt of the action node. */
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

/** A context for load-options methods with the node's current parameters, as the editor calls them. */
export async function loadOptionsContext(options: NodeOptions) {
	const oneNode = await oneNodeWorkflow('inspectionService', options);
	const { workflow, node, nodeType, additionalData } = oneNode;
	const data = { ...additionalData, currentNodeParameters: options.parameters };
	return { context: new core.LoadOptionsContext(workflow, node, data, ''), nodeType };
}

/** A page of a searchable list, as the editor requests it. */
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

/** The columns of Create's mapper for the template in the node's parameters. */
export async function questionColumns(options: NodeOptions): Promise<ResourceMapperFields> {
	const { context, nodeType } = await loadOptionsContext(options);
	const ask = nodeType.methods?.resourceMapping?.getQuestionColumns;
	if (ask === undefined) throw new Error('the node has no getQuestionColumns');
	return await ask.call(context);
}

/** A new trigger node. Each call is one poll over the same static data, and returns its items. */
export async function triggerPolls(
	options: NodeOptions,
): Promise<() => Promise<INodeExecutionData[]>> {
	const trigger = await oneNodeWorkflow('inspectionServiceTrigger', options);
	const { poll } = trigger.nodeType;
	if (poll === undefined) throw new Error('the trigger has no poll');
	return async () => (await poll.call(pollContext(trigger)))?.[0] ?? [];
}

/** A polling context for the trigger node of a given workflow, so that static data persists between polls. */
export function pollContext(
	{ workflow, node, additionalData }: OneNodeWorkflow,
	mode: WorkflowExecuteMode = 'trigger',
): IPollFunctions {
	return new core.PollContext(workflow, node, additionalData, mode, 'activate');
}
