import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { itemsForModel } from '../domain/itemsForModel';
import { mapConcurrently } from '../domain/mapConcurrently';
import { showHints } from './hints';
import {
	errorItems,
	type Failure,
	isTool,
	isTrouble,
	itemErrorOf,
	refusedRows,
	stoppedExecution,
} from './itemError';
import type { Job, Operation, OperationRun, OperationSteps, UnitOutput } from './operation';

/** Makes the items of a job, once all jobs are done. */
type MakeItems = () => INodeExecutionData[];

interface Success<Value> {
	job: Job;
	value: Value;
}

/**
 * Does the jobs of an operation, at most `concurrency` at once. The outputs come in the order of the jobs, and each is
 * paired to the first item of its unit. Where an error ends the execution, all jobs are prepared before the first one is
 * performed. As a tool of an agent, the node hands over no more than a model can read.
 */
export async function runOperation(
	operation: Operation,
	run: OperationRun,
): Promise<INodeExecutionData[]> {
	const { context } = run;
	const steps = await begun(operation, run);
	const outputs = context.continueOnFail()
		? await performEach(context, steps)
		: await performAllOrStop(context, steps);
	const items = outputs.flatMap((make) => make());
	// Some hints look at all items.
	showHints(context, steps.hints?.() ?? []);
	return isTool(context) ? toolItems(items) : items;
}

/** An error here is about no item: what `begin` reads counts for all of them. */
async function begun(operation: Operation, run: OperationRun): Promise<OperationSteps> {
	try {
		return await operation.begin(run);
	} catch (cause) {
		throw itemErrorOf(run.context, cause, undefined);
	}
}

/** For a node that continues on an error: the error of a job does not stop the others. */
async function performEach(
	context: IExecuteFunctions,
	{ jobs, concurrency }: OperationSteps,
): Promise<MakeItems[]> {
	return await mapConcurrently(jobs, concurrency, async (job): Promise<MakeItems> => {
		try {
			const perform = await job.prepare();
			const output = await perform();
			return () => pairedItems(job, output);
		} catch (cause) {
			return () => errorItems(context, { job, cause });
		}
	});
}

/**
 * For a node that stops on an error. Where a job cannot be prepared, the execution ends before anything is created, and
 * one message names the problems of all jobs; only trouble of the service ends the check at once. Where a job fails
 * later, no further one is started, and those under way are waited for, so that n8n sees their end.
 */
async function performAllOrStop(
	context: IExecuteFunctions,
	steps: OperationSteps,
): Promise<MakeItems[]> {
	const checks = steps.jobs.map((job) => ({ job, work: async () => await job.prepare() }));
	const checked = await settleAll(checks, steps.concurrency, isTrouble);
	const [refused, ...others] = checked.failures;
	if (refused !== undefined) {
		const trouble = checked.failures.find(({ cause }) => isTrouble(cause));
		if (trouble !== undefined) throw stoppedExecution(context, [trouble], steps);
		throw refusedRows(context, [refused, ...others], steps);
	}
	const sends = checked.successes.map(({ job, value }) => ({ job, work: value }));
	const { successes, failures } = await settleAll(sends, steps.concurrency, () => true);
	const [failed, ...failedToo] = failures;
	if (failed !== undefined) throw stoppedExecution(context, [failed, ...failedToo], steps);
	return successes.map(
		({ job, value }) =>
			() =>
				pairedItems(job, value),
	);
}

/** The results in the order of the tasks. After a failure that `endsAll` no further task is begun. */
async function settleAll<Value>(
	tasks: readonly { job: Job; work(): Promise<Value> }[],
	concurrency: number,
	endsAll: (cause: unknown) => boolean,
): Promise<{ successes: Success<Value>[]; failures: Failure[] }> {
	type Result = Success<Value> | Failure | undefined;
	let hasEnded = false;
	const results = await mapConcurrently(
		tasks,
		concurrency,
		async ({ job, work }): Promise<Result> => {
			if (hasEnded) return undefined;
			try {
				return { job, value: await work() };
			} catch (cause) {
				hasEnded ||= endsAll(cause);
				return { job, cause };
			}
		},
	);
	const known = results.filter((result) => result !== undefined);
	return {
		successes: known.filter((result) => 'value' in result),
		failures: known.filter((result) => 'cause' in result),
	};
}

/**
 * Each output is paired to the first item of its unit only: with several pairs, an expression such as
 * `$('Sheet').item` fails in n8n (2.41) with "Multiple matches found".
 */
function pairedItems({ unit: [item] }: Job, output: UnitOutput): INodeExecutionData[] {
	const items = typeof output === 'function' ? output() : output;
	return items.map((made) => ({ ...made, pairedItem: { item } }));
}

/**
 * What the model of an AI Agent gets of the items: the agent hands it the `json` of all of them as one text. What is too
 * much is left out, and one more item says so under `left_out`.
 */
function toolItems(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	const { count, withoutFields, leftOut } = itemsForModel(items.map(({ json }) => json));
	if (leftOut === undefined) return [...items];
	const [first, ...others] = items.slice(0, count);
	if (first === undefined) return [];
	const kept = Object.entries(first.json).filter(([name]) => !withoutFields.has(name));
	const { pairedItem } = first;
	return [
		{ ...first, json: Object.fromEntries(kept) },
		...others,
		{ json: { left_out: leftOut }, pairedItem },
	];
}
