import { onlySeparatorOf } from '../answer/numbers';
import { DECIMAL_OPTION } from '../answer/refusedNumber';
import { shownDate, spreadsheetMoment } from '../answer/spreadsheetDate';
import { listText, quotedList, shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import { foldName, isBlank } from '../normalizeText';
import type { Problem } from '../problem';
import { type RowNumbers, rowsText } from '../rowNumbers';
import { NO_ANSWER } from './checkDraft';
import { CONFLICT, FILL_DOWN, fillDown, groupRows } from './groupRows';
import { looksLikeTotal } from './inspectionRows';
import { columnsOf, type SheetRow } from './sheetRow';

/** Maximum columns to try for Group Rows By. Columns about a whole inspection usually come first. */
const GROUPING_COLUMNS = 50;
/** Maximum row numbers in the suggestion for merged cells. */
const MERGED_ROWS = 3;
/** Maximum columns with mixed decimal separators, or with swapped days, to report. The fix is the same for all. */
const MIXED_COLUMNS = 3;

/** A rejected inspection: the indexes of its rows, and their problems. */
export interface RefusedPlan {
	readonly items: readonly number[];
	readonly problems: readonly Problem[];
}

/**
 * Suggests Group Rows By if neighboring rows have the same value in a column and seem to be one inspection. In each
 * such group, exactly one row must answer each required question that other rows leave out. If several columns qualify,
 * suggests the one with the most groups.
 */
export function groupAdvice(
	rows: readonly SheetRow[],
	refused: readonly RefusedPlan[],
): string | undefined {
	const unanswered = refused.flatMap(({ items, problems }) =>
		problems.filter(({ kind }) => kind === NO_ANSWER).map(({ subject }) => ({ items, subject })),
	);
	if (unanswered.length === 0) return undefined;
	const missing = [...groupBy(unanswered, ({ subject }) => subject).values()].map(
		(ofQuestion) => new Set(ofQuestion.flatMap(({ items }) => items)),
	);
	let best = { column: '', count: 0, hasEmpty: false };
	for (const column of columnsOf(rows.slice(0, 1)).slice(0, GROUPING_COLUMNS)) {
		const groups = groupRows(fillDown(rows, [column]), [column], [column]);
		if (groups.length <= best.count) continue;
		const inOrder = groups.flatMap((group) => group.rows);
		const areApart = inOrder.some((index, position) => index < (inOrder[position - 1] ?? 0));
		if (areApart || groups.some(({ problem }) => problem !== undefined)) continue;
		const empty = inOrder.filter((index) => isBlank(rows[index]?.[column]));
		const hasEmpty = empty.length > 0;
		// A row whose cell is empty because of merging has no values of the whole inspection either.
		if (!missing.every((without) => empty.every((index) => without.has(index)))) continue;
		const several = groups.filter((group) => group.rows.length > 1);
		// With empty cells, require two groups of several rows. In a single group, an empty cell is more likely a mistake
		// than merged.
		if (several.length < (hasEmpty ? 2 : Math.min(2, groups.length))) continue;
		const answersOnce = several.every((group) =>
			missing.every((without) => group.rows.filter((index) => !without.has(index)).length === 1),
		);
		if (answersOnce) best = { column, count: groups.length, hasEmpty };
	}
	if (best.count === 0) return undefined;
	const above = best.hasEmpty ? ` and the option '${FILL_DOWN}' to "${best.column}"` : '';
	return `All rows with the same "${best.column}" seem to belong to one inspection. To combine them, set the option 'Group Rows By' to "${best.column}"${above}.`;
}

/**
 * Suggests Fill Empty Cells From Above if the column of a required question seems to have merged cells: an empty cell
 * below a filled one. At least two rows must have such a cell.
 */
export function mergedAdvice(
	rows: readonly SheetRow[],
	refused: readonly RefusedPlan[],
	numbers: RowNumbers,
): string | undefined {
	const columns: string[] = [];
	const empty = new Set<number>();
	for (const column of columnsOf(rows)) {
		const first = rows.findIndex((row) => !isBlank(row[column]));
		const isOfColumn = ({ kind, subject = '' }: Problem) =>
			kind === NO_ANSWER && foldName(subject) === foldName(`"${column}"`);
		const below = refused
			.filter(({ problems }) => problems.some(isOfColumn))
			.flatMap(({ items }) => items)
			.filter((index) => first !== -1 && index > first && isBlank(rows[index]?.[column]))
			.filter((index) => !looksLikeTotal(rows[index] ?? {}));
		if (below.length === 0) continue;
		columns.push(column);
		for (const index of below) empty.add(numbers.of(index));
	}
	// If only one row has empty cells, it's more likely incomplete than merged.
	if (empty.size < 2) return undefined;
	const are = columns.length === 1 ? 'is' : 'are';
	const named = quotedList(columns, ' and ');
	return `${named} ${are} empty in ${rowsText([...empty], MERGED_ROWS)}, below a filled cell. If these cells are merged in the sheet, set the option '${FILL_DOWN}' to "${columns.join(', ')}".`;
}

/** Explains how to separate inspections, if rows of a group have different values for the same question or field. */
export function conflictAdvice(
	groupColumns: readonly string[],
	refused: readonly RefusedPlan[],
): string | undefined {
	const conflicts = refused.flatMap(({ problems }) =>
		problems.flatMap(({ kind, subject }) =>
			kind === CONFLICT && subject !== undefined ? [subject] : [],
		),
	);
	const subjects = [...new Set(conflicts)];
	if (subjects.length === 0) return undefined;
	const named = listText(subjects.slice(0, 2), subjects.length, ' and ');
	const same = quotedList(groupColumns, ' and ');
	return `Rows with the same ${same} have different values for ${named}. If they are separate inspections, set the option 'Group Rows By' to a different column, or remove the option.`;
}

/**
 * Reports columns with both decimal commas and decimal points. Otherwise, a user who sets Decimal Separator as
 * suggested would next get the opposite suggestion.
 */
export function mixedDecimals(
	rows: readonly SheetRow[],
	refused: readonly RefusedPlan[],
	numbers: RowNumbers,
): string | undefined {
	const decimals = refused.flatMap(({ problems }) =>
		problems.filter(({ option }) => option === DECIMAL_OPTION),
	);
	if (decimals.length === 0) return undefined;
	const values = new Set(decimals.map(({ value }) => value));
	const isRefused = (column: string) => rows.some((row) => values.has(shownValue(row[column])));
	return mixedColumns(rows, onlySeparatorOf, (column, firsts) => {
		const [comma, point] = [firsts.get('comma'), firsts.get('point')];
		if (comma === undefined || point === undefined || !isRefused(column)) return undefined;
		const at = (index: number) =>
			`${shownValue(rows[index]?.[column])} in row ${String(numbers.of(index))}`;
		return `"${column}" has both a comma and a point for decimals: ${at(comma)}, but ${at(point)}. Use the same one in all rows, because the option 'Decimal Separator' accepts only one.`;
	});
}

/**
 * Returns the sentences about columns whose cells have several kinds. `sentenceOf` gets the first row of each kind.
 * Undefined without any sentence.
 */
function mixedColumns<Kind>(
	rows: readonly SheetRow[],
	kindOf: (cell: unknown) => Kind | undefined,
	sentenceOf: (column: string, firsts: ReadonlyMap<Kind, number>) => string | undefined,
): string | undefined {
	const columns = new Map<string, Map<Kind, number>>();
	for (const [index, row] of rows.entries()) {
		for (const [column, cell] of Object.entries(row)) {
			const kind = kindOf(cell);
			if (kind === undefined) continue;
			const firsts = columns.get(column) ?? new Map<Kind, number>();
			if (!firsts.has(kind)) columns.set(column, firsts.set(kind, index));
		}
	}
	const sentences = [...columns].flatMap(([column, firsts]) => sentenceOf(column, firsts) ?? []);
	return sentences.length === 0 ? undefined : sentences.slice(0, MIXED_COLUMNS).join(' ');
}

/** Matches a day as text, with the year last: `31/05/2026`. */
const DAY_TEXT = /^\s*(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}(?!\d)/;
/** Matches the day in the text of `spreadsheetMoment`. */
const DAY_OF_MOMENT = /-(\d\d)(?: |$)/;
/** The last month, and so the last day that can be swapped with a month. */
const LAST_MONTH = 12;

/**
 * Warns about columns in which day and month are most likely swapped: Excel in English read the dates that it could with
 * the month first, and left others, such as 31/05/2026, as text.
 */
export function swappedDays(rows: readonly SheetRow[], numbers: RowNumbers): string | undefined {
	return mixedColumns(rows, kindOfDate, (column, firsts) => {
		const [read, left] = [firsts.get('read'), firsts.get('left')];
		if (read === undefined || left === undefined || firsts.has('clear')) return undefined;
		const at = (index: number) =>
			`${shownDate(rows[index]?.[column])} in row ${String(numbers.of(index))}`;
		return `"${column}" has dates that Excel read, such as ${at(read)}, and dates that it left as text, such as ${at(left)}. Excel most likely read the month first, so day and month may be swapped in the dates that it read. Compare them with the original sheet.`;
	});
}

/** Whether a spreadsheet read a date, or left it as text. `clear` if the date shows that day and month aren't swapped. */
function kindOfDate(cell: unknown): 'read' | 'left' | 'clear' | undefined {
	if (typeof cell === 'number') {
		const [, day] = DAY_OF_MOMENT.exec(spreadsheetMoment(cell) ?? '') ?? [];
		if (day === undefined) return undefined;
		return Number(day) > LAST_MONTH ? 'clear' : 'read';
	}
	const [, first, second] = typeof cell === 'string' ? (DAY_TEXT.exec(cell) ?? []) : [];
	if (first === undefined) return undefined;
	return Number(first) <= LAST_MONTH || Number(second) > LAST_MONTH ? 'clear' : 'left';
}
