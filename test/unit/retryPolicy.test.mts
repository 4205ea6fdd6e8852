import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { retryAfterMs } from '../../nodes/InspectionService/domain/retryAfter.ts';
import {
	FIRST_WAIT_MS,
	LONGEST_BACKOFF_MS,
	MAX_ATTEMPTS,
	MAX_THROTTLED_ATTEMPTS,
	retryWaitMs,
} from '../../nodes/InspectionService/domain/retryPolicy.ts';
import {
	mayHaveTakenEffect,
	type RequestFailure,
} from '../../nodes/InspectionService/domain/requestFailure.ts';

const status = (code: number, retryAfter?: number): RequestFailure => ({
	kind: 'status',
	status: code,
	body: '',
	...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
});
const network = (code: string, syscall?: string): RequestFailure => ({
	kind: 'network',
	trouble: { code, detail: code, ...(syscall === undefined ? {} : { syscall }) },
});
const wait = (failure: RequestFailure, options: { safe: boolean; attempt?: number }) =>
	retryWaitMs({ failure, random: 0.5, attempt: 1, ...options });

const anyFailure: fc.Arbitrary<RequestFailure> = fc.oneof(
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.integer({ min: 100, max: 599 }),
		body: fc.string(),
		retryAfterMs: fc.integer({ min: 0, max: 100_000 }),
	}),
	fc.record({
		kind: fc.constant('answer' as const),
		status: fc.constant(200),
		reason: fc.string(),
		broken: fc.boolean(),
	}),
	fc
		.tuple(
			fc.constantFrom(
				'ENOTFOUND',
				'ECONNREFUSED',
				'ECONNRESET',
				'ETIMEDOUT',
				'EPROTO',
				'WHO_KNOWS',
			),
			fc.constantFrom('connect', 'read', 'write', undefined),
		)
		.map(([code, syscall]) => network(code, syscall)),
	fc.constant<RequestFailure>({ kind: 'cancelled', sent: true }),
	fc.constant<RequestFailure>({ kind: 'notSent', detail: 'no' }),
);

describe('a request that only reads', () => {
	test.each([408, 429, 500, 502, 503, 504, 599])('is repeated after %d', (code) => {
		expect(wait(status(code), { safe: true })).toBeGreaterThan(0);
	});

	test.each([300, 307, 400, 401, 403, 404, 410, 413, 501, 505])(
		'is not repeated after %d',
		(code) => {
			expect(wait(status(code), { safe: true })).toBeUndefined();
		},
	);

	test('waits longer each time, never longer than the cap, and ends', () => {
		const waits: (number | undefined)[] = [];
		for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			waits.push(wait(status(503), { safe: true, attempt }));
		}
		expect(waits).toEqual([375, 750, 1500, undefined]);
	});

	test('does what the service says about the wait, a little spread', () => {
		expect(wait(status(503, 7000), { safe: true })).toBe(7050);
		expect(wait(status(429, 7000), { safe: true })).toBe(7050);
	});

	test('is more patient with "too many requests" than with trouble', () => {
		const last = MAX_THROTTLED_ATTEMPTS - 1;
		expect(wait(status(429), { safe: true, attempt: last })).toBeDefined();
		expect(wait(status(429), { safe: true, attempt: last + 1 })).toBeUndefined();
	});
});

describe('a create', () => {
	test.each([
		['429', status(429)],
		['a name that cannot be resolved', network('ENOTFOUND')],
		['a refused connection', network('ECONNREFUSED')],
		['a connection that was not made in time', network('ETIMEDOUT', 'connect')],
	])('is repeated after %s: nothing can have happened', (_, failure) => {
		expect(wait(failure, { safe: false })).toBeGreaterThan(0);
		expect(mayHaveTakenEffect(failure)).toBe(false);
	});

	test.each([
		['408', status(408)],
		['500', status(500)],
		['503 with Retry-After', status(503, 1000)],
		['504', status(504)],
		['a reset', network('ECONNRESET', 'read')],
		['a timeout', network('ECONNABORTED')],
		['a failure that nobody knows', network('SOMETHING_NEW')],
		['an answer that cannot be read', { kind: 'answer', status: 200, reason: '', broken: true }],
	] satisfies [string, RequestFailure][])('is not repeated after %s', (_, failure) => {
		expect(wait(failure, { safe: false })).toBeUndefined();
		expect(mayHaveTakenEffect(failure)).toBe(true);
	});

	test('is never repeated when it may have taken effect', () => {
		fc.assert(
			fc.property(anyFailure, fc.integer({ min: 1, max: 20 }), (failure, attempt) => {
				fc.pre(mayHaveTakenEffect(failure));
				expect(wait(failure, { safe: false, attempt })).toBeUndefined();
			}),
		);
	});
});

test('every wait is positive and bounded by the cap or by the service’s own', () => {
	fc.assert(
		fc.property(
			anyFailure,
			fc.integer({ min: 1, max: 20 }),
			fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
			(failure, attempt, random) => {
				const waited = retryWaitMs({ safe: true, failure, attempt, random });
				if (waited === undefined) return;
				const asked = failure.kind === 'status' ? (failure.retryAfterMs ?? 0) : 0;
				expect(waited).toBeGreaterThanOrEqual(asked > 0 ? asked : FIRST_WAIT_MS / 2);
				expect(waited).toBeLessThanOrEqual(asked > 0 ? asked + 100 : LONGEST_BACKOFF_MS);
			},
		),
	);
});

describe('Retry-After', () => {
	const now = Date.parse('2026-01-01T00:00:00Z');

	test.each([
		['0', 0],
		['120', 120_000],
		['1.5', 1500],
		[' 3 ', 3000],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
		['Thu Jan  1 00:00:30 2026', 30_000],
		['Wed, 31 Dec 2025 23:59:00 GMT', 0],
		['-5', undefined],
		['soon', undefined],
		['2026', 2_026_000],
		['', undefined],
		[undefined, undefined],
	])('%j is %j ms', (header, milliseconds) => {
		expect(retryAfterMs(header, { now })).toBe(milliseconds);
	});

	test('a date counts by the service’s clock, not by n8n’s', () => {
		const answeredAt = 'Mon, 05 Jan 2026 00:00:00 GMT';
		expect(retryAfterMs('Mon, 05 Jan 2026 00:00:02 GMT', { answeredAt, now })).toBe(2000);
	});

	test('any text is a wait that is not negative, or nothing', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (header, answeredAt) => {
				const waited = retryAfterMs(header, { answeredAt, now });
				expect(waited === undefined || waited >= 0).toBe(true);
			}),
		);
	});
});
