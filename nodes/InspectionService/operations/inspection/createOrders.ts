import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { groupAdvice } from '../../domain/create/groupAdvice';
import {
	groupName,
	groupRows,
	groupValue,
	isEmptyRow,
	type RowGroup,
	rowName,
	type SheetRow,
	similarGroups,
} from '../../domain/create/groupRows';
import { mixedDecimals } from '../../domain/create/mixedDecimals';
import type { UniqueKey } from '../../domain/create/uniqueKey';
import { InputError } from '../../domain/inputError';
import type { Problem } from '../../domain/problem';
import { type RowNumbers, rowNumbers, rowsText } from '../../domain/rowNumbers';
import type { Hint } from '../hints';
import type { OperationSteps, Unit } from '../operation';
import { mappedByHand } from './createExpressions';
import { emptyGroupOf, groupColumnOf } from './createOptions';
import { isAutoMapped } from './createRows';

/** The input items as rows of a sheet. */
export interface Sheet {
	rows: readonly SheetRow[];
	/** The numbers by which people know the rows. */
	numbers: RowNumbers;
	/** The column by which rows are put together; undefined where each row is an inspection of its own. */
	groupColumn: string | undefined;
}

/** The rows of one inspection, with what is known of them before a request is made. */
export interface Order {
	readonly unit: Unit;
	/** What people know it by: `"Nr." 18`, `Unique Key "A-17"`, or the first filled cell of its row. */
	readonly name: string | undefined;
	/** What the outputs say of its group; nothing without Group Rows By. */
	readonly group: { group?: string | number | boolean | null };
	/** The error of rows that say too little for anything else to be looked at; undefined where there is none. */
	readonly refusal: unknown;
	/** Undefined without the option Unique Key, and for a key of no use. */
	readonly key: UniqueKey | undefined;
	/** What is wrong with the key. It is told together with what is wrong with the answers. */
	readonly keyProblems: readonly Problem[];
}

interface CreateOrders {
	sheet: Sheet;
	/** In the order of their first rows. Blank rows have none. */
	orders: readonly Order[];
	/** A sentence about decimals that are written in two ways, else one that offers Group Rows By where it would help. */
	advice: NonNullable<OperationSteps['advice']>;
	hints: readonly Hint[];
}

export function createOrders(context: IExecuteFunctions): CreateOrders {
	const input = context.getInputData();
	const rows = input.map(({ json }) => json);
	const column = rows.length === 0 ? undefined : groupColumnOf(context);
	const sheet: Sheet = { rows, numbers: rowNumbers(rows), groupColumn: column };
	const byHand = rows.length === 0 || isAutoMapped(context) ? undefined : mappedByHand(context);
	const isBlank = (place: number) =>
		byHand?.readsItem !== false && isBlankItem(input[place], column);
	const numberOf = (place: number) => sheet.numbers.of(place);
	const given =
		column === undefined
			? rows.map(alone)
			: groupRows(rows, column, { emptyCells: emptyGroupOf(context), numberOf });
	const filled = given.flatMap((group): RowGroup[] => {
		const [first, ...others] = group.rows.filter((place) => !isBlank(place));
		return first === undefined ? [] : [{ ...group, rows: [first, ...others] }];
	});
	const groups = filled.toSorted((a, b) => a.rows[0] - b.rows[0]);
	const messages = [
		similarGroups(groups, sheet.numbers),
		leftOut(sheet, new Set(groups.flatMap(({ rows: places }) => places))),
	];
	return {
		sheet,
		orders: groups.map((group) => orderOf(group, sheet, byHand?.errorOf)),
		advice(refused) {
			const places = refused.map(({ unit: [place], problems }) => ({ place, problems }));
			const grouped = column === undefined ? groupAdvice(rows, places) : undefined;
			const mixed = mixedDecimals(rows, places, sheet.numbers);
			return [grouped, mixed].filter((line) => line !== undefined);
		},
		hints: messages
			.filter((message) => message !== undefined)
			.map((message) => ({ message, type: 'warning' })),
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

function orderOf(
	{ rows: unit, value, problem }: RowGroup,
	{ rows, numbers, groupColumn }: Sheet,
	errorOf: (row: SheetRow) => string | undefined = () => undefined,
): Order {
	const carried = unit.flatMap((item): Problem[] => {
		const wrong = errorOf(rows[item] ?? {});
		if (wrong === undefined) return [];
		return [{ wrong, rows: unit.length === 1 ? undefined : [numbers.of(item)] }];
	});
	const [refusal] = [problem, ...carried].filter((wrong) => wrong !== undefined);
	return {
		unit,
		name: groupColumn && value ? groupName(value, groupColumn) : rowName(rows[unit[0]] ?? {}),
		group: groupColumn ? { group: groupValue(rows[unit[0]] ?? {}, groupColumn) } : {},
		refusal: refusal && InputError.of(refusal),
		key: undefined,
		keyProblems: [],
	};
}

/** Names the rows that no inspection is made of. */
function leftOut({ rows, numbers }: Sheet, used: ReadonlySet<number>): string | undefined {
	const blank = rows.flatMap((_, place) => (used.has(place) ? [] : [numbers.of(place)]));
	if (blank.length === 0) return undefined;
	return `No inspection was made of ${rowsText(blank)}: no cell has a value there`;
}
