import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	addSeconds,
	ceilToSecond,
	compareTimestamps,
	floorToMs,
	floorToSecond,
	msSinceEpoch,
	type Timestamp,
	timestampOf,
	timestampOfMs,
} from '#connector/domain/timestamp.ts';

const TICKS_PER_SECOND = 10_000_000n;

/** A moment counted in 100-ns ticks since 1970, written with seven digits: the independent model of the tests. */
function textOfTicks(ticks: bigint): string {
	const seconds = ticks / TICKS_PER_SECOND;
	const digits = (ticks % TICKS_PER_SECOND).toString().padStart(7, '0');
	return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${digits}Z`;
}

function moment(text: string): Timestamp {
	const parsed = timestampOf(text);
	if (parsed === undefined) throw new Error(`not a timestamp: ${text}`);
	return parsed;
}

const ticks = fc.bigInt({ min: 0n, max: 4_000_000_000n * TICKS_PER_SECOND });
/** Two moments that are often within one millisecond of each other, where a Date could not tell them apart. */
const neighbours = fc
	.tuple(ticks, fc.bigInt({ min: -20_000n, max: 20_000n }))
	.map(([at, apart]): [bigint, bigint] => [at, at + apart < 0n ? 0n : at + apart]);

describe('a timestamp', () => {
	it('is ordered by every digit the service sent', () => {
		fc.assert(
			fc.property(neighbours, ([a, b]) => {
				const order = compareTimestamps(moment(textOfTicks(a)), moment(textOfTicks(b)));
				expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0);
			}),
		);
	});

	it('is the same moment however many zeros and whichever offset it is written with', () => {
		expect(moment('2023-04-05T20:41:42.8660000Z')).toBe(moment('2023-04-05T20:41:42.866Z'));
		expect(moment('2023-04-05T20:41:42.000Z')).toBe(moment('2023-04-05T20:41:42'));
		expect(moment(' 2023-04-05T20:41:42Z\n')).toBe(moment('2023-04-05T20:41:42'));
		expect(moment('2023-04-06T02:11:42.1234567+05:30')).toBe(
			moment('2023-04-05T20:41:42.1234567Z'),
		);
		expect(moment('2023-04-05T17:11:42-0330')).toBe(moment('2023-04-05 20:41:42z'));
		expect(moment('2023-01-01T00:00:00+01')).toBe('2022-12-31T23:00:00Z');
		expect(moment('2024-02-29T00:00:00.0Z')).toBe('2024-02-29T00:00:00Z');
	});

	it('keeps digits beyond the ones any service is known to send', () => {
		const earlier = moment('2023-04-05T20:41:42.123456789012Z');
		expect(compareTimestamps(earlier, moment('2023-04-05T20:41:42.123456789013Z'))).toBeLessThan(0);
		expect(compareTimestamps(earlier, moment('2023-04-05T20:41:42.12345678901Z'))).toBeGreaterThan(
			0,
		);
	});

	it('is rounded towards the past for coarse filters, never forwards', () => {
		fc.assert(
			fc.property(ticks, (at) => {
				const exact = moment(textOfTicks(at));
				expect(floorToMs(exact)).toBe(moment(textOfTicks(at - (at % 10_000n))));
				expect(floorToSecond(exact)).toBe(moment(textOfTicks(at - (at % TICKS_PER_SECOND))));
			}),
		);
	});

	it('moves by whole seconds and keeps its digits', () => {
		fc.assert(
			fc.property(ticks, fc.integer({ min: 0, max: 100_000 }), (at, seconds) => {
				const later = moment(textOfTicks(at + BigInt(seconds) * TICKS_PER_SECOND));
				expect(addSeconds(moment(textOfTicks(at)), seconds)).toBe(later);
				expect(addSeconds(later, -seconds)).toBe(moment(textOfTicks(at)));
			}),
		);
		expect(addSeconds(moment('9999-12-31T23:59:59Z'), 1)).toBeUndefined();
	});

	it('counts milliseconds, before 1970 too', () => {
		expect(msSinceEpoch(moment('1970-01-01T00:01:00.0129999Z'))).toBe(60_012);
		expect(msSinceEpoch(moment('1969-12-31T23:59:59.5Z'))).toBe(-500);
		fc.assert(
			fc.property(fc.integer({ min: -1_000_000_000_000, max: 4_000_000_000_000 }), (ms) => {
				const at = timestampOfMs(ms);
				expect(at).toBe(moment(new Date(ms).toISOString()));
				expect(at && msSinceEpoch(at)).toBe(ms);
			}),
		);
	});

	it('is rounded up to the second where a range must not end too early', () => {
		expect(ceilToSecond(moment('2023-04-05T20:41:42.0000001Z'))).toBe('2023-04-05T20:41:43Z');
		expect(ceilToSecond(moment('2023-04-05T20:41:42Z'))).toBe('2023-04-05T20:41:42Z');
	});

	it.each([
		['nothing', undefined],
		['null', null],
		['a number', 1_700_000_000],
		['empty text', ''],
		['words', 'yesterday'],
		['a day alone', '2023-04-05'],
		['a time without seconds', '2023-04-05T20:41Z'],
		['a month too many', '2023-13-05T20:41:42Z'],
		['a day that did not exist', '2023-02-30T20:41:42Z'],
		['a point without digits', '2023-04-05T20:41:42.Z'],
		['a 60th second', '2023-04-05T20:41:60Z'],
		['an hour too many', '2023-04-05T25:41:42Z'],
		['an offset beyond a day', '2023-04-05T20:41:42+24:00'],
		['text after it', '2023-04-05T20:41:42Z or so'],
	])('is not %s', (_, value) => {
		expect(timestampOf(value)).toBeUndefined();
	});
});
