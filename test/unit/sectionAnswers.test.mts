import { expect, test } from 'vitest';

import { sectionExample } from '#connector/domain/create/sectionAnswers.ts';
import { questionsOf } from '#connector/domain/template/questions.ts';
import { type ControlSpec, templateOf } from './generatedTemplate.mts';

const exampleOf = (...children: ControlSpec[]) =>
	sectionExample(questionsOf(templateOf(children)).questions);

test('an example of a section names its first three questions, each with an answer of its type', () => {
	const example = exampleOf(
		{ type: 'radio', label: 'Type', options: { choices: ['Crack', 'Dent'] } },
		{ type: 'number', label: 'Costs' },
		{ type: 'date', label: 'Day' },
		{ type: 'text', label: 'Note' },
	);
	expect(example).toBe('[{"Type": "Crack", "Costs": 1, "Day": "2026-05-31"}]');
});

test('an example of a date with time has the time too', () => {
	const when = { type: 'date', label: 'When', options: { show_time: true } };
	expect(exampleOf(when)).toBe('[{"When": "2026-05-31T14:30:00Z"}]');
});

test('an example names a question by its path where two have the label', () => {
	const where = (label: string): ControlSpec => ({
		type: 'section',
		label,
		children: [{ type: 'text', label: 'Floor' }],
	});
	expect(exampleOf(where('East'), where('West'))).toBe('[{"East/Floor": "…", "West/Floor": "…"}]');
});
