import type { Form } from '../template/form';
import { OccurringPairs, rowColumns } from './rowColumns';

/**
 * The columns that Create takes for a template, all empty: `{ Site: '', Severity: '', 'Severity:2': '' }`. A question of
 * a repeatable section has a column for each of as many instances. Automatic mapping takes each key for the question and
 * instance that it was made for. An empty text and not null, because a sheet's writer leaves null out, and with it the
 * header.
 */
export function emptyRow(form: Form, instances: number): Record<string, string> {
	const pairs = new OccurringPairs();
	for (const question of form.questions) {
		const places = question.section === null ? 1 : instances;
		for (let place = 1; place <= places; place++) pairs.addQuestion(question, place);
	}
	const layout = { form, columnNames: 'label', section: undefined, keysBehind: [] } as const;
	const columns = rowColumns(layout, pairs);
	return Object.fromEntries(columns.map(({ key }) => [key, '']));
}
