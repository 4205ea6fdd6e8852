import { withoutByteOrderMark } from '../columnName';
import { isRowKey } from '../rowKeys';
import type { Question } from '../template/question';
import { isEmpty } from './answer';
import type { TemplateForm } from './templateForm';

/**
 * The columns of an item that a question is called like, and that are not taken for it, because the rows of Get Many have
 * columns of their own under these names (`team`, `status`). Each comes with the name that is taken for the question:
 * '"team" (rename it to "Header/Team")'. A column is left out where another one has the question's answer.
 */
export function ownColumns(form: TemplateForm, item: Readonly<Record<string, unknown>>): string[] {
	const keys = Object.keys(item).map(withoutByteOrderMark);
	const isAnswered = (question: Question) =>
		keys.some((key) => !isRowKey(key) && questionOf(form, key) === question);
	return Object.entries(item).flatMap(([given, value]) => {
		const key = withoutByteOrderMark(given);
		if (!isRowKey(key) || isEmpty(value)) return [];
		const question = questionOf(form, key);
		if (question === undefined || isAnswered(question)) return [];
		return [`"${key}" (rename it to "${form.keys.keyOf(question, 'path')}")`];
	});
}

function questionOf(form: TemplateForm, key: string): Question | undefined {
	const match = form.keys.find(key);
	return match.kind === 'found' ? match.target.question : undefined;
}
