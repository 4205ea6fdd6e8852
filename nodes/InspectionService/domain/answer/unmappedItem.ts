import { sheetCure } from '../misreadSheet';
import { isRowKey } from '../rowKeys';
import { isEmpty, shownValue } from './answer';
import type { TemplateForm } from './templateForm';
import { unmatchedColumns } from './unmatchedColumns';

type Item = Readonly<Record<string, unknown>>;

/** That an item carries the error of a node before this one, as a sentence without its full stop; else undefined. */
export function carriedError(form: TemplateForm, { error }: Item): string | undefined {
	if (isEmpty(error) || error === false || isQuestion(form, 'error')) return undefined;
	return `The item carries an error: ${shownValue(error)}. Take such items out before this node, for example with an If node, or remove their field "error"`;
}

/**
 * That nothing in the items of one inspection is a question, as a sentence without its full stop. Undefined where any
 * key is one, also an empty one, and where the template asks nothing. `isKnown` tells keys that are of use otherwise.
 */
export function unmappedItems(
	form: TemplateForm,
	items: readonly Item[],
	isKnown: (key: string) => boolean,
): string | undefined {
	const keys = [...new Set(items.flatMap((item) => Object.keys(item)))];
	if (form.questions.length === 0 || keys.some((key) => isQuestion(form, key))) return undefined;
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
