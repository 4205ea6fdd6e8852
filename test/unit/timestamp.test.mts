import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	addSeconds,
	compareTimestamps,
	earliestOf,
	floorToDigitsOf,
	floorToMs,
	floorToSecond,
	justAfter,
	msSinceEpoch,
	timestampOf,
	timestampOfMs,
} from '#connector/domain/timestamp.ts';
import { timeOf } from '#harness/times.mts';
import { formatTimestamp, TICKS_PER_SECOND } from '#sandbox/service/time.mts';

/** Random times in ticks of 100 ns since 1970. The tests calculate with these, independently of the connector. */
const ticks = fc.bigInt({ min: 0n, max: 4_000_000_000n * TICKS_PER_SECOND });
const timeOfTicks = (at: bigint) => timeOf(formatTimestamp(at, '100ns'));

describe('a timestamp', () => {
	it('is ordered by every digit the service sent, even within one millisecond', () => {
		fc.assert(
			fc.property(ticks, fc.bigInt({ min: 0n, max: 20_000n }), (at, apart) => {
				const [one, other] = [timeOfTicks(at), timeOfTicks(at + apart)];
				expect(Math.sign(compareTimestamps(one, other))).toBe(apart === 0n ? 0 : -1);
				expect(Math.sign(compareTimestamps(other, one))).toBe(apart === 0n ? 0 : 1);
			}),
		);
		const [, longer, long] = ['2', '23', '24'].map((end) =>
			timeOf(`2023-04-05T20:41:42.1234567890${end}Z`),
		);
		expect(longer && long && compareTimestamps(longer, long)).toBeLessThan(0);
	});

	it.each([
		['2023-04-05T20:41:42.8660000Z', '2023-04-05T20:41:42.866Z'],
		['2023-04-05T20:41:42.000Z', '2023-04-05T20:41:42Z'],
		['2023-04-05T20:41:42', '2023-04-05T20:41:42Z'],
		[' 2023-04-05T20:41:42Z\n', '2023-04-05T20:41:42Z'],
		['2023-04-06T02:11:42.1234567+05:30', '2023-04-05T20:41:42.1234567Z'],
		['2023-04-05T17:11:42-0330', '2023-04-05T20:41:42Z'],
		['2023-04-05 20:41:42z', '2023-04-05T20:41:42Z'],
		['2026-11-26T12:17Z', '2026-11-26T12:17:00Z'],
		['2026-11-26T13:17+01:00', '2026-11-26T12:17:00Z'],
		['2023-01-01T00:00:00+01', '2022-12-31T23:00:00Z'],
		['2024-02-29T00:00:00.0Z', '2024-02-29T00:00:00Z'],
	])('is the same moment in any notation: %j is %s', (text, moment) => {
		expect(timestampOf(text)).toBe(moment);
	});

	it('rounds towards the past for coarse filters, never forward', () => {
		fc.assert(
			fc.property(ticks, (at) => {
				const exact = timeOfTicks(at);
				expect(floorToMs(exact)).toBe(timeOfTicks(at - (at % 10_000n)));
				expect(floorToSecond(exact)).toBe(timeOfTicks(at - (at % TICKS_PER_SECOND)));
			}),
		);
	});

	it.each([
		['30.5Z', '30.50000000000000000001Z'],
		['30Z', '30.00000000000000000001Z'],
		['30.99999999999999999999Z', '31Z'],
	])('has a successor with nothing in between: %s, %s', (moment, next) => {
		const [time, after] = [moment, next].map((end) => timeOf(`2023-04-05T20:41:${end}`));
		expect(time && justAfter(time)).toBe(after);
	});

	it('is chosen as the earliest of those that exist', () => {
		const [early, late] = ['2023-04-05T20:41:30.5Z', '2023-04-05T20:41:31Z'].map(timeOf);
		expect(earliestOf([undefined, late, early, undefined, late])).toBe(early);
		expect(earliestOf([early, late])).toBe(early);
		expect(earliestOf([undefined])).toBeUndefined();
	});

	it.each([
		['2026-01-01T00:00:00Z', '2023-04-05T20:41:42Z'],
		['2026-01-01T00:00:00.000Z', '2023-04-05T20:41:42.123Z'],
		['2026-01-01T00:00:00.000000000Z', '2023-04-05T20:41:42.1234567Z'],
	])('is truncated to as many digits as %s', (text, truncated) => {
		expect(floorToDigitsOf(text, timeOf('2023-04-05T20:41:42.1234567Z'))).toBe(truncated);
	});

	it('moves by whole seconds without losing digits', () => {
		fc.assert(
			fc.property(ticks, fc.integer({ min: 0, max: 100_000 }), (at, seconds) => {
				const [one, later] = [at, at + BigInt(seconds) * TICKS_PER_SECOND].map(timeOfTicks);
				expect(one && addSeconds(one, seconds)).toBe(later);
				expect(later && addSeconds(later, -seconds)).toBe(one);
			}),
		);
		expect(addSeconds(timeOf('9999-12-31T23:59:59Z'), 1)).toBeUndefined();
		for (const ms of [NaN, Infinity, 9e15, -1e14]) expect(timestampOfMs(ms)).toBeUndefined();
	});

	it('counts milliseconds, including before 1970', () => {
		expect(msSinceEpoch(timeOf('1970-01-01T00:01:00.0129999Z'))).toBe(60_012);
		expect(msSinceEpoch(timeOf('1969-12-31T23:59:59.5Z'))).toBe(-500);
		fc.assert(
			fc.property(fc.integer({ min: -1_000_000_000_000, max: 4_000_000_000_000 }), (ms) => {
				const time = timestampOfMs(ms);
				expect(time).toBe(timeOf(new Date(ms).toISOString()));
				expect(time && msSinceEpoch(time)).toBe(ms);
			}),
		);
	});

	it.each([
		1_700_000_000,
		'2023-04-05',
		'2023-13-05T20:41:42Z',
		'2023-02-30T20:41:42Z',
		'2023-04-05T20:41:60Z',
		'2023-04-05T25:41:42Z',
		'2023-04-05T20:41:42.Z',
		'2023-04-05T20:41:42+24:00',
		'2023-04-05T20:41:42Z or so',
		'on 2023-04-05T20:41:42Z',
		'12023-04-05T20:41:42Z',
		...['', ' '].map((blank) => `${blank}2023-04-05T20:41:42.${'1'.repeat(21)}Z`),
	])('rejects %j', (value) => {
		expect(timestampOf(value)).toBeUndefined();
	});

	it('exists only on the days of the calendar', () => {
		const two = (number: number) => String(number).padStart(2, '0');
		for (const year of [2023, 2024]) {
			for (let month = 1; month <= 12; month++) {
				const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
				for (let day = 0; day <= 32; day++) {
					const text = `${String(year)}-${two(month)}-${two(day)}T20:41:42.5Z`;
					expect([text, timestampOf(text)]).toEqual([
						text,
						day >= 1 && day <= lastDay ? text : undefined,
					]);
				}
			}
		}
	});
});
