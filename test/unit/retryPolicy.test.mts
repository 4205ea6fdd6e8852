import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	ATTEMPTS,
	LONGEST_BACKOFF_MS,
	retryWaitMs,
} from '#connector/domain/request/requestFailure.ts';
import { askedWaitMs } from '#connector/domain/request/statusFailure.ts';
import {
	blocked,
	cancelledBefore,
	cancelledUnderway,
	failureOf,
	network,
	notSent,
	outOfTime,
	status,
	throttled,
	type Trouble,
	TROUBLES,
	unusable,
} from './failures.mts';

const troubles = fc.oneof(
	fc.constantFrom(...Object.values(TROUBLES)),
	fc
		.tuple(fc.integer({ min: 100, max: 599 }), fc.option(fc.nat({ max: 2 ** 30 })))
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
	fc.boolean().map(unusable),
);
const attempts = fc.integer({ min: 1, max: 20 });
const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const reading = (trouble: Trouble) => failureOf('listInspections', trouble);
const create = (trouble: Trouble) => failureOf('createInspection', trouble);

describe('the retry policy', () => {
	test('never repeats a create that may have taken effect', () => {
		fc.assert(
			fc.property(troubles, attempts, chances, (trouble, attempt, random) => {
				const failure = create(trouble);
				fc.pre(failure.facts.inDoubt === true);
				expect(retryWaitMs(failure, { attempt, random })).toBeUndefined();
			}),
		);
	});

	test('ends, and waits at least as long as the service asks', () => {
		fc.assert(
			fc.property(
				troubles,
				attempts,
				chances,
				fc.constantFrom(reading, create),
				(trouble, attempt, random, ask) => {
					const failure = ask(trouble);
					const wait = retryWaitMs(failure, { attempt, random });
					if (attempt >= ATTEMPTS.throttled) expect(wait).toBeUndefined();
					if (wait === undefined) return;
					const asked = failure.facts.retryAfterMs ?? 0;
					expect(wait).toBeGreaterThanOrEqual(asked > 0 ? asked : 250);
					if (asked === 0) expect(wait).toBeLessThanOrEqual(LONGEST_BACKOFF_MS);
				},
			),
		);
	});

	test.each<[string, Trouble, boolean, boolean]>([
		['429', status(429), true, true],
		['500', status(500), true, false],
		['503', status(503), true, false],
		...[400, 401, 403, 404, 501, 505].map((code): [string, Trouble, boolean, boolean] => [
			...([String(code), status(code), false, false] as const),
		]),
		['a broken response', unusable(true), true, false],
		['an odd response', unusable(false), false, false],
		['no time', outOfTime, true, false],
		['a reset', network('ECONNRESET', { syscall: 'read' }), true, false],
		['no connection', network('ECONNREFUSED', { syscall: 'connect' }), true, true],
		['no connection, in another way', network('EMFILE', { syscall: 'connect' }), true, true],
		['a certificate', network('CERT_HAS_EXPIRED'), false, false],
		['a certificate of another kind', network('CERT_REVOKED'), false, false],
		['nothing sent', notSent(), false, false],
	])('repeats a reading after %s: %s, a create: %s', (_, trouble, ofReading, ofCreate) => {
		const isRepeated = (ask: typeof create) =>
			retryWaitMs(ask(trouble), { attempt: 1, random: 0 }) !== undefined;
		expect([isRepeated(reading), isRepeated(create)]).toEqual([ofReading, ofCreate]);
	});

	test('gives up sooner where the service is in trouble than where it asks for patience', () => {
		const tries = (code: number) =>
			[...Array(20).keys()].findIndex((attempt) => {
				const again = retryWaitMs(reading(status(code)), { attempt: attempt + 1, random: 0 });
				return again === undefined;
			}) + 1;
		expect(tries(429)).toBe(12);
		expect(tries(503)).toBe(4);
	});

	test('spreads the waits of requests that failed together, up to a longest one', () => {
		const wait = (attempt: number, random: number, asked = {}) =>
			retryWaitMs(reading(status(429, asked)), { attempt, random });
		expect([wait(1, 0), wait(1, 0.5), wait(1, 1)]).toEqual([250, 375, 500]);
		expect([wait(2, 0), wait(2, 1)]).toEqual([500, 1000]);
		expect([wait(11, 0), wait(11, 1)]).toEqual([7_500, 15_000]);
		const asked = { retryAfterMs: 2000 };
		expect([wait(1, 0, asked), wait(1, 1, asked)]).toEqual([2000, 2100]);
	});

	test('asks the storage for one more URL', () => {
		const refused = failureOf('downloadFile', status(403));
		expect(retryWaitMs(refused, { attempt: 1, random: 0 })).toBe(250);
		expect(retryWaitMs(refused, { attempt: 2, random: 0 })).toBeUndefined();
	});
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
	expect(create(network(code, { detail, syscall })).facts.inDoubt).toBe(!unsent);
});

test.each<[boolean, string, Trouble]>([
	...[101, 200, 204, 299, 303, 408, 500, 503].map((code): [boolean, string, Trouble] => [
		...([true, String(code), status(code)] as const),
	]),
	[true, 'a reset', network('ECONNRESET')],
	[true, 'a broken response', unusable(true)],
	[true, 'no time', outOfTime],
	[true, 'cancelled underway', cancelledUnderway],
	...[300, 302, 307, 400, 401, 404, 429, 499].map((code): [boolean, string, Trouble] => [
		...([false, String(code), status(code)] as const),
	]),
	[false, 'no connection', network('ECONNREFUSED')],
	[false, 'held back', throttled(503)],
	[false, 'cancelled before', cancelledBefore],
	[false, 'nothing sent', notSent()],
	[false, 'an address that is refused', blocked()],
])('a create that failed may have taken effect (%s): %s', (may, _, trouble) => {
	expect(create(trouble).facts.inDoubt ?? false).toBe(may);
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
	const headers = { 'retry-after': header, date: 'Sun, 06 Nov 1994 08:49:00 GMT' };
	expect(askedWaitMs({ status: 503, headers }, now)).toBe(expected);
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
	// Without a `date` by n8n's clock.
	[503, { 'retry-after': 'Thu, 01 Jan 2026 12:00:10 GMT' }, 10_000],
])('with all its headers: %d with %j asks for a wait of %s ms', (code, headers, expected) => {
	expect(askedWaitMs({ status: code, headers }, now)).toBe(expected);
});
