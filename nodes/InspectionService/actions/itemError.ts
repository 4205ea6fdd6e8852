import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { htmlList, isShortened, messageText, textOfHtml } from '../domain/formatting';
import { InputError } from '../domain/inputError';
import { type PlanProblems, problemLines, rowCountText, rowsTitle } from '../domain/problem';
import { hasStatus, isOutcomeUnknown, RequestFailure } from '../domain/request/requestFailure';
import { rowsText } from '../domain/rowNumbers';
import { nodeError } from '../output/nodeError';
import type { Execution, Plan, Run } from './action';

export type ItemError = NodeApiError | NodeOperationError;

/** A failed plan and the cause of its failure. */
export interface Failure {
	readonly plan: Plan;
	readonly cause: unknown;
}

type Failures = readonly [Failure, ...Failure[]];

export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Converts any thrown value to an n8n error. Returns an error of this function unchanged. */
export function itemErrorOf(context: IExecuteFunctions, cause: unknown): ItemError {
	const error = nodeError(context.getNode(), cause);
	// With several items, n8n (2.41) would append "[item 34]" to the message, and people would read 34 as a row number.
	error.context.itemIndex = context.getInputData().length === 1 ? 0 : undefined;
	// An AI Agent (version 3 and later) passes only an error's message to its model.
	if (isTool(context)) {
		error.message = messageText(errorText(error));
		error.description = undefined;
	}
	return error;
}

/**
 * Whether the service itself failed. The statuses 400 and 404 don't count, because the input may contain an unknown
 * template.
 */
export function isServiceFailure(cause: unknown): boolean {
	return cause instanceof RequestFailure && !isOutcomeUnknown(cause) && !hasStatus(cause, 400, 404);
}

/** Joins an error's message and description as plain text, because the error output contains only one text. */
export function errorText({ message, description }: ItemError): string {
	if (!description) return message;
	const end = /[.!?…]$/.test(message) ? '' : '.';
	return `${message}${end} ${textOfHtml(description)}`;
}

/**
 * Builds the output items of a failed plan, each with the JSON field `error`. n8n's item property `error` isn't set,
 * because n8n would then drop the item's fields. For the error output, n8n (2.41) only accepts items whose single field
 * is `error`, and adds the other fields itself.
 */
export function errorItems(
	context: IExecuteFunctions,
	items: readonly number[],
	cause: unknown,
): INodeExecutionData[] {
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const input = context.getInputData();
	const error = errorText(itemErrorOf(context, cause));
	return items.map((item) => {
		const { json = {}, binary } = input[item] ?? {};
		return {
			json: { ...(hasErrorOutput ? {} : json), error },
			...(binary === undefined ? {} : { binary }),
			pairedItem: { item },
		};
	});
}

/** Builds the error for an execution that ended during the input check, with all problems of all rows. */
export function refusedRows(run: Run, failures: Failures, execution: Execution): ItemError {
	const { context, numbers } = run;
	const { plans } = execution;
	const rowCount = plans.flatMap(({ items }) => items).length;
	const [{ cause }] = failures;
	// A cause shared by all rows, such as a template that doesn't exist, isn't the fault of any one row.
	const isShared =
		cause instanceof RequestFailure &&
		failures.length === plans.length &&
		failures.every((one) => one.cause === cause);
	if (isShared || rowCount === 1) return itemErrorOf(context, cause);
	const refused = failures.map((failure) => problemsOf(run, failure));
	const lines = problemLines(refused, rowCount);
	const { first = [], last = [] } = execution.notices?.() ?? {};
	const sent = sentText(execution);
	const isCreate = sent !== '';
	const isTest = isCreate && context.getMode() === 'manual';
	const refusal = new InputError(`${sent}${rowCountText(refused, rowCount)}`, [
		...first,
		...lines,
		...last,
		...(execution.progress?.(itemsOf(failures)).lines ?? []),
		...(isCreate && lines.some(isShortened) ? ["The option 'Check Only' lists every row."] : []),
		numbers.counted,
		...(isTest ? [REREAD] : []),
	]);
	return itemErrorOf(context, refusal);
}

/** Explains that "Execute step" in n8n (2.41) reuses the items of the previous run. */
const REREAD =
	"After you correct the file, use 'Execute workflow', because 'Execute step' uses the rows that were already read.";

/**
 * Returns the beginning of the error's title. Empty for operations that only read, because they never send anything.
 */
function sentText(execution: Execution): string {
	const progress = execution.progress?.(new Set());
	if (progress === undefined) return '';
	return progress.lines.length === 0 ? 'Nothing was sent: ' : 'Nothing more was sent: ';
}

/**
 * Builds the error for an execution that stopped because the service failed, or because sending failed. The first
 * failed plan provides the message. The description lists the other plans.
 */
export function stoppedExecution(run: Run, failures: Failures, execution: Execution): ItemError {
	const { context, numbers } = run;
	const [first] = failures;
	const isAlike = (one: Failure) =>
		one === first || (one.cause === first.cause && one.cause instanceof RequestFailure);
	const alike = failures.filter(isAlike);
	const others = failures.filter((one) => !isAlike(one));
	const error = itemErrorOf(context, first.cause);
	const items = execution.plans.flatMap((plan) => plan.items);
	const numbersOf = (some: Iterable<number>) => Array.from(some, numbers.of);
	if (items.length > 1) {
		const name = alike.length === 1 ? first.plan.name : undefined;
		const title = rowsTitle({ rows: numbersOf(itemsOf(alike)), name });
		error.message = messageText(`${title}: ${error.message}`);
	}
	const failed = itemsOf(failures);
	const progress = execution.progress?.(failed);
	const known = new Set([...failed, ...(progress?.items ?? items)]);
	const notSent = numbersOf(items.filter((item) => !known.has(item)));
	const problems = others.map((failure) => problemsOf(run, failure));
	const lines = [
		...problemLines(problems, items.length),
		...(notSent.length === 0 ? [] : [`Not sent: ${rowsText(notSent)}.`]),
		...(progress?.lines ?? []),
	];
	if (lines.length > 0) error.description = `${error.description ?? ''}${htmlList(lines)}`;
	return error;
}

function itemsOf(failures: readonly Failure[]): ReadonlySet<number> {
	return new Set(failures.flatMap(({ plan }) => plan.items));
}

function problemsOf({ context, numbers }: Run, { plan, cause }: Failure): PlanProblems {
	const { items, name } = plan;
	const problems =
		cause instanceof InputError
			? cause.problems
			: [{ message: errorText(itemErrorOf(context, cause)).replace(/\.$/, '') }];
	return { name, rows: items.map((item) => numbers.of(item)), problems };
}
