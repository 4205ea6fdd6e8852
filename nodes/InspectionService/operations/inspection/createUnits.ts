import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { problemOfRow, rowNumber } from '../../domain/create/draft';
import {
	groupRows,
	isEmptyRow,
	type RowGroup,
	type SheetRow,
	similarGroups,
} from '../../domain/create/groupRows';
import { InputError } from '../../domain/inputError';
import { rowsText } from '../../domain/rowProblems';
import type { Unit } from '../operation';
import { groupColumnOf } from './createOptions';
import { isAutoMapped } from './createRows';
import { type MappedByHand, mappedByHand } from './mappedByHand';

/** The units of Create. The items of a unit make one inspection. */
export interface CreateUnits {
	units: readonly Unit[];
	/** The column by which rows are put together; undefined where each item is an inspection of its own. */
	groupColumn: string | undefined;
	/** @throws InputError where a row does not say which inspection it belongs to */
	check(unit: Unit): void;
	hints(): NodeExecutionHint[];
}

export function createUnits(context: IExecuteFunctions): CreateUnits {
	const rows = context.getInputData().map(({ json }) => json);
	const column = rows.length === 0 ? undefined : groupColumnOf(context);
	const byHand = rows.length === 0 || isAutoMapped(context) ? undefined : mappedByHand(context);
	const isBlank = byHand?.isBlank ?? isEmptyBesideOthers(rows);
	const given = column === undefined ? rows.map(alone) : groupRows(rows, column);
	const groups = given.filter(
		({ rows: places }) => !places.every((place) => isBlank(rows[place] ?? {}, place)),
	);
	const problems = new Map<number, string | undefined>();
	const units = groups.map(({ rows: [first = 0, ...others], problem }): Unit => {
		problems.set(first, problem);
		return [first, ...others];
	});
	return {
		units,
		groupColumn: column,
		check(unit) {
			const problem = problems.get(unit[0]) ?? carriedByRows(unit, rows, byHand);
			if (problem !== undefined) throw new InputError(`${problem}.`);
		},
		hints() {
			const messages = [similarGroups(groups), leftOut(rows, units)];
			return messages
				.filter((message) => message !== undefined)
				.map((message) => ({ message, type: 'warning', location: 'outputPane' }));
		},
	};
}

/** A row that is an inspection of its own. */
function alone(_: SheetRow, place: number): RowGroup {
	return { rows: [place], value: undefined, problem: undefined };
}

/**
 * With automatic mapping: whether a row is empty beside rows that are not. Where all rows are empty, none of them is left
 * out, because then most likely no data came in, and the error about the empty item says so.
 */
function isEmptyBesideOthers(rows: readonly SheetRow[]): MappedByHand['isBlank'] {
	return rows.every(isEmptyRow) ? () => false : isEmptyRow;
}

/** The first error of a node before that a row of the unit carries. */
function carriedByRows(
	unit: Unit,
	rows: readonly SheetRow[],
	byHand: MappedByHand | undefined,
): string | undefined {
	const problems = unit.flatMap((item) => {
		const problem = byHand?.errorOf(rows[item] ?? {});
		if (problem === undefined) return [];
		return [unit.length === 1 ? problem : problemOfRow(rowNumber(item), problem)];
	});
	return problems[0];
}

/** Names the rows that no inspection is made of. */
function leftOut(rows: readonly SheetRow[], units: readonly Unit[]): string | undefined {
	const used = new Set(units.flat());
	const blank = rows.flatMap((_, place) => (used.has(place) ? [] : [place]));
	if (blank.length === 0) return undefined;
	return `No inspection was made of ${rowsText(blank)}: nothing that is mapped has a value there`;
}
