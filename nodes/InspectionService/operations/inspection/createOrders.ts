import type { IExecuteFunctions } from 'n8n-workflow';

import {
	groupRows,
	isEmptyRow,
	type RowGroup,
	rowName,
	type SheetRow,
	similarGroups,
} from '../../domain/create/groupRows';
import type { UniqueKey } from '../../domain/create/uniqueKey';
import { carriedError } from '../../domain/create/unusedColumns';
import { InputError } from '../../domain/inputError';
import type { Problem } from '../../domain/problem';
import { type RowNumbers, rowNumbers, rowsText } from '../../domain/rowNumbers';
import type { Hint } from '../hints';
import type { Unit } from '../operation';
import { mappedInVain, type Mapping, mappingOf } from './createExpressions';
import { OPTIONS, optionsOf } from './createOptions';

export interface Sheet {
	context: IExecuteFunctions;
	rows: readonly SheetRow[];
	numbers: RowNumbers;
	groupColumn: string | undefined;
	mapping: Mapping;
}

/** The rows of one inspection, with what is known of them before a request is made. */
export interface Order {
	readonly unit: Unit;
	/** What people know it by: `"Nr." 18`, `Unique Key "A-17"`, or the first filled cell of its row. */
	readonly name: string | undefined;
	readonly group: { group?: string | number | boolean | null };
	/** The error of rows that say too little for anything else to be looked at. */
	readonly refusal: unknown;
	/** Undefined without the option Unique Key, and for a key of no use. */
	readonly key?: UniqueKey | undefined;
	/** What no two orders may have in common: a key counts within its template, and a template within its service. */
	readonly identity?: string | undefined;
	/** What is wrong with the key. It is told together with what is wrong with the answers. */
	readonly keyProblems?: readonly Problem[] | undefined;
}

export function sheetOf(context: IExecuteFunctions): Sheet {
	const rows = context.getInputData().map(({ json }) => json);
	const { groupRowsBy } = optionsOf(context, 0, { groupRowsBy: OPTIONS.groupRowsBy });
	return {
		context,
		rows,
		numbers: rowNumbers(rows),
		groupColumn: groupRowsBy,
		mapping: mappingOf(context),
	};
}

/** The orders by their first rows. Blank rows are in none, and a hint names them. */
export function ordersOf(sheet: Sheet): { orders: readonly Order[]; hints: readonly Hint[] } {
	const { context, rows, numbers, groupColumn, mapping } = sheet;
	const groups = groupsOf(sheet);
	const used = groups.flatMap((group) => group.rows);
	const inVain = mappedInVain(context, mapping, used);
	const orders = groups.map(({ rows: unit, name, cell, problem }): Order => {
		const values = unit.map((place) => ({ number: numbers.of(place), values: rows[place] ?? {} }));
		const refusal = problem ?? (mapping.refusesErrors ? carriedError(values) : undefined) ?? inVain;
		return {
			unit,
			name: name ?? rowName(rows[unit[0]] ?? {}),
			group: groupColumn === undefined ? {} : { group: cell },
			refusal: refusal && InputError.of(refusal),
		};
	});
	const messages = [similarGroups(groups, numbers), leftOut(sheet, new Set(used))];
	const told = messages.filter((message) => message !== undefined);
	return { orders, hints: told.map((message) => ({ message, type: 'warning' })) };
}

/** The rows of each inspection, without blank ones, by their first rows. */
function groupsOf(sheet: Sheet): RowGroup[] {
	const { context, rows, numbers, groupColumn } = sheet;
	const { emptyGroup } = optionsOf(context, 0, { emptyGroup: OPTIONS.emptyGroup });
	const groups =
		groupColumn === undefined
			? rows.map((_, place): RowGroup => ({ rows: [place], cell: null }))
			: groupRows(rows, groupColumn, emptyGroup, numbers.of);
	const isBlank = blankRows(sheet);
	return groups
		.flatMap((group): RowGroup[] => {
			const [first, ...others] = group.rows.filter((place) => !isBlank(place));
			return first === undefined ? [] : [{ ...group, rows: [first, ...others] }];
		})
		.toSorted((a, b) => a.rows[0] - b.rows[0]);
}

/** Tells the places without any cell. Where each item gives the same, none is blank. */
function blankRows({ context, rows, groupColumn, mapping }: Sheet): (place: number) => boolean {
	if (!mapping.readsItem) return () => false;
	const input = context.getInputData();
	// A file is no cell, but it is not nothing: an expression may take its name.
	const hasFile = (place: number) => Object.keys(input[place]?.binary ?? {}).length > 0;
	return (place) => isEmptyRow(rows[place] ?? {}, groupColumn) && !hasFile(place);
}

function leftOut({ rows, numbers }: Sheet, used: ReadonlySet<number>): string | undefined {
	const blank = rows.flatMap((_, place) => (used.has(place) ? [] : [numbers.of(place)]));
	if (blank.length === 0) return undefined;
	return `No inspection was made of ${rowsText(blank)}: no cell has a value there`;
}
