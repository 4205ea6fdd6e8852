import { isEmpty } from '../answer/answer';
import type { TemplateForm } from '../answer/templateForm';

/** Additional Fields that a sheet often has a column for, by the names of the column and of the field. */
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
		const isAnswer = name === 'description' && form.keys.find(name).kind !== 'none';
		const isUnused = !isEmpty(item[name]) && isEmpty(additionalFields[name]) && !isAnswer;
		return isUnused ? [`${label} {{ $json.${name} }}`] : [];
	});
}
