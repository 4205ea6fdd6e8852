import { expect, test } from 'vitest';

import { sectionExample } from '#connector/domain/create/sectionAnswers.ts';
import { control, type ControlSpec, formWith, section, text } from './generatedTemplate.mts';

const type = control('radio', 'Type', { choices: ['Crack', 'Dent'] });
const when = control('date', 'When', { show_time: true });

test.each<[string, ControlSpec[], string]>([
	[
		'names its first three questions, each with an answer of its type',
		[type, control('number', 'Costs'), control('date', 'Day'), text('Note')],
		'[{"Type": "Crack", "Costs": 1, "Day": "2026-05-31"}]',
	],
	['has the time of a date with time', [when], '[{"When": "2026-05-31T14:30:00Z"}]'],
	[
		'names a question by its path where two have the label',
		[section('East', text('Floor')), section('West', text('Floor'))],
		'[{"East/Floor": "…", "West/Floor": "…"}]',
	],
])('an example of a section %s', (_, children, example) => {
	expect(sectionExample(formWith(...children).questions)).toBe(example);
});
