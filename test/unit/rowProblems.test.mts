import { describe, expect, test } from 'vitest';

import { dateProblem } from '#connector/domain/answer/refusedDate.ts';
import { numberProblem } from '#connector/domain/answer/refusedNumber.ts';
import { InputError } from '#connector/domain/inputError.ts';
import {
	type PlanProblems,
	type Problem,
	problemLines,
	problemText,
	rowCountText,
	rowsTitle,
} from '#connector/domain/problem.ts';

const alone = (row: number, ...problems: Problem[]): PlanProblems => ({
	rows: [row],
	name: undefined,
	problems,
});
const lines = (...units: PlanProblems[]) => problemLines(units, 100);
const choice = (value: string): Problem => ({
	subject: '"Severity"',
	value: `"${value}"`,
	message: "isn't one of its choices: Low | High",
});
const date = (day: number): Problem => ({
	subject: '"Date"',
	value: `"${String(day)}.05.2026"`,
	message: `is not recognized as a date. Set the option 'Date Format' to "dd.MM.yyyy" to read it as 2026-05-${String(day)}`,
	option: 'Date Format',
	kind: 'in another format',
});

/** Returns the report of these problems. The first problem is in row 3, the second in row 4, and so on. */
const eachRow = (...problems: Problem[]) => lines(...problems.map((one, n) => alone(n + 3, one)));

describe('problems', () => {
	test('are one line for each question with the same kind, whatever the values', () => {
		expect(eachRow(date(13), date(15), date(17))).toEqual([
			'"Date", rows 3 to 5: "13.05.2026" is not recognized as a date. Set the option \'Date Format\' to "dd.MM.yyyy" to read it as 2026-05-13.',
		]);
	});

	test('list each value that needs a separate fix', () => {
		expect(eachRow(choice('Hgih'), choice('Hgih'), choice('Mdium'))).toEqual([
			'"Severity", rows 3 to 5: "Hgih" isn\'t one of its choices: Low | High. Also: "Mdium" in row 5.',
		]);
		const time = (value: string) => ({ value, message: `is a time: ${value}`, kind: 'time' });
		expect(eachRow(time('08:30'), time('12:00'))).toEqual([
			'Rows 3 and 4: 08:30 is a time: 08:30. Also: 12:00 in row 4.',
		]);
	});

	test.each([
		['31/05/2026', '30/05/2026', 1],
		['31/05/2026', '05/31/2026', 2],
		['1.234,5', '1.235,5', 1],
		['1.234,5', '1 000', 2],
		['1.200', '1,5', 2],
	])(
		'suggest for the values %s with %s as many options as there are lines',
		(one, other, count) => {
			const isDate = one.includes('/');
			const units = [one, other].map((given, index) => {
				const why = isDate ? dateProblem(given, '', undefined) : numberProblem(given, undefined);
				return alone(index + 1, { subject: '"At"', value: given, ...why });
			});
			expect(lines(...units)).toHaveLength(count);
		},
	);

	test('have a separate line for a different question or kind, in the order of the rows', () => {
		const required = { subject: '"Area"', message: 'required, but has no answer. Fill it in' };
		const site = { ...required, subject: '"Site"' };
		expect(lines(alone(1, date(12), required, site), alone(2, date(13), choice('Hgih')))).toEqual([
			expect.stringMatching(/^"Date", rows 1 and 2: /),
			'"Area", row 1: required, but has no answer. Fill it in.',
			'"Site", row 1: required, but has no answer. Fill it in.',
			expect.stringMatching(/^"Severity", row 2: "Hgih" /),
		]);
	});

	test('include the group of a row', () => {
		const unit = (name: string, row: number) => ({
			rows: [row, row + 1],
			name,
			problems: [{ ...choice('Hgih'), rows: [row + 1] }, { message: 'No template' }],
		});
		expect(lines(unit('"Nr." 18', 35), unit('"Nr." 19', 37))).toEqual([
			expect.stringMatching(/^"Severity", row 36 \("Nr\." 18\) and row 38 \("Nr\." 19\): /),
			'Rows 35 and 36 ("Nr." 18) and rows 37 and 38 ("Nr." 19): No template.',
		]);
		const many = Array.from({ length: 9 }, (_, index) => unit(`"Nr." ${String(index)}`, index * 4));
		expect(lines(...many)[0]).toMatch(/^"Severity", rows 1, 5, 9 and 6 more: /);
	});

	test('mention "all" rows if there are more than two rows without groups', () => {
		const units = [1, 2, 3].map((row) => alone(row, date(12)));
		expect(problemLines(units, 3)[0]).toMatch(/^"Date", all 3 rows: /);
		expect(problemLines(units.slice(1), 2)[0]).toMatch(/^"Date", rows 2 and 3: /);
		const group = { rows: [1, 2, 3], name: '"Nr." 18', problems: [date(12)] };
		expect(problemLines([group], 3)[0]).toMatch(/^"Date", rows 1 to 3 \("Nr\." 18\): /);
	});

	test('list at most eight different values, with a count of the rest', () => {
		const rare = Array.from({ length: 10 }, (_, n) => choice(`v${String(n)}`));
		expect(eachRow(...rare)[0]).toMatch(/Also: "v1" in row 4, .*, "v8" in row 11 and 1 more\.$/);
	});

	test('are shortened until they fit on one screen', () => {
		const kinds = Array.from({ length: 55 }, (_, n) => ({
			message: `${String(n)}${'x'.repeat(5_000)}`,
		}));
		const lengths = (count: number) => eachRow(...kinds.slice(0, count)).map((line) => line.length);
		expect(lengths(1)).toEqual([4_000]);
		expect(new Set(lengths(10))).toEqual(new Set([400]));
		expect(lengths(50)).toEqual(Array.from({ length: 50 }, () => 80));
		expect(eachRow(...kinds)).toHaveLength(51);
		expect(eachRow(...kinds).at(-1)).toBe('… and 5 more kinds of problems');
		const exact = 'x'.repeat(4_000 - 'Row 3: .'.length);
		expect(eachRow({ message: exact })[0]).toMatch(/x\.$/);
	});

	test("mention an instance if it's the same in all rows", () => {
		const at = (instance: number) => ({ ...choice('Hgih'), instance });
		expect(lines(alone(1, at(2)), alone(2, at(2)))[0]).toMatch(/^"Severity" \(instance 2\), rows /);
		expect(lines(alone(1, at(2)), alone(2, at(3)))[0]).toMatch(/^"Severity", rows /);
	});
});

test('problems count each row once', () => {
	const unit = { rows: [1, 2, 3], name: '"Nr." 1', problems: [{ ...date(12), rows: [2] }] };
	expect(rowCountText([unit], 100)).toBe('1 of 100 rows needs a correction');
	expect(rowCountText([unit, alone(4, date(12), date(13))], 100)).toBe(
		'2 of 100 rows need a correction',
	);
});

test('rows at the beginning of a sentence have the name of their group', () => {
	expect(rowsTitle({ rows: [7, 40], name: undefined })).toBe('Rows 7 and 40');
	expect(rowsTitle({ rows: [7], name: '"Nr." 18' })).toBe('Row 7 ("Nr." 18)');
});

test.each<[Partial<Problem>, string]>([
	[{}, 'is missing'],
	[{ value: '"x"' }, '"x" is missing'],
	[{ rows: [3, 4] }, 'rows 3 and 4: is missing'],
	[{ instance: 2 }, 'instance 2: is missing'],
	[{ subject: '"Site"' }, '"Site": is missing'],
	[{ subject: '"Site"', instance: 2 }, '"Site" (instance 2): is missing'],
	[{ subject: '"Site"', instance: 2, rows: [3] }, '"Site" (row 3): is missing'],
])('problems are one sentence each: %j', (problem, text) => {
	expect(problemText({ message: 'is missing', ...problem })).toBe(text);
});

test('an input error without a list of problems is a problem itself', () => {
	const error = new InputError("'Unique Key' is empty. Enter a value.");
	expect(error.problems).toEqual([{ message: "'Unique Key' is empty. Enter a value" }]);
	expect(error.name).toBe('InputError');
});
