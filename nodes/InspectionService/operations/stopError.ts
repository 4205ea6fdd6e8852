import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { problemLines, refusedHeadline, type RowProblem, rowsText } from '../domain/rowProblems';
import { htmlList, messageText } from '../domain/shownText';
import { errorText, type ItemError, itemErrorOf } from './itemError';
import type { OperationSteps, Unit } from './operation';

/** A unit that failed. */
export interface Failure {
	unit: Unit;
	error: ItemError;
}

/** One or more failures, in the order of the units. */
export type Failures = readonly [Failure, ...Failure[]];

/** The run of the node that was ended by an error. */
interface EndedRun {
	units: readonly Unit[];
	steps: OperationSteps;
}

/** The error for an execution that ended while its input was checked. It names all rows that have a problem. */
export function refusedRows(
	context: IExecuteFunctions,
	failures: Failures,
	{ units, steps }: EndedRun,
): ItemError {
	const [{ unit, error }] = failures;
	const rowCount = units.flat().length;
	if (rowCount === 1) return error;
	const headline = refusedHeadline(failures.map(problemOf), {
		rowCount,
		nothing: steps.done?.isNothing() === false ? 'Nothing more was sent' : 'Nothing was sent',
	});
	const [line, ...lines] = [
		...problemLines(failures.map(problemOf)),
		...doneBefore(steps, itemsOf(failures)),
	];
	const refusal =
		lines.length === 0
			? new InputError(`${headline} ${line ?? ''}`)
			: new InputError(headline, [line ?? '', ...lines]);
	return itemErrorOf(context, refusal, unit[0]);
}

/**
 * The error for an execution that ended while its units were under way: that of the first failed unit. Its description
 * says what happened to the others.
 */
export function stoppedExecution(failures: Failures, { units, steps }: EndedRun): ItemError {
	const [{ unit, error }, ...others] = failures;
	const items = units.flat();
	if (items.length > 1) error.message = messageText(`${rowName(unit)}: ${error.message}`);
	const settled = new Set([...(steps.done?.items() ?? []), ...itemsOf(failures)]);
	const notSent = items.filter((item) => !settled.has(item));
	const lines = [
		...problemLines(others.map(problemOf)),
		...(notSent.length === 0 ? [] : [`Not sent: ${rowsText(notSent)}.`]),
		...doneBefore(steps, itemsOf(failures)),
	];
	const list = lines.length === 0 ? '' : htmlList(lines);
	error.description = `${error.description ?? ''}${list}`;
	return error;
}

function rowName(unit: Unit): string {
	const name = rowsText(unit);
	return name.charAt(0).toUpperCase() + name.slice(1);
}

function problemOf({ unit, error }: Failure): RowProblem {
	return { items: unit, text: errorText(error) };
}

function itemsOf(failures: Failures): number[] {
	return failures.flatMap(({ unit }) => unit);
}

function doneBefore({ done }: OperationSteps, told: readonly number[]): string[] {
	return done?.describe(new Set(told)) ?? [];
}
