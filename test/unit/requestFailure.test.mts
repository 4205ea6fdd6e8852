import { expect, test } from 'vitest';

import { hasStatus, holdsBackAll, isInDoubt } from '#connector/domain/request/requestFailure.ts';
import { failureOf, network, status, unusable } from './failures.mts';

test('a failure has the status of its response, one that was not caused by a response has none', () => {
	const missing = failureOf('getTemplate', status(404));
	expect(hasStatus(missing, 400, 404)).toBe(true);
	expect(hasStatus(missing, 400, 403)).toBe(false);
	expect(hasStatus(failureOf('getTemplate', network('ECONNREFUSED')), 404)).toBe(false);
	expect(hasStatus(new Error('404'), 404)).toBe(false);
});

test('only a failed create may be in doubt', () => {
	expect(isInDoubt(failureOf('createInspection', status(500)))).toBe(true);
	expect(isInDoubt(failureOf('createInspection', status(400)))).toBe(false);
	expect(isInDoubt(failureOf('listInspections', status(500)))).toBe(false);
	expect(isInDoubt({ facts: { inDoubt: true } })).toBe(false);
});

test.each([
	['429', status(429), true],
	['503 with a time to come back', status(503, { retryAfterMs: 2_000 }), true],
	['503 without one', status(503), false],
	['500 with a time to come back', status(500, { retryAfterMs: 2_000 }), false],
	['404', status(404), false],
	['a success that cannot be used', unusable(true), false],
] as const)('after %s all requests wait: %s', (_, trouble, holds) => {
	expect(holdsBackAll(failureOf('listInspections', trouble))).toBe(holds);
});

test('a request that was not sent because of a 429 does not hold back the others again', () => {
	const refused = failureOf('listInspections', status(429));
	expect(holdsBackAll(refused.with({ attempts: undefined }))).toBe(false);
});
