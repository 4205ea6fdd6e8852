import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { dateProblem } from '#connector/domain/answer/dateFormat.ts';
import { numberProblem } from '#connector/domain/answer/numbers.ts';
import { InputError } from '#connector/domain/inputError.ts';
import {
	countSentence,
	type Problem,
	problemLines,
	problemText,
	rowsTitle,
	type UnitProblems,
} from '#connector/domain/problem.ts';

const COUNTED = { rowCount: 100, counted: 'counted so' };
const alone = (row: number, ...problems: Problem[]): UnitProblems => ({
	rows: [row],
	name: undefined,
	problems,
});
const lines = (...units: UnitProblems[]) => problemLines(units, 100);
const choice = (value: string): Problem => ({
	subject: '"Severity"',
	value: `"${value}"`,
	wrong: 'is not among its choices; possible: Low | High',
});
const date = (day: number): Problem => ({
	subject: '"Date"',
	value: `"${String(day)}.05.2026"`,
	wrong: `is not a date; set the option Date Format to dd.MM.yyyy to read 2026-05-${String(day)}`,
	...{ option: 'Date Format', kind: 'in another format' },
});

describe('problems', () => {
	const time = (value: string, clock: string): Problem => ({
		...{ subject: '"Visit"', value },
		wrong: `is a time without a day (${clock}); put day and time into one cell`,
		kind: 'time without a day',
	});

	test.each<[string, UnitProblems[], string]>([
		[
			'of one question and kind are one line, whatever the values',
			[3, 5, 7, 9].map((row) => alone(row, date(row + 10))),
			'"Date", rows 3, 5, 7 and 1 more: "13.05.2026" is not a date; set the option Date Format to dd.MM.yyyy to read 2026-05-13.',
		],
		[
			'name each value that has to be corrected by itself',
			[alone(3, choice('Hgih')), alone(4, choice('Hgih')), alone(9, choice('Mdium'))],
			'"Severity", rows 3, 4 and 9: "Hgih" is not among its choices; possible: Low | High. Also: "Mdium" in row 9.',
		],
		[
			'of one kind are times without a day, whatever the time is',
			[alone(3, time('0.354', '08:30')), alone(4, time('0.5', '12:00'))],
			'"Visit", rows 3 and 4: 0.354 is a time without a day (08:30); put day and time into one cell. Also: 0.5 in row 4.',
		],
	])('%s', (_, units, line) => {
		expect(lines(...units)).toEqual([line]);
	});

	test.each([
		['31/05/2026', '30/05/2026', 1],
		['31/05/2026', '05/31/2026', 2],
		['1.234,5', '1.235,5', 1],
		['1.234,5', '1 000', 2],
		['1.200', '1,5', 2],
	])('with the values %s and %s need as many options as there are lines', (one, other, count) => {
		const isDate = one.includes('/');
		const units = [one, other].map((given, place) => {
			const why = isDate ? dateProblem(given, '', undefined) : numberProblem(given, undefined);
			return alone(place + 1, { subject: '"At"', value: given, ...why });
		});
		expect(lines(...units)).toHaveLength(count);
	});

	test('of another question or kind have a line of their own, in the order of the rows', () => {
		const required = { subject: '"Area"', wrong: 'required, but has no answer; give it one' };
		expect(
			lines(alone(1, date(12), required), alone(2, date(13)), alone(40, choice('Hgih')), alone(41)),
		).toEqual([
			expect.stringMatching(/^"Date", rows 1 and 2: /),
			'"Area", row 1: required, but has no answer; give it one.',
			expect.stringMatching(/^"Severity", row 40: "Hgih" /),
		]);
	});

	test('of a row of a group name that row, and the group', () => {
		const unit = (name: string, row: number) => ({
			rows: [row, row + 1],
			name,
			problems: [{ ...choice('Hgih'), rows: [row + 1] }, { wrong: 'No template' }],
		});
		expect(lines(unit('"Nr." 18', 35), unit('"Nr." 19', 37))).toEqual([
			expect.stringMatching(/^"Severity", row 36 \("Nr\." 18\) and row 38 \("Nr\." 19\): /),
			'Rows 35 and 36 ("Nr." 18) and rows 37 and 38 ("Nr." 19): No template.',
		]);
		const many = Array.from({ length: 9 }, (_, index) => unit(`"Nr." ${String(index)}`, index * 4));
		expect(lines(...many)[0]).toMatch(/^"Severity", rows 1, 5, 9 and 6 more: /);
	});

	test('that may have caused others stand before them', () => {
		const cause = {
			value: '"Wether"',
			wrong: 'is a column that matches no question',
			isCause: true,
		};
		expect(lines(alone(1, cause, date(12)))).toEqual([
			'Row 1: "Wether" is a column that matches no question.',
			expect.stringMatching(/^"Date", row 1: /),
		]);
	});

	test('of all rows say so, where these are more than two and no groups', () => {
		const ofAll = (rowCount: number) =>
			problemLines(
				Array.from({ length: rowCount }, (_, n) => alone(n + 1, date(12))),
				rowCount,
			);
		expect(ofAll(3)).toEqual([expect.stringMatching(/^"Date", all 3 rows: /)]);
		expect(ofAll(2)).toEqual([expect.stringMatching(/^"Date", rows 1 and 2: /)]);
		const group = { rows: [1, 2, 3], name: '"Nr." 18', problems: [date(12)] };
		expect(problemLines([group], 3)).toEqual([
			expect.stringMatching(/^"Date", rows 1 to 3 \("Nr\." 18\): /),
		]);
	});

	test('name eight other values', () => {
		const rare = Array.from({ length: 10 }, (_, n) => alone(n + 1, choice(`v${String(n)}`)));
		expect(lines(...rare)[0]).toMatch(/Also: "v1" in row 2, .*, "v8" in row 9 and 1 more\.$/);
	});

	test('are cut the more, the more kinds there are; those beyond a screen are counted', () => {
		const kinds = (count: number) =>
			lines(
				...Array.from({ length: count }, (_, n) =>
					alone(n + 1, { subject: `"Q${String(n)}"`, wrong: 'x'.repeat(5_000) }),
				),
			);
		const lengths = (count: number) => [...new Set(kinds(count).map((line) => line.length))];
		expect(lengths(1)).toEqual([4_000]);
		expect(lengths(10)).toEqual([400]);
		expect(lengths(50)).toEqual([80]);
		const [last, ...shown] = kinds(55).toReversed();
		expect(shown).toHaveLength(50);
		expect(last).toBe('… and 5 more kinds of problems');
		const exact = 'x'.repeat(4_000 - '"Q", row 1: .'.length);
		expect(lines(alone(1, { subject: '"Q"', wrong: exact }))[0]).toMatch(/x\.$/);
	});

	test('of an instance name it where it is the same in all rows', () => {
		const at = (instance: number) => ({ ...choice('Hgih'), instance });
		expect(lines(alone(1, at(2)), alone(2, at(2)))[0]).toMatch(/^"Severity" \(instance 2\), rows /);
		expect(lines(alone(1, at(2)), alone(2, at(3)))[0]).toMatch(/^"Severity", rows /);
	});
});

test('the rows that have a problem are counted, once each', () => {
	const unit = { rows: [1, 2, 3], name: '"Nr." 1', problems: [{ ...date(12), rows: [2] }] };
	expect(countSentence([unit], COUNTED)).toBe('1 of 100 rows needs a correction (counted so).');
	const cause = alone(5, { wrong: 'is a column that matches no question', isCause: true });
	expect(countSentence([unit, alone(4, date(12), date(13)), cause], COUNTED)).toBe(
		'2 of 100 rows need a correction (counted so).',
	);
});

test('rows at the beginning of a sentence have the name of their group', () => {
	expect(rowsTitle({ rows: [7, 40], name: undefined })).toBe('Rows 7 and 40');
	expect(rowsTitle({ rows: [7], name: '"Nr." 18' })).toBe('Row 7 ("Nr." 18)');
});

describe('however many problems there are', () => {
	const QUESTIONS = 60;
	const anyProblem = fc.record({
		question: fc.nat(QUESTIONS),
		wrong: fc.constantFrom('is not a date; write it so', 'is no number', 'is missing'),
		value: fc.string({ maxLength: 2000 }),
	});

	test('every question is named, the rows are counted, and the text fits a screen', () => {
		fc.assert(
			fc.property(fc.array(anyProblem, { minLength: 1, maxLength: 500 }), (found) => {
				const units = found.map(({ question, wrong, value }, index) =>
					alone(index + 1, { subject: `"Q${String(question)}"`, wrong, value }),
				);
				const told = problemLines(units, 1000);
				const kinds = new Set(
					found.map(({ question, wrong }) => `"Q${String(question)}" ${wrong}`),
				);
				const shown = told.filter((line) => /^"Q\d+", /.test(line));
				expect(shown.length).toBe(Math.min(kinds.size, 50));
				if (kinds.size <= 50) {
					for (const { question } of found) {
						expect(told.join('\n')).toContain(`"Q${String(question)}", `);
					}
				}
				expect(told.join('').length).toBeLessThan(4_100);
			}),
		);
	});

	test('the rarest is there: one wrong choice behind 2,000 wrong dates of their own kind', () => {
		const units = Array.from({ length: 2000 }, (_, row) => alone(row, date(row)));
		const told = problemLines([...units, alone(2001, choice('Hgih'))], 2001);
		expect(told).toHaveLength(2);
		expect(told[1]).toMatch(/^"Severity", row 2001: "Hgih" /);
	});
});

test.each<[Partial<Problem>, string]>([
	[{}, 'is missing'],
	[{ value: '"x"' }, '"x" is missing'],
	[{ rows: [3, 4] }, 'rows 3 and 4: is missing'],
	[{ instance: 2 }, 'instance 2: is missing'],
	[{ subject: '"Site"' }, '"Site": is missing'],
	[{ subject: '"Site"', instance: 2 }, '"Site" (instance 2): is missing'],
	[{ subject: '"Site"', instance: 2, rows: [3] }, '"Site" (row 3): is missing'],
])('a problem is one sentence: %j', (problem, text) => {
	expect(problemText({ wrong: 'is missing', ...problem })).toBe(text);
});

test('an error of input is its problem, where it has no list of them', () => {
	const error = new InputError('Unique Key is empty. Give a value.');
	expect(error.problems).toEqual([{ wrong: 'Unique Key is empty. Give a value' }]);
	expect(error.name).toBe('InputError');
});
