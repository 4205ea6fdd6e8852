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
import { FAILURES, network, status } from './failures.mts';

const failures = fc.oneof(
	fc.constantFrom(...FAILURES),
	fc
		.tuple(fc.integer({ min: 100, max: 599 }), fc.option(fc.nat()))
		.map(([code, wait]) => status(code, wait === null ? {} : { retryAfterMs: wait })),
	fc
		.tuple(
			fc.constantFrom(
				'EAI_AGAIN',
				'EHOSTUNREACH',
				'ECONNRESET',
				'ETIMEDOUT',
				'EPIPE',
				'constructor',
			),
			fc.constantFrom('connect', 'read', 'write', 'getaddrinfo'),
		)
		.map(([code, syscall]) => network(code, { syscall })),
	fc
		.boolean()
		.map((broken) => ({ kind: 'response' as const, status: 200, reason: 'it is odd', broken })),
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

	test.each<[RequestFailure, boolean, boolean]>([
		[status(429), true, true],
		[status(500), true, false],
		[status(503), true, false],
		[status(501), false, false],
		[status(505), false, false],
		[status(400), false, false],
		[{ kind: 'response', status: 200, reason: 'odd', broken: true }, true, false],
		[{ kind: 'response', status: 200, reason: 'odd', broken: false }, false, false],
		[{ kind: 'timeUp' }, true, false],
		[network('ECONNRESET', { syscall: 'read' }), true, false],
		[network('ECONNREFUSED', { syscall: 'connect' }), true, true],
		[network('CERT_HAS_EXPIRED'), false, false],
		[{ kind: 'notSent', detail: '' }, false, false],
	])('repeats a reading after %j: %s, a create: %s', (failure, reading, create) => {
		const isRepeated = (safe: boolean) =>
			retryWaitMs({ safe, attempt: 1, failure, random: 0 }) !== undefined;
		expect([isRepeated(true), isRepeated(false)]).toEqual([reading, create]);
	});

	test('gives up sooner where the service is in trouble than where it asks for patience', () => {
		const attempts = (code: number) =>
			[...Array(20).keys()].findIndex((attempt) => {
				const failure = status(code);
				return retryWaitMs({ safe: true, attempt: attempt + 1, failure, random: 0 }) === undefined;
			}) + 1;
		expect(attempts(429)).toBe(MAX_THROTTLED_ATTEMPTS);
		expect(attempts(503)).toBe(4);
	});

	test('spreads the waits of requests that failed together, up to a longest one', () => {
		const wait = (attempt: number, random: number, asked = {}) =>
			retryWaitMs({ safe: true, attempt, failure: status(429, asked), random });
		expect([wait(1, 0), wait(1, 0.5), wait(1, 1)]).toEqual([250, 375, 500]);
		expect([wait(2, 0), wait(2, 1)]).toEqual([500, 1000]);
		expect([wait(11, 0), wait(11, 1)]).toEqual([7_500, 15_000]);
		const asked = { retryAfterMs: 2000 };
		expect([wait(1, 0, asked), wait(1, 1, asked)]).toEqual([2000, 2100]);
	});

	test.each([
		...[400, 401, 403, 404, 501, 505].map((code) => status(code)),
		network('CERT_HAS_EXPIRED'),
	])(
		'does not repeat what the service will never do, nor what somebody has to repair: %j',
		(failure) => {
			expect(retryWaitMs({ safe: true, attempt: 1, failure, random: 0 })).toBeUndefined();
		},
	);
});

const SECURE = 'Client network socket disconnected before secure TLS connection was established';

test.each<[boolean, string, string, string?]>([
	[true, 'ECONNREFUSED', '', 'connect'],
	[true, 'ENOTFOUND', '', 'getaddrinfo'],
	[true, 'ETIMEDOUT', '', 'connect'],
	[true, 'ERR_TLS_CERT_ALTNAME_INVALID', ''],
	[true, 'EPROTO', 'SSL routines:wrong version number', 'write'],
	[true, 'ECONNRESET', SECURE],
	[false, 'ETIMEDOUT', ''],
	[false, 'ECONNABORTED', 'timeout of 60000ms exceeded'],
	[false, 'ECONNRESET', 'socket hang up'],
	[false, 'EHOSTUNREACH', '', 'read'],
	[false, 'EPROTO', 'bad record mac', 'read'],
	[false, 'toString', ''],
])('whether a request was certainly not sent (%s): %s %s %s', (unsent, code, detail, syscall) => {
	const trouble = { code, detail, ...(syscall === undefined ? {} : { syscall }) };
	expect(meaningOf(trouble).unsent).toBe(unsent);
});

describe('a create that failed', () => {
	test.each<RequestFailure>([
		...[101, 200, 204, 299, 303, 408, 500, 503].map((code) => status(code)),
		network('ECONNRESET'),
		{ kind: 'response', status: 200, reason: 'it is empty', broken: true },
		{ kind: 'timeUp' },
		{ kind: 'cancelled', sent: true },
	])('may have taken effect: %j', (failure) => {
		expect(mayHaveTakenEffect(failure)).toBe(true);
	});

	test.each<RequestFailure>([
		...[300, 302, 307, 400, 401, 404, 429, 499].map((code) => status(code)),
		network('ECONNREFUSED'),
		{ kind: 'throttled', by: status(503) },
		{ kind: 'cancelled', sent: false },
		{ kind: 'notSent', detail: '' },
		{ kind: 'blockedAddress', target: '' },
	])('has not taken effect: %j', (failure) => {
		expect(mayHaveTakenEffect(failure)).toBe(false);
	});
});

const now = Date.UTC(2026, 0, 1, 12);

test.each<[string | undefined, number | undefined]>([
	['5', 5000],
	[' 1.5 ', 1500],
	['0', 0],
	['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
	['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
	['Sun Nov  6 08:49:37 1994', 37_000],
	['Sun, 06 Nov 1994 08:48:00 GMT', 0],
	[' Sun, 06 Nov 1994 09:49:37 +0100\t', 37_000],
	['Sun, 06 Nov 1994 08:49:37 UTC', 37_000],
	['Sun, 06 Nov 1994 07:49:37 -0100', 37_000],
	['1.25', 1250],
	['5 s', undefined],
	['99999999999', 2 ** 31 - 1],
	['9'.repeat(400), 2 ** 31 - 1],
	['Sun, 06 Nov 2094 08:48:00 GMT', 2 ** 31 - 1],
	...['soon', 'Sunday 6', '-3', ''].map((header): [string, undefined] => [header, undefined]),
	['Sun, 06 Nov 2094 08:49 GMT', undefined],
	['Sun, 06 Nov 2094 8:49:37 GMT', undefined],
	['Sun, 06 Nov 2094 08:49:7 GMT', undefined],
	['x Sun, 06 Nov 1994 08:49:37 GMT', undefined],
	[undefined, undefined],
])('Retry-After: %s asks for a wait of %s ms', (header, expected) => {
	expect(retryAfterMs(header, { respondedAt: 'Sun, 06 Nov 1994 08:49:00 GMT', now })).toBe(
		expected,
	);
});

test('Retry-After is measured by n8n’s clock only where the response shows none', () => {
	expect(retryAfterMs('Thu, 01 Jan 2026 12:00:10 GMT', { now })).toBe(10_000);
});

const unix = now / 1000;

test.each([
	[429, { 'ratelimit-reset': '7' }, 7_000],
	[429, { 'x-ratelimit-reset': String(unix + 9) }, 9_000],
	[429, { 'x-ratelimit-reset': String(unix - 9) }, 0],
	[429, { 'x-ratelimit-reset': ` ${String(unix + 9)} ` }, 9_000],
	[429, { 'x-ratelimit-reset': '1000000000' }, 0],
	[429, { 'x-ratelimit-reset': '999999999' }, 2 ** 31 - 1],
	[429, { 'ratelimit-reset': String(unix + 9), date: 'Thu, 01 Jan 2026 12:00:05 GMT' }, 4_000],
	[429, { 'retry-after': '2', 'ratelimit-reset': '7' }, 2_000],
	[429, { 'ratelimit-reset': 'soon', 'x-ratelimit-reset': '3' }, 3_000],
	[429, { 'ratelimit-reset': ['7'] }, undefined],
	[503, { 'ratelimit-reset': '7' }, undefined],
	[503, { 'retry-after': '2' }, 2_000],
])(
	'the end of the limit’s window: %d with %j asks for a wait of %s ms',
	(code, headers, expected) => {
		expect(askedWaitMs({ status: code, headers }, now)).toBe(expected);
	},
);
