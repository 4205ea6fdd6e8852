import { shownValue } from '../answer/shownValue';
import { headerCure, headerRow, type HeaderRow, isWithoutHeader, sheetCure } from '../misreadSheet';
import { nameAndMeant } from '../nearestName';
import { isBlank, withoutByteOrderMark } from '../plainText';
import { type Problem, saying } from '../problem';
import { isAddedByN8n, isRowKey } from '../rowKeys';
import { listText } from '../shownText';
import type { Form } from '../template/form';
import { isQuestion, type Question } from '../template/questions';
import type { SheetRow } from './groupRows';
import type { Row } from './rowAnswers';

/** Columns that a message names: some lines of n8n's panel. */
const SHOWN_COLUMNS = 12;

/** What n8n's Extract from File (2.41) calls the second and later columns of one name: `Remark_1`, `Remark_2`. */
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

/** The columns that match no question, as one problem; none where there are none. Those near a question come first. */
function unmatchedColumns(form: Form, given: readonly string[]): Problem[] {
	const keys = given.filter((key) => !isWithoutHeader(key));
	if (keys.length === 0) return [];
	const isNear = (key: string) => form.nearest(key) !== undefined;
	const nearestFirst = [...keys.filter(isNear), ...keys.filter((key) => !isNear(key))];
	const named = namedColumns(form, nearestFirst.slice(0, SHOWN_COLUMNS));
	const value = listText(named, keys.length);
	const wrong = keys.length === 1 ? 'matches no question' : 'match no question';
	return [{ value, wrong, kind: 'unmatched columns', isCause: true }];
}

/** What may have caused other problems of a row: its headers, and columns that match no question. */
export function causesIn(form: Form, unmatched: readonly string[], header?: HeaderRow): Problem[] {
	const cure = headerCure(unmatched, header);
	const columns = unmatchedColumns(form, unmatched);
	return cure === undefined ? columns : [{ wrong: cure, isCause: true }, ...columns];
}

/** Finds the row of a sheet that has the names of a form's questions, once for each form. */
export function headersIn(rows: readonly SheetRow[]): (form: Form) => HeaderRow | undefined {
	const known = new Map<Form, HeaderRow | undefined>();
	return (form) => {
		if (!known.has(form)) {
			const header = headerRow(rows, (cell) => isColumn(form, cell));
			known.set(form, header);
		}
		return known.get(form);
	};
}

/** What to do about the error of an earlier node that an item carries; undefined for other items. */
export function itemError({ error }: SheetRow): string | undefined {
	if (isBlank(error) || error === false) return undefined;
	return `The item carries an error: ${shownValue(error)}. Take such items out before this node, for example with an If node, or remove their field "error"`;
}

/**
 * Why no inspection can be made of rows that are mapped automatically: one carries an error, or no column of any row is a
 * question, also an empty one. `isKnown` is true for a column that serves something else, such as Group Rows By.
 */
export function unmappedRows(
	form: Form,
	rows: readonly Row[],
	isKnown: (key: string) => boolean,
	header?: HeaderRow,
): Problem | undefined {
	const [faulty] = isColumn(form, 'error') ? [] : rows.filter(({ values }) => itemError(values));
	if (faulty !== undefined) {
		const wrong = itemError(faulty.values) ?? '';
		return { wrong, rows: rows.length === 1 ? undefined : [faulty.number] };
	}
	const given = new Set(rows.flatMap(({ values }) => cellsOf(values).map(([key]) => key)));
	const isMapped = [...given].some((key) => isColumn(form, key));
	if (rows.length === 0 || form.questions.length === 0 || isMapped) return undefined;
	const keys = [...given].filter((key) => !isAddedByN8n(key));
	const unknown = keys.filter((key) => !isKnown(key));
	const unmatched = unmatchedColumns(form, unknown).map(saying);
	const misread = sheetCure(keys, header);
	const kind = 'no question';
	if (misread !== undefined) return { wrong: [misread, ...unmatched].join('. '), kind };
	const [found = 'No column is a question'] = unmatched;
	const why =
		keys.length === 0
			? 'The item is empty. Take empty rows out before this node, for example with a Filter node'
			: `${found}. Give the columns the names of the questions`;
	const wrong = `${why}; for an inspection without answers choose "Map Each Column Manually" and leave the questions empty`;
	return { wrong, kind };
}

function isColumn(form: Form, key: string): boolean {
	return !isRowKey(key) && form.keys.find(key).columns.length > 0;
}

/**
 * The columns of an item that a question is called like, and that are not taken for it, because the rows of Get Many have
 * columns of their own under these names (`team`, `status`). Without those whose question another column answers.
 */
export function ownColumns(form: Form, item: SheetRow): string[] {
	const cells = cellsOf(item).map(([key, cell]) => ({
		key,
		cell,
		question: questionOf(form, key),
	}));
	const others = cells.filter(({ key }) => !isRowKey(key)).map(({ question }) => question);
	const answered = new Set([undefined, ...others]);
	const own = cells.filter(({ key, cell }) => isRowKey(key) && !isBlank(cell));
	return own.filter(({ question }) => !answered.has(question)).map(({ key }) => `"${key}"`);
}

function cellsOf(item: SheetRow): [key: string, cell: unknown][] {
	return Object.entries(item).map(([key, cell]) => [withoutByteOrderMark(key), cell]);
}

function questionOf(form: Form, key: string): Question | undefined {
	const [column, another] = form.keys.find(key).columns;
	return column !== undefined && another === undefined && isQuestion(column) ? column : undefined;
}
