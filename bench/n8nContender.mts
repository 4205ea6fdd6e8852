import type { N8nClient } from '#sandbox/demo/n8nClient.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { isRecord, recordsOf } from '#sandbox/json.mts';
import { chain, type PlainNode, START } from '../test/e2e/connectorWorkflow.mts';
import { type Contender, watchMemory } from './measurement.mts';

/** The name of the node whose time is measured. */
const MEASURED = 'Under test';
/** The time limit of a run in ms. Reading 200,000 inspections page by page takes minutes. */
const LONGEST_RUN_MS = 900_000;

/** A running n8n. `restart` replaces the other members with those of a new process. */
export interface RunningN8n {
	client: N8nClient;
	pid: number;
	restart(): Promise<void>;
}

/** An n8n node, and how to use it for a job. */
export interface NodeWay {
	way: string;
	node: Omit<PlainNode, 'name'>;
	/** An expression that returns the node's input as an array of objects. Default: one empty object. */
	items?: string;
	/** The expected number of output items. Any other number means that the job wasn't done. */
	output: number;
	/** The name of a field that every output item has. Default: `id`. */
	field?: string;
}

/** Returns a contender that runs the node in a new workflow. n8n measures the time of the node. */
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
 * Like `n8nContender`, but runs the node in a sub-workflow that returns only the number of items. n8n can't store an
 * execution with 200,000 items. The time is that of the whole sub-workflow, which also creates the node's input.
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
 * Returns a node that counts the items that have a field. An expression couldn't count them, because 200,000 items
 * exceed the memory that n8n allows for expressions.
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

/** Returns the time that n8n reports for a node's first run, in ms. */
export function nodeMs({ data }: Execution, node: string): number {
	const result = isRecord(data.resultData) ? data.resultData : {};
	const runData = isRecord(result.runData) ? result.runData : {};
	return Number(recordsOf(runData[node])[0]?.executionTime);
}
