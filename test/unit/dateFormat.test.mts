import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';

import { dateInFormat, luxonFormat } from '#connector/domain/answer/dateFormat.ts';
import { dateProblem } from '#connector/domain/answer/refusedDate.ts';
import { shownDate } from '#connector/domain/answer/spreadsheetDate.ts';

const FORMATS = [
	'dd.MM.yyyy',
	'd.M.yyyy',
	'MM/dd/yyyy',
	'dd/MM/yyyy HH:mm',
	'yyyyMMdd',
	'MMM d, yyyy',
	"d 'de' MMMM 'de' yyyy",
	'dd-MM-yyyy hh:mm:ss a',
	'dd-MMM-yyyy',
	'yyyy-MM-dd hh:mm:ss a',
	'MM/dd/yyyy, hh:mm:ss a',
];
const moment = fc
	.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
	.map((date) => DateTime.fromJSDate(date, { zone: 'utc' }).startOf('second'));

describe('a date format', () => {
	it('reads every text that was written in it', () => {
		fc.assert(
			fc.property(moment, fc.constantFrom(...FORMATS), (date, format) => {
				const text = date.toFormat(format, { locale: 'en' });
				const read = dateInFormat(` ${text} `, format, 'utc');
				expect(read?.date.toFormat(format, { locale: 'en' })).toBe(text);
				expect(read?.date.toISODate()).toBe(date.toISODate());
				expect(read?.isDay).toBe(!/[Hh]/.test(format));
				expect(luxonFormat(format)).toBe(format);
			}),
			{ numRuns: 300 },
		);
	});

	it('reads month names in eight languages, in any form', () => {
		const languages = fc.constantFrom('en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl');
		const written = fc.constantFrom('dd MMM yyyy', 'dd MMMM yyyy', 'dd-MMM-yyyy', 'd. MMMM yyyy');
		fc.assert(
			fc.property(moment, languages, written, fc.boolean(), (date, locale, format, isBare) => {
				const text = date.toFormat(format, { locale });
				const given = isBare ? text.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : text;
				expect(luxonFormat(format)).toBe(format);
				for (const asked of [format, format.replace(/M{3,4}/, 'MMMM')]) {
					expect(dateInFormat(given, asked, 'utc')?.date.toISODate()).toBe(date.toISODate());
				}
			}),
			{ numRuns: 300 },
		);
	});

	it("uses the workflow's time zone if the text has none", () => {
		const momentOf = (text: string, format: string) =>
			dateInFormat(text, format, 'Europe/Berlin')?.date.toUTC().toISO();
		const wanted = '2026-05-31T12:30:00.000Z';
		expect(momentOf('31.05.2026 14:30', 'dd.MM.yyyy HH:mm')).toBe(wanted);
		expect(momentOf('31.05.2026 12:30 +00:00', 'dd.MM.yyyy HH:mm ZZ')).toBe(wanted);
	});

	it.each([
		['1.5.2026', 'dd.MM.yyyy', '2026-05-01T00:00', true],
		['1.5.2026 9:05', 'dd.MM.yyyy HH:mm', '2026-05-01T09:05', false],
		['01.05.2026', 'd.M.yyyy', '2026-05-01T00:00', true],
		['31.5.2026 14:30', 'dd.MM.yyyy', '2026-05-31T14:30', false],
		['31.05.2026 9:05:10', 'dd.MM.yyyy', '2026-05-31T09:05', false],
		['5/31/2026 2:30 PM', 'M/d/yyyy', '2026-05-31T14:30', false],
		['31.05.2026', 'dd.MM.yyyy HH:mm', '2026-05-31T00:00', true],
		['05/31/2026', 'MM/dd/yyyy, hh:mm a', '2026-05-31T00:00', true],
		['5/31/2026, 2:30\u202fPM', 'M/d/yyyy, h:mm a', '2026-05-31T14:30', false],
		['31.05.2026, 14:30:00', 'dd.MM.yyyy', '2026-05-31T14:30', false],
		['5/31/2026, 2:30:00 PM', 'MM/dd/yyyy', '2026-05-31T14:30', false],
		['15 de mayo de 2014', "dd 'de' MMMM 'de' yyyy", '2014-05-15T00:00', true],
		['15.Dez.2026', 'dd.MMM.yyyy', '2026-12-15T00:00', true],
		['31.\u00a05. 2026', 'd.\u202fM. yyyy', '2026-05-31T00:00', true],
	])('reads %j in %s as %s, a day without time: %s', (text, format, at, isDay) => {
		const read = dateInFormat(text, format, 'utc');
		expect(read?.date.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(at);
		expect(read?.isDay).toBe(isDay);
	});

	it.each([
		['dd.MM.yyyy', ['1.5.26', '31/05/2026', '31.02.2026', '31.05.2026 14:30 Uhr']],
		['ddMMyyyy', ['152026']],
		['d.M.yyyy HH', ['31.05.2026 14:30']],
	])("%s doesn't match any of %j", (format, texts) => {
		const read = texts.map((text) => dateInFormat(text, format, 'utc'));
		expect(read).toEqual(texts.map(() => undefined));
	});

	it('can have capital letters in quotes', () => {
		const format = "'Day' dd.MM.yyyy 'Days'";
		expect(luxonFormat(format)).toBe(format);
		expect(dateInFormat('Day 31.05.2026', "'Day' dd.MM.yyyy", 'utc')?.isDay).toBe(true);
	});

	it.each([
		['dd/MM/yyyy', ['dd/mm/yyyy', 'DD/MM/YYYY', 'jj/mm/aaaa', 'gg/mm/aaaa', 'dd/mm/aaaa']],
		['d.M.yyyy', ['d.m.yyyy', 'd.M.y']],
		['MM/dd/yyyy HH:mm:ss', ['mm/dd/yyyy hh:mm:ss']],
		['dd.MM.yyyy HH:mm', ['TT.MM.JJJJ hh:mm']],
		['dd-MM-yyyy', ['dd-mm-jjjj']],
		['dd.MM.yyyy', ['dd.mm.rrrr']],
		['d MMMM yyyy', ['d mmmm yyyy']],
		['MM/dd/yyyy h:mm a', ['mm/dd/yyyy h:mm AM/PM']],
		['dd/MM/yyyy hh:mm a', ['dd/mm/yyyy hh:mm am/pm']],
	])('%s matches each of %j, as spreadsheets write it', (format, all) => {
		expect(all.map(luxonFormat)).toEqual(all.map(() => format));
	});

	it.each(['mm/yyyy', 'MM/yyyy', 'dd.MM.', 'dd.mm.jj.tt', 'soon', '', 'DD', 'Do MMM YYYY'])(
		'rejects %j',
		(format) => {
			expect(luxonFormat(format)).toBeUndefined();
		},
	);
});

describe("the fix for text that isn't a date", () => {
	const WRITE = 'is not a date. Write an existing day, such as 2026-05-31';
	const EMPTY = `${WRITE}, or leave the cell empty`;
	const EMPTY_IN_FORMAT =
		'is not a date. Write an existing day as "dd.MM.yyyy", such as 31.05.2026, or leave the cell empty';
	const option = (format: string, day: string) =>
		`Set the option 'Date Format' to "${format}" to read it as ${day}`;
	const set = (format: string, day: string) =>
		`is not recognized as a date. ${option(format, day)}`;

	it.each<[unknown, string, string?]>([
		['31.05.2026', set('dd.MM.yyyy', '2026-05-31')],
		['5/31/2026 2:30 PM', set('MM/dd/yyyy', '2026-05-31')],
		[
			'05/01/2026',
			`could mean different dates. ${option('MM/dd/yyyy', '2026-05-01')}, or to "dd/MM/yyyy" to read it as 2026-01-05`,
		],
		['5\u00a0May\u202f2026', set('dd MMM yyyy', '2026-05-05')],
		['31-05-2026', set('dd-MM-yyyy', '2026-05-31')],
		['05-31-2026', set('MM-dd-yyyy', '2026-05-31')],
		['2026/05/31', set('yyyy/MM/dd', '2026-05-31')],
		['2026.05.31', set('yyyy.MM.dd', '2026-05-31')],
		['31.05.26', set('dd.MM.yy', '2026-05-31')],
		['31-05-26', set('dd-MM-yy', '2026-05-31')],
		[
			'26.05.31',
			`could mean different dates. ${option('dd.MM.yy', '2031-05-26')}, or to "yy.MM.dd" to read it as 2026-05-31`,
		],
		[
			'24/02/29',
			`could mean different dates. ${option('dd/MM/yy', '2029-02-24')}, or to "yy/MM/dd" to read it as 2024-02-29`,
		],
		[
			'26.05.12',
			`could mean different dates. ${option('dd.MM.yy', '2012-05-26')}, or to "yy.MM.dd" to read it as 2026-05-12`,
		],
		['12.05.26', set('dd.MM.yy', '2026-05-12')],
		['01.05.26', set('dd.MM.yy', '2026-05-01')],
		['2026-May-31', set('yyyy-MMM-dd', '2026-05-31')],
		['05/31/26', set('MM/dd/yy', '2026-05-31')],
		['31/05/26', set('dd/MM/yy', '2026-05-31')],
		['01/23/2018 12:00:00 AM', set('MM/dd/yyyy', '2018-01-23')],
		['5/31/2026, 2:30:00 PM', set('MM/dd/yyyy', '2026-05-31')],
		['31-May-2026', set('dd-MMM-yyyy', '2026-05-31')],
		['31-May-26', set('dd-MMM-yy', '2026-05-31')],
		['2026-05-31 2:30:00 PM', set('yyyy-MM-dd', '2026-05-31')],
		['31.05.2026, 14:30:00', set('dd.MM.yyyy', '2026-05-31')],
		['15 mai 2014', set('dd MMM yyyy', '2014-05-15')],
		['1 février 2026', set('dd MMM yyyy', '2026-02-01')],
		['31. März 2026', set('dd. MMM yyyy', '2026-03-31')],
		['3 de marzo de 2026', set("dd 'de' MMM 'de' yyyy", '2026-03-03')],
		['12 października 2026', set('dd MMM yyyy', '2026-10-12')],
		...['soon', '-', 'n.d.', 'N.A.'].map((word): [string, string] => [word, EMPTY]),
		['soon', EMPTY_IN_FORMAT, 'dd.MM.yyyy'],
		[2026, WRITE],
		['1'.repeat(100_000), WRITE],
		[13241, WRITE],
		[
			'31/04/2026',
			'is not a date. Write an existing day as "dd.MM.yyyy", such as 31.05.2026',
			'dd.MM.yyyy',
		],
		[
			'05.31.2026',
			'is not a date. Write an existing day as "dd.MM.yyyy", such as 31.05.2026',
			'dd.MM.yyyy',
		],
		[
			'05/31/2026',
			'is not a date. Write an existing day as "d MMM yyyy HH:mm", such as 31 May 2026 14:30',
			'd MMM yyyy HH:mm',
		],
	])(
		'suggests the format that reads the text, or repeats the chosen one: %j',
		(given, fix, format) => {
			expect(dateProblem(given, '2026-05-31', format).message).toBe(fix);
			// The option must accept the suggested format, and the format must read the text as the date in the message.
			for (const [, named = '', day] of fix.matchAll(/to "([^"]+)" to read it as ([\d-]+)/g)) {
				expect(luxonFormat(named)).toBe(named);
				expect(dateInFormat(String(given), named, 'utc')?.date.toISODate()).toBe(day);
			}
		},
	);
});

it.each([
	['dd/MM/yyyy', ['31/02/2026', '45/02/2026']],
	['dd.MM.yyyy', ['31.02.2026 14:30']],
	['dd.MM.yy', ['29.2.26']],
	[undefined, ['31/02/2026', '2026-02-30', '30 Feb 2026']],
])("a date in the format %s has an error if its day doesn't exist: each of %j", (format, all) => {
	const message = /^is not a date. Write an existing day/;
	for (const given of all) expect(dateProblem(given, 'ISO', format).message).toMatch(message);
});

describe('a time without a day', () => {
	const CURE = 'Put the day and the time into one cell, such as =A2+B2 in Excel';

	it.each([1 / 1440, 0.354, 0.99999])(
		'is found in a spreadsheet’s fraction of a day: %d',
		(given) => {
			expect(dateProblem(given, 'ISO', 'dd.MM.yyyy').message).toBe(
				`is a time without a day. ${CURE}`,
			);
		},
	);

	it('is shown as clock time for every minute of a day that a sheet stores', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 1439 }), (minute) => {
				const clock = DateTime.fromMillis(minute * 60_000, { zone: 'utc' }).toFormat('HH:mm');
				expect(shownDate(minute / 1440)).toContain(` (the time ${clock} or `);
			}),
		);
		// With few digits after the decimal point, a sheet stores 08:30 as 0.354.
		expect(shownDate(0.354)).toBe('0.354 (the time 08:30 or 35.4 %)');
		expect(shownDate(0.99999)).toContain('the time 23:59');
	});

	it.each(['8:30', ' 08:30:15 ', '8:30 PM'])('is also recognized as text: %j', (given) => {
		expect(dateProblem(given, 'ISO', undefined).message).toBe(`is a time without a day. ${CURE}`);
	});

	it.each([0, 1, -0.5, 1.5, Number.NaN, '0.354', 'at 8:30', '8:30:15:20', true])(
		"isn't found in %j",
		(given) => {
			expect(dateProblem(given, '2026-05-31', undefined).message).toMatch(/^is not a date\. /);
		},
	);
});
