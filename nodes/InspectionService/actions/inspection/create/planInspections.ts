import type { IExecuteFunctions } from 'n8n-workflow';

import { fillDown, groupRows, type RowGroup } from '../../../domain/create/groupRows';
import {
	carriedErrors,
	hasErrorColumn,
	isEmptyRow,
	rowName,
} from '../../../domain/create/inspectionRows';
import { columnNameOf, type SheetRow } from '../../../domain/create/sheetRow';
import { withReadableText } from '../../../domain/encoding';
import { InputError } from '../../../domain/inputError';
import type { Problem } from '../../../domain/problem';
import type { RowNumbers } from '../../../domain/rowNumbers';
import type { Plan, Run } from '../../action';
import { type Parameters, readParameters, unfilledMappingProblem } from './readParameters';

export interface Sheet {
	context: IExecuteFunctions;
	/** The rows to process. Their empty cells are already filled, if Fill Empty Cells From Above is set. */
	rows: readonly SheetRow[];
	/** The rows as the sheet has them. Expressions read these rows. */
	cells: readonly SheetRow[];
	numbers: RowNumbers;
	parameters: Parameters;
}

/** The rows of one inspection, with their name, unique key, and problems. */
export interface InspectionPlan extends Plan {
	/** Blank rows of the group. Expressions can read their group column, but they aren't instances of a section. */
	readonly headings: readonly number[];
	/** Identifies the inspection in messages: `"Nr." 18`, `Unique Key "A-17"`, or the first filled cell of its row. */
	readonly name: string | undefined;
	readonly group: { group?: string | number | boolean | null };
	/** The error to throw for rows that can't be processed. Undefined for other rows. */
	readonly refusal: unknown;
	/** Undefined if the field Unique Key is empty or invalid. */
	readonly key?: string | undefined;
	/** Credential and template as one string. Keys of different templates can be the same. */
	readonly keySpace?: string | undefined;
	/** `keySpace` and unique key as one string. Planned inspections with the same identity are rejected. */
	readonly identity?: string | undefined;
	/** Problems with the unique key, which are reported together with the problems of the answers. */
	readonly keyProblems?: readonly Problem[] | undefined;
}

/** Reads the rows and the parameters of a run. Throws InputError for an option that can't have an effect. */
export function readSheet({ context, numbers }: Run): Sheet {
	const cells = context.getInputData().map(({ json }) => withReadableText(json));
	const parameters = readParameters(context, cells);
	return { context, rows: fillDown(cells, parameters.filledColumns), cells, numbers, parameters };
}

/** A row that is no inspection. `note` is its only value, in the column of Group Rows By. Undefined for a blank row. */
export interface SkippedRow {
	readonly number: number;
	readonly note: string | undefined;
}

/**
 * Groups the rows into planned inspections, in the order of their first rows. Leaves out blank rows, which `skipped`
 * lists.
 */
export function planInspections(sheet: Sheet): {
	plans: InspectionPlan[];
	skipped: SkippedRow[];
} {
	const { context, rows, numbers, parameters } = sheet;
	const { groupColumns } = parameters;
	const refusesErrors = parameters.refusesErrors && !hasErrorColumn(rows);
	const groups = groupsOf(sheet);
	const used = groups.flatMap((group) => group.rows);
	const headings = groups.flatMap((group) => group.headings);
	const unfilledMapping = unfilledMappingProblem(context, parameters, used);
	const plans = groups.map(({ rows: items, headings, name, cell, problem }): InspectionPlan => {
		const values = items.map((index) => ({ number: numbers.of(index), values: rows[index] ?? {} }));
		const refusal =
			problem ?? (refusesErrors ? carriedErrors(values)[0] : undefined) ?? unfilledMapping;
		return {
			items,
			headings,
			name: name ?? rowName(rows[items[0]] ?? {}),
			group: groupColumns.length === 0 ? {} : { group: cell },
			refusal: refusal && InputError.of(refusal),
		};
	});
	const kept = new Set([...used, ...headings]);
	const skipped = rows.flatMap((row, index) =>
		kept.has(index) ? [] : [{ number: numbers.of(index), note: rowName(row) }],
	);
	return { plans, skipped };
}

interface HeadedGroup extends RowGroup {
	/** The blank rows of the group: only their group column has a value. */
	headings: readonly number[];
}

/** Returns the rows of each inspection, without blank rows. Sorted by the first row of each inspection. */
function groupsOf(sheet: Sheet): HeadedGroup[] {
	const { rows, parameters } = sheet;
	const { groupColumns, filledColumns } = parameters;
	const groups =
		groupColumns.length === 0
			? rows.map((_, index): RowGroup => ({ rows: [index], cell: null }))
			: groupRows(rows, groupColumns, filledColumns.map(columnNameOf));
	const blank = blankRows(sheet);
	return groups
		.flatMap((group): HeadedGroup[] => {
			const [first, ...others] = group.rows.filter((index) => !blank.has(index));
			const headings = group.rows.filter((index) => blank.has(index));
			return first === undefined ? [] : [{ ...group, rows: [first, ...others], headings }];
		})
		.toSorted((a, b) => a.rows[0] - b.rows[0]);
}

/**
 * Returns the indexes of blank rows. Empty if the node doesn't read its items, because every row then creates the same
 * inspection.
 */
function blankRows({ context, rows, parameters }: Sheet): ReadonlySet<number> {
	const { groupColumns, readsItem } = parameters;
	if (!readsItem) return new Set();
	const input = context.getInputData();
	// A row with a file isn't blank, even without filled cells, because an expression may read the file's name.
	const hasFile = (index: number) => Object.keys(input[index]?.binary ?? {}).length > 0;
	const indexes = [...rows.keys()];
	return new Set(
		indexes.filter((index) => isEmptyRow(rows[index] ?? {}, groupColumns) && !hasFile(index)),
	);
}
