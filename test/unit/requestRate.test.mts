import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { RequestRate } from '#connector/domain/request/requestRate.ts';
import { retryWaitMs } from '#connector/domain/request/retryPolicy.ts';
import { failureOf, status } from './failures.mts';

/** Returns whether the service accepts a request at this time. Times are in ms. */
type Limit = (at: number) => boolean;

const fixedWindow = (perSecond: number): Limit => {
	let [second, count] = [-1, 0];
	return (at) => {
		if (Math.floor(at / 1000) !== second) count = 0;
		second = Math.floor(at / 1000);
		return ++count <= perSecond;
	};
};
const bucket = (perSecond: number): Limit => {
	let [tokens, last] = [perSecond, 0];
	return (at) => {
		tokens = Math.min(perSecond, tokens + ((at - last) * perSecond) / 1000);
		last = at;
		if (tokens < 1) return false;
		tokens -= 1;
		return true;
	};
};

/**
 * Simulates `count` requests that take 5 ms each. The simulation advances by one ms at a time and takes no real time.
 */
function play(limit: Limit, count: number, asked = {}) {
	const start = 1_000_000;
	const rate = new RequestRate(10);
	const result = { refused: 0, lost: 0, peak: 0, attempts: 1 };
	// Like the real queue, the simulation sends retries first, in the order in which they were rejected.
	const waiting = Array.from({ length: count }, () => 1);
	const retries: number[] = [];
	const flights: { attempt: number; startedAt: number }[] = [];
	let [done, now] = [0, start];
	const settle = ({ attempt, startedAt }: (typeof flights)[number]) => {
		if (limit(now)) {
			done += 1;
			rate.succeed();
		} else {
			result.refused += 1;
			const refused = failureOf('createInspection', status(429, asked));
			const waitMs = retryWaitMs(refused, { attempt, random: 0.5 });
			if (waitMs === undefined) result.lost += 1;
			else retries.push(attempt + 1);
			rate.reject({ startedAt, now, waitMs: waitMs ?? 0 });
		}
	};
	for (; done + result.lost < count; now++) {
		const ended = flights.filter(({ startedAt }) => startedAt + 5 <= now).length;
		flights.splice(0, ended).forEach(settle);
		while (retries.length + waiting.length > 0 && (rate.nextStart() ?? Infinity) <= now) {
			rate.start();
			const attempt = retries.shift() ?? waiting.shift() ?? 1;
			result.attempts = Math.max(result.attempts, attempt);
			result.peak = Math.max(result.peak, flights.push({ attempt, startedAt: now }));
		}
	}
	return { ...result, seconds: (now - start) / 1000 };
}

/** Returns how many more requests can start now. */
function freeLanes(rate: RequestRate): number {
	let lanes = 0;
	for (; rate.nextStart() !== undefined; lanes++) rate.start();
	for (let lane = 0; lane < lanes; lane++) rate.fail();
	return lanes;
}

describe('the request rate', () => {
	const limits = { fixedWindow, bucket };
	test.each(Object.entries(limits))('completes 500 requests through a %s', (_, limit) => {
		for (const asked of [{ retryAfterMs: 1000 }, {}]) {
			const { seconds, refused, attempts } = play(limit(50), 500, asked);
			expect(refused).toBeLessThan(130);
			expect(attempts).toBeLessThanOrEqual(5);
			// The limit allows 500 requests in 9 to 10 seconds if it rejects none.
			expect(seconds).toBeLessThan(30);
		}
	});

	test('neither loses a request nor exceeds its window, whatever the limit is', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 2, max: 200 }),
				fc.constantFrom(fixedWindow, bucket),
				fc.constantFrom({}, ...[500, 1000, 2000].map((retryAfterMs) => ({ retryAfterMs }))),
				(perSecond, limit, asked) => {
					const { lost, peak } = play(limit(perSecond), 120, asked);
					expect(lost).toBe(0);
					expect(peak).toBeLessThanOrEqual(10);
				},
			),
			{ numRuns: 40 },
		);
	});

	test('is unlimited until a request is rejected', () => {
		expect(play(() => true, 500).seconds).toBeLessThan(0.3);
	});

	test('recovers step by step after a rejection', () => {
		const rate = new RequestRate(10);
		rate.start();
		rate.reject({ startedAt: 1, now: 2, waitMs: 10 });
		expect(freeLanes(rate)).toBe(5);
		for (let success = 0; success < 40; success++) {
			rate.start();
			rate.succeed();
		}
		expect(freeLanes(rate)).toBe(10);
	});

	test("isn't slowed again by a request that started in the millisecond of the rejection", () => {
		const rate = new RequestRate(10);
		for (let request = 1; request <= 10; request++) rate.start();
		rate.reject({ startedAt: 1, now: 2, waitMs: 10 });
		rate.reject({ startedAt: 2, now: 3, waitMs: 10 });
		expect(rate.rejections).toBe(1);
		for (let request = 3; request <= 6; request++) rate.fail();
		expect(rate.nextStart()).toBeDefined();
	});

	test('counts rejections of requests that started together as one', () => {
		const rate = new RequestRate(10);
		for (let request = 0; request < 10; request++) rate.start();
		for (let answer = 0; answer < 10; answer++) {
			rate.reject({ startedAt: 1, now: 20 + answer, waitMs: 1000 });
		}
		expect(rate.nextStart()).toBe(1029);
		expect(freeLanes(rate)).toBe(5);
	});
});
