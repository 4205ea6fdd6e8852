import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { type RowNumbers, rowNumbers, rowsText } from '../domain/rowNumbers';
import {
	type Counting,
	countSentence,
	problemLines,
	rowsTitle,
	type UnitProblems,
} from '../domain/rowProblems';
import { htmlList, messageText } from '../domain/shownText';
import { errorText, type ItemError, itemErrorOf } from './itemError';
import type { Job, OperationSteps } from './operation';

/** A job that failed. */
export interface Failure {
	job: Job;
	error: ItemError;
	/** What it failed with, before it became an error of n8n. */
	cause: unknown;
}

/** One or more failures, in the order of the jobs. */
export type Failures = readonly [Failure, ...Failure[]];

/**
 * The error for an execution that ended while its input was checked. It tells all problems of all rows. Where there are
 * several, it has no index of an item: n8n (2.41) would show it behind the message, "[item 34]", and people would take
 * that for a row.
 */
export function refusedRows(
	context: IExecuteFunctions,
	failures: Failures,
	steps: OperationSteps,
): ItemError {
	const rowCount = steps.jobs.flatMap(({ unit }) => unit).length;
	if (rowCount === 1) return failures[0].error;
	const numbers = numbersOf(context);
	const refused = failures.map((failure) => ({
		unit: failure.job.unit,
		...problemsOf(failure, numbers),
	}));
	const counting: Counting = { rowCount, counted: numbers.counted };
	const isNothing = (steps.done?.(new Set()).lines.length ?? 0) === 0;
	const nothing = isNothing ? 'Nothing was sent.' : 'Nothing more was sent.';
	const count = countSentence(refused, counting);
	const [line = '', ...lines] = [
		...(steps.advice?.(refused) ?? []),
		...problemLines(refused, counting),
	];
	const made = steps.done?.(itemsOf(failures)).lines ?? [];
	const refusal =
		lines.length + made.length === 0
			? new InputError(`${nothing} ${line} ${count}`)
			: new InputError(`${nothing} ${count}`, [line, ...lines, ...made]);
	return itemErrorOf(context, refusal, undefined);
}

/**
 * The error for an execution that ended while its units were under way: that of the first failed one. Its description
 * says what happened to the others.
 */
export function stoppedExecution(
	context: IExecuteFunctions,
	failures: Failures,
	steps: OperationSteps,
): ItemError {
	const [first, ...others] = failures;
	const { error } = first;
	const items = steps.jobs.flatMap(({ unit }) => unit);
	const numbers = numbersOf(context);
	const toldOf = (failure: Failure) => problemsOf(failure, numbers);
	if (items.length > 1) {
		error.message = messageText(`${rowsTitle(toldOf(first))}: ${error.message}`);
		error.context.itemIndex = undefined;
	}
	const failed = itemsOf(failures);
	const done = steps.done?.(failed) ?? { items: [], lines: [] };
	const settled = new Set([...done.items, ...failed]);
	const notSent = items.filter((item) => !settled.has(item)).map((item) => numbers.of(item));
	const counting: Counting = { rowCount: items.length, counted: numbers.counted };
	const lines = [
		...problemLines(others.map(toldOf), counting),
		...(notSent.length === 0 ? [] : [`Not sent: ${rowsText(notSent)}.`]),
		...done.lines,
	];
	const list = lines.length === 0 ? '' : htmlList(lines);
	error.description = `${error.description ?? ''}${list}`;
	return error;
}

function numbersOf(context: IExecuteFunctions): RowNumbers {
	return rowNumbers(context.getInputData().map(({ json }) => json));
}

function problemsOf(
	{ job: { unit, name }, error, cause }: Failure,
	numbers: RowNumbers,
): UnitProblems {
	const problems =
		cause instanceof InputError ? cause.problems : [{ wrong: errorText(error).replace(/\.$/, '') }];
	return { rows: unit.map((item) => numbers.of(item)), name, problems };
}

function itemsOf(failures: Failures): Set<number> {
	return new Set(failures.flatMap(({ job }) => job.unit));
}
