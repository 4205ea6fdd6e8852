// @module-tag slow
import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import { describe, expect, it, onTestFinished } from 'vitest';

import { readChoices } from '#connector/domain/answer/choices.ts';
import { dayOfInstant, utcDateOf } from '#connector/domain/answer/dateAnswer.ts';
import { isRecord, parseJsonWithLongIntegers } from '#connector/domain/json.ts';
import { cellMaker, choiceJoiner, localDate, localTime } from '#connector/domain/row/cell.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';

const text = fc
	.array(fc.constantFrom(...'aB \u00a0,;"\n\r[]İüu\u0308'), { minLength: 1, maxLength: 6 })
	.map((characters) => characters.join(''))
	.filter((characters) => characters.trim() !== '');

/**
 * An answer with choices. The template still lists some of them (`choices`). The others were removed from the template
 * (`gone`).
 */
const stored = fc.record({
	type: fc.constantFrom('radio', 'checkbox', 'dropdown'),
	choices: fc.uniqueArray(text, { maxLength: 6 }),
	gone: fc.uniqueArray(text, { maxLength: 2 }),
	kept: fc.nat({ max: 6 }),
	isList: fc.boolean(),
});

describe('a cell of choices', () => {
	it('reads back as the same choices, without confusing a removed choice with a current one', () => {
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
				// One text can be several choices that the service joined.
				const canBeJoined = choices.length > 0 && type !== 'radio';
				const { choices: joined = [] } = canBeJoined ? readChoices(first, choices) : {};
				const one = joined.length > 1 ? joined : [first];
				const meant = readChoices(isOne ? one : values, choices);
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
	])('shows %j among %j as %s', (values, choices, cell) => {
		expect(choiceJoiner(choices)(values)).toBe(cell);
	});
});

describe('a cell', () => {
	it.each([
		['Yes, No', 'Yes, No'],
		['Yes;No', 'Yes, No'],
		['["No","Yes"]', 'No, Yes'],
		['["No"]', 'No'],
		['A, B', 'A, B'],
		['Yes, Gone', '"Yes, Gone"'],
		[['', 'Yes'], '"", "Yes"'],
	])('shows the choices %j, as a list or as text, as %s', (value, cell) => {
		const choices = ['Yes', 'No', 'A, B', ''];
		for (const type of ['checkbox', 'dropdown']) {
			expect(cellMaker({ type, choices })(value)).toBe(cell);
		}
	});

	it("is a removed choice as stored, even if it looks like a choice's beginning of a list", () => {
		const makeCell = cellMaker({ type: 'dropdown', choices: ['[', '[ '] });
		expect(makeCell('[\r')).toBe('"[\r"');
	});

	it.each([[[]], [['']], [[null, '']], [null], [undefined]])('is empty for %j', (value) => {
		expect(cellMaker({ type: 'checkbox', choices: ['A'] })(value)).toBeNull();
	});

	it.each([
		['000123', '000123'],
		['-007', '-007'],
		['1234567890123456', '1234567890123456'],
		['9007199254740993', '9007199254740993'],
		['0.1234567890123456', '0.1234567890123456'],
		[1234567890123456, '1234567890123456'],
		[123456789012345, 123456789012345],
		['123456789012345', 123456789012345],
		['12.500000000000000000', 12.5],
		['0.5', 0.5],
		['0', 0],
		['21.50', 21.5],
		[0.1 + 0.2, 0.1 + 0.2],
	])('shows the number %j as %j, so that a sheet keeps its digits', (stored, cell) => {
		expect(cellMaker({ type: 'number', choices: [] })(stored)).toBe(cell);
	});

	it('keeps the digits of a number that the service sends for a question of type text', () => {
		const parsed = parseJsonWithLongIntegers('{"value": 1234567890123456}');
		const { value } = isRecord(parsed) ? parsed : {};
		expect(cellMaker({ type: 'text', choices: [] })(value)).toBe('1234567890123456');
	});

	it.each<[string, boolean | undefined, string]>([
		['date', true, '2026-05-24 08:30'],
		['date', false, '2026-05-24 08:30'],
		['date', undefined, '2026-05-24T06:30:00Z'],
		['text', true, '2026-05-24T06:30:00Z'],
	])(
		'shows local dates if chosen, for a %s that shows a time: %s, as %s',
		(type, showTime, cell) => {
			const makeCell = cellMaker({ type, choices: [], showTime }, 'Europe/Berlin');
			expect(makeCell('2026-05-24T06:30:00Z')).toBe(cell);
		},
	);

	it.each([
		['2026-05-24T06:30:00', '2026-05-24T06:30:00.000Z'],
		['2026-05-24 06:30:15.1234567', '2026-05-24T06:30:15.1234567Z'],
		['2026-05-24', '2026-05-24T00:00:00.000Z'],
		['2026-05-24T06:30:00+02:00', '2026-05-24T06:30:00+02:00'],
		['2026-05-24T06:30:00.1Z', '2026-05-24T06:30:00.1Z'],
		['soon', 'soon'],
	])("marks the date %s as UTC, which the service doesn't: %s", (stored, cell) => {
		expect(cellMaker({ type: 'date', choices: [], showTime: true })(stored)).toBe(cell);
	});

	it.each([
		['2026-05-24T00:00:00.000Z', '2026-05-24'],
		['2026-05-24T00:00Z', '2026-05-24'],
		['2026-05-24T00:00:00', '2026-05-24'],
		['2026-05-24', '2026-05-24'],
		['2026-05-24T00:00:01Z', '2026-05-24T00:00:01Z'],
		['2026-05-23T22:00:00Z', '2026-05-23T22:00:00Z'],
		['2026-05-24T00:00:00+02:00', '2026-05-24T00:00:00+02:00'],
	])(
		'shows the date %s without a time as a day only at the start of a day in UTC: %s',
		(stored, cell) => {
			expect(cellMaker({ type: 'date', choices: [], showTime: false })(stored)).toBe(cell);
		},
	);

	it('is JSON only for a list with nested values', () => {
		expect(cellMaker({ type: 'checkbox', choices: [] })(['A', { b: 1 }])).toBe('["A",{"b":1}]');
		for (const type of ['checkbox', 'dropdown', 'radio', 'text']) {
			expect(cellMaker({ type, choices: ['A'] })('')).toBe('');
		}
	});
});

const BERLIN = { timeZone: 'Europe/Berlin', showTime: true };

describe('a date in local time', () => {
	it.each([
		['2026-05-24T06:30:00.000Z', '2026-05-24 08:30'],
		['2026-05-24T06:30:15.000Z', '2026-05-24 08:30:15'],
		['2026-05-24T06:30:00.1200000Z', '2026-05-24 08:30:00.12'],
		['2026-05-24T08:30:00+05:00', '2026-05-24 05:30'],
		['2026-05-24T00:00:00+02:00', '2026-05-24 00:00'],
		['2026-05-24T06:30:00', '2026-05-24 08:30'],
		['2026-05-24', '2026-05-24 02:00'],
		['2026-10-25T00:30:00.000Z', '2026-10-25 02:30'],
		['2026-10-25T01:30:00.000Z', '2026-10-25 02:30 +01:00'],
		['soon', 'soon'],
		['', ''],
	])(
		'shows %s as %s, with the offset after the second time of a repeated hour',
		(stored, local) => {
			expect(localDate(stored, BERLIN)).toBe(local);
		},
	);

	it.each([
		['2026-05-30T22:00:00.000Z', '2026-05-31'],
		['2026-05-31T00:00:00.000Z', '2026-05-31'],
		['2026-05-31', '2026-05-31'],
		['2026-05-31T06:30:00Z', '2026-05-31 08:30'],
		['2026-05-30T22:30:00Z', '2026-05-30T22:30:00.000Z'],
		['2026-05-31T00:00:00+05:00', '2026-05-31'],
		['2026-05-30T23:00:00+01:00', '2026-05-30T23:00:00+01:00'],
	])('reads back in Create if the question has no time: %s as %s', (stored, local) => {
		const context = { timeZone: 'Europe/Berlin', showTime: false };
		expect(localDate(stored, context)).toBe(local);
		const isDay = local.length === 10;
		const read = utcDateOf(local, context);
		expect(timestampOf(read)).toBe(timestampOf(isDay ? `${local}T00:00:00Z` : stored));
	});

	it.each(['2026-01-15', '2026-07-15'])(
		'is read as the first of two repeated times, including on %s',
		(today) => {
			const { now } = Settings;
			onTestFinished(() => {
				Settings.now = now;
			});
			Settings.now = () => Date.parse(today);
			const texts = ['2026-10-25 02:30', '2026-10-25T02:30', '25.10.2026 02:30', 46_320 + 2.5 / 24];
			const read = texts.map((text) =>
				utcDateOf(text, { ...BERLIN, dateFormat: 'dd.MM.yyyy HH:mm' }),
			);
			expect(read).toEqual(Array(4).fill('2026-10-25T00:30:00.000Z'));
		},
	);

	it("is read as one hour later if it's in the hour skipped in spring", () => {
		for (const given of ['2026-03-29 02:30', '2026-03-29 03:30']) {
			expect(utcDateOf(given, BERLIN)).toBe('2026-03-29T01:30:00.000Z');
		}
	});

	it("shows the service's times to the minute", () => {
		expect(localTime('2026-05-24T06:30:15.8660001Z', 'Europe/Berlin')).toBe('2026-05-24 08:30');
		expect(localTime('never', 'Europe/Berlin')).toBe('never');
		expect(localTime(undefined, 'Europe/Berlin')).toBeNull();
	});
});

/**
 * Time zones with unusual offsets: daylight saving time of half an hour, a skipped day, quarter hours, and offsets with
 * seconds before 1972.
 */
const ZONES = [
	'Europe/Berlin',
	'America/New_York',
	'Australia/Lord_Howe',
	'Pacific/Apia',
	'Asia/Kathmandu',
	'Africa/Monrovia',
	'America/St_Johns',
	'UTC',
];
const HOUR = 3_600_000;

/** The times at which some zones change their offset. The hours around such a change are the most difficult ones. */
const CHANGES = Object.entries({
	'Europe/Berlin': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
	'America/New_York': ['2026-03-08T07:00Z', '2026-11-01T06:00Z'],
	'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
	'Pacific/Apia': ['2011-09-24T14:00Z', '2011-12-30T10:00Z', '2012-03-31T14:00Z'],
	'America/St_Johns': ['2010-03-14T03:31Z', '2010-11-07T02:31Z', '2026-11-01T04:30Z'],
}).flatMap(([timeZone, times]) => times.map((time) => ({ timeZone, ms: Date.parse(time) })));

const anyMoment = fc.record({
	timeZone: fc.constantFrom(...ZONES),
	ms: fc.integer({ min: Date.UTC(1850, 0, 1), max: Date.UTC(2100, 0, 1) }),
});
const nearChange = fc
	.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -3 * HOUR, max: 4 * HOUR }))
	.map(([{ timeZone, ms }, shift]) => ({ timeZone, ms: ms + shift }));
const moment = fc
	.tuple(
		fc.oneof(anyMoment, nearChange),
		fc.constantFrom(60_000, 1_000, 1),
		fc.constantFrom('', '0001', '5'),
	)
	.map(([{ timeZone, ms }, step, digits]) => {
		const iso = new Date(Math.floor(ms / step) * step).toISOString();
		return { timeZone, stored: `${iso.slice(0, -1)}${digits}Z` };
	});

describe('any moment', () => {
	it('shows a local clock time that Create reads back, including around an offset change', () => {
		fc.assert(
			fc.property(moment, ({ timeZone, stored }) => {
				const context = { timeZone, showTime: true };
				const text = localDate(stored, context);
				expect(timestampOf(utcDateOf(text, context))).toBe(timestampOf(stored));
				// No notation exists for an offset with seconds, as in Liberia before 1972. So such a date stays in UTC.
				if (text.endsWith('Z')) return;
				const wall = DateTime.fromISO(stored, { zone: timeZone });
				expect(text.slice(0, 16)).toBe(wall.toFormat('yyyy-MM-dd HH:mm'));
			}),
			{ numRuns: 2_000 },
		);
	});

	it('reads back as the same day or moment if the question shows no time', () => {
		fc.assert(
			fc.property(moment, ({ timeZone, stored }) => {
				const context = { timeZone, showTime: false };
				const text = localDate(stored, context);
				const day = dayOfInstant(Date.parse(stored), timeZone);
				const read = timestampOf(utcDateOf(text, context));
				if (day === undefined) expect(read).toBe(timestampOf(stored));
				else expect([text, read]).toEqual([day, timestampOf(`${day}T00:00:00Z`)]);
			}),
		);
	});
});
