import { runInNewContext } from 'node:vm';

import { DateTime, Duration } from 'luxon';
import { describe, expect, it } from 'vitest';

import { readAnswer } from '#connector/domain/answer/answer.ts';
import { problemMessage } from '#connector/domain/problem.ts';
import type { Question } from '#connector/domain/template/questions.ts';
import { formWith, questionOf } from '#harness/forms.mts';
import { control } from '#harness/generatedTemplate.mts';

const UTC = { timeZone: 'UTC' };

/**
 * Reads a cell as the answer to a question. Returns the value to send (`sent`), the problem as text, or `none` if the
 * cell has no answer.
 */
function read(question: Question, given: unknown, options: Partial<Reading> = {}) {
	const { value, problem } = readAnswer(question, given, { ...UTC, ...options });
	if (value !== undefined) return { sent: value };
	return problem === undefined ? 'none' : problemMessage(problem);
}
type Reading = Parameters<typeof readAnswer>[2];

describe('an empty value', () => {
	it.each(['text', 'number', 'radio', 'checkbox', 'dropdown', 'date', 'checkIn/location'])(
		"isn't an answer in %s, whether it's nothing, null, or text of only spaces",
		(type) => {
			const question = questionOf(type, { choices: ['A'] });
			const blanks = ['   ', '\u00a0\u202f\u3000\r\n\t', '\u200b\u200d\u2060\ufeff\u00ad'];
			for (const given of ['', null, undefined, ...blanks])
				expect(read(question, given)).toBe('none');
		},
	);

	it("isn't an answer if it's an empty list of choices", () => {
		expect(read(questionOf('checkbox', { choices: ['A'] }), [])).toBe('none');
		expect(read(questionOf('radio', { choices: ['A'] }), ['', null, ' '])).toBe('none');
	});
});

describe.each(['text', 'checkIn/location'])('%s', (type) => {
	const at = '2026-05-31T12:00:00.000';
	it.each([
		['hello', 'hello'],
		[' a ', ' a '],
		[0, '0'],
		[false, 'false'],
		[12.5, '12.5'],
		[DateTime.fromISO(`${at}+02:00`, { setZone: true }), `${at}+02:00`],
		[new Date(`${at}Z`), `${at}Z`],
	])('sends %j as %j', (given, sent) => {
		expect(read(questionOf(type), given)).toEqual({ sent });
	});

	it.each<[unknown]>([
		[['a', 'b']],
		[{ a: 1 }],
		[Number.NaN],
		[new Date('nonsense')],
		[{ toISO: 1 }],
		[{ toISO: () => null }],
	])('rejects %j', (given) => {
		expect(read(questionOf(type), given)).toMatch(
			/ isn't text. Enter plain text, for example the values with commas between them$/,
		);
	});
});

describe('a value with unusual digits or invisible marks', () => {
	it.each([
		['number', '１２', 12],
		['number', '１２．５', 12.5],
		['number', '٣٫', undefined],
		['number', '५०', 50],
		['number', '5\u200d', 5],
		['number', '\u202a12\u202c', 12],
		['date', '２０２６-０５-３１', '2026-05-31T00:00:00.000Z'],
		['date', '\u200e2026-05-31', '2026-05-31T00:00:00.000Z'],
		['text', '１２', '１２'],
	])('is read in a question of the type %s: %j as %j', (type, given, sent) => {
		const { value } = readAnswer(questionOf(type), given, UTC);
		expect(value).toBe(sent);
	});

	it.each([
		['2026-05-31 24:00', undefined],
		['2026-05-31T24:00:00', undefined],
		['2026-05-31T24:00:00.000+02:00', undefined],
		['31.05.2026 24:00', 'dd.MM.yyyy'],
		['31.05.2026, 24:00', 'dd.MM.yyyy HH:mm'],
	])('keeps the time in %j on its day in a question without a time', (given, dateFormat) => {
		const sent = '2026-05-31T00:00:00.000Z';
		expect(read(questionOf('date'), given, { dateFormat })).toEqual({ sent });
	});

	it('suggests a date format with the day that it reads in a question without a time', () => {
		const fix = `to "dd.MM.yyyy" to read it as 2026-05-31`;
		expect(read(questionOf('date'), '31.05.2026 24:00', {})).toContain(fix);
	});

	it('is read by a date format', () => {
		const options = { dateFormat: 'dd/MM/yyyy' };
		expect(read(questionOf('date'), '３１／０５／２０２６', options)).toEqual({
			sent: '2026-05-31T00:00:00.000Z',
		});
	});
});

describe('a question with a number', () => {
	it.each([
		['Temperature (°C)', '12.5 °C', 12.5],
		['Temperatura (ºC)', '12.5°C', 12.5],
		['Temperature [°C, shade]', '-3 ℃', -3],
		['Width in mm', '12 mm', 12],
		['Area (m²)', '40 m2', 40],
		['Doors', '3 Doors', 3],
		['Power (MW)', '5 mW', 'has the unit "mW". Write only the number, in the unit of the question'],
		[
			'Height in cm',
			'12 in',
			'has the unit "in". Write only the number, in the unit of the question',
		],
		[
			'Floor 3',
			'12 3',
			'is not a number. Write digits with a point for decimals and no thousands separator, such as 1234.5',
		],
		[
			'Temperature (°C)',
			'12 °F',
			'has the unit "°F". Write only the number, in the unit of the question',
		],
	])('reads, if labeled %s, %j as %j', (label, given, sent) => {
		const [question] = formWith(control('number', label)).questions;
		const answer = question && read(question, given);
		expect(answer).toEqual(typeof sent === 'number' ? { sent } : `"${given}" ${sent}`);
	});

	it('reads a number with a unit by the decimal separator', () => {
		const [question] = formWith(control('number', 'Temperatura (°C)')).questions;
		const given = '12,5 °C';
		expect(question && read(question, given)).toBe(
			`"12,5 °C" is not recognized as a number. Set the option 'Decimal Separator' to 'Comma' to read it as 12.5`,
		);
		expect(question && read(question, given, { decimalSeparator: 'comma' })).toEqual({
			sent: 12.5,
		});
	});

	const number = questionOf('number');

	it.each(['0', ' 5.50 ', '+7', '1e3', '.5', '007', '0.125', '1.25', '1234.567', '1.2000', 5, -0])(
		'sends %j as a number',
		(given) => {
			expect(read(number, given)).toEqual({ sent: Number(given) || 0 });
		},
	);

	it.each([
		'12345678901234567890',
		'0.1000000000000000055511151231257827',
		'1e400',
		12345678901234567890n,
	])('sends %s as text, because a number would lose precision', (given) => {
		expect(read(number, given)).toEqual({ sent: String(given) });
	});

	it.each(['1,5', '1,234.5', '1 000', '0x10', 'five', '.', 'e5', 'Infinity', true, [5], {}])(
		'rejects %j',
		(given) => {
			expect(read(number, given)).toMatch(/is not (?:recognized as )?a number/);
		},
	);

	it.each([
		['1.200', '1.2', '1200'],
		['-12.345', '-12.345', '-12345'],
		['1.200 €', '1.2', '1200'],
	])('rejects %j, because it could be a thousand or a fraction', (given, point, comma) => {
		expect(read(number, given)).toBe(
			`"${given}" can be read as two numbers. Set the option 'Decimal Separator' to 'Point' to read it as ${point}, or to 'Comma' to read it as ${comma}`,
		);
		expect(read(number, given, { decimalSeparator: 'point' })).toEqual({ sent: Number(point) });
		expect(read(number, given, { decimalSeparator: 'comma' })).toEqual({ sent: Number(comma) });
	});

	it('ignores the sign around a number, unless it asks for text', () => {
		expect(read(number, '-0.5 €')).toEqual({ sent: -0.5 });
		expect(read(questionOf('text'), '-0.5 €')).toEqual({ sent: '-0.5 €' });
	});
});

describe('a question with a date', () => {
	const moment = questionOf('date', { show_time: true });
	const day = questionOf('date');
	const [berlin, newYork] = ['Europe/Berlin', 'America/New_York'];

	it.each<[string, unknown, string]>([
		['text without a zone', '2026-05-31T12:00:00', '2026-05-31T10:00:00.000Z'],
		['text without dashes', '20260531T120000', '2026-05-31T10:00:00.000Z'],
		['one digit for the hour', '2026-05-31 9:30', '2026-05-31T07:30:00.000Z'],
		['one digit for the month and day', '2026-5-1T09:30:00Z', '2026-05-01T09:30:00.000Z'],
		['SQL text', '2026-05-31 12:00:00', '2026-05-31T10:00:00.000Z'],
		['an offset', '2026-05-31T12:00:00+05:00', '2026-05-31T07:00:00.000Z'],
		['UTC', '2026-05-31T12:00:00Z', '2026-05-31T12:00:00.000Z'],
		['7 digits', '2026-05-31T12:00:00.1234567+01:00', '2026-05-31T11:00:00.1234567Z'],
		['a day is its midnight', '2026-05-31', '2026-05-30T22:00:00.000Z'],
		['Luxon', DateTime.fromISO('2026-05-31T12', { zone: newYork }), '2026-05-31T16:00:00.000Z'],
		['a JavaScript date', new Date('2026-05-31T12:00:00Z'), '2026-05-31T12:00:00.000Z'],
		['a date of another realm', runInNewContext('new Date(0)'), '1970-01-01T00:00:00.000Z'],
		['a mail date', 'Sun, 31 May 2026 12:00:00 +0200', '2026-05-31T10:00:00.000Z'],
		['a date of the web', 'Sun, 31 May 2026 12:00:00 GMT', '2026-05-31T12:00:00.000Z'],
		['milliseconds since 1970', 1780228800000, '2026-05-31T12:00:00.000Z'],
		['the same as text', ' 1780228800000 ', '2026-05-31T12:00:00.000Z'],
		['narrow blanks in it', '2026-05-31\u202f12:00:00\u00a0Z', '2026-05-31T12:00:00.000Z'],
		['blanks around it', ' 2026-05-31T12:00:00Z'.padEnd(200), '2026-05-31T12:00:00.000Z'],
		['the first day of a spreadsheet', 18_264, '1949-12-31T23:00:00.000Z'],
		['the last day of a spreadsheet', 109_574, '2199-12-30T23:00:00.000Z'],
		['a spreadsheet’s moment', 46173 + 20 / 1440, '2026-05-30T22:20:00.000Z'],
	])('sends the moment if it has a time: %s', (_, given, sent) => {
		expect(read(moment, given, { timeZone: berlin })).toEqual({ sent });
	});

	it.each<[string, unknown, string]>([
		['a day', '2026-05-31', newYork],
		['a day without dashes', '20260531', newYork],
		['a month of one digit', '2026-5-31', newYork],
		['the editor’s midnight', '2026-05-31T00:00:00', berlin],
		['an offset’s midnight', '2026-05-31T00:00:00+02:00', berlin],
		['half past midnight elsewhere', '2026-05-31T00:30:00+02:00', newYork],
		['the same in SQL', '2026-05-31 00:30:00 +02:00', newYork],
		['the same in a mail', 'Sun, 31 May 2026 00:30:00 +0200', newYork],
		['a late evening', '2026-05-31T23:00:00', newYork],
		['a Luxon day in its zone', DateTime.fromISO('2026-05-31', { zone: berlin }), newYork],
		['a parser’s day in UTC', new Date('2026-05-31'), newYork],
		['a local day', new Date('2026-05-30T22:00:00Z'), berlin],
		['the same as a database returns it', '2026-05-30T22:00:00.000Z', berlin],
		['the same in SQL', '2026-05-30 22:00:00+00', berlin],
		['the same of the web', 'Sat, 30 May 2026 22:00:00 GMT', berlin],
		['the same in milliseconds', Date.parse('2026-05-30T22:00:00Z'), berlin],
		['the same of Luxon', DateTime.fromISO('2026-05-30T22', { zone: 'utc' }), berlin],
		['midnight UTC in milliseconds', Date.parse('2026-05-31T00:00:00Z'), newYork],
		['midnight UTC as text', '2026-05-31T00:00:00.000Z', newYork],
		['an offset’s evening', '2026-05-31T22:00:00-10:00', berlin],
		['a spreadsheet’s day', 46173, newYork],
		['a spreadsheet’s day east of there', 46173, berlin],
	])('sends the same day if it has no time: %s', (_, given, timeZone) => {
		expect(read(day, given, { timeZone })).toEqual({ sent: '2026-05-31T00:00:00.000Z' });
	});

	it.each([
		['a moment of the same day', '2026-05-31T12:00:00', '2026-05-31T10:00:00.000Z'],
		['8 digits', '2026-05-31T12:00:00.12345678', '2026-05-31T10:00:00.12345678Z'],
		['text in UTC', '2026-05-30T22:00:00.001Z', '2026-05-30T22:00:00.001Z'],
		['an hour before midnight', '2026-05-30T21:00:00Z', '2026-05-30T21:00:00.000Z'],
		['the last day that there is', '9999-12-31T23:59:59-05:00', '9999-12-31T00:00:00.000Z'],
	])("sends a moment that isn't a day unchanged if it has no time: %s", (_, given, sent) => {
		expect(read(day, given, { timeZone: berlin })).toEqual({ sent });
	});

	it.each([
		'05/01/2026',
		'31.05.2026',
		'2026-02-30',
		'2026-5-31 9',
		'2026',
		'12:00',
		'soon',
		'46173',
		'17802288000001',
		'a1780228800000',
		'1780228800000a',
		'0780228800000',
		'on 2026-05-31',
		`2026-05-31T12:00:00.${'1'.repeat(90)}Z`,
		18_263,
		109_575,
		2026,
		20260531,
		1780228800,
		Number.NaN,
		true,
		[],
		{},
		{ toMillis: 0, zoneName: 'UTC' },
		Duration.fromObject({ days: 1 }),
	])('rejects %j', (given) => {
		expect(read(moment, given)).toMatch(
			/is(?: not (?:recognized as )?a date| a time without a day)|could mean different dates/,
		);
	});

	it.each([
		[
			'soon',
			moment,
			/^"soon" is not a date. .* such as 2026-05-31T14:30:00\+02:00, or leave the cell empty$/,
		],
		['soon', day, /^"soon" is not a date. .* such as 2026-05-31, or leave the cell empty$/],
		[new Date('soon'), day, /^an invalid date is not a date/],
		[DateTime.fromISO('soon'), day, /^an invalid date is not a date/],
		// These dates don't have a year of four digits when converted to UTC.
		['9999-12-31T23:59:59-05:00', moment, / is not a date/],
		['0001-01-01T00:30:00+01:00', moment, / is not a date/],
		['0026-05-31', day, / is not recognized as a date/],
		['0999-12-31T12:00:00Z', day, / is not a date/],
	])('names the accepted format for %j in its error', (given, question, told) => {
		expect(read(question, given)).toMatch(told);
	});

	it.each([
		['yyyyMMdd', [20260501, 46143], [20260532, 2026.0501, -20260501]],
		['ddMMyyyy', [1052026], []],
		['yyyyMMddHHmm', [202605010000], []],
		['ddMMyy', [10526, 46143], [320526]],
		['MMddyy', [50126, 46143], []],
		['yyMMdd', [260501], []],
		['dd.MM.yyyy', [], [20260501]],
	])("reads sheet date numbers in %s: %j are May 1, but %j isn't a date", (dateFormat, ...all) => {
		const [firsts, others] = all.map((list) =>
			list.map((given) => read(day, given, { dateFormat })),
		);
		expect(firsts).toEqual(firsts?.map(() => ({ sent: '2026-05-01T00:00:00.000Z' })));
		expect(others).toEqual(others?.map(() => expect.stringContaining('is not a date')));
	});
});

describe('a question with choices', () => {
	const choices = ['Yes', 'No', 'N/A'];

	it.each<[string, unknown, unknown]>([
		['radio', ['Yes'], 'Yes'],
		['dropdown', ['Yes'], 'Yes'],
		['dropdown', 'Yes; No', ['Yes', 'No']],
		['checkbox', 'yes', ['Yes']],
		['checkbox', false, ['No']],
	])('accepts for the type %s %j as %j', (type, given, sent) => {
		expect(read(questionOf(type, { choices }), given)).toEqual({ sent });
	});

	const possible = 'its choices: Yes | No | N/A';
	it.each<[string, unknown, string]>([
		['radio', 'Maybe', `"Maybe" isn't one of ${possible}`],
		['radio', 'Yes, No', '"Yes, No" contains 2 choices. Enter only one'],
		['checkbox', ['Yes', 'Maybe', 7], `"Maybe", "7" aren't among ${possible}`],
	])('rejects for the type %s %j with a list of the accepted values', (type, given, problem) => {
		expect(read(questionOf(type, { choices }), given)).toBe(problem);
	});

	it('accepts text of at most 20,000 characters if the template lists no choices', () => {
		const text = ',1'.repeat(10_000);
		expect(read(questionOf('checkbox'), text)).toEqual({ sent: ['1'] });
		expect(read(questionOf('checkbox'), `${text},`)).toMatch(/isn't one of its choices/);
	});

	const rooms = (count: number) => Array.from({ length: count }, (_, n) => `R${n}`).join('|');
	it.each([
		['Yes|No', 'Yes, No, '.repeat(400), /^"Yes, .*…" isn't one of its choices: Yes \| No$/],
		['Safe, now|No', 'No, Safe', /^"Safe" isn't .*. Put a choice with a comma into double quotes$/],
		...[
			'Crack | Damp',
			'Crack + Damp',
			'Crack&damp',
			'crack i Damp',
			'Crack oraz Damp',
			'Crack / Damp',
		].map((given): [string, string, RegExp] => [
			'Crack|Damp|N/A',
			given,
			/. Write several choices with commas: Crack, Damp$/,
		]),
		['Crack|Cap, red|N/A', ['N/A | Cap, red | Crack'], /with commas: N\/A, "Cap, red", Crack$/],
		[
			'Crack|Damp|Rust',
			'Rust, Crack und Damp',
			/^"Crack und Damp" isn't .* with commas: Crack, Damp$/,
		],
		['Crack|Damp', 'Crack | Mold', /choices: Crack \| Damp$/],
		['Crack|Damp', 'Crack sowie Damp', /choices: Crack \| Damp$/],
		['Yes|No', 'No, Never', /^"Never" isn't one of its choices: Yes \| No$/],
		[
			'Yes|No',
			['x'],
			/. Set the options 'Words for Yes' and 'Words for No' to the words of your sheet$/,
		],
		['Yes|No', ['x', 'Gate'], /choices: Yes \| No$/],
		[rooms(12), 'Gate', / R11$/],
		[rooms(13), 'Gate', / R11 and 1 more$/],
		[
			`${rooms(40)}|Gate 4`,
			'Gate4, Bay',
			/^"Gate4" \(did you mean "Gate 4"\?\), "Bay" aren't .*: R0 \|/,
		],
	])('finds %j but not %j, so its error explains how to write them', (listed, given, problem) => {
		const question = questionOf('checkbox', { choices: listed.split('|') });
		expect(read(question, given)).toMatch(problem);
	});
});
