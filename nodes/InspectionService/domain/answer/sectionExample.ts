import type { Question } from '../template/question';

/** Questions that an example names. Chosen: enough to show the form. */
const EXAMPLE_QUESTIONS = 3;

/**
 * An example of what a section's column takes, with the section's own labels: `[{"Name": "…", "Size": 1}]`. The path
 * replaces a label that is not unique in the example.
 */
export function sectionExample(inside: readonly Question[]): string {
	const named = inside.slice(0, EXAMPLE_QUESTIONS);
	const members = named.map((question) => {
		const isUnique = isOnce(question.label, named);
		const key = isUnique ? question.label : question.path;
		return `${JSON.stringify(key)}: ${JSON.stringify(exampleAnswer(question))}`;
	});
	return `[{${members.join(', ')}}]`;
}

function isOnce(label: string, questions: readonly Question[]): boolean {
	return questions.filter((question) => question.label === label).length === 1;
}

function exampleAnswer({ type, choices, showTime }: Question): string | number {
	if (type === 'number') return 1;
	if (type === 'date') return showTime ? '2026-05-31T14:30:00Z' : '2026-05-31';
	return choices[0] ?? '…';
}
