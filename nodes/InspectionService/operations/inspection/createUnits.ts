import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { groupAdvice } from '../../domain/create/groupAdvice';
import {
	groupName,
	groupRows,
	isEmptyRow,
	type RowGroup,
	type SheetRow,
	similarGroups,
} from '../../domain/create/groupRows';
import { mixedDecimals } from '../../domain/create/mixedDecimals';
import { InputError } from '../../domain/inputError';
import type { Problem } from '../../domain/problem';
import { type RowNumbers, rowNumbers, rowsText } from '../../domain/rowNumbers';
import type { Hint } from '../hints';
import type { OperationSteps, Unit } from '../operation';
import { type MappedByHand, mappedByHand } from './createExpressions';
import { groupColumnOf } from './createOptions';
import { isAutoMapped } from './createRows';

/** The units of Create. The items of a unit make one inspection. */
export interface CreateUnits {
	units: readonly Unit[];
	/** The column by which rows are put together; undefined where each item is an inspection of its own. */
	groupColumn: string | undefined;
	/** The numbers by which people know the rows. */
	numbers: RowNumbers;
	/** What people know a group by: `"Nr." 18`; undefined where each item is an inspection of its own. */
	nameOf(unit: Unit): string | undefined;
	/** @throws InputError where a row does not say which inspection it belongs to */
	check(unit: Unit): void;
	/** A sentence about decimals that are written in two ways, else one that offers Group Rows By where it would help. */
	advice: NonNullable<OperationSteps['advice']>;
	hints(): Hint[];
}

export function createUnits(context: IExecuteFunctions): CreateUnits {
	const input = context.getInputData();
	const rows = input.map(({ json }) => json);
	const numbers = rowNumbers(rows);
	const column = rows.length === 0 ? undefined : groupColumnOf(context);
	const byHand = rows.length === 0 || isAutoMapped(context) ? undefined : mappedByHand(context);
	const isBlank = (place: number) =>
		byHand?.readsItem !== false && isBlankItem(input[place], column);
	const given = column === undefined ? rows.map(alone) : groupRows(rows, column);
	const groups = given.filter(({ rows: places }) => !places.every(isBlank));
	const byFirst = new Map(groups.map((group) => [group.rows[0], group]));
	const units = groups.map(({ rows: [first = 0, ...others] }): Unit => [first, ...others]);
	return {
		units,
		groupColumn: column,
		numbers,
		nameOf([first]) {
			const value = byFirst.get(first)?.value;
			return column === undefined || value === undefined ? undefined : groupName(value, column);
		},
		check(unit) {
			const carried = () => carriedByRows(unit, { rows, numbers, byHand });
			const problem = byFirst.get(unit[0])?.problem ?? carried();
			if (problem !== undefined) throw InputError.of(problem);
		},
		advice(refused) {
			const places = refused.map(({ unit: [place], problems }) => ({ place, problems }));
			const mixed = mixedDecimals(rows, places, numbers);
			return mixed ?? (column === undefined ? groupAdvice(rows, places) : undefined);
		},
		hints() {
			const messages = [similarGroups(groups, numbers), leftOut(rows, units, numbers)];
			return messages
				.filter((message) => message !== undefined)
				.map((message) => ({ message, type: 'warning' }));
		},
	};
}

/** A file is no cell, but it is not nothing: an expression may take its name. */
function isBlankItem(item: INodeExecutionData | undefined, column: string | undefined): boolean {
	return isEmptyRow(item?.json ?? {}, column) && Object.keys(item?.binary ?? {}).length === 0;
}

/** A row that is an inspection of its own. */
function alone(_: SheetRow, place: number): RowGroup {
	return { rows: [place], value: undefined, problem: undefined };
}

interface CarryingRows {
	rows: readonly SheetRow[];
	numbers: RowNumbers;
	byHand: MappedByHand | undefined;
}

/** The first error of a node before that a row of the unit carries. */
function carriedByRows(unit: Unit, { rows, numbers, byHand }: CarryingRows): Problem | undefined {
	const [problem] = unit.flatMap((item): Problem[] => {
		const wrong = byHand?.errorOf(rows[item] ?? {});
		if (wrong === undefined) return [];
		return [{ wrong, rows: unit.length === 1 ? undefined : [numbers.of(item)] }];
	});
	return problem;
}

/** Names the rows that no inspection is made of. */
function leftOut(
	rows: readonly SheetRow[],
	units: readonly Unit[],
	numbers: RowNumbers,
): string | undefined {
	const used = new Set(units.flat());
	const blank = rows.flatMap((_, place) => (used.has(place) ? [] : [numbers.of(place)]));
	if (blank.length === 0) return undefined;
	return `No inspection was made of ${rowsText(blank)}: no cell has a value there`;
}
