import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { htmlText } from '../domain/shownText';
import { nodeError } from '../transport/nodeError';
import type { ItemExecutor, ItemOutput } from './operation';

type ItemError = NodeApiError | NodeOperationError;
type Outcome = { output: ItemOutput[] } | { error: ItemError };

/**
 * Runs an operation over all input items: at most `concurrency` in flight, outputs in input order, each
 * paired to its input. Without continue-on-fail the first failing item (by index) ends the execution: no
 * further item is started, those in flight are waited for, so that nothing goes on behind n8n's back.
 */
export async function runItems(
	context: IExecuteFunctions,
	executor: ItemExecutor,
): Promise<INodeExecutionData[]> {
	const outcomes = await settleItems(context, executor);
	const returnData = outcomes.flatMap((outcome, item) =>
		'error' in outcome ? [errorItem(outcome.error, item)] : pairedItems(outcome.output, item),
	);
	const hints = executor.hints?.() ?? [];
	for (const hint of hints) {
		context.addExecutionHints({ ...hint, message: htmlText(hint.message) });
	}
	return returnData;
}

async function settleItems(context: IExecuteFunctions, executor: ItemExecutor): Promise<Outcome[]> {
	const itemCount = context.getInputData().length;
	const continueOnFail = context.continueOnFail();
	const outcomes: Outcome[] = [];
	let nextItem = 0;
	let stopped = false;

	const work = async () => {
		while (!stopped && nextItem < itemCount) {
			const item = nextItem++;
			const outcome = await settleItem(context, executor, item);
			outcomes[item] = outcome;
			if ('error' in outcome && !continueOnFail) stopped = true;
		}
	};
	const workers = Math.max(1, Math.min(executor.concurrency, itemCount));
	await Promise.all(Array.from({ length: workers }, work));

	if (!continueOnFail) throwFirstError(outcomes, executor);
	return outcomes;
}

async function settleItem(
	context: IExecuteFunctions,
	executor: ItemExecutor,
	item: number,
): Promise<Outcome> {
	try {
		return { output: await executor.executeItem(item) };
	} catch (error) {
		return { error: withItemIndex(context, error, item) };
	}
}

function withItemIndex(context: IExecuteFunctions, error: unknown, itemIndex: number): ItemError {
	const shown = nodeError(context.getNode(), error);
	shown.context.itemIndex = itemIndex;
	return shown;
}

function throwFirstError(outcomes: Outcome[], executor: ItemExecutor): void {
	const failed = outcomes.find((outcome) => 'error' in outcome);
	if (failed === undefined || !('error' in failed)) return;
	if (executor.describeDone !== undefined) {
		const doneItems = outcomes.flatMap((outcome, item) => ('output' in outcome ? [item] : []));
		const done = doneItems.length > 0 ? executor.describeDone(doneItems) : undefined;
		const others = outcomes.flatMap((outcome, item) =>
			'error' in outcome && outcome !== failed ? [describeFailure(outcome.error, item)] : [],
		);
		const { description } = failed.error;
		failed.error.description = [description, ...others, done].filter(Boolean).join(' ');
	}
	throw failed.error;
}

/** n8n shows one error; what another item in flight may have left behind would be told nowhere. */
function describeFailure({ message, description }: ItemError, item: number): string {
	const failed = htmlText(`Item ${String(item)} failed too: ${message}`);
	return [failed, description].filter(Boolean).join(' — ');
}

function pairedItems(output: ItemOutput[], item: number): INodeExecutionData[] {
	return output.map(({ json, binary }) => ({
		json,
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item },
	}));
}

function errorItem(error: ItemError, item: number): INodeExecutionData {
	return { json: { error: error.message }, error, pairedItem: { item } };
}
