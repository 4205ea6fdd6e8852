import type { YesNoWords } from '../answer/yesNo';
import { delimiterFix, encodingFix } from '../encoding';
import { cleanLine, listText, quotedList } from '../formatting';
import { nameAndMeant, nearestName } from '../nearestName';
import { foldName } from '../normalizeText';
import type { Problem } from '../problem';
import { isAddedByN8n } from '../rowKeys';
import type { Form } from '../template/form';
import { type ChoiceColumns, findChoiceColumns } from './choiceColumns';
import { allColumns, isWithoutHeader } from './column';
import { filledCells, hasErrorColumn, isName } from './inspectionRows';
import { nearColumns } from './nearColumns';
import type { SheetRow } from './sheetRow';
import { isColumnOf } from './unusedColumns';

// What a sheet looks like as a whole: its columns, its header, and how the file was read.

/** Maximum number of header cells in a message. Two are enough to recognize the header. */
const HEADER_NAMES = 2;
/** Maximum rows to search for the header. A title, its subtitle, and an empty line take three. */
const HEADER_ROWS = 20;
/** Number of rows to collect column names from. One isn't enough: Excel files omit a row's empty cells. */
const ROWS_WITH_COLUMNS = 100;

/** What the whole sheet tells about its rows, if they answer the questions of one template. */
export interface SheetFacts {
	/** Whether a column matches a question. */
	readonly isMapped: boolean;
	/** Whether `error` is a column of the sheet, or of a question. Otherwise, n8n adds it to failed items. */
	readonly takesErrors: boolean;
	/** A sentence about the row that seems to be the header. */
	readonly header: string | undefined;
	/** How to remove a title above the header, if a row has the header. */
	readonly titleFix: string | undefined;
	/** How to fix a file that was misread, if no column matches a question. */
	readonly misread: string | undefined;
	/** The problem of a sheet that lists the questions in its rows. */
	readonly vertical: Problem | undefined;
	/** The columns that stand for one choice each. */
	readonly choices: ChoiceColumns;
	/** The problems of columns that match no question, but seem to be meant for one, by column. */
	readonly near: ReadonlyMap<string, Problem>;
}

export function sheetFacts(form: Form, rows: readonly SheetRow[], words?: YesNoWords): SheetFacts {
	const isQuestion = (name: string) => isColumnOf(form, name);
	const all = allColumns(rows);
	const columns = columnsOf(rows);
	const header = headerRow(rows, isQuestion);
	const choices = findChoiceColumns(form, all, rows, words);
	const ofChoices = choices.columns.size + choices.problems.size;
	return {
		isMapped: ofChoices > 0 || all.some(isQuestion),
		takesErrors: isQuestion('error') || hasErrorColumn(rows),
		header,
		titleFix: header && titleFix(columns, header),
		misread: sheetFix(columns, header),
		vertical: verticalProblem(rows, isQuestion),
		choices,
		near: new Map([...nearColumns(form, all, choices.columns), ...choices.problems]),
	};
}

/** Returns the columns of the first rows, without those that n8n adds. */
export function columnsOf(rows: readonly SheetRow[]): string[] {
	const keys = new Set(rows.slice(0, ROWS_WITH_COLUMNS).flatMap((row) => Object.keys(row)));
	return [...keys].filter((key) => !isAddedByN8n(key));
}

/** Describes the row that seems to be the header: the first row that has a column name in a cell. */
export function headerRow(
	rows: readonly SheetRow[],
	isColumn: (cell: string) => boolean,
): string | undefined {
	for (const [index, row] of rows.slice(0, HEADER_ROWS).entries()) {
		const cells = Object.values(row).filter((cell) => typeof cell === 'string');
		if (!cells.some(isColumn)) continue;
		const shown = cells.slice(0, HEADER_NAMES).map((name) => `"${cleanLine(name, 40)}"`);
		return `The header seems to be in row ${String(index + 1)} of the data (${listText(shown, cells.length)})`;
	}
	return undefined;
}

/**
 * Explains how to fix columns with a missing or garbled header, as a sentence without its period. Undefined if all
 * headers are fine.
 */
export function headerFix(columns: readonly string[], header?: string): string | undefined {
	return titleFix(columns, header) ?? encodingFix(columns);
}

/** Explains how to remove a title above the header. Undefined if all columns have a name. */
export function titleFix(columns: readonly string[], header?: string): string | undefined {
	if (!columns.some(isWithoutHeader)) return undefined;
	const fix =
		"The header must be in the first line that is read: delete the lines above it, or set the option 'Range' of the node that reads the Excel file to the number of these lines";
	return header === undefined ? fix : `${fix}. ${header}`;
}

/**
 * Like `headerFix`, but `columns` contains all columns of the sheet. Also detects a CSV file that was read with the
 * wrong delimiter: its whole header is one column.
 */
export function sheetFix(columns: readonly string[], header?: string): string | undefined {
	return delimiterFix(columns) ?? headerFix(columns, header);
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
	const folded = foldName(name);
	const isColumn = (text: string) => foldName(text) === folded;
	if (rows.some((row) => Object.keys(row).some(isColumn))) return undefined;
	const columns = Object.keys(rows[0] ?? {});
	const misread = sheetFix(columns, headerRow(rows, isColumn));
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
		'Each row of the sheet has one question, but an inspection needs one row. Put the questions into the header, and their answers into the row below';
	return { message, kind: 'vertical', isOfAll: true };
}
