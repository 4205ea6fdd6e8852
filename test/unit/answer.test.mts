import { runInNewContext } from 'node:vm';

import { DateTime, Duration } from 'luxon';
import { describe, expect, it } from 'vitest';

import { readAnswer } from '#connector/domain/answer/answer.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { saying } from '#connector/domain/problem.ts';
import { type Question, questionsOf } from '#connector/domain/template/questions.ts';
import { templateOf } from './generatedTemplate.mts';

function questionOf(type: string, options: JsonRecord = {}): Question {
	const [question] = questionsOf(templateOf([{ type, label: 'Q', options }])).questions;
	if (question === undefined) throw new Error(`${type} is no question`);
	return question;
}

const read = (question: Question, given: unknown, timeZone = 'UTC') =>
	readAnswer(question, given, { timeZone });
const problemOf = (question: Question, given: unknown) => {
	const reading = read(question, given);
	return reading.kind === 'problem' ? saying(reading.problem) : reading.kind;
};

describe('unanswered', () => {
	it.each(['text', 'number', 'radio', 'checkbox', 'dropdown', 'date', 'checkIn/location'])(
		'%s: nothing, null and the empty text are no answer',
		(type) => {
			const question = questionOf(type, { choices: ['A'] });
			for (const given of ['', null, undefined]) {
				expect(read(question, given)).toEqual({ kind: 'none' });
			}
		},
	);

	it('an empty list of choices is no answer', () => {
		expect(read(questionOf('checkbox', { choices: ['A'] }), [])).toEqual({ kind: 'none' });
		expect(read(questionOf('radio', { choices: ['A'] }), ['', null])).toEqual({ kind: 'none' });
	});
});

describe('text', () => {
	it.each([
		['hello', 'hello'],
		[' ', ' '],
		[0, '0'],
		[false, 'false'],
		[12.5, '12.5'],
		[
			DateTime.fromISO('2026-05-31T12:00:00+02:00', { setZone: true }),
			'2026-05-31T12:00:00.000+02:00',
		],
		[new Date('2026-05-31T12:00:00Z'), '2026-05-31T12:00:00.000Z'],
	])('%j is sent as %j', (given, value) => {
		expect(read(questionOf('text'), given)).toEqual({ kind: 'answer', value });
		expect(read(questionOf('checkIn/location'), given)).toEqual({ kind: 'answer', value });
	});

	it.each([[['a', 'b']], [{ a: 1 }], [Number.NaN], [new Date('nonsense')]])(
		'%j is refused',
		(given) => {
			expect(read(questionOf('text'), given).kind).toBe('problem');
		},
	);
});

describe('numbers', () => {
	it.each<[unknown, string | number]>([
		[5, 5],
		[0, 0],
		['0', 0],
		[-0, 0],
		['5', 5],
		[' 5.50 ', 5.5],
		['+7', 7],
		['1e3', 1000],
		['.5', 0.5],
		['007', 7],
		['0.1', 0.1],
		['12345678901234567890', '12345678901234567890'],
		['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
		['1e400', '1e400'],
		[12345678901234567890n, '12345678901234567890'],
	])('%s is sent as %j', (given, value) => {
		expect(read(questionOf('number'), given)).toEqual({ kind: 'answer', value });
	});

	it.each([
		'1,5',
		'1,234.5',
		'1 000',
		'0x10',
		'five',
		' ',
		'.',
		'e5',
		'NaN',
		'Infinity',
		true,
		[5],
		{},
	])('%j is refused', (given) => {
		expect(problemOf(questionOf('number'), given)).toContain('is not a number');
	});

	it('names the decimal comma and its cure', () => {
		expect(problemOf(questionOf('number'), '1,5')).toBe(
			'"1,5" is not a number; set the option Decimal Separator to Comma to read 1.5',
		);
	});

	it.each([
		['1.200', '1.2', '1200'],
		[' -12.345', '-12.345', '-12345'],
	])('%j is refused, because it may be a thousand or a fraction', (given, point, comma) => {
		expect(problemOf(questionOf('number'), given)).toBe(
			`"${given}" can be read as two numbers; set the option Decimal Separator to Point to read ${point}, or to Comma to read ${comma}`,
		);
		const read = (decimalSeparator: 'point' | 'comma') =>
			readAnswer(questionOf('number'), given, { timeZone: 'UTC', decimalSeparator });
		expect(read('point')).toEqual({ kind: 'answer', value: Number(point) });
		expect(read('comma')).toEqual({ kind: 'answer', value: Number(comma) });
	});

	it.each<[string, number]>([
		['12 %', 12],
		['$5', 5],
		['CHF 12.50', 12.5],
		['-0.5 €', -0.5],
	])('%j is %d: the sign around it says nothing', (given, value) => {
		expect(read(questionOf('number'), given)).toEqual({ kind: 'answer', value });
		expect(read(questionOf('text'), given)).toEqual({ kind: 'answer', value: given });
	});

	it('a currency makes no doubtful number certain', () => {
		expect(problemOf(questionOf('number'), '1.200 €')).toBe(
			'"1.200 €" can be read as two numbers; set the option Decimal Separator to Point to read 1.2, or to Comma to read 1200',
		);
		const comma = { timeZone: 'UTC', decimalSeparator: 'comma' } as const;
		expect(readAnswer(questionOf('number'), '1.250,00 €', comma)).toEqual({
			kind: 'answer',
			value: 1250,
		});
	});

	it.each(['0.125', '1.25', '1234.567', '1.2000', '.125'])('%j is one number', (given) => {
		const reading = read(questionOf('number'), given);
		expect(reading).toEqual({ kind: 'answer', value: Number(given) });
	});
});

describe('dates', () => {
	const moment = questionOf('date', { show_time: true });
	const day = questionOf('date', { show_time: false });
	const berlin = 'Europe/Berlin';
	const newYork = 'America/New_York';

	it.each<[string, unknown, string, string]>([
		[
			'text without a zone is in the workflow zone',
			'2026-05-31T12:00:00',
			berlin,
			'2026-05-31T10:00:00.000Z',
		],
		['so is text without dashes', '20260531T120000', berlin, '2026-05-31T10:00:00.000Z'],
		['SQL text too', '2026-05-31 12:00:00', berlin, '2026-05-31T10:00:00.000Z'],
		['an offset is kept to', '2026-05-31T12:00:00+05:00', berlin, '2026-05-31T07:00:00.000Z'],
		['UTC stays', '2026-05-31T12:00:00Z', berlin, '2026-05-31T12:00:00.000Z'],
		['seven digits stay', '2026-05-31T12:00:00.1234567Z', berlin, '2026-05-31T12:00:00.1234567Z'],
		[
			'seven digits with an offset',
			'2026-05-31T12:00:00.1234567+01:00',
			berlin,
			'2026-05-31T11:00:00.1234567Z',
		],
		['a day is its midnight', '2026-05-31', berlin, '2026-05-30T22:00:00.000Z'],
		[
			'a Luxon date',
			DateTime.fromISO('2026-05-31T12:00:00', { zone: newYork }),
			berlin,
			'2026-05-31T16:00:00.000Z',
		],
		['a JavaScript date', new Date('2026-05-31T12:00:00Z'), berlin, '2026-05-31T12:00:00.000Z'],
		['a mail date', 'Sun, 31 May 2026 12:00:00 +0200', berlin, '2026-05-31T10:00:00.000Z'],
		['a spreadsheet’s moment', 46173 + 20 / 1440, berlin, '2026-05-30T22:20:00.000Z'],
		['milliseconds since 1970', 1780230896789, berlin, '2026-05-31T12:34:56.789Z'],
		['such as text', '1780230896789', berlin, '2026-05-31T12:34:56.789Z'],
	])('with time: %s', (_, given, zone, value) => {
		expect(read(moment, given, zone)).toEqual({ kind: 'answer', value });
	});

	it.each<[string, unknown, string, string]>([
		['a day stays this day', '2026-05-31', newYork, '2026-05-31T00:00:00.000Z'],
		['so does one without dashes', '20260531', newYork, '2026-05-31T00:00:00.000Z'],
		[
			'the editor’s midnight stays this day',
			'2026-05-31T00:00:00',
			berlin,
			'2026-05-31T00:00:00.000Z',
		],
		[
			'so does an offset’s midnight',
			'2026-05-31T00:00:00+02:00',
			berlin,
			'2026-05-31T00:00:00.000Z',
		],
		['and a late evening', '2026-05-31T23:00:00', newYork, '2026-05-31T00:00:00.000Z'],
		[
			'a moment of the same day is left alone',
			'2026-05-31T12:00:00',
			berlin,
			'2026-05-31T10:00:00.000Z',
		],
		[
			'so is one with eight digits behind its seconds',
			'2026-05-31T12:00:00.12345678',
			berlin,
			'2026-05-31T10:00:00.12345678Z',
		],
		['text in UTC is left alone', '2026-05-30T22:00:00.000Z', berlin, '2026-05-30T22:00:00.000Z'],
		[
			'a Luxon day in its zone',
			DateTime.fromISO('2026-05-31', { zone: berlin }),
			newYork,
			'2026-05-31T00:00:00.000Z',
		],
		['a parser’s day in UTC', new Date('2026-05-31'), newYork, '2026-05-31T00:00:00.000Z'],
		['a local day', new Date('2026-05-30T22:00:00Z'), berlin, '2026-05-31T00:00:00.000Z'],
		['a spreadsheet’s day', 46173, newYork, '2026-05-31T00:00:00.000Z'],
		['a spreadsheet’s day east of there', 46173, berlin, '2026-05-31T00:00:00.000Z'],
	])('without time: %s', (_, given, zone, value) => {
		expect(read(day, given, zone)).toEqual({ kind: 'answer', value });
	});

	it.each([
		'05/01/2026',
		'31.05.2026',
		'2026-02-30',
		'2026',
		'12:00',
		'soon',
		'46173',
		2026,
		20260531,
		1780228800,
		Number.NaN,
		true,
		[],
		{},
		{ toMillis: 0, zoneName: 'UTC' },
		Duration.fromObject({ days: 1 }),
	])('%j is refused', (given) => {
		expect(problemOf(moment, given)).toMatch(/is (not a date|a time without a day)/);
	});

	it.each(['9999-12-31T23:59:59-05:00', '0001-01-01T00:30:00+01:00'])(
		'refuses %j, which is no year of four digits in UTC',
		(given) => {
			expect(problemOf(moment, given)).toContain('is not a date');
		},
	);

	it.each(['0026-05-31', '0999-12-31T12:00:00Z'])(
		'refuses %j, because no year has two digits',
		(given) => {
			expect(problemOf(day, given)).toContain('is not a date');
		},
	);

	it('takes such a date where only its day counts', () => {
		expect(read(day, '9999-12-31T23:59:59-05:00')).toEqual({
			kind: 'answer',
			value: '9999-12-31T00:00:00.000Z',
		});
	});
});

describe('a number in a sheet', () => {
	const inFormat = (given: unknown, dateFormat: string) =>
		readAnswer(questionOf('date'), given, { timeZone: 'UTC', dateFormat });
	const DAY = { kind: 'answer', value: '2026-05-01T00:00:00.000Z' };

	it.each([
		[20260501, 'yyyyMMdd'],
		[1052026, 'ddMMyyyy'],
		[46143, 'yyyyMMdd'],
		[202605010000, 'yyyyMMddHHmm'],
	])('%j is a date in the format %s', (given, format) => {
		expect(inFormat(given, format)).toEqual(DAY);
	});

	it.each([
		[20260532, 'yyyyMMdd'],
		[2026.0501, 'yyyyMMdd'],
		[-20260501, 'yyyyMMdd'],
		[20260501, 'dd.MM.yyyy'],
	])('%j is no date in the format %s', (given, format) => {
		expect(inFormat(given, format)).toMatchObject({ kind: 'problem' });
	});
});

describe('date objects of n8n', () => {
	it('a Date of another JavaScript realm counts as a date', () => {
		const given: unknown = runInNewContext('new Date(0)');
		expect(read(questionOf('date'), given)).toEqual({
			kind: 'answer',
			value: '1970-01-01T00:00:00.000Z',
		});
	});

	it.each([new Date('soon'), DateTime.fromISO('soon')])(
		'the error calls an invalid date invalid',
		(given) => {
			expect(problemOf(questionOf('date'), given)).toContain('an invalid date is not a date');
		},
	);
});

describe('choices', () => {
	const options = { choices: ['Yes', 'No', 'N/A'] };

	it('a radio takes one, a dropdown one or several, a checkbox a list', () => {
		expect(read(questionOf('radio', options), ['Yes'])).toEqual({ kind: 'answer', value: 'Yes' });
		expect(read(questionOf('dropdown', options), ['Yes'])).toEqual({
			kind: 'answer',
			value: 'Yes',
		});
		expect(read(questionOf('dropdown', options), 'Yes; No')).toEqual({
			kind: 'answer',
			value: ['Yes', 'No'],
		});
		expect(read(questionOf('checkbox', options), 'yes')).toEqual({
			kind: 'answer',
			value: ['Yes'],
		});
		expect(read(questionOf('checkbox', options), false)).toEqual({ kind: 'answer', value: ['No'] });
	});

	it('says what is wrong and what would be right', () => {
		expect(problemOf(questionOf('radio', options), 'Maybe')).toBe(
			'"Maybe" is not among its choices; possible: Yes | No | N/A',
		);
		expect(problemOf(questionOf('radio', options), 'Yes, No')).toBe(
			'"Yes, No" names 2 choices; give one',
		);
		expect(problemOf(questionOf('checkbox', options), ['Yes', 'Maybe', 7])).toBe(
			'"Maybe", "7" are not among its choices; possible: Yes | No | N/A',
		);
	});

	it.each(['radio', 'dropdown', 'checkbox'])(
		'%s: a text of more than 100,000 characters is refused as too long, and not divided',
		(type) => {
			const question = questionOf(type, { choices: ['1'] });
			const longest = '1'.padEnd(100_000);
			expect(read(question, longest)).toMatchObject({ kind: 'answer' });
			expect(problemOf(question, `${longest} `)).toMatch(
				/^"1 .*…" is too long for choices \(100001 characters, 100000 at most\); give each choice once$/,
			);
			expect(problemOf(questionOf('checkbox'), ',1'.repeat(50_001))).toMatch(
				/too long for choices/,
			);
		},
	);

	it('names the choice nearest to a mistyped one, also where the message does not list that choice', () => {
		const rooms = Array.from(
			{ length: 40 },
			(_, index) => `Room ${String.fromCharCode(65 + index)}`,
		);
		const places = [...rooms, 'Stairwell', 'Basement'];
		expect(problemOf(questionOf('dropdown', { choices: places }), 'Stairwel, Cellar')).toMatch(
			/^"Stairwel" \(did you mean "Stairwell"\?\), "Cellar" are not among its choices; possible: Room A \|/,
		);
	});
});
