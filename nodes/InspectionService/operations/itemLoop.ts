import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { mapConcurrently } from '../domain/mapConcurrently';
import { showHints } from './hints';
import { errorItems, isTrouble, itemErrorOf } from './itemError';
import type {
	Operation,
	OperationRun,
	OperationSteps,
	Perform,
	Unit,
	UnitOutput,
} from './operation';
import { type Failure, refusedRows, stoppedExecution } from './stopError';
import { isTool, toolItems } from './toolItems';

interface Success<Value> {
	unit: Unit;
	value: Value;
}
type Result<Value> = Success<Value> | Failure;

/**
 * Runs an operation over all units of the input, at most `concurrency` at once. The outputs come in the order of the
 * units, and each is paired to the first item of its unit. Where an error ends the execution, all units are checked
 * before the first one is performed. As a tool of an agent, the node hands over no more than a model can read.
 */
export async function runOperation(
	operation: Operation,
	run: OperationRun,
): Promise<INodeExecutionData[]> {
	const { context } = run;
	const steps = await begun(operation, run);
	const units = steps.units ?? context.getInputData().map((_, item): Unit => [item]);
	const results = context.continueOnFail()
		? await performEach(context, units, steps)
		: await performAllOrStop(context, units, steps);
	showHints(context, steps.hints?.() ?? []);
	const items = results.flatMap((result) =>
		isFailure(result)
			? errorItems(context, result.unit, result.error)
			: pairedItems(result.unit, result.value),
	);
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

/** For a node that continues on an error: the error of a unit does not stop the others. */
async function performEach(
	context: IExecuteFunctions,
	units: readonly Unit[],
	steps: OperationSteps,
): Promise<Result<UnitOutput>[]> {
	return await mapConcurrently(units, steps.concurrency, async (unit) => {
		return await settle(context, unit, async () => {
			const perform = await steps.prepare(unit);
			return await perform();
		});
	});
}

/**
 * For a node that stops on an error. Where a unit cannot be prepared, the execution ends before anything is created.
 * Where a unit fails later, no further unit is started. Those under way are waited for, so that n8n sees their end.
 */
async function performAllOrStop(
	context: IExecuteFunctions,
	units: readonly Unit[],
	steps: OperationSteps,
): Promise<Success<UnitOutput>[]> {
	const prepared = await prepareAll(context, units, steps);
	let stopped = false;
	const results = await mapConcurrently(prepared, steps.concurrency, async ({ unit, value }) => {
		if (stopped) return undefined;
		const result = await settle(context, unit, value);
		stopped ||= isFailure(result);
		return result;
	});
	const { successes, failures } = sorted(results);
	const [first, ...others] = failures;
	if (first === undefined) return successes;
	throw stoppedExecution(context, [first, ...others], { units, steps });
}

/** Prepares all units, so that one message names all problems. Only trouble of the service ends the check at once. */
async function prepareAll(
	context: IExecuteFunctions,
	units: readonly Unit[],
	steps: OperationSteps,
): Promise<Success<Perform>[]> {
	let trouble: Failure | undefined;
	const results = await mapConcurrently(units, steps.concurrency, async (unit) => {
		if (trouble !== undefined) return undefined;
		const result = await settle(context, unit, async () => await steps.prepare(unit));
		if (isFailure(result) && isTrouble(result.error)) trouble ??= result;
		return result;
	});
	const { successes, failures } = sorted(results);
	const [first, ...others] = failures;
	if (first === undefined) return successes;
	if (trouble !== undefined) throw stoppedExecution(context, [trouble], { units, steps });
	throw refusedRows(context, [first, ...others], { units, steps });
}

async function settle<Value>(
	context: IExecuteFunctions,
	unit: Unit,
	work: () => Promise<Value>,
): Promise<Result<Value>> {
	try {
		return { unit, value: await work() };
	} catch (cause) {
		return { unit, error: itemErrorOf(context, cause, unit[0]), cause };
	}
}

function sorted<Value>(results: readonly (Result<Value> | undefined)[]) {
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
function pairedItems([item]: Unit, output: UnitOutput): INodeExecutionData[] {
	const items = typeof output === 'function' ? output() : output;
	return items.map(({ json, binary }) => ({
		json,
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item },
	}));
}
