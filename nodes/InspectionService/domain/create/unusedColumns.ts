import { cleanLine, listText, quotedList, SHOWN_NAMES } from '../formatting';
import { nameAndMeant } from '../nearestName';
import { isBlank } from '../normalizeText';
import type { Problem } from '../problem';
import { isRowKey, ownKeysOf } from '../rowKeys';
import type { Form } from '../template/form';
import { type Column, isQuestion } from '../template/questions';
import { isOneOf, isWithoutHeader } from './column';
import type { CreateRequestOptions } from './createRequest';
import type { Draft } from './draft';
import type { SheetFacts } from './sheet';
import type { SheetRow } from './sheetRow';

/** Maximum questions to list as examples in the advice to rename columns. */
const SHOWN_QUESTIONS = 2;

/** Formats a column that matches no question, with the nearest question: `"Wether" (did you mean "Weather"?)`. */
export function unmatchedColumn(form: Form, key: string): string {
	return nameAndMeant(key, isRowKey(key) ? undefined : form.nearest(key));
}

/** Lists columns that match no question. */
export function unmatchedList(form: Form, keys: readonly string[]): string {
	const shown = keys.slice(0, SHOWN_NAMES).map((key) => unmatchedColumn(form, key));
	return listText(shown, keys.length);
}

/**
 * Returns why rows without any answer can't create an inspection: no column of the sheet matches a question, or these
 * rows, such as one with totals, have values only in columns that match none. Returns nothing for other rows.
 */
export function noAnswers(
	form: Form,
	{ answers, ownKeys, unknownKeys }: Pick<Draft, 'answers' | 'ownKeys' | 'unknownKeys'>,
	{ groupColumns, isUsed, sheet }: Pick<CreateRequestOptions, 'groupColumns' | 'isUsed' | 'sheet'>,
): Problem[] {
	if (answers.length > 0 || form.questions.length === 0) return [];
	const columns = [...ownKeys, ...unknownKeys].filter((key) => !isOneOf(key, groupColumns));
	const unused = columns.filter((key) => !isUsed(key));
	if (sheet.isMapped && (columns.length === 0 || unused.length < columns.length)) return [];
	const meant = new Set(unused.flatMap((key) => sheet.near.get(key) ?? []));
	if (sheet.misread === undefined && meant.size > 0) return [...meant];
	const isOfAll = !sheet.isMapped && sheet.misread !== undefined;
	return [{ message: whyNoAnswers(form, unused, sheet), kind: 'no answers', isOfAll }];
}

/** Explains why rows with values only in these columns have no answer, and how to fix this. */
function whyNoAnswers(form: Form, columns: readonly string[], sheet: SheetFacts): string {
	const { isMapped, misread } = sheet;
	const reserved = columns.filter((key) => isRowKey(key) && form.keys.find(key).columns.length > 0);
	const unknown = columns.filter(
		(key) => !reserved.includes(key) && (isMapped || !isWithoutHeader(key)),
	);
	const verb = unknown.length === 1 ? 'matches' : 'match';
	const found = unknown.length === 0 ? [] : [`${unmatchedList(form, unknown)} ${verb} no question`];
	if (!isMapped && misread !== undefined) return [misread, ...found].join('. ');
	if (reserved.length > 0) return [reservedColumnsFix(form, reserved), ...found].join('. ');
	const [first = 'No column matches a question'] = found;
	if (!isMapped) return `${first}. ${namesFix(form)}`;
	return `${first}, and no other cell has a value. Fill in an answer, or remove the row with a Filter node before this one`;
}

function namesFix({ questions }: Form): string {
	const names = questions.slice(0, SHOWN_QUESTIONS).map(({ name }) => cleanLine(name, 40));
	const more = questions.length > names.length ? ', …' : '';
	return `Give the columns the names of the questions (${names.join(', ')}${more}), or choose 'Map Each Column Manually' and drag each column onto its question`;
}

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
		key,
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
	const isOne = keys.length === 1;
	const renamed = keys.map((key) => {
		const { columns } = form.keys.find(key);
		const names = quotedList(
			columns.map((column) => form.keys.keyOf(column)),
			' or ',
		);
		return isOne ? names : `"${key}" to ${names}`;
	});
	const fix = isOne
		? 'is reserved for the inspection itself. To answer the question with this name, rename the column to'
		: 'are reserved for the inspection itself. To answer the questions with these names, rename the columns:';
	return `The ${isOne ? 'column' : 'columns'} ${quotedList(keys)} ${fix} ${renamed.join(', ')}, or choose 'Map Each Column Manually'`;
}

function withSection(column: Column): Column[] {
	return isQuestion(column) && column.section !== null ? [column, column.section] : [column];
}
