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

interface Task<Value> {
	job: Job;
	work(): Promise<Value>;
}
interface Success<Value> {
	job: Job;
	value: Value;
}
type Result<Value> = Success<Value> | Failure;

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
	const results = context.continueOnFail()
		? await performEach(context, steps)
		: await performAllOrStop(context, steps);
	const items = results.flatMap((result) =>
		isFailure(result)
			? errorItems(context, result.job.unit, result.error)
			: pairedItems(result.job, result.value),
	);
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
): Promise<Result<UnitOutput>[]> {
	const tasks = jobs.map((job) => ({
		job,
		async work() {
			const perform = await job.prepare();
			return await perform();
		},
	}));
	return await settleAll(context, tasks, concurrency, () => false);
}

/**
 * For a node that stops on an error. Where a job cannot be prepared, the execution ends before anything is created, and
 * one message names the problems of all jobs; only trouble of the service ends the check at once. Where a job fails
 * later, no further one is started, and those under way are waited for, so that n8n sees their end.
 */
async function performAllOrStop(
	context: IExecuteFunctions,
	steps: OperationSteps,
): Promise<Success<UnitOutput>[]> {
	const { jobs, concurrency } = steps;
	const checks = jobs.map((job) => ({ job, work: async () => await job.prepare() }));
	const checked = await settleAll(context, checks, concurrency, ({ cause }) => isTrouble(cause));
	const [refused, ...others] = checked.filter(isFailure);
	if (refused !== undefined) {
		const trouble = [refused, ...others].find(({ cause }) => isTrouble(cause));
		if (trouble !== undefined) throw stoppedExecution(context, [trouble], steps);
		throw refusedRows(context, [refused, ...others], steps);
	}
	const sends = checked.filter(isSuccess).map(({ job, value: work }) => ({ job, work }));
	const results = await settleAll(context, sends, concurrency, () => true);
	const [failed, ...failedToo] = results.filter(isFailure);
	if (failed !== undefined) throw stoppedExecution(context, [failed, ...failedToo], steps);
	return results.filter(isSuccess);
}

/** The results of all tasks, or of those that were begun before a failure `endsAll`. */
async function settleAll<Value>(
	context: IExecuteFunctions,
	tasks: readonly Task<Value>[],
	concurrency: number,
	endsAll: (failure: Failure) => boolean,
): Promise<Result<Value>[]> {
	let hasEnded = false;
	const results = await mapConcurrently(tasks, concurrency, async ({ job, work }) => {
		if (hasEnded) return [];
		try {
			return [{ job, value: await work() }];
		} catch (cause) {
			const failure = { job, error: itemErrorOf(context, cause, job.unit[0]), cause };
			hasEnded ||= endsAll(failure);
			return [failure];
		}
	});
	return results.flat();
}

function isFailure<Value>(result: Result<Value>): result is Failure {
	return 'error' in result;
}

function isSuccess<Value>(result: Result<Value>): result is Success<Value> {
	return 'value' in result;
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
