import type { YesNoWords } from '../answer/yesNo';
import { delimiterFix, encodingFix } from '../encoding';
import { cleanLine, listText, quotedList, SHOWN_NAMES } from '../formatting';
import { nameAndMeant, nearestName } from '../nearestName';
import type { Problem } from '../problem';
import { isRowKey, ownKeysOf } from '../rowKeys';
import type { Form } from '../template/form';
import { type Column, isQuestion } from '../template/questions';
import { filledCells, hasErrorColumn, isName } from './inspectionRows';
import { type ChoiceColumns, meantColumns } from './meantColumns';
import { columnsOf, hasColumn, isOneOf, isWithoutHeader, type SheetRow } from './sheetRow';

// What a sheet looks like as a whole: its columns, its header row, and how the file was read.

/** Maximum cells of the header row in a message. Two are enough to recognize the row. */
const HEADER_NAMES = 2;
/** Maximum rows to search for the header row. A title, its subtitle, and an empty line take three. */
const HEADER_ROWS = 20;

/** Maximum questions to list as examples in the advice to rename columns. */
const SHOWN_QUESTIONS = 2;

/** What the whole sheet tells about its rows, if they answer the questions of one template. */
export interface SheetFacts {
	/** The problem that no column matches a question, or is meant for one, and why. Only for automatic mapping. */
	readonly unmatched: Problem | undefined;
	/** Whether `error` is a column of the sheet, or of a question. Otherwise, n8n adds it to failed items. */
	readonly takesErrors: boolean;
	/** How to remove a title above the header row, if a row has the column names. */
	readonly titleFix: string | undefined;
	/** The problem of a sheet that lists the questions in its rows. */
	readonly vertical: Problem | undefined;
	/** The columns that stand for one choice each. */
	readonly choices: ChoiceColumns;
	/** The problems of columns that match no question, but seem to be meant for one, by column. */
	readonly meant: ReadonlyMap<string, Problem>;
	/** How to rename the columns whose reserved name, such as `team`, is also that of an unanswered question. */
	readonly reserved: ReadonlyMap<string, string>;
}

export function sheetFacts(form: Form, rows: readonly SheetRow[], words?: YesNoWords): SheetFacts {
	const isColumn = (name: string) => isColumnOf(form, name);
	const columns = columnsOf(rows);
	const header = headerRow(rows, isColumn);
	const misread = sheetFix(columns, header);
	const { choices, problems } = meantColumns(form, columns, rows, words);
	// The problems of garbled columns would hide the cause. Even a column that n8n adds can be the name of a question.
	const isMeant = choices.size > 0 || (misread === undefined && problems.size > 0);
	const isMatched = rows.some((row) => Object.keys(row).some(isColumn));
	const isMapped = isMeant || isMatched || form.questions.length === 0;
	return {
		unmatched: isMapped ? undefined : noColumn(form, columns, misread),
		takesErrors: isColumn('error') || hasErrorColumn(rows),
		titleFix: header && titleFix(columns, header),
		vertical: verticalProblem(rows, isColumn),
		choices,
		meant: problems,
		reserved: reservedColumns(form, columns, ownKeysOf(rows)),
	};
}

/** Whether a row's key matches a question or a repeatable section. */
export function isColumnOf(form: Form, key: string): boolean {
	return !isRowKey(key) && form.keys.find(key).columns.length > 0;
}

/** Formats a column that matches no question, with the nearest question: `"Wether" (did you mean "Weather"?)`. */
export function unmatchedColumn(form: Form, key: string): string {
	return nameAndMeant(key, isRowKey(key) ? undefined : form.nearest(key));
}

/** Formats columns that match no question as the beginning of a sentence. */
export function unmatchedText(form: Form, columns: readonly string[]): string {
	if (columns.length === 0) return 'No column matches a question';
	const shown = columns.slice(0, SHOWN_NAMES).map((column) => unmatchedColumn(form, column));
	const verb = columns.length === 1 ? 'matches' : 'match';
	return `${listText(shown, columns.length)} ${verb} no question`;
}

/** Returns the problem of a sheet in which no column matches a question. */
function noColumn(form: Form, columns: readonly string[], misread: string | undefined): Problem {
	const names = quotedList(form.questions.slice(0, SHOWN_QUESTIONS).map(({ name }) => name));
	const fix = `Give the columns the names of the questions, such as ${names}, or choose 'Map Each Column Manually' and drag each column onto its question`;
	const named = columns.filter((column) => !isWithoutHeader(column));
	const found = unmatchedText(form, named);
	const message = misread === undefined ? `${found}. ${fix}` : `${misread}. ${found}`;
	return { message, kind: 'no answers', isOfAll: true };
}

/**
 * Returns the new names of columns that have both a reserved name and the name of a question or section. Leaves out a
 * column if another column answers that question, as in the rows of Get Many.
 */
function reservedColumns(
	form: Form,
	columns: readonly string[],
	reserved: ReadonlySet<string>,
): Map<string, string> {
	const withSection = (column: Column) =>
		isQuestion(column) && column.section !== null ? [column, column.section] : [column];
	const answering = columns.filter((key) => !reserved.has(key));
	const answered = new Set(
		answering.flatMap((key) => form.keys.find(key).columns.flatMap(withSection)),
	);
	return new Map(
		columns.flatMap((key) => {
			const missed = reserved.has(key) ? form.keys.find(key).columns : [];
			if (missed.every((column) => answered.has(column))) return [];
			const names = missed.map((column) => form.keys.keyOf(column));
			return [[key, `"${key}" to ${quotedList(names, ' or ')}`] as const];
		}),
	);
}

/** Describes the row that seems to be the header row: the first row that has a column name in a cell. */
function headerRow(
	rows: readonly SheetRow[],
	isColumn: (cell: string) => boolean,
): string | undefined {
	for (const [index, row] of rows.slice(0, HEADER_ROWS).entries()) {
		const cells = Object.values(row).filter((cell) => typeof cell === 'string');
		if (!cells.some(isColumn)) continue;
		const shown = cells.slice(0, HEADER_NAMES).map((name) => `"${cleanLine(name, 40)}"`);
		return `The column names seem to be in row ${String(index + 1)} of the data (${listText(shown, cells.length)})`;
	}
	return undefined;
}

/** Explains how to remove a title above the header row. Undefined if all columns have a name. */
export function titleFix(columns: readonly string[], header?: string): string | undefined {
	if (!columns.some(isWithoutHeader)) return undefined;
	const fix =
		"The header row must be in the first line that is read: delete the lines above it, or set the option 'Range' of the node that reads the Excel file to the number of these lines";
	return header === undefined ? fix : `${fix}. ${header}`;
}

/**
 * Explains how to fix a file that was read with the wrong delimiter, first line, or encoding, as a sentence without its
 * period. `columns` are all columns of the sheet. Undefined if all names are fine.
 */
export function sheetFix(columns: readonly string[], header?: string): string | undefined {
	return delimiterFix(columns) ?? titleFix(columns, header) ?? encodingFix(columns);
}

/**
 * Returns the problem that no row has the column that an option names. Undefined if any row has it. `subject` is the
 * option.
 */
export function missingColumn(
	subject: string,
	name: string,
	rows: readonly SheetRow[],
): Problem | undefined {
	if (hasColumn(rows, name)) return undefined;
	const columns = columnsOf(rows);
	const isSameName = (cell: string) => isOneOf(cell, [name]);
	const misread = sheetFix(columns, headerRow(rows, isSameName));
	if (misread !== undefined)
		return { subject, message: `${misread}. There is no column "${name}"` };
	const meant = nearestName(name, columns);
	const fix = `. Enter the name of a column, such as ${quotedList(columns)}`;
	const message = `there is no column ${nameAndMeant(name, meant)}${meant === undefined ? fix : ''}`;
	return { subject, message };
}

/**
 * Returns the problem of a sheet that lists the questions in its rows, as a paper form does: the first cell of each row
 * is the name of a question.
 */
function verticalProblem(
	rows: readonly SheetRow[],
	isQuestion: (name: string) => boolean,
): Problem | undefined {
	const firsts = rows.flatMap((row) => filledCells(row).slice(0, 1));
	const names = new Set<string>();
	for (const [, cell] of firsts) {
		if (!isName(cell) || !isQuestion(cell)) return undefined;
		names.add(cell);
	}
	if (names.size < 2) return undefined;
	const message =
		'Each row of the sheet has one question, but an inspection needs one row. Put the questions into the header row, and their answers into the row below';
	return { message, kind: 'vertical', isOfAll: true };
}
