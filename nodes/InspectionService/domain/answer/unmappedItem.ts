import { isRowKey } from '../rowKeys';
import { isEmpty, shownValue } from './answer';
import type { TemplateForm } from './templateForm';
import { unmatchedColumns } from './unmatchedColumns';

/**
 * Why an item whose keys are taken for questions is no inspection, as one sentence without its full stop: it carries the
 * error of a node before this one, or nothing in it is a question. Undefined where it can be one, and where the template
 * asks nothing.
 */
export function unmappedItem(
	form: TemplateForm,
	item: Readonly<Record<string, unknown>>,
): string | undefined {
	const isQuestion = (key: string) => !isRowKey(key) && form.keys.find(key).kind !== 'none';
	const keys = Object.keys(item);
	if (!isEmpty(item.error) && item.error !== false && !isQuestion('error')) {
		return `The item carries an error: ${shownValue(item.error)}. Take such items out before this node, for example with an If node, or remove their field "error"`;
	}
	if (form.questions.length === 0 || keys.some(isQuestion)) return undefined;
	const found = unmatchedColumns(form, keys) ?? 'The item is empty';
	return `${found}. Give the columns the names of the questions; for an inspection without answers choose "Map Each Column Manually" and leave the questions empty`;
}
