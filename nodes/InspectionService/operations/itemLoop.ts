import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { mapConcurrently } from '../domain/mapConcurrently';
import { showHints } from './hints';
import { errorItems, isTrouble, itemErrorOf } from './itemError';
import type {
	Job,
	Operation,
	OperationRun,
	OperationSteps,
	Perform,
	UnitOutput,
} from './operation';
import { type Failure, refusedRows, stoppedExecution } from './stopError';
import { isTool, toolItems } from './toolItems';

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
	steps: OperationSteps,
): Promise<Result<UnitOutput>[]> {
	return await mapConcurrently(steps.jobs, steps.concurrency, async (job) => {
		return await settle(context, job, async () => {
			const perform = await job.prepare();
			return await perform();
		});
	});
}

/**
 * For a node that stops on an error. Where a job cannot be prepared, the execution ends before anything is created.
 * Where one fails later, no further one is started. Those under way are waited for, so that n8n sees their end.
 */
async function performAllOrStop(
	context: IExecuteFunctions,
	steps: OperationSteps,
): Promise<Success<UnitOutput>[]> {
	const prepared = await prepareAll(context, steps);
	let stopped = false;
	const results = await mapConcurrently(prepared, steps.concurrency, async ({ job, value }) => {
		if (stopped) return undefined;
		const result = await settle(context, job, value);
		stopped ||= isFailure(result);
		return result;
	});
	const { successes, failures } = settled(results);
	const [first, ...others] = failures;
	if (first === undefined) return successes;
	throw stoppedExecution(context, [first, ...others], steps);
}

/** Prepares all jobs, so that one message names all problems. Only trouble of the service ends the check at once. */
async function prepareAll(
	context: IExecuteFunctions,
	steps: OperationSteps,
): Promise<Success<Perform>[]> {
	let trouble: Failure | undefined;
	const results = await mapConcurrently(steps.jobs, steps.concurrency, async (job) => {
		if (trouble !== undefined) return undefined;
		const result = await settle(context, job, async () => await job.prepare());
		if (isFailure(result) && isTrouble(result.cause)) trouble ??= result;
		return result;
	});
	const { successes, failures } = settled(results);
	const [first, ...others] = failures;
	if (first === undefined) return successes;
	if (trouble !== undefined) throw stoppedExecution(context, [trouble], steps);
	throw refusedRows(context, [first, ...others], steps);
}

async function settle<Value>(
	context: IExecuteFunctions,
	job: Job,
	work: () => Promise<Value>,
): Promise<Result<Value>> {
	try {
		return { job, value: await work() };
	} catch (cause) {
		return { job, error: itemErrorOf(context, cause, job.unit[0]), cause };
	}
}

function settled<Value>(results: readonly (Result<Value> | undefined)[]) {
	const known = results.filter((result) => result !== undefined);
	return {
		successes: known.filter((result) => 'value' in result),
		failures: known.filter(isFailure),
	};
}

function isFailure<Value>(result: Result<Value>): result is Failure {
	return 'error' in result;
}

/**
 * Each output is paired to the first item of its unit only: with several pairs, an expression such as
 * `$('Sheet').item` fails in n8n (2.41) with "Multiple matches found".
 */
function pairedItems({ unit: [item] }: Job, output: UnitOutput): INodeExecutionData[] {
	const items = typeof output === 'function' ? output() : output;
	return items.map(({ json, binary }) => ({
		json,
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item },
	}));
}
