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

interface Success<Value> {
	job: Job;
	value: Value;
}

type Result<Value> = Success<Value> | Failure;

/** Does the jobs of an operation, at most `concurrency` at once. The outputs come in the order of the jobs. */
export async function runOperation(
	operation: Operation,
	run: OperationRun,
): Promise<INodeExecutionData[]> {
	const { context } = run;
	const steps = await begun(operation, run);
	const results = context.continueOnFail()
		? await performEach(steps)
		: await performAllOrStop(context, steps);
	const items = results.flatMap((result) =>
		'value' in result ? pairedItems(result) : errorItems(context, result),
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
async function performEach({ jobs, concurrency }: OperationSteps): Promise<Result<UnitOutput>[]> {
	const tasks = jobs.map((job) => ({
		job,
		work: async () => {
			const perform = await job.prepare();
			return await perform();
		},
	}));
	return await settleAll(tasks, concurrency, () => false);
}

/**
 * For a node that stops on an error: all jobs are prepared before anything is created, and one message names the problems
 * of all. Only trouble of the service ends the check at once.
 */
async function performAllOrStop(
	context: IExecuteFunctions,
	steps: OperationSteps,
): Promise<Success<UnitOutput>[]> {
	const checks = steps.jobs.map((job) => ({ job, work: async () => await job.prepare() }));
	const checked = await settleAll(checks, steps.concurrency, isTrouble);
	const [refused, ...others] = failuresOf(checked);
	if (refused !== undefined) {
		const trouble = [refused, ...others].find(({ cause }) => isTrouble(cause));
		if (trouble !== undefined) throw stoppedExecution(context, [trouble], steps);
		throw refusedRows(context, [refused, ...others], steps);
	}
	const sends = successesOf(checked).map(({ job, value }) => ({ job, work: value }));
	const sent = await settleAll(sends, steps.concurrency, () => true);
	const [failed, ...failedToo] = failuresOf(sent);
	if (failed !== undefined) throw stoppedExecution(context, [failed, ...failedToo], steps);
	return successesOf(sent);
}

/** The results in the order of the tasks. After a failure that `endsAll` no further task is begun. */
async function settleAll<Value>(
	tasks: readonly { job: Job; work(): Promise<Value> }[],
	concurrency: number,
	endsAll: (cause: unknown) => boolean,
): Promise<Result<Value>[]> {
	let hasEnded = false;
	const results = await mapConcurrently(
		tasks,
		concurrency,
		async ({ job, work }): Promise<Result<Value>[]> => {
			if (hasEnded) return [];
			try {
				return [{ job, value: await work() }];
			} catch (cause) {
				hasEnded ||= endsAll(cause);
				return [{ job, cause }];
			}
		},
	);
	return results.flat();
}

function successesOf<Value>(results: readonly Result<Value>[]): Success<Value>[] {
	return results.filter((result) => 'value' in result);
}

function failuresOf<Value>(results: readonly Result<Value>[]): Failure[] {
	return results.filter((result) => 'cause' in result);
}

/** One pair only: with several, `$('Sheet').item` fails in n8n (2.41) with "Multiple matches found". */
function pairedItems({ job, value }: Success<UnitOutput>): INodeExecutionData[] {
	const items = typeof value === 'function' ? value() : value;
	return items.map((made) => ({ ...made, pairedItem: { item: job.unit[0] } }));
}

/** What the model of an AI Agent gets of the items. What is too much for it is left out, and one more item says so. */
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
