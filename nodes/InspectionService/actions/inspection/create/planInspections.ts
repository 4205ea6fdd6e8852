import { fillDown, groupRows, type RowGroup } from '../../../domain/create/groupRows';
import {
	carriedErrors,
	hasErrorColumn,
	isEmptyRow,
	rowName,
} from '../../../domain/create/inspectionRows';
import { titleFix } from '../../../domain/create/sheet';
import { columnsOf, type SheetRow } from '../../../domain/create/sheetRow';
import { withReadableText } from '../../../domain/encoding';
import { listText, quotedList, SHOWN_NAMES } from '../../../domain/formatting';
import { InputError } from '../../../domain/inputError';
import { nearestName } from '../../../domain/nearestName';
import { hasNoValue } from '../../../domain/normalizeText';
import type { Problem } from '../../../domain/problem';
import type { Plan, Run } from '../../action';
import type { ItemService } from '../../itemServices';
import { expressionText, mappedValues, type Parameters, readParameters } from './readParameters';

/** A run of Create, with its rows and parameters. */
export interface Sheet extends Run {
	/** The rows to process. Their empty cells are already filled, if Fill Empty Cells From Above is set. */
	readonly rows: readonly SheetRow[];
	/** The rows as the sheet has them. Expressions read these rows. */
	readonly cells: readonly SheetRow[];
	readonly parameters: Parameters;
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
	/** The service and template of the first row, and so of all rows. Undefined only for rows with a `refusal`. */
	readonly source?: { readonly service: ItemService; readonly reference: string } | undefined;
	/** Undefined if the field Unique Key is empty or invalid. */
	readonly key?: string | undefined;
	/** Problems with the unique key, which are reported together with the problems of the answers. */
	readonly keyProblems?: readonly Problem[] | undefined;
}

/** Reads the rows and the parameters of a run. Throws InputError for an option that can't have an effect. */
export function readSheet(run: Run): Sheet {
	const cells = run.context.getInputData().map(({ json }) => withReadableText(json));
	const parameters = readParameters(run.context, cells, run.numbers);
	return { ...run, rows: fillDown(cells, parameters.filledColumns), cells, parameters };
}

/** Groups the rows into planned inspections, in the order of their first rows. Leaves out blank rows. */
export function planInspections(sheet: Sheet): InspectionPlan[] {
	const { rows, numbers, parameters } = sheet;
	const { groupColumns, filledColumns } = parameters;
	const refusesErrors = parameters.refusesErrors && !hasErrorColumn(rows);
	const blank = blankRows(sheet);
	const used = [...rows.keys()].filter((index) => !blank.has(index));
	const unfilledMapping = unfilledMappingProblem(sheet, used);
	const groups =
		groupColumns.length === 0
			? rows.map((_, index): RowGroup => ({ rows: [index], cell: null }))
			: groupRows(rows, groupColumns, filledColumns);
	const plans = groups.flatMap(({ rows: all, name, cell, problem }): InspectionPlan[] => {
		const [first, ...others] = all.filter((index) => !blank.has(index));
		if (first === undefined) return [];
		const items = [first, ...others] as const;
		const values = items.map((index) => ({ number: numbers.of(index), values: rows[index] ?? {} }));
		const refusal =
			problem ?? (refusesErrors ? carriedErrors(values)[0] : undefined) ?? unfilledMapping;
		return [
			{
				items,
				headings: all.filter((index) => blank.has(index)),
				name: name ?? rowName(rows[first] ?? {}),
				group: groupColumns.length === 0 ? {} : { group: cell },
				refusal: refusal && InputError.of(refusal),
			},
		];
	});
	return plans.toSorted((a, b) => a.items[0] - b.items[0]);
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

/** Returns a problem if none of these rows has a value for any manually mapped question. */
function unfilledMappingProblem(
	{ context, cells, parameters }: Sheet,
	items: readonly number[],
): Problem | undefined {
	const { answers } = parameters;
	if (answers.length === 0 || items.length === 0) return undefined;
	const hasValue = (item: number) => {
		try {
			return !hasNoValue(mappedValues(context, parameters, item));
		} catch {
			// Count a failed expression as a value here. Its error is reported when the row is read.
			return true;
		}
	};
	if (items.some(hasValue)) return undefined;
	const columns = columnsOf(cells);
	const named = answers.slice(0, SHOWN_NAMES).map((answer) => {
		const missing = answer.expression.columns.find((column) => !columns.includes(column));
		const near = missing === undefined ? undefined : nearestName(missing, columns);
		return expressionText(answer, near === undefined ? '' : `, did you mean "${near}"?`);
	});
	const mappingFix =
		columns.length === 0
			? 'The rows have no columns: check the node before this one'
			: `The rows have the columns ${quotedList(columns)}: map the questions to these columns, or choose 'Map Automatically'`;
	const message = `No row has a value for any mapped question: ${listText(named, answers.length)}. ${titleFix(columns) ?? mappingFix}`;
	return { message, kind: 'no mapped value', isOfAll: true };
}
