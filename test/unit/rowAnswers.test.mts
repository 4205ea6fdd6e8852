import { expect, it } from 'vitest';

import { draftOf } from '#connector/domain/create/rowAnswers.ts';
import { formWith, repeatable, text } from './generatedTemplate.mts';
import { MAKING, rowOf } from './madeOfRows.mts';

/** f1 Weather · f2 Room (repeatable) · f3 Colour */
const FORM = formWith(text('Weather'), repeatable('Room', text('Colour')));
const read = (...row: Parameters<typeof rowOf>) => draftOf(FORM, rowOf(...row), MAKING);

it('columns of the mapper that the template has lost are one problem, each with its name and value', () => {
	const mapped = { labels: new Map([['f8', 'Wind']]), cure: undefined };
	const { problems, answers } = read({ f8: 'NW', f9: 3, f10: '', f1: 'Dry' }, { mapped });
	const wrong =
		'"Wind": "NW", "f9": 3 cannot be sent, because the template has no such question; take it out under Answers or, where another template was chosen, use ⋮ → Refresh Question List there';
	expect(problems).toEqual([{ wrong, kind: 'no such question' }]);
	expect(answers.map(({ value }) => value)).toEqual(['Dry']);
	const cured = read({ f9: 'x' }, { mapped: { labels: new Map(), cure: 'do this' } });
	expect(cured.problems[0]?.wrong).toMatch(/; do this$/);
});

it('columns without a value are left out, whatever they are called', () => {
	const nothing = { answers: [], problems: [], unknownKeys: [], ownKeys: [] };
	expect(read({ Wind: '', name: null, Weather: '' })).toMatchObject(nothing);
});

it('columns are told apart: the row’s own, those of no question, and n8n’s', () => {
	const row = { id: 'a', '\ufeffWind': 'NW', row_number: 2 };
	expect(read(row)).toMatchObject({ unknownKeys: ['Wind'], ownKeys: ['id'] });
});

it('columns keep the value as it was given, beside what is sent', () => {
	const colours = [{ Colour: 'red' }];
	const answer = { given: 'red', value: 'red', order: 1, inArray: true };
	expect(read({ Room: colours }).answers).toMatchObject([answer]);
	expect(colours).toEqual([{ Colour: 'red' }]);
});
