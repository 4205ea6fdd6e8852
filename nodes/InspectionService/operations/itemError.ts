import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { countSentence, problemLines, rowsTitle, type UnitProblems } from '../domain/problem';
import { hasStatus, isInDoubt, RequestFailure } from '../domain/request/requestFailure';
import { rowsText } from '../domain/rowNumbers';
import { htmlList, messageText, textOfHtml } from '../domain/shownText';
import { nodeError } from '../transport/nodeError';
import type { Execution, Plan, PlanProblems, Run } from './operation';

export type ItemError = NodeApiError | NodeOperationError;

/** A plan that failed, and what it failed with. */
export interface Failure {
	readonly plan: Plan;
	readonly cause: unknown;
}

export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Turns whatever was thrown into an error of n8n. */
export function itemErrorOf(
	context: IExecuteFunctions,
	cause: unknown,
	itemIndex: number | undefined,
): ItemError {
	const error = nodeError(context.getNode(), cause);
	error.context.itemIndex = itemIndex;
	// Of an error, the agent (3 and later) hands only the message to its model.
	if (isTool(context)) {
		error.message = messageText(errorText(error));
		error.description = undefined;
	}
	return error;
}

/** Whether the cause is trouble with the service. 400 and 404 are the fault of a plan: it may name an unknown template. */
export function isTrouble(cause: unknown): boolean {
	return cause instanceof RequestFailure && !isInDoubt(cause) && !hasStatus(cause, 400, 404);
}

/** An error's message and description as one plain text: all of an error that reaches the error output. */
export function errorText({ message, description }: ItemError): string {
	if (!description) return message;
	const end = /[.!?…]$/.test(message) ? '' : '.';
	return `${message}${end} ${textOfHtml(description)}`;
}

/**
 * The items of a plan that failed, with the field `error`. n8n's own property `error` of an item would cost the item its fields.
 * For the error output n8n (2.41) takes only items whose one field is `error`, and adds the others by itself.
 */
export function errorItems(
	context: IExecuteFunctions,
	items: readonly number[],
	cause: unknown,
): INodeExecutionData[] {
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const input = context.getInputData();
	const error = errorText(itemErrorOf(context, cause, items[0]));
	return items.map((item) => {
		const { json = {}, binary } = input[item] ?? {};
		return {
			json: { ...(hasErrorOutput ? {} : json), error },
			...(binary === undefined ? {} : { binary }),
			pairedItem: { item },
		};
	});
}

/**
 * The error for an execution that ended while its input was checked: all problems of all rows. Of several rows it has no
 * index of an item: n8n (2.41) would show "[item 34]" behind the message, and people would take that for a row.
 */
export function refusedRows(
	run: Run,
	failures: readonly [Failure, ...Failure[]],
	execution: Execution,
): ItemError {
	const { context, numbers } = run;
	const { plans } = execution;
	const rowCount = plans.flatMap(({ items }) => items).length;
	const [first] = failures;
	if (rowCount === 1) return errorOf(context, first);
	// No row is to blame for what all have in common, such as a template that doesn't exist.
	const isShared =
		first.cause instanceof RequestFailure &&
		failures.length === plans.length &&
		failures.every((one) => isSameAs(first, one));
	if (isShared) return itemErrorOf(context, first.cause, undefined);
	const refused = failures.map((failure) => problemsOf(run, failure));
	const count = countSentence(refused, { rowCount, counted: numbers.counted });
	const [line = '', ...lines] = [
		...(execution.advice?.(refused) ?? []),
		...problemLines(refused, rowCount),
		...(execution.progress?.(new Set(failures.flatMap(({ plan }) => plan.items)))?.lines ?? []),
	];
	const sent = sentText(execution);
	const refusal =
		lines.length === 0
			? new InputError(`${sent}${line} ${count}`)
			: new InputError(`${sent}${count}`, [line, ...lines]);
	return itemErrorOf(context, refusal, undefined);
}

/** What only reads sends nothing in any case. */
function sentText(execution: Execution): string {
	const progress = execution.progress?.(new Set());
	if (progress === undefined) return '';
	return progress.lines.length === 0 ? 'Nothing was sent. ' : 'Nothing more was sent. ';
}

/** The error for an execution that ended under way: that of the first failed plan; its description tells of the others. */
export function stoppedExecution(
	run: Run,
	failures: readonly [Failure, ...Failure[]],
	execution: Execution,
): ItemError {
	const { context, numbers } = run;
	const [first] = failures;
	const alike = failures.filter((one) => isSameAs(first, one));
	const others = failures.filter((one) => !alike.includes(one));
	const error = errorOf(context, first);
	const items = execution.plans.flatMap((plan) => plan.items);
	if (items.length > 1) {
		error.message = messageText(
			`${rowsTitle(titleOf(alike.map((one) => problemsOf(run, one))))}: ${error.message}`,
		);
		error.context.itemIndex = undefined;
	}
	const failed = new Set(failures.flatMap(({ plan }) => plan.items));
	const progress = execution.progress?.(failed);
	const known = new Set([...(progress?.items ?? []), ...failed]);
	const left = progress === undefined ? [] : items.filter((item) => !known.has(item));
	const notSent = left.map((item) => numbers.of(item));
	const lines = [
		...problemLines(
			others.map((failure) => problemsOf(run, failure)),
			items.length,
		),
		...(notSent.length === 0 ? [] : [`Not sent: ${rowsText(notSent)}.`]),
		...(progress?.lines ?? []),
	];
	if (lines.length > 0) error.description = `${error.description ?? ''}${htmlList(lines)}`;
	return error;
}

/** Whether it's one failure, or the same refusal of two plans that asked for the same thing: the service was asked once. */
function isSameAs(one: Failure, other: Failure): boolean {
	return one === other || (one.cause === other.cause && one.cause instanceof RequestFailure);
}

/** The rows of failures that are told as one; the name that one of them has by itself. */
function titleOf(failures: readonly UnitProblems[]): Pick<UnitProblems, 'rows' | 'name'> {
	const [only, another] = failures;
	const name = another === undefined ? only?.name : undefined;
	return { rows: failures.flatMap(({ rows }) => rows), name };
}

function errorOf(context: IExecuteFunctions, { plan, cause }: Failure): ItemError {
	return itemErrorOf(context, cause, plan.items[0]);
}

function problemsOf({ context, numbers }: Run, failure: Failure): PlanProblems {
	const { plan, cause } = failure;
	const { items, name } = plan;
	const problems =
		cause instanceof InputError
			? cause.problems
			: [{ wrong: errorText(errorOf(context, failure)).replace(/\.$/, '') }];
	return { items, name, rows: items.map((item) => numbers.of(item)), problems };
}
