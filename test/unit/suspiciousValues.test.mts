import { describe, expect, it } from 'vitest';

import { farDate } from '#connector/domain/answer/farDate.ts';
import { formWith } from '#harness/forms.mts';
import { control, text } from '#harness/generatedTemplate.mts';
import { requestOf, rowOf } from '#harness/madeOfRows.mts';

const FORM = formWith(text('Site'), control('date', 'Day'));
const findSuspiciousValues = (value: unknown, additionalFields = {}) =>
	requestOf(FORM, [rowOf({ Site: value }, { number: 7, additionalFields })]).suspicious;

it.each([
	['Gate #REF!', 'failedValue', '"Gate #REF!"'],
	['Gate \ufffd', 'encoding', '"Gate \ufffd"'],
	[46173, 'spreadsheetNumber', '46173'],
	[4006381333931000, 'longNumber', '4006381333931000'],
	[-4006381333931000001, 'longNumber', '-4006381333931000000'],
])('an answer %j to a question of type text is reported as a %s', (given, kind, value) => {
	expect(findSuspiciousValues(given)).toMatchObject([
		{ kind, subject: '"Site"', rows: [7], value },
	]);
});

it("a number or choice isn't reported, because it was already read", () => {
	const choices = ['Gate #REF!', '46173'];
	const form = formWith(
		control('number', 'Visitors'),
		control('radio', 'Gate', { choices }),
		control('checkbox', 'Gates', { choices }),
	);
	const row = rowOf({ Visitors: 46173, Gate: 46173, Gates: ['Gate #REF!'] });
	const { sent, suspicious } = requestOf(form, [row]);
	expect([sent.length, suspicious]).toEqual([3, []]);
});

it.each([
	[{ name: 'Walk #N/A' }, 'Name', '"Walk #N/A"'],
	[{ locations: '[{"site": "#REF!"}]' }, 'Locations', '[{"site":"#REF!"}]'],
])('a failed value in the fields %j is reported', (fields, subject, value) => {
	expect(findSuspiciousValues('Gate', fields)).toMatchObject([
		{ kind: 'failedValue', subject, rows: [7], value },
	]);
});

it.each(['Gate #1', '#Gate!', '– 5 €', 'Zürich', 400638133393100, '4006381333931000'])(
	"%j isn't reported",
	(given) => {
		expect(findSuspiciousValues(given)).toEqual([]);
	},
);

it.each([
	['Walk 46173', { Tag: 46173 }, 'contains 46173, which might be the day 2026-05-31'],
	['46173.354', { Tag: 46173.354 }, 'contains 46173.354, which might be 2026-05-31 08:30'],
	['Walk 46173', { Tag: '46173' }, undefined],
	['Walk 461730', { Tag: 46173 }, undefined],
	['Walk 3', { Tag: 3 }, undefined],
])('the name %j of a row with the cells %j is reported as: %s', (name, cells, message) => {
	const row = rowOf({ Site: 'Gate' }, { cells, additionalFields: { name } });
	const found = requestOf(FORM, [row]).suspicious;
	expect(found.map((one) => [one.kind, one.message])).toEqual(
		message === undefined
			? []
			: [['spreadsheetNumber', expect.stringContaining(message) as string]],
	);
});

describe('a date far from today', () => {
	const NOW = new Date('2026-11-28T12:00:00Z');

	it.each([
		['2569-05-31', 'is in the year 2569, which may be a year of the Buddhist calendar'],
		['1447-12-14', 'is in the year 1447, which may be a year of the Hijri calendar'],
		['1405-03-10', 'is in the year 1405, which may be a year of the Persian calendar'],
		['5786-03-14', 'is in the year 5786, which may be a year of the Hebrew calendar'],
		['2047-01-01', 'is in the year 2047'],
		['1925-12-31', 'is in the year 1925'],
	])('names the calendar it may be from: %s', (day, message) => {
		expect(farDate(day, NOW)).toBe(message);
	});

	it.each(['2046-12-31', '1926-01-01', '2026-05-31'])(
		"isn't reported within 20 years ahead or 100 years back: %s",
		(day) => {
			expect(farDate(day, NOW)).toBeUndefined();
		},
	);

	it('is reported with its value in answers or the due date of a task', () => {
		const row = rowOf({ Day: '2569-05-31' }, { number: 7, task: { dueDateTime: '1447-12-14' } });
		expect(requestOf(FORM, [row]).suspicious).toMatchObject([
			{ kind: 'farDate', subject: '"Day"', rows: [7], value: '"2569-05-31"' },
			{ kind: 'farDate', subject: 'Task → Due Date', rows: [7] },
		]);
	});
});
