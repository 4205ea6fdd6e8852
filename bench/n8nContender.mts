import type { N8nClient } from '#sandbox/demo/n8nClient.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { isRecord, recordsOf } from '#sandbox/json.mts';
import { chain, type PlainNode, START } from '../test/e2e/connectorWorkflow.mts';
import { type Contender, watchMemory } from './measurement.mts';

/** The node whose time counts. */
const MEASURED = 'Under test';
/** Reading 200,000 inspections page by page takes minutes. */
const LONGEST_RUN_MS = 900_000;

/** A running n8n. After `restart`, its members belong to the new process. */
export interface RunningN8n {
	client: N8nClient;
	pid: number;
	restart(): Promise<void>;
}

/** An n8n node that does a job. */
export interface NodeWay {
	way: string;
	node: Omit<PlainNode, 'name'>;
	/** The node's input: an expression for an array of objects. Default: one empty item. */
	items?: string;
	/** Expected number of output items. With a different number, the job wasn't done. */
	output: number;
	/** A field that each output item has. Default: `id`. */
	field?: string;
}

/** Saves the node in a new workflow. Every run is an execution of it, timed by n8n. */
export async function n8nContender(
	n8n: RunningN8n,
	{ way, node, items = '[{}]', output }: NodeWay,
): Promise<Contender> {
	const measured = { ...node, name: MEASURED };
	const { id } = await n8n.client.createWorkflow(chain(way, [START, ...inputOf(items), measured]));
	return timed(way, n8n, async () => {
		const execution = await n8n.client.run(id, START.name, LONGEST_RUN_MS);
		return { execution, count: execution.items(MEASURED).length, wanted: output };
	});
}

/**
 * Like `n8nContender`, in a sub-workflow that returns only a count, because n8n can't store an execution of 200,000
 * items. The time covers the whole sub-workflow, including the creation of its input.
 */
export async function n8nContenderOfMany(
	n8n: RunningN8n,
	{ way, node, items = '[{}]', output, field = 'id' }: NodeWay,
): Promise<Contender> {
	const called = chain('Called', [
		CALLED,
		...inputOf(items),
		{ ...node, name: 'Node' },
		countOf(field),
	]);
	const settings = { executionOrder: 'v1', saveDataSuccessExecution: 'none' };
	const call: PlainNode = {
		name: MEASURED,
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'parameter',
			workflowJson: JSON.stringify({ ...called, settings }),
			options: { waitForSubWorkflow: true },
		},
	};
	const { id } = await n8n.client.createWorkflow(chain(way, [START, call]));
	return timed(way, n8n, async () => {
		const execution = await n8n.client.run(id, START.name, LONGEST_RUN_MS);
		return {
			execution,
			count: execution.items(MEASURED)[0]?.json[`count_${field}`],
			wanted: output,
		};
	});
}

interface Outcome {
	execution: Execution;
	count: unknown;
	wanted: number;
}

function timed(way: string, n8n: RunningN8n, run: () => Promise<Outcome>): Contender {
	return {
		way,
		restart: () => n8n.restart(),
		async run() {
			const grown = watchMemory(n8n.pid);
			const { execution, count, wanted } = await run();
			const memory = grown();
			if (execution.status !== 'success') {
				throw new Error(execution.error?.message ?? execution.status);
			}
			if (count !== wanted) throw new Error(`${String(count)} items instead of ${String(wanted)}`);
			return { ms: nodeMs(execution, MEASURED), memory };
		},
	};
}

const CALLED: PlainNode = {
	name: 'When called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/**
 * Counts the items that have a field. An expression can't do it: 200,000 items exceed n8n's memory limit for
 * expressions.
 */
const countOf = (field: string): PlainNode => ({
	name: 'Count',
	type: 'n8n-nodes-base.summarize',
	typeVersion: 1.1,
	parameters: { fieldsToSummarize: { values: [{ aggregation: 'count', field }] }, options: {} },
});

function inputOf(items: string): PlainNode[] {
	return [
		{
			name: 'Rows',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: `={{ { rows: ${items} } }}`, options: {} },
		},
		{
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
	];
}

/** The node's time in n8n's run data, as the editor shows it, in ms. */
export function nodeMs({ data }: Execution, node: string): number {
	const result = isRecord(data.resultData) ? data.resultData : {};
	const runData = isRecord(result.runData) ? result.runData : {};
	return Number(recordsOf(runData[node])[0]?.executionTime);
}
