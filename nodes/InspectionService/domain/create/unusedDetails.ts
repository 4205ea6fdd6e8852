import { isEmpty } from '../answer/answer';
import type { TemplateForm } from '../answer/templateForm';
import { isRowKey } from '../rowKeys';

/** Additional Fields that a sheet often has a column for, called by the first name or, as people write it, by the second. */
const DETAILS = [
	['name', 'Name'],
	['status', 'Status'],
	['description', 'Description'],
] as const;

/**
 * The columns of an item that look like details of the inspection, while the fields for them are empty: automatic mapping
 * takes answers only. As the field's label with what to enter into it: 'Name {{ $json.name }}'.
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
