/** Tests what follows from a failure: whether and when the request is retried, and what n8n reports. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { RequestFailure } from '#connector/domain/request/requestFailure.ts';
import type { ServiceOperation } from '#connector/domain/request/requestInfo.ts';
import {
	eventOfStatus,
	LONGEST_BACKOFF_MS,
	type RequestEvent,
	retryPolicyFor,
	retryWaitMs,
} from '#connector/domain/request/retryPolicy.ts';
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

const CODES = ['EAI_AGAIN', 'EHOSTUNREACH', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'constructor'];
const CALLS = ['connect', 'read', 'write', 'getaddrinfo'];
const troubles = fc.oneof(
	fc.constantFrom(...Object.values(TROUBLES)),
	fc
		.tuple(fc.integer({ min: 100, max: 599 }), fc.option(fc.nat({ max: 2 ** 30 })))
		.map(([code, wait]) => status(code, wait === null ? {} : { retryAfterMs: wait })),
	fc
		.tuple(fc.constantFrom(...CODES), fc.constantFrom(...CALLS))
		.map(([code, syscall]) => network(code, { syscall })),
	fc.boolean().map(unusable),
);
const MAX_ATTEMPTS = 12;
const attempts = fc.integer({ min: 1, max: 20 });
const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const reading = (trouble: Trouble) => failureOf('listInspections', trouble);
const create = (trouble: Trouble) => failureOf('createInspection', trouble);

test('a create that may have taken effect is never repeated', () => {
	fc.assert(
		fc.property(troubles, attempts, chances, (trouble, attempt, random) => {
			const failure = create(trouble);
			fc.pre(failure.facts.outcomeUnknown === true);
			expect(retryWaitMs(failure, { attempt, random })).toBeUndefined();
		}),
	);
});

test('a request is repeated a limited number of times, after at least the wait that the service wants', () => {
	const asks = fc.constantFrom(reading, create);
	fc.assert(
		fc.property(troubles, attempts, chances, asks, (trouble, attempt, random, ask) => {
			const failure = ask(trouble);
			const wait = retryWaitMs(failure, { attempt, random });
			if (attempt >= MAX_ATTEMPTS) expect(wait).toBeUndefined();
			if (wait === undefined) return;
			const asked = failure.facts.retryAfterMs ?? 0;
			expect(wait).toBeGreaterThanOrEqual(asked > 0 ? asked : 250);
			if (asked === 0) expect(wait).toBeLessThanOrEqual(LONGEST_BACKOFF_MS);
		}),
	);
});

const countAttempts = (failure: RequestFailure) => {
	let attempt = 1;
	while (retryWaitMs(failure, { attempt, random: 0 }) !== undefined) attempt += 1;
	return attempt;
};

type Fate = [cause: string | undefined, attemptCount: number, doubt: 'in doubt' | 'certain'];
const statuses = (codes: readonly number[], ...fate: Fate): [string, Trouble, ...Fate][] =>
	codes.map((code) => [String(code), status(code), ...fate]);
const later = 'temporarily-unavailable';
const wrong = 'configuration-invalid';
const key = 'credential-invalid';
const broken = (code: string, detail = '', syscall = '') => network(code, { detail, syscall });
const UNSECURED = 'Client network socket disconnected before secure TLS connection was established';

test.each<[string, Trouble, ...Fate]>([
	...statuses([101, 200, 204, 299, 303], wrong, 1, 'in doubt'),
	...statuses([300, 302, 307, 400, 404, 499], wrong, 1, 'certain'),
	...statuses([401, 403], key, 1, 'certain'),
	...statuses([429], 'rate-limited', 12, 'certain'),
	...statuses([408, 500, 503], later, 4, 'in doubt'),
	...statuses([501, 505], later, 1, 'in doubt'),
	['a broken response', unusable(true), later, 4, 'in doubt'],
	['an odd response', unusable(false), later, 1, 'in doubt'],
	['no time', outOfTime, later, 4, 'in doubt'],
	['cancelled underway', cancelledUnderway, undefined, 1, 'in doubt'],
	['cancelled before', cancelledBefore, undefined, 1, 'certain'],
	['held back', throttled(503), later, 4, 'certain'],
	['nothing sent', notSent(), wrong, 1, 'certain'],
	['an address that is refused', blocked(), wrong, 1, 'certain'],
	['a reset', broken('ECONNRESET', 'socket hang up', 'read'), later, 4, 'in doubt'],
	['a reset before encryption', broken('ECONNRESET', UNSECURED), later, 4, 'certain'],
	['no connection', broken('ECONNREFUSED'), later, 4, 'certain'],
	['no connection for other reasons', broken('EMFILE', '', 'connect'), later, 4, 'certain'],
	['no connection in time', broken('ETIMEDOUT', '', 'connect'), later, 4, 'certain'],
	['no such host', broken('ENOTFOUND', '', 'getaddrinfo'), later, 4, 'certain'],
	['no response in time', broken('ETIMEDOUT'), later, 4, 'in doubt'],
	['no bytes in time', broken('ECONNABORTED', 'timeout exceeded'), later, 4, 'in doubt'],
	['no way any more', broken('EHOSTUNREACH', '', 'read'), later, 4, 'in doubt'],
	['an unknown code', broken('toString'), later, 4, 'in doubt'],
	['no code', broken(''), later, 4, 'in doubt'],
	['a certificate', broken('CERT_HAS_EXPIRED'), wrong, 1, 'certain'],
	['a certificate of another kind', broken('CERT_REVOKED'), wrong, 1, 'certain'],
	['a wrong certificate', broken('ERR_TLS_CERT_ALTNAME_INVALID'), wrong, 1, 'certain'],
	['no TLS', broken('EPROTO', 'SSL routines:wrong version number', 'write'), wrong, 1, 'certain'],
	['TLS that breaks', broken('EPROTO', 'bad record mac', 'read'), later, 4, 'in doubt'],
])(
	'a failure after %s that n8n reports as %s has a fixed outcome: a read has %i attempts, but the outcome of a create is %s',
	(_, trouble, ...[cause, attemptCount, doubt]) => {
		const { facts } = reading(trouble);
		expect([facts.cause, facts.outcomeUnknown ?? false]).toEqual([cause, false]);
		expect(countAttempts(reading(trouble))).toBe(attemptCount);
		expect(countAttempts(create(trouble))).toBe(doubt === 'in doubt' ? 1 : attemptCount);
		expect(create(trouble).facts.outcomeUnknown ?? false).toBe(doubt === 'in doubt');
	},
);

test('a rejection by the storage leads to one new URL, without blaming the API key', () => {
	const refused = failureOf('downloadFile', status(403));
	expect([refused.facts.cause, countAttempts(refused)]).toEqual([wrong, 2]);
});

test('the waits of requests that failed together are spread, up to a maximum', () => {
	const wait = (attempt: number, random: number, asked = {}) =>
		retryWaitMs(reading(status(429, asked)), { attempt, random });
	expect([wait(1, 0), wait(1, 0.5), wait(1, 1)]).toEqual([250, 375, 500]);
	expect([wait(2, 0), wait(2, 1)]).toEqual([500, 1000]);
	expect([wait(11, 0), wait(11, 1)]).toEqual([7_500, 15_000]);
	const asked = { retryAfterMs: 2000 };
	expect([wait(1, 0, asked), wait(1, 1, asked)]).toEqual([2000, 2100]);
});

test.each<[string, boolean, Trouble]>([
	['429', true, status(429)],
	['429 to another request', false, (asked) => status(429)(asked).withoutRetries()],
	['503 with a time to come back', true, status(503, { retryAfterMs: 2_000 })],
	['503 without one', false, status(503)],
	['500 with a time to come back', false, status(500, { retryAfterMs: 2_000 })],
	['404', false, status(404)],
	['a success that cannot be used', false, unusable(true)],
])('after %s all requests wait: %s', (_, holds, trouble) => {
	expect(reading(trouble).facts.pausesAllRequests ?? false).toBe(holds);
});

test.each<[ServiceOperation, number, RequestEvent, number?]>([
	['listInspections', 202, 'statusUnclear'],
	['createInspection', 303, 'statusUnclear'],
	['createInspection', 302, 'rejected'],
	['getTemplate', 403, 'keyRejected'],
	['downloadFile', 403, 'urlRejected'],
	['downloadFile', 410, 'urlRejected'],
	['downloadFile', 418, 'rejected'],
	['getFileUrl', 410, 'rejected'],
	['downloadFile', 408, 'serviceFailed'],
	['createInspection', 429, 'rateLimited'],
	['createInspection', 501, 'notSupported'],
	['createInspection', 503, 'serviceFailed', 0],
	['createInspection', 503, 'serviceFailedUntil', 1],
	['createInspection', 500, 'serviceFailed', 1],
])(
	'a response to %s with status %i counts as %s if Retry-After is %s ms',
	(operation, code, event, retryAfterMs) => {
		expect(eventOfStatus(operation, code, retryAfterMs)).toBe(event);
	},
);

test('an event has the same policy for every operation, except that only a create has an unknown outcome', () => {
	const lost = (operation: ServiceOperation) => retryPolicyFor(operation, 'connectionLost');
	expect(lost('createInspection')).toEqual({ ...lost('getTemplate'), outcomeUnknown: true });
	expect(lost('getTemplate')).toEqual({ ...lost('downloadFile'), outcomeUnknown: false });
});
