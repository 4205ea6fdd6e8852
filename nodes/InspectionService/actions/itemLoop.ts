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

type Result = Failure | Done<Plan, unknown>;

/**
 * Checks, sends, and renders the plans of an execution, at most `MAX_ACTIVE` concurrently. Outputs keep the order of the
 * plans.
 */
export async function runOperation(start: Start, run: Run): Promise<INodeExecutionData[]> {
	const { context, notices } = run;
	let items: INodeExecutionData[];
	try {
		const execution = await start(run);
		const results = context.continueOnFail()
			? await sendEach(execution)
			: await sendAllOrStop(run, execution);
		items = itemsOf(context, results, execution);
	} catch (cause) {
		if (!context.continueOnFail()) throw itemErrorOf(context, cause);
		// The error is of all items. Don't throw it: n8n (2.41) would pass the node's input to the next node as if it were
		// the output.
		return errorItems(context, [...context.getInputData().keys()], cause);
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

/** Used if the node continues on errors: a failed plan doesn't stop the other plans. */
async function sendEach(execution: Execution): Promise<Result[]> {
	const checkAndSend = async (plan: Plan) =>
		await execution.send(await execution.check(plan), plan);
	return await settleAll(execution.plans, checkAndSend, () => false);
}

/**
 * Used if the node stops on errors. Checks all plans before creating anything, so that one message lists all problems.
 * The check ends early only if the service fails.
 */
async function sendAllOrStop(run: Run, execution: Execution): Promise<Result[]> {
	const { plans } = execution;
	const check = async (plan: Plan) => await execution.check(plan);
	const checked = await settleAll(plans, check, isServiceFailure);
	const refused = checked.filter((result) => 'cause' in result);
	const failure = refused.find(({ cause }) => isServiceFailure(cause));
	if (failure !== undefined) throw stoppedExecution(run, [failure], execution);
	const [first, ...others] = refused;
	if (first !== undefined) throw refusedRows(run, [first, ...others], execution);
	const ready = checked.filter((result) => 'outcome' in result);
	const requests = new Map(ready.map(({ plan, outcome }) => [plan, outcome]));
	const send = async (plan: Plan) => await execution.send(requests.get(plan), plan);
	const sent = await settleAll(plans, send, () => true);
	const [failed, ...failedToo] = sent.filter((result) => 'cause' in result);
	if (failed !== undefined) throw stoppedExecution(run, [failed, ...failedToo], execution);
	return sent;
}

/**
 * Calls `work` for each plan, and returns the results in the same order. Starts no more calls after a failure for which
 * `endsAll` returns true.
 */
async function settleAll(
	plans: readonly Plan[],
	work: (plan: Plan) => Promise<unknown>,
	endsAll: (cause: unknown) => boolean,
): Promise<Result[]> {
	let hasEnded = false;
	const results = await mapConcurrently(plans, MAX_ACTIVE, async (plan): Promise<Result[]> => {
		if (hasEnded) return [];
		try {
			return [{ plan, outcome: await work(plan) }];
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
	results: readonly Result[],
	execution: Execution,
): INodeExecutionData[] {
	const rendered = execution.render(results.filter((one) => 'outcome' in one)).values();
	return results.flatMap((one) => {
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
	const kept = items.slice(0, count).map((item) => {
		const members = Object.entries(item.json).filter(([name]) => !withoutFields.has(name));
		return { ...item, json: Object.fromEntries(members) };
	});
	const more =
		leftOut === undefined ? [] : [{ json: { left_out: leftOut }, pairedItem: { item: 0 } }];
	return [...kept, ...more, ...hintItems];
}
