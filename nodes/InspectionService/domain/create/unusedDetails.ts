import { isEmpty } from '../answer/answer';
import type { TemplateForm } from '../answer/templateForm';
import { isRowKey } from '../rowKeys';

/** Additional Fields that a sheet often has a column for. People call the column by the first name or by the second. */
const DETAILS = [
	['name', 'Name'],
	['status', 'Status'],
	['description', 'Description'],
] as const;

/**
 * The columns of an item that look like details of the inspection, where the node's fields for them are empty. They are
 * not used, because automatic mapping takes answers only. Each is given as the field's label with what to enter into
 * it: 'Name {{ $json.name }}'.
 */
export function unusedDetails(
	form: TemplateForm,
	item: Readonly<Record<string, unknown>>,
	additionalFields: Readonly<Record<string, unknown>>,
): string[] {
	return DETAILS.flatMap(([name, label]) => {
		const column = [name, label].find((key) => !isEmpty(item[key]));
		if (column === undefined || !isEmpty(additionalFields[name])) return [];
		const isAnswer = !isRowKey(column) && form.keys.find(column).kind !== 'none';
		return isAnswer ? [] : [`${label} {{ $json.${column} }}`];
	});
}
