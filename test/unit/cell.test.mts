import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readChoices } from '#connector/domain/answer/choices.ts';
import { cellMaker, choiceJoiner } from '#connector/domain/row/cell.ts';

const text = fc
	.array(fc.constantFrom(...'aB \u00a0,;"\n\r[]İüu\u0308'), { minLength: 1, maxLength: 6 })
	.map((characters) => characters.join(''))
	.filter((characters) => characters.trim() !== '');

/** The choices that a template shows now, none where it shows none, and those that an answer holds. */
const stored = fc.record({
	type: fc.constantFrom('radio', 'checkbox', 'dropdown'),
	choices: fc.uniqueArray(text, { maxLength: 6 }),
	gone: fc.uniqueArray(text, { maxLength: 2 }),
	kept: fc.nat({ max: 6 }),
	isList: fc.boolean(),
});

describe('the cell of choices', () => {
	it('is read as the same choices, and a choice that is gone is not taken for another one', () => {
		fc.assert(
			fc.property(stored, ({ type, choices, gone, kept, isList }) => {
				const values = [...new Set([...choices.slice(0, kept), ...gone])];
				const [first] = values;
				if (first === undefined) return;
				const isOne = type === 'radio' || !isList;
				const cell = cellMaker({ type, choices })(isOne ? first : values);
				if (type === 'radio' && choices.length === 0) {
					expect(cell).toBe(first);
					return;
				}
				const meant = readChoices(isOne ? [first] : values, choices);
				const read = readChoices(cell, choices);
				expect(new Set(read.choices)).toEqual(new Set(meant.choices));
				expect(new Set(read.unknown)).toEqual(new Set(meant.unknown));
			}),
			{ numRuns: 2000 },
		);
	});

	it.each<[string[], string[], string]>([
		[['Dust', 'Noise'], ['Dust', 'Noise', 'Heat'], 'Dust, Noise'],
		[['Dust', 'Noise, loud'], ['Dust', 'Noise, loud'], 'Dust, Noise, loud'],
		[['A', 'B'], ['A', 'B', 'A, B'], '"A", "B"'],
		[['Smith, John'], [], '"Smith, John"'],
		[['Gone', 'Rest'], ['Rest'], 'Gone, Rest'],
		[['Berlin, Mitte', 'Rest'], ['Berlin', 'Mitte', 'Rest'], '"Berlin, Mitte", "Rest"'],
	])('of %j among %j is %s', (values, choices, cell) => {
		expect(choiceJoiner(choices)(values)).toBe(cell);
	});
});

describe('a cell', () => {
	it.each([[[]], [['']], [[null, '']], [null], [undefined]])('of %j is empty', (value) => {
		expect(cellMaker({ type: 'checkbox', choices: ['A'] })(value)).toBeNull();
	});

	it.each<[string, boolean | undefined, string]>([
		['date', true, '2026-05-24 08:30'],
		['date', false, '2026-05-24'],
		['date', undefined, '2026-05-24T06:30:00Z'],
		['text', true, '2026-05-24T06:30:00Z'],
	])('with local dates, of a %s that shows a time: %s, is %s', (type, showTime, cell) => {
		const makeCell = cellMaker({ type, choices: [], showTime }, 'Europe/Berlin');
		expect(makeCell('2026-05-24T06:30:00Z')).toBe(cell);
	});

	it.each([
		['2026-05-24T06:30:00', '2026-05-24T06:30:00.000Z'],
		['2026-05-24 06:30:15.1234567', '2026-05-24T06:30:15.1234567Z'],
		['2026-05-24', '2026-05-24T00:00:00.000Z'],
		['2026-05-24T06:30:00+02:00', '2026-05-24T06:30:00+02:00'],
		['2026-05-24T06:30:00.1Z', '2026-05-24T06:30:00.1Z'],
		['soon', 'soon'],
	])('of the date %s says that it is UTC, where the service does not: %s', (stored, cell) => {
		expect(cellMaker({ type: 'date', choices: [], showTime: true })(stored)).toBe(cell);
	});

	it('is JSON where something in a list is nested, and text stays what it is, also where it is empty', () => {
		expect(cellMaker({ type: 'checkbox', choices: [] })(['A', { b: 1 }])).toBe('["A",{"b":1}]');
		for (const type of ['checkbox', 'dropdown', 'radio', 'text']) {
			expect(cellMaker({ type, choices: ['A'] })('')).toBe('');
		}
	});
});
