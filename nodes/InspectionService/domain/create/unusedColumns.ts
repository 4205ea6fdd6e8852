import { shownValue } from '../answer/shownValue';
import { headerCure, headerRow, type HeaderRow, isWithoutHeader, sheetCure } from '../misreadSheet';
import { nameAndMeant } from '../nearestName';
import { isBlank, withoutByteOrderMark } from '../plainText';
import type { Problem } from '../problem';
import { isAddedByN8n, isRowKey } from '../rowKeys';
import { listText } from '../shownText';
import type { Form } from '../template/form';
import { isQuestion, type Question } from '../template/questions';

/** The fields of an item, by their names. */
type Item = Readonly<Record<string, unknown>>;

/** Columns that a message names: some lines of n8n's panel. */
const SHOWN_COLUMNS = 12;
/**
 * Columns among which those that resemble a question are looked for. A sheet hardly has more, and a webhook's
 * body may have thousands.
 */
const COMPARED_COLUMNS = 100;

/**
 * What n8n's Extract from File (2.41) calls the second and later columns of one name: `Remark_1`, `Remark_2`. `__EMPTY_1`
 * is a column without a header.
 */
const REPEATED = /^(?!__EMPTY)(.+)_[1-9]\d?$/;

/** Each column in quotes, with the question whose name is nearest: `"Wether" (did you mean "Weather"?)`. */
export function namedColumns(form: Form, keys: readonly string[]): string[] {
	const given = new Set(keys);
	return keys.map((key) => {
		const [, first] = REPEATED.exec(key) ?? [];
		if (first !== undefined && (given.has(first) || isColumn(form, first))) {
			return `"${key}" (n8n’s name for a second column "${first}": give it a header of its own)`;
		}
		return nameAndMeant(key, form.nearest(key));
	});
}

/**
 * Says which columns match no question, as a sentence without its full stop. Of the first columns (COMPARED_COLUMNS),
 * those that resemble a question come first. Undefined where there are no columns.
 */
function unmatchedColumns(form: Form, given: readonly string[]): string | undefined {
	const keys = given.filter((key) => !isWithoutHeader(key));
	const shown = nearestFirst(form, keys);
	const [first] = shown;
	if (first === undefined) return undefined;
	if (keys.length === 1) return `The column ${first} matches no question`;
	return `These columns match no question: ${listText(shown, keys.length)}`;
}

/** The first columns, named; of the first ones (COMPARED_COLUMNS), those that resemble a question come first. */
function nearestFirst(form: Form, keys: readonly string[]): string[] {
	const compared = keys.slice(0, COMPARED_COLUMNS);
	const likeness = (key: string) => (form.nearest(key) === undefined ? 0 : 1);
	const byLikeness = compared.toSorted((a, b) => likeness(b) - likeness(a));
	return namedColumns(form, byLikeness.slice(0, SHOWN_COLUMNS));
}

/**
 * What may have caused other problems of a row, as problems: what to do about its headers, and each column that matches no
 * question, so that those of several rows are told together.
 */
export function causesIn(form: Form, keys: readonly string[], header?: HeaderRow): Problem[] {
	const cure = headerCure(keys, header);
	const named = nearestFirst(
		form,
		keys.filter((key) => !isWithoutHeader(key)),
	);
	const columns = named.map((value) => {
		return { value, wrong: 'is a column that matches no question', isCause: true };
	});
	return cure === '' ? columns : [{ wrong: cure, isCause: true }, ...columns];
}

/** The same as sentences. */
export function causeText(
	form: Form,
	keys: readonly string[],
	header?: HeaderRow,
): string | undefined {
	const sentences = [headerCure(keys, header), unmatchedColumns(form, keys) ?? ''];
	const told = sentences.filter((sentence) => sentence !== '');
	return told.length === 0 ? undefined : `${told.join('. ')}.`;
}

/** Finds the row of a sheet that has the names of a form's questions, once for each form. */
export function headersIn(rows: readonly Item[]): (form: Form) => HeaderRow | undefined {
	const known = new Map<Form, HeaderRow | undefined>();
	return (form) => {
		if (!known.has(form))
			known.set(
				form,
				headerRow(rows, (cell) => isColumn(form, cell)),
			);
		return known.get(form);
	};
}

/** A sentence without its full stop on the error of an earlier node that an item carries. Undefined for other items. */
export function carriedError(form: Form, item: Item): string | undefined {
	return isColumn(form, 'error') ? undefined : itemError(item);
}

/** Like `carriedError`, whatever the questions are called. */
export function itemError({ error }: Item): string | undefined {
	if (isBlank(error) || error === false) return undefined;
	return `The item carries an error: ${shownValue(error)}. Take such items out before this node, for example with an If node, or remove their field "error"`;
}

/**
 * Says that no key in the items of one inspection is a question, as a sentence without its full stop. Undefined where
 * any key is a question, also with an empty value, and where the template has no questions. `isKnown` is true for a key
 * that serves something else, such as Group Rows By.
 */
export function unmappedItems(
	form: Form,
	items: readonly Item[],
	isKnown: (key: string) => boolean,
	header?: HeaderRow,
): string | undefined {
	const given = [...new Set(items.flatMap((item) => Object.keys(item).map(withoutByteOrderMark)))];
	if (form.questions.length === 0 || given.some((key) => isColumn(form, key))) return undefined;
	const keys = given.filter((key) => !isAddedByN8n(key));
	const unknown = keys.filter((key) => !isKnown(key));
	const misread = sheetCure(keys, header);
	const found = unmatchedColumns(form, unknown);
	if (misread !== '') return found === undefined ? misread : `${misread}. ${found}`;
	const unmatched = keys.length === 0 ? 'The item is empty' : 'No column is a question';
	const cure =
		keys.length === 0
			? 'Take empty rows out before this node, for example with a Filter node'
			: 'Give the columns the names of the questions';
	return `${found ?? unmatched}. ${cure}; for an inspection without answers choose "Map Each Column Manually" and leave the questions empty`;
}

function isColumn(form: Form, key: string): boolean {
	return !isRowKey(key) && form.keys.find(key).columns.length > 0;
}

/**
 * The columns of an item that a question is called like, and that are not taken for it, because the rows of Get Many have
 * columns of their own under these names (`team`, `status`). Without those whose question another column answers.
 */
export function ownColumns(form: Form, item: Item): string[] {
	const cells = Object.entries(item).map(([key, cell]) => ({
		key: withoutByteOrderMark(key),
		cell,
	}));
	const others = cells.filter(({ key }) => !isRowKey(key));
	const answered = new Set([undefined, ...others.map(({ key }) => questionOf(form, key))]);
	return cells
		.filter(({ key, cell }) => isRowKey(key) && !isBlank(cell))
		.filter(({ key }) => !answered.has(questionOf(form, key)))
		.map(({ key }) => `"${key}"`);
}

function questionOf(form: Form, key: string): Question | undefined {
	const [column, another] = form.keys.find(key).columns;
	return column !== undefined && another === undefined && isQuestion(column) ? column : undefined;
}
