import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { countSentence, problemLines, rowsTitle, type UnitProblems } from '../domain/problem';
import { hasStatus, isInDoubt, RequestFailure } from '../domain/request/requestFailure';
import { type RowNumbers, rowNumbers, rowsText } from '../domain/rowNumbers';
import { htmlList, messageText, textOfHtml } from '../domain/shownText';
import { nodeError } from '../transport/nodeError';
import type { Job, OperationSteps } from './operation';

export type ItemError = NodeApiError | NodeOperationError;

/** A job that failed, and what it failed with. */
export interface Failure {
	job: Job;
	cause: unknown;
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

/** Whether the cause is trouble with the service. 400 and 404 are the fault of a unit: it may name an unknown template. */
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
 * The items of a unit that failed, with the field `error`. n8n's own property `error` of an item would cost the item its fields.
 * For the error output n8n (2.41) takes only items whose one field is `error`, and adds the others by itself.
 */
export function errorItems(
	context: IExecuteFunctions,
	unit: readonly number[],
	cause: unknown,
): INodeExecutionData[] {
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const input = context.getInputData();
	const error = errorText(itemErrorOf(context, cause, unit[0]));
	return unit.map((item) => {
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
	context: IExecuteFunctions,
	failures: readonly [Failure, ...Failure[]],
	{ jobs, advice, done }: OperationSteps,
): ItemError {
	const rowCount = jobs.flatMap(({ unit }) => unit).length;
	const [first] = failures;
	if (rowCount === 1) return errorOf(context, first);
	// No row is to blame for what all have in common, such as a template that doesn't exist.
	const isShared =
		first.cause instanceof RequestFailure &&
		failures.length === jobs.length &&
		failures.every((one) => isSameAs(first, one));
	if (isShared) return itemErrorOf(context, first.cause, undefined);
	const numbers = numbersOf(context);
	const refused = failures.map((failure) => problemsOf(context, failure, numbers));
	const count = countSentence(refused, { rowCount, counted: numbers.counted });
	const [line = '', ...lines] = [
		...(advice?.(refused) ?? []),
		...problemLines(refused, rowCount),
		...(done?.(new Set(failures.flatMap(({ job }) => job.unit))).lines ?? []),
	];
	const isNothing = done?.(new Set()).lines.length === 0;
	const nothing = isNothing ? 'Nothing was sent. ' : 'Nothing more was sent. ';
	// What only reads sends nothing in any case.
	const sent = done === undefined ? '' : nothing;
	const refusal =
		lines.length === 0
			? new InputError(`${sent}${line} ${count}`)
			: new InputError(`${sent}${count}`, [line, ...lines]);
	return itemErrorOf(context, refusal, undefined);
}

/** The error for an execution that ended under way: that of the first failed job; its description tells of the others. */
export function stoppedExecution(
	context: IExecuteFunctions,
	failures: readonly [Failure, ...Failure[]],
	{ jobs, done }: OperationSteps,
): ItemError {
	const [first] = failures;
	const alike = failures.filter((one) => isSameAs(first, one));
	const others = failures.filter((one) => !alike.includes(one));
	const error = errorOf(context, first);
	const numbers = numbersOf(context);
	const items = jobs.flatMap(({ unit }) => unit);
	if (items.length > 1) {
		error.message = messageText(
			`${rowsTitle(titleOf(alike.map((one) => problemsOf(context, one, numbers))))}: ${error.message}`,
		);
		error.context.itemIndex = undefined;
	}
	const failed = new Set(failures.flatMap(({ job }) => job.unit));
	const made = done?.(failed) ?? { items: [], lines: [] };
	const known = new Set([...made.items, ...failed]);
	const left = done === undefined ? [] : items.filter((item) => !known.has(item));
	const notSent = left.map((item) => numbers.of(item));
	const lines = [
		...problemLines(
			others.map((failure) => problemsOf(context, failure, numbers)),
			items.length,
		),
		...(notSent.length === 0 ? [] : [`Not sent: ${rowsText(notSent)}.`]),
		...made.lines,
	];
	if (lines.length > 0) error.description = `${error.description ?? ''}${htmlList(lines)}`;
	return error;
}

/** Whether it's one failure, or the same refusal of two jobs that asked for the same thing: the service was asked once. */
function isSameAs(one: Failure, other: Failure): boolean {
	return one === other || (one.cause === other.cause && one.cause instanceof RequestFailure);
}

/** The rows of failures that are told as one; the name that one of them has by itself. */
function titleOf(failures: readonly UnitProblems[]): Pick<UnitProblems, 'rows' | 'name'> {
	const [only, another] = failures;
	const name = another === undefined ? only?.name : undefined;
	return { rows: failures.flatMap(({ rows }) => rows), name };
}

function numbersOf(context: IExecuteFunctions): RowNumbers {
	return rowNumbers(context.getInputData().map(({ json }) => json));
}

function errorOf(context: IExecuteFunctions, { job, cause }: Failure): ItemError {
	return itemErrorOf(context, cause, job.unit[0]);
}

function problemsOf(context: IExecuteFunctions, failure: Failure, numbers: RowNumbers) {
	const { job, cause } = failure;
	const { unit, name } = job;
	const problems =
		cause instanceof InputError
			? cause.problems
			: [{ wrong: errorText(errorOf(context, failure)).replace(/\.$/, '') }];
	return { unit, name, rows: unit.map((item) => numbers.of(item)), problems };
}
