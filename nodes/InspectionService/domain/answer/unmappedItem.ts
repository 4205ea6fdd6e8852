import { sheetCure } from '../misreadSheet';
import { isAddedByN8n, isRowKey } from '../rowKeys';
import { isEmpty, shownValue } from './answer';
import type { TemplateForm } from './templateForm';
import { unmatchedColumns } from './unmatchedColumns';

type Item = Readonly<Record<string, unknown>>;

/** A sentence without its full stop on the error of an earlier node that an item carries. Undefined for other items. */
export function carriedError(form: TemplateForm, item: Item): string | undefined {
	return isQuestion(form, 'error') ? undefined : itemError(item);
}

/** Like `carriedError`, whatever the questions are called. */
export function itemError({ error }: Item): string | undefined {
	if (isEmpty(error) || error === false) return undefined;
	return `The item carries an error: ${shownValue(error)}. Take such items out before this node, for example with an If node, or remove their field "error"`;
}

/**
 * Says that no key in the items of one inspection is a question, as a sentence without its full stop. Undefined where
 * any key is a question, also with an empty value, and where the template has no questions. `isKnown` is true for a key
 * that serves something else, such as Group Rows By.
 */
export function unmappedItems(
	form: TemplateForm,
	items: readonly Item[],
	isKnown: (key: string) => boolean,
): string | undefined {
	const given = [...new Set(items.flatMap((item) => Object.keys(item)))];
	if (form.questions.length === 0 || given.some((key) => isQuestion(form, key))) return undefined;
	const keys = given.filter((key) => !isAddedByN8n(key));
	const unknown = keys.filter((key) => !isKnown(key));
	const unmatched = keys.length === 0 ? 'The item is empty' : 'No column is a question';
	const found = unmatchedColumns(form, unknown) ?? unmatched;
	const misread = sheetCure(keys);
	if (misread !== '') return `${found}${misread}`;
	const cure =
		keys.length === 0
			? 'Take empty rows out before this node, for example with a Filter node'
			: 'Give the columns the names of the questions';
	return `${found}. ${cure}; for an inspection without answers choose "Map Each Column Manually" and leave the questions empty`;
}

function isQuestion(form: TemplateForm, key: string): boolean {
	return !isRowKey(key) && form.keys.find(key).kind !== 'none';
}
