import { isRecord, recordsOf } from '#connector/domain/json.ts';
import type { N8nClient } from '#sandbox/demo/n8nClient.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { chain, type PlainNode, START } from '../test/e2e/connectorWorkflow.mts';
import { type Contender, watchMemory } from './measurement.mts';

/** The node whose time counts. */
const MEASURED = 'Under test';
/** 200,000 inspections page by page take minutes. */
const LONGEST_RUN_MS = 900_000;

/** A running n8n. After `restart` its members are those of the new process. */
export interface RunningN8n {
	client: N8nClient;
	pid: number;
	restart(): Promise<void>;
}

/** A node of n8n that does a job. */
export interface NodeWay {
	way: string;
	/** Without a name. */
	node: Omit<PlainNode, 'name'>;
	/** Its input: an expression that gives an array of objects; one empty item where none is given. */
	items?: string;
	/** How many items it puts out: with more or fewer the job was not done. */
	output: number;
	/** A field that each of them has; `id` where it is not given. */
	field?: string;
}

/** Saves the node in a workflow of its own; every run is an execution of it, timed by n8n itself. */
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
 * The same in a sub-workflow that hands back nothing but a count: n8n cannot store an execution of 200,000 items. The
 * time is that of the whole sub-workflow, the making of its input included.
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
	/** How many items came out. */
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

/** Counts the items that have a field. An expression could not: n8n bounds its memory, and 200,000 items are beyond it. */
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

/** From n8n's run data: what the editor shows as the node's time, in ms. */
export function nodeMs({ data }: Execution, node: string): number {
	const result = isRecord(data.resultData) ? data.resultData : {};
	const runData = isRecord(result.runData) ? result.runData : {};
	return Number(recordsOf(runData[node])[0]?.executionTime);
}
