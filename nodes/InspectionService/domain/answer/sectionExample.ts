import type { Question, RepeatableSection } from '../template/question';

/** Questions that an example names: enough to show the form. */
const EXAMPLE_QUESTIONS = 3;
/** Questions that an entry to be filled in names: as many as a field can be read with. */
const ENTRY_QUESTIONS = 10;

/** The questions of each repeatable section, in template order. */
export type SectionQuestions = ReadonlyMap<RepeatableSection, readonly Question[]>;

export function questionsBySection(questions: readonly Question[]): SectionQuestions {
	const sections = new Map<RepeatableSection, Question[]>();
	for (const question of questions) {
		if (question.section === null) continue;
		const inside = sections.get(question.section) ?? [];
		inside.push(question);
		sections.set(question.section, inside);
	}
	return sections;
}

/** What a section's column takes, as text, with the section's own labels: `[{"Name": "…", "Size": 1}]`. */
export function sectionExample(inside: readonly Question[]): string {
	return entryText(inside.slice(0, EXAMPLE_QUESTIONS), exampleAnswer);
}

/** One entry without answers, to be filled in: `[{"Name": "", "Size": ""}]`. Sent as it is, it answers nothing. */
export function emptyEntry(inside: readonly Question[]): string {
	return entryText(inside.slice(0, ENTRY_QUESTIONS), () => '');
}

/** Keys are labels; the path where a label is not unique among those named. */
function entryText(
	named: readonly Question[],
	answerOf: (question: Question) => string | number,
): string {
	const labels = named.map(({ label }) => label);
	const members = named.map((question) => {
		const isUnique = labels.indexOf(question.label) === labels.lastIndexOf(question.label);
		const key = isUnique ? question.label : question.path;
		return `${JSON.stringify(key)}: ${JSON.stringify(answerOf(question))}`;
	});
	return `[{${members.join(', ')}}]`;
}

function exampleAnswer({ type, choices, showTime }: Question): string | number {
	if (type === 'number') return 1;
	if (type === 'date') return showTime ? '2026-05-31T14:30:00Z' : '2026-05-31';
	return choices[0] ?? '…';
}
