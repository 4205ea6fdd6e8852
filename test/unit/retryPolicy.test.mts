import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { meaningOf } from '#connector/domain/request/networkFailure.ts';
import {
	mayHaveTakenEffect,
	type RequestFailure,
} from '#connector/domain/request/requestFailure.ts';
import { askedWaitMs, retryAfterMs } from '#connector/domain/request/retryAfter.ts';
import {
	LONGEST_BACKOFF_MS,
	MAX_THROTTLED_ATTEMPTS,
	retryWaitMs,
} from '#connector/domain/request/retryPolicy.ts';

const CODES = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ECONNRESET',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EPIPE',
	'CERT_HAS_EXPIRED',
	'constructor',
	'',
];

const failures: fc.Arbitrary<RequestFailure> = fc.oneof(
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.integer({ min: 100, max: 599 }),
		body: fc.string(),
		retryAfterMs: fc.option(fc.nat(), { nil: undefined }),
	}),
	fc.record({
		kind: fc.constant('network' as const),
		trouble: fc.record(
			{
				code: fc.constantFrom(...CODES),
				detail: fc.string(),
				syscall: fc.constantFrom('connect', 'read', 'write', 'getaddrinfo'),
			},
			{ requiredKeys: ['code', 'detail'] },
		),
	}),
	fc.record({
		kind: fc.constant('response' as const),
		status: fc.constant(200),
		reason: fc.string(),
		broken: fc.boolean(),
	}),
	fc.constant({ kind: 'cancelled' as const, sent: true }),
	fc.constant({
		kind: 'throttled' as const,
		by: { kind: 'status' as const, status: 429, body: '' },
	}),
	fc.constant({ kind: 'timeUp' as const }),
	fc.constant({ kind: 'notSent' as const, detail: '' }),
	fc.constant({ kind: 'blockedAddress' as const }),
);
const attempts = fc.integer({ min: 1, max: 20 });
const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the retry policy', () => {
	test('never repeats a create that may have taken effect', () => {
		fc.assert(
			fc.property(failures, attempts, chances, (failure, attempt, random) => {
				fc.pre(mayHaveTakenEffect(failure));
				expect(retryWaitMs({ safe: false, attempt, failure, random })).toBeUndefined();
			}),
		);
	});

	test('ends, and waits at least as long as the service asks', () => {
		fc.assert(
			fc.property(failures, attempts, chances, fc.boolean(), (failure, attempt, random, safe) => {
				const wait = retryWaitMs({ safe, attempt, failure, random });
				if (attempt >= MAX_THROTTLED_ATTEMPTS) expect(wait).toBeUndefined();
				if (wait === undefined) return;
				const asked = failure.kind === 'status' ? (failure.retryAfterMs ?? 0) : 0;
				expect(wait).toBeGreaterThanOrEqual(asked > 0 ? asked : 250);
				if (asked === 0) expect(wait).toBeLessThanOrEqual(LONGEST_BACKOFF_MS);
			}),
		);
	});

	test('spreads the waits of requests that failed together, up to a longest one', () => {
		const wait = (attempt: number, random: number, retryAfterMs?: number) =>
			retryWaitMs({
				safe: true,
				attempt,
				failure: { kind: 'status', status: 429, body: '', retryAfterMs },
				random,
			});
		expect([wait(1, 0), wait(1, 0.5), wait(1, 1)]).toEqual([250, 375, 500]);
		expect([wait(2, 0), wait(2, 1)]).toEqual([500, 1000]);
		expect([wait(11, 0), wait(11, 1)]).toEqual([7_500, 15_000]);
		expect([wait(1, 0, 2000), wait(1, 1, 2000)]).toEqual([2000, 2100]);
	});

	test('does not repeat what the service will never do, nor what somebody has to repair', () => {
		const read = (failure: RequestFailure) =>
			retryWaitMs({ safe: true, attempt: 1, failure, random: 0 });
		for (const status of [400, 401, 403, 404, 501, 505]) {
			expect(read({ kind: 'status', status, body: '' })).toBeUndefined();
		}
		const trouble = { code: 'CERT_HAS_EXPIRED', detail: '' };
		expect(read({ kind: 'network', trouble })).toBeUndefined();
	});
});

describe('what was certainly not sent', () => {
	test.each([
		[{ code: 'ECONNREFUSED', detail: '', syscall: 'connect' }, true],
		[{ code: 'ENOTFOUND', detail: '', syscall: 'getaddrinfo' }, true],
		[{ code: 'ETIMEDOUT', detail: '', syscall: 'connect' }, true],
		[{ code: 'ERR_TLS_CERT_ALTNAME_INVALID', detail: '' }, true],
		[{ code: 'EPROTO', detail: 'SSL routines:wrong version number', syscall: 'write' }, true],
		[
			{
				code: 'ECONNRESET',
				detail: 'Client network socket disconnected before secure TLS connection was established',
			},
			true,
		],
		[{ code: 'ETIMEDOUT', detail: '' }, false],
		[{ code: 'ECONNABORTED', detail: 'timeout of 60000ms exceeded' }, false],
		[{ code: 'ECONNRESET', detail: 'socket hang up' }, false],
		[{ code: 'EHOSTUNREACH', detail: '', syscall: 'read' }, false],
		[{ code: 'EPROTO', detail: 'bad record mac', syscall: 'read' }, false],
		[{ code: 'toString', detail: '' }, false],
	])('%j: %s', (trouble, unsent) => {
		expect(meaningOf(trouble).unsent).toBe(unsent);
	});
});

describe('a create that failed', () => {
	const status = (code: number) => ({ kind: 'status' as const, status: code, body: '' });
	const network = (code: string) => ({ kind: 'network' as const, trouble: { code, detail: '' } });

	test.each<RequestFailure>([
		...[101, 200, 204, 299, 303, 408, 500, 503].map(status),
		network('ECONNRESET'),
		{ kind: 'response', status: 200, reason: 'it is empty', broken: true },
		{ kind: 'timeUp' },
		{ kind: 'cancelled', sent: true },
	])('may have taken effect: %j', (failure) => {
		expect(mayHaveTakenEffect(failure)).toBe(true);
	});

	test.each<RequestFailure>([
		...[300, 302, 307, 400, 401, 404, 429, 499].map(status),
		network('ECONNREFUSED'),
		{ kind: 'throttled', by: status(503) },
		{ kind: 'cancelled', sent: false },
		{ kind: 'notSent', detail: '' },
		{ kind: 'blockedAddress' },
	])('has not taken effect: %j', (failure) => {
		expect(mayHaveTakenEffect(failure)).toBe(false);
	});
});

describe('Retry-After', () => {
	const now = Date.UTC(2026, 0, 1, 12);
	const respondedAt = 'Sun, 06 Nov 1994 08:49:00 GMT';

	test.each([
		['5', 5000],
		[' 1.5 ', 1500],
		['0', 0],
		['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
		['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
		['Sun Nov  6 08:49:37 1994', 37_000],
		['Sun, 06 Nov 1994 08:48:00 GMT', 0],
		['99999999999', 2 ** 31 - 1],
		['9'.repeat(400), 2 ** 31 - 1],
		['Sun, 06 Nov 2094 08:48:00 GMT', 2 ** 31 - 1],
		['soon', undefined],
		['Sunday 6', undefined],
		['Sun, 06 Nov 2094 08:49 GMT', undefined],
		['Sun, 06 Nov 2094 8:49:37 GMT', undefined],
		['Sun, 06 Nov 2094 08:49:7 GMT', undefined],
		['x Sun, 06 Nov 1994 08:49:37 GMT', undefined],
		['-3', undefined],
		['', undefined],
		[undefined, undefined],
	])('%s', (header, expected) => {
		expect(retryAfterMs(header, { respondedAt, now })).toBe(expected);
	});

	test('is measured by n8n’s clock only where the response shows none', () => {
		const header = 'Thu, 01 Jan 2026 12:00:10 GMT';
		expect(retryAfterMs(header, { now })).toBe(10_000);
	});
});

describe('the end of the limit’s window', () => {
	const now = Date.UTC(2026, 0, 1, 12);
	const unix = now / 1000;

	test.each([
		[429, { 'ratelimit-reset': '7' }, 7_000],
		[429, { 'x-ratelimit-reset': String(unix + 9) }, 9_000],
		[429, { 'x-ratelimit-reset': String(unix - 9) }, 0],
		[429, { 'ratelimit-reset': String(unix + 9), date: 'Thu, 01 Jan 2026 12:00:05 GMT' }, 4_000],
		[429, { 'retry-after': '2', 'ratelimit-reset': '7' }, 2_000],
		[429, { 'ratelimit-reset': 'soon', 'x-ratelimit-reset': '3' }, 3_000],
		[429, { 'ratelimit-reset': ['7'] }, undefined],
		[503, { 'ratelimit-reset': '7' }, undefined],
		[503, { 'retry-after': '2' }, 2_000],
	])('%d with %j asks for a wait of %j ms', (status, headers, expected) => {
		expect(askedWaitMs({ status, headers }, now)).toBe(expected);
	});
});
