import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { cleanLine, htmlText } from '../domain/formatting';
import { itemsForModel, MOST_CHARACTERS } from '../domain/itemsForModel';
import { mapConcurrently, MAX_ACTIVE } from '../domain/mapConcurrently';
import type { Hint } from '../domain/notices';
import { waitText } from '../domain/request/requestFailure';
import type { Done, Execution, Plan, Run } from './action';
import {
	errorItems,
	type Failure,
	isServiceFailure,
	isTool,
	itemErrorOf,
	refusedRows,
	stoppedExecution,
} from './itemError';

/** Maximum length of the hints that a model receives, in characters. */
const MOST_OF_HINTS = 2_000;

/** Starts an execution by reading the settings that all items share. An error thrown here concerns all items. */
export type Start = (run: Run) => Execution | Promise<Execution>;

/**
 * Checks, sends, and renders the plans of an execution, at most `MAX_ACTIVE` concurrently. Outputs keep the order of the
 * plans.
 */
export async function runOperation(start: Start, run: Run): Promise<INodeExecutionData[]> {
	const { context, notices } = run;
	let execution: Execution;
	try {
		execution = await start(run);
	} catch (cause) {
		return refusedRun(context, cause);
	}
	const outcomes = context.continueOnFail()
		? await sendEach(execution)
		: await sendAllOrStop(run, execution);
	let items: INodeExecutionData[];
	try {
		items = itemsOf(context, outcomes, execution);
	} catch (cause) {
		return refusedRun(context, cause);
	}
	const waited = waitText(run.services.requestedWaitMs());
	if (waited !== undefined) notices.add('rate limit', 'info', waited);
	// Add the hints last, because some depend on all items. The output panel renders hints as HTML.
	const hints = notices.hints();
	for (const { message, type } of hints) {
		context.addExecutionHints({ message: htmlText(message), type, location: 'outputPane' });
	}
	return isTool(context) ? toolItems(items, hints) : items;
}

/**
 * Handles an error from `start` or `render`, which applies to all items. A node that continues on errors must not throw: n8n (2.41)
 * would pass the node's input to the next node as if it were the output.
 */
function refusedRun(context: IExecuteFunctions, cause: unknown): INodeExecutionData[] {
	if (!context.continueOnFail()) throw itemErrorOf(context, cause, undefined);
	const items = context.getInputData().map((_, item) => item);
	return errorItems(context, items, cause);
}

/** Used if the node continues on errors: a failed plan doesn't stop the other plans. */
async function sendEach(execution: Execution): Promise<(Failure | Done<Plan, unknown>)[]> {
	const tasks = execution.plans.map((plan) => ({ plan }));
	const checkAndSend = async ({ plan }: { plan: Plan }) =>
		await execution.send(await execution.check(plan), plan);
	return await settleAll(tasks, checkAndSend, () => false);
}

/**
 * Used if the node stops on errors. Checks all plans before creating anything, so that one message lists all problems.
 * The check ends early only if the service fails.
 */
async function sendAllOrStop(run: Run, execution: Execution): Promise<Done<Plan, unknown>[]> {
	const { plans } = execution;
	const check = async ({ plan }: { plan: Plan }) => await execution.check(plan);
	const tasks = plans.map((plan) => ({ plan }));
	const checked = await settleAll(tasks, check, isServiceFailure);
	const [refused, ...others] = checked.filter((result) => 'cause' in result);
	if (refused !== undefined) {
		const failure = [refused, ...others].find(({ cause }) => isServiceFailure(cause));
		if (failure !== undefined) throw stoppedExecution(run, [failure], execution);
		throw refusedRows(run, [refused, ...others], execution);
	}
	const send = async ({ plan, outcome: request }: Done<Plan, unknown>) =>
		await execution.send(request, plan);
	const requests = checked.filter((result) => 'outcome' in result);
	const sent = await settleAll(requests, send, () => true);
	const [failed, ...failedToo] = sent.filter((result) => 'cause' in result);
	if (failed !== undefined) throw stoppedExecution(run, [failed, ...failedToo], execution);
	return sent.filter((result) => 'outcome' in result);
}

/**
 * Runs the tasks and returns their results in the same order. Starts no more tasks after a failure for which `endsAll`
 * returns true.
 */
async function settleAll<Task extends { readonly plan: Plan }>(
	tasks: readonly Task[],
	work: (task: Task) => Promise<unknown>,
	endsAll: (cause: unknown) => boolean,
): Promise<(Failure | Done<Plan, unknown>)[]> {
	let hasEnded = false;
	const results = await mapConcurrently(tasks, MAX_ACTIVE, async (task) => {
		if (hasEnded) return [];
		const { plan } = task;
		try {
			return [{ plan, outcome: await work(task) }];
		} catch (cause) {
			hasEnded ||= endsAll(cause);
			return [{ plan, cause }];
		}
	});
	return results.flat();
}

/**
 * Returns the output items of all plans in order: rendered items for plans that were sent, error items for failed
 * plans.
 */
function itemsOf(
	context: IExecuteFunctions,
	outcomes: readonly (Failure | Done<Plan, unknown>)[],
	execution: Execution,
): INodeExecutionData[] {
	const done = outcomes.filter((one) => 'outcome' in one);
	const rendered = execution.render(done).values();
	return outcomes.flatMap((one) => {
		const { items } = one.plan;
		if ('cause' in one) return errorItems(context, items, one.cause);
		// Pair each output item with a single input item. With several input items, `$('Sheet').item` fails in n8n
		// (2.41) with "Multiple matches found".
		const output = rendered.next().value ?? [];
		return output.map((item) => ({ ...item, pairedItem: { item: items[0] } }));
	});
}

/**
 * Builds the items that the model of an AI Agent receives. If the items are too large, leaves out the last ones and
 * adds an item that reports this. Hints become the last item, because a model can't see the output panel. A model that
 * sees no hints would assume that the service stored every field.
 */
function toolItems(
	items: readonly INodeExecutionData[],
	hints: readonly Hint[],
): INodeExecutionData[] {
	const text = cleanLine(hints.map(({ message }) => message).join(' '), MOST_OF_HINTS);
	const hintItems = text === '' ? [] : [{ json: { hints: text }, pairedItem: { item: 0 } }];
	const room = MOST_CHARACTERS - JSON.stringify(hintItems).length;
	const jsons = items.map(({ json }) => json);
	const { count, withoutFields, leftOut } = itemsForModel(jsons, room);
	if (leftOut === undefined) return [...items, ...hintItems];
	const [first, ...others] = items.slice(0, count);
	if (first === undefined) return hintItems;
	const kept = Object.entries(first.json).filter(([name]) => !withoutFields.has(name));
	const { pairedItem } = first;
	return [
		{ ...first, json: Object.fromEntries(kept) },
		...others,
		{ json: { left_out: leftOut }, pairedItem },
		...hintItems,
	];
}
