import { describe, expect, it } from 'vitest';

import { draftOf } from '#connector/domain/create/rowAnswers.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { templateOf } from './generatedTemplate.mts';
import { MAKING, rowOf } from './madeOfRows.mts';

/** f1 Weather · f2 Room (repeatable) · f3 Colour */
const FORM = formOf(
	templateOf([
		{ type: 'text', label: 'Weather' },
		{
			type: 'section',
			label: 'Room',
			options: { is_repeatable: true },
			children: [{ type: 'text', label: 'Colour' }],
		},
	]),
);

describe('columns of the mapper', () => {
	it('that the template has lost are one problem, each with its name and value', () => {
		const mapped = { labels: new Map([['f8', 'Wind']]), cure: undefined };
		const row = rowOf({ f8: 'NW', f9: 3, f10: '', f1: 'Dry' }, { mapped });
		const { problems, answers } = draftOf(FORM, row, MAKING);
		expect(problems).toEqual([
			{
				wrong:
					'"Wind": "NW", "f9": 3 cannot be sent, because the template has no such question; take it out under Answers or, where another template was chosen, use ⋮ → Refresh Question List there',
				kind: 'no such question',
			},
		]);
		expect(answers.map(({ value }) => value)).toEqual(['Dry']);
	});

	it('may have another cure', () => {
		const row = rowOf({ f9: 'x' }, { mapped: { labels: new Map(), cure: 'do this' } });
		expect(draftOf(FORM, row, MAKING).problems[0]?.wrong).toMatch(/; do this$/);
	});
});

describe('columns of a row', () => {
	const read = (values: JsonRecord) => draftOf(FORM, rowOf(values), MAKING);

	it('without a value are left out, whatever they are called', () => {
		const { answers, problems, unknownKeys, ownKeys } = read({ Wind: '', name: null, Weather: '' });
		expect({ answers, problems, unknownKeys, ownKeys }).toEqual({
			...{ answers: [], problems: [], unknownKeys: [], ownKeys: [] },
		});
	});

	it('are told apart: the row’s own, those of no question, and n8n’s', () => {
		const { unknownKeys, ownKeys } = read({ id: 'a', '\ufeffWind': 'NW', row_number: 2 });
		expect(unknownKeys).toEqual(['Wind']);
		expect(ownKeys).toEqual(['id']);
	});

	it('keep the value as it was given, beside what is sent', () => {
		const colours = [{ Colour: 'red' }];
		const { answers } = read({ Room: colours });
		expect(answers).toMatchObject([{ given: 'red', value: 'red', order: 1, inArray: true }]);
		expect(colours).toEqual([{ Colour: 'red' }]);
	});
});
