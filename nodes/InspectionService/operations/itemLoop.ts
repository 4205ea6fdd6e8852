import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { itemsForModel, MOST_CHARACTERS } from '../domain/itemsForModel';
import { mapConcurrently, MAX_ACTIVE } from '../domain/mapConcurrently';
import { cleanLine, htmlText } from '../domain/shownText';
import { servicesByItem } from '../transport/itemServices';
import { thrownError } from '../transport/nodeError';
import type { Hint } from './hints';
import {
	errorItems,
	type Failure,
	isTool,
	isTrouble,
	itemErrorOf,
	refusedRows,
	stoppedExecution,
} from './itemError';
import type { Job, Operation, OperationRun, OperationSteps } from './operation';

/** Characters of the hints that a model gets. */
const MOST_OF_HINTS = 2_000;

/** Runs the chosen one of the operations. Whatever it throws is an error of n8n. */
export async function runNode(
	context: IExecuteFunctions,
	operations: readonly Operation[],
): Promise<INodeExecutionData[]> {
	try {
		const operation = chosenOperation(context, operations);
		return await runOperation(operation, { context, serviceOf: servicesByItem(context) });
	} catch (error) {
		throw thrownError(context.getNode(), error);
	}
}

function chosenOperation(context: IExecuteFunctions, operations: readonly Operation[]): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const value = context.getNodeParameter('operation', 0);
	const operation = operations.find(
		(one) => one.resource === resource && one.option.value === value,
	);
	if (operation !== undefined) return operation;
	throw new InputError(
		`Operation "${value}" of resource "${resource}" is not known to this version of the node. Choose one from the list.`,
	);
}

/** Does the jobs of an operation, at most `concurrency` at once. The outputs come in the order of the jobs. */
async function runOperation(
	operation: Operation,
	run: OperationRun,
): Promise<INodeExecutionData[]> {
	const { context } = run;
	const steps = await operation.begin(run).catch((cause: unknown) => ({ cause }));
	if ('cause' in steps) return refusedBeginning(context, steps.cause);
	const results = context.continueOnFail()
		? await performEach(steps)
		: await performAllOrStop(context, steps);
	const items = results.flatMap((result) => {
		const { job } = result;
		if ('cause' in result) return errorItems(context, job.unit, result.cause);
		const { value } = result;
		const made = typeof value === 'function' ? value() : value;
		// One pair only: with several, `$('Sheet').item` fails in n8n (2.41) with "Multiple matches found".
		return made.map((item) => ({ ...item, pairedItem: { item: job.unit[0] } }));
	});
	// Some hints look at all items. The output panel takes them for HTML.
	const hints = steps.hints?.() ?? [];
	for (const { message, type } of hints) {
		context.addExecutionHints({ message: htmlText(message), type, location: 'outputPane' });
	}
	return isTool(context) ? toolItems(items, hints) : items;
}

/**
 * What `begin` reads counts for all items. A node that continues on an error must not throw: n8n (2.41) would hand the input
 * to the next node, as if it were the output.
 */
function refusedBeginning(context: IExecuteFunctions, cause: unknown): INodeExecutionData[] {
	if (!context.continueOnFail()) throw itemErrorOf(context, cause, undefined);
	const unit = context.getInputData().map((_, item) => item);
	return errorItems(context, unit, cause);
}

/** For a node that continues on an error: the error of a job does not stop the others. */
async function performEach({ jobs, concurrency }: OperationSteps) {
	const perform = async ({ job }: { job: Job }) => await (await job.prepare())();
	const tasks = jobs.map((job) => ({ job }));
	return await settleAll(tasks, concurrency, perform, () => false);
}

/**
 * For a node that stops on an error: all jobs are prepared before anything is created, and one message names the problems
 * of all. Only trouble of the service ends the check at once.
 */
async function performAllOrStop(context: IExecuteFunctions, steps: OperationSteps) {
	const { concurrency } = steps;
	const jobs = steps.jobs.map((job) => ({ job }));
	const checked = await settleAll(
		jobs,
		concurrency,
		async ({ job }) => await job.prepare(),
		isTrouble,
	);
	const [refused, ...others] = checked.filter((result) => 'cause' in result);
	if (refused !== undefined) {
		const trouble = [refused, ...others].find(({ cause }) => isTrouble(cause));
		if (trouble !== undefined) throw stoppedExecution(context, [trouble], steps);
		throw refusedRows(context, [refused, ...others], steps);
	}
	const prepared = checked.filter((result) => 'value' in result);
	const sent = await settleAll(
		prepared,
		concurrency,
		async ({ value }) => await value(),
		() => true,
	);
	const [failed, ...failedToo] = sent.filter((result) => 'cause' in result);
	if (failed !== undefined) throw stoppedExecution(context, [failed, ...failedToo], steps);
	return sent;
}

/** The results in the order of the tasks. After a failure that `endsAll` no further task is begun. */
async function settleAll<Task extends { readonly job: Job }, Value>(
	tasks: readonly Task[],
	concurrency: number | undefined,
	work: (task: Task) => Promise<Value>,
	endsAll: (cause: unknown) => boolean,
): Promise<(Failure | { job: Job; value: Value })[]> {
	let hasEnded = false;
	const results = await mapConcurrently(tasks, concurrency ?? MAX_ACTIVE, async (task) => {
		if (hasEnded) return [];
		try {
			return [{ job: task.job, value: await work(task) }];
		} catch (cause) {
			hasEnded ||= endsAll(cause);
			return [{ job: task.job, cause }];
		}
	});
	return results.flat();
}

/**
 * What the model of an AI Agent gets of the items. What is too much for it is left out, and one more item says so. A model
 * sees no output panel, and would take a field that is no question for stored: the hints are the last item.
 */
function toolItems(
	items: readonly INodeExecutionData[],
	hints: readonly Hint[],
): INodeExecutionData[] {
	const text = cleanLine(hints.map(({ message }) => message).join(' '), MOST_OF_HINTS);
	const told = text === '' ? [] : [{ json: { hints: text }, pairedItem: { item: 0 } }];
	const room = MOST_CHARACTERS - JSON.stringify(told).length;
	const jsons = items.map(({ json }) => json);
	const { count, withoutFields, leftOut } = itemsForModel(jsons, room);
	if (leftOut === undefined) return [...items, ...told];
	const [first, ...others] = items.slice(0, count);
	if (first === undefined) return told;
	const kept = Object.entries(first.json).filter(([name]) => !withoutFields.has(name));
	const { pairedItem } = first;
	return [
		{ ...first, json: Object.fromEntries(kept) },
		...others,
		{ json: { left_out: leftOut }, pairedItem },
		...told,
	];
}
