import { type IExecuteFunctions, type INodeExecutionData, NodeApiError } from 'n8n-workflow';

import { mapConcurrently } from '../domain/mapConcurrently';
import { htmlText } from '../domain/shownText';
import { hasStatus, isInDoubt } from '../transport/serviceError';
import { errorItems, itemErrorOf } from './itemError';
import type { ItemOutput, OperationSteps, Perform, Unit } from './operation';
import { type Failure, refusedRows, stoppedExecution } from './stopError';

interface Success<Value> {
	unit: Unit;
	value: Value;
}
type Result<Value> = Success<Value> | Failure;

/**
 * Runs an operation over all units of the input: at most `concurrency` at once, outputs in the order of the units,
 * each paired to all items of its unit. Where an error ends the execution, all units are checked before the first
 * is performed.
 */
export async function runItems(
	context: IExecuteFunctions,
	steps: OperationSteps,
): Promise<INodeExecutionData[]> {
	const units = steps.units ?? context.getInputData().map((_, item): Unit => [item]);
	const results = context.continueOnFail()
		? await performEach(context, units, steps)
		: await performAllOrStop(context, units, steps);
	const hints = steps.hints?.() ?? [];
	for (const hint of hints) {
		context.addExecutionHints({ ...hint, message: htmlText(hint.message) });
	}
	return results.flatMap((result) =>
		isFailure(result)
			? errorItems(context, result.unit, result.error)
			: pairedItems(result.unit, result.value),
	);
}

/** A unit's error costs only itself. */
async function performEach(
	context: IExecuteFunctions,
	units: readonly Unit[],
	steps: OperationSteps,
): Promise<Result<ItemOutput[]>[]> {
	return await mapConcurrently(units, steps.concurrency, async (unit) => {
		return await settle(context, unit, async () => {
			const perform = await steps.prepare(unit);
			return await perform();
		});
	});
}

/**
 * Any unit's error ends the execution: before anything is sent where a unit cannot be prepared; else no further
 * unit is started, and those under way are waited for, so that nothing goes on unseen by n8n.
 */
async function performAllOrStop(
	context: IExecuteFunctions,
	units: readonly Unit[],
	steps: OperationSteps,
): Promise<Success<ItemOutput[]>[]> {
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
	throw stoppedExecution([first, ...others], { units, steps });
}

/** Every unit is checked, so that one message tells all problems; trouble of the service ends it at once. */
async function prepareAll(
	context: IExecuteFunctions,
	units: readonly Unit[],
	steps: OperationSteps,
): Promise<Success<Perform>[]> {
	let trouble: Failure | undefined;
	const results = await mapConcurrently(units, steps.concurrency, async (unit) => {
		if (trouble !== undefined) return undefined;
		const result = await settle(context, unit, async () => await steps.prepare(unit));
		if (isFailure(result) && isTrouble(result)) trouble ??= result;
		return result;
	});
	const { successes, failures } = sorted(results);
	const [first, ...others] = failures;
	if (first === undefined) return successes;
	if (trouble !== undefined) throw stoppedExecution([trouble], { units, steps });
	throw refusedRows(context, [first, ...others], { units, steps });
}

/** Refusals that are about what a unit names, such as a template that does not exist. */
const ABOUT_UNIT = new Set(['400', '404']);

function isTrouble({ error }: Failure): boolean {
	if (!(error instanceof NodeApiError) || isInDoubt(error)) return false;
	return !hasStatus(error, ABOUT_UNIT);
}

async function settle<Value>(
	context: IExecuteFunctions,
	unit: Unit,
	work: () => Promise<Value>,
): Promise<Result<Value>> {
	try {
		return { unit, value: await work() };
	} catch (cause) {
		return { unit, error: itemErrorOf(context, cause, unit[0]) };
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

function pairedItems(unit: Unit, output: readonly ItemOutput[]): INodeExecutionData[] {
	const pairs = unit.map((item) => ({ item }));
	const pairedItem = pairs.length === 1 ? pairs[0] : pairs;
	return output.map(({ json, binary }) => ({
		json,
		...(binary === undefined ? {} : { binary }),
		pairedItem,
	}));
}
