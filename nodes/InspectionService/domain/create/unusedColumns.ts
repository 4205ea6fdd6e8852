import { cleanLine, listText } from '../formatting';
import { nameAndMeant } from '../nearestName';
import { isBlank, withoutByteOrderMark } from '../normalizeText';
import type { Problem } from '../problem';
import { isAddedByN8n, isRowKey, ownKeysOf } from '../rowKeys';
import type { Form } from '../template/form';
import { type Column, isQuestion } from '../template/questions';
import { isWithoutHeader } from './column';
import { carriedError } from './inspectionRows';
import type { SheetFacts } from './sheet';
import type { Row, SheetRow } from './sheetRow';

/** Maximum columns in a message: a few lines of n8n's panel. */
const SHOWN_COLUMNS = 12;
/** Maximum questions to list as examples in the advice to rename columns. */
const SHOWN_QUESTIONS = 2;

/** Formats a column that matches no question, with the nearest question: `"Wether" (did you mean "Weather"?)`. */
export function unmatchedColumn(form: Form, key: string): string {
	return nameAndMeant(key, isRowKey(key) ? undefined : form.nearest(key));
}

/** Lists columns that match no question. */
export function unmatchedList(form: Form, keys: readonly string[]): string {
	const shown = keys.slice(0, SHOWN_COLUMNS).map((key) => unmatchedColumn(form, key));
	return listText(shown, keys.length);
}

/**
 * Returns why automatically mapped rows can't create an inspection: a row has an error, or no column of the sheet
 * matches a question. Such a column counts even if it's empty. `isKnown` is true for a column with another use, such as
 * Group Rows By.
 */
export function unmappedRows(
	form: Form,
	rows: readonly Row[],
	isKnown: (key: string) => boolean,
	{ isMapped, misread, near, takesErrors }: SheetFacts,
): Problem[] {
	const carried = takesErrors ? undefined : carriedError(rows);
	if (carried !== undefined) return [carried];
	if (rows.length === 0 || form.questions.length === 0 || isMapped) return [];
	const given = new Set(
		rows.flatMap(({ values }) => Object.keys(values).map(withoutByteOrderMark)),
	);
	const keys = [...given].filter((key) => !isAddedByN8n(key));
	const notUsed = keys.filter((key) => !isKnown(key));
	const meant = new Set(notUsed.flatMap((key) => near.get(key) ?? []));
	if (misread === undefined && meant.size > 0) return [...meant];
	const reserved = notUsed.filter((key) => isRowKey(key) && form.keys.find(key).columns.length > 0);
	const unknown = notUsed.filter((key) => !reserved.includes(key) && !isWithoutHeader(key));
	const verb = unknown.length === 1 ? 'matches' : 'match';
	const found = unknown.length === 0 ? [] : [`${unmatchedList(form, unknown)} ${verb} no question`];
	const kind = 'no question';
	if (misread !== undefined) {
		return [{ message: [misread, ...found].join('. '), kind, isOfAll: true }];
	}
	if (reserved.length > 0) {
		return [{ message: [reservedColumnsFix(form, reserved), ...found].join('. '), kind }];
	}
	if (keys.length === 0) return [{ message: EMPTY_ITEM, kind }];
	const names = form.questions.slice(0, SHOWN_QUESTIONS).map(({ name }) => cleanLine(name, 40));
	const more = form.questions.length > names.length ? ', …' : '';
	const [first = 'No column matches a question'] = found;
	const message = `${first}. Give the columns the names of the questions (${names.join(', ')}${more}), or choose 'Map Each Column Manually' and drag each column onto its question`;
	return [{ message, kind }];
}

const EMPTY_ITEM =
	"The row is empty. Remove empty rows before this node, for example with a Filter node. For an inspection without answers, choose 'Map Each Column Manually' and leave the questions empty";

/** Whether a row's key matches a question or a repeatable section. */
export function isColumnOf(form: Form, key: string): boolean {
	return !isRowKey(key) && form.keys.find(key).columns.length > 0;
}

/**
 * Returns the filled columns that have both a reserved name, such as `team`, and the name of a question or section.
 * Leaves out a column if another column answers that question, as in the rows of Get Many.
 */
export function reservedColumns(form: Form, item: SheetRow): string[] {
	const ownKeys = ownKeysOf(item);
	const cells = Object.entries(item).map(([key, cell]) => ({
		key: withoutByteOrderMark(key),
		isFilled: !isBlank(cell),
	}));
	const reserved = cells.filter(({ key, isFilled }) => isFilled && ownKeys.has(key));
	if (reserved.length === 0) return [];
	const answering = cells.filter(({ key }) => !ownKeys.has(key));
	const answered = new Set(
		answering.flatMap(({ key }) => form.keys.find(key).columns.flatMap(withSection)),
	);
	const isMissed = (column: Column) => !answered.has(column);
	return reserved.flatMap(({ key }) => (form.keys.find(key).columns.some(isMissed) ? [key] : []));
}

/** Returns the keys in `ownKeys` that have the name of this question or its section. */
export function reservedFor(form: Form, column: Column, ownKeys: readonly string[]): string[] {
	const wanted = withSection(column);
	return ownKeys.filter((key) => form.keys.find(key).columns.some((one) => wanted.includes(one)));
}

/** Explains how to rename reserved columns that have the names of questions, as a sentence without its period. */
export function reservedColumnsFix(form: Form, keys: readonly string[]): string {
	const names = keys.map((key) => `"${key}"`).join(', ');
	const freeNames = (key: string) =>
		form.keys
			.find(key)
			.columns.map((column) => `"${form.keys.keyOf(column)}"`)
			.join(' or ');
	const [first = ''] = keys;
	const fix =
		keys.length === 1
			? `The column ${names} is reserved for the inspection itself. To answer the question with this name, rename the column to ${freeNames(first)}`
			: `The columns ${names} are reserved for the inspection itself. To answer the questions with these names, rename the columns: ${keys.map((key) => `"${key}" to ${freeNames(key)}`).join(', ')}`;
	return `${fix}, or choose 'Map Each Column Manually'`;
}

function withSection(column: Column): Column[] {
	return isQuestion(column) && column.section !== null ? [column, column.section] : [column];
}
