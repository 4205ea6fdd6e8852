import { expect, test } from 'vitest';

import { redactorOf } from '#connector/domain/request/apiKey.ts';
import { thrownFailure } from '#connector/domain/request/networkFailure.ts';

const ASKED = { operation: 'listInspections', baseUrl: 'https://host', path: '/' } as const;
const failureOf = (error: Error, how: { isCancelled?: boolean; hasBegun?: boolean } = {}) =>
	thrownFailure(ASKED, error, { isCancelled: false, redact: redactorOf('abcdefghijkl'), ...how });

test('what n8n says when it sends nothing is shown without the key', () => {
	const error = new Error('No domain for abcdefghijkl');
	expect(failureOf(error).message).toBe('n8n did not send the request: No domain for [API key]');
	// Where the response had begun, it was sent.
	expect(failureOf(error, { hasBegun: true }).message).toMatch(
		/failed: No domain for \[API key\]$/,
	);
});

test('what is judged already stays as it is', () => {
	const failure = failureOf(new Error('once'));
	expect(failureOf(failure)).toBe(failure);
});

test.each(['ERR_CANCELED', 'ECONNABORTED', 'ABORT_ERR'])(
	'what this side ended (%s) had no more time, unless somebody cancelled it',
	(code) => {
		const cause = Object.assign(new Error('ended'), { code, isAxiosError: true });
		const error = new Error('wrapped', { cause });
		expect(failureOf(error).facts.httpCode).toBe('ETIMEDOUT');
		const { message, facts } = failureOf(error, { isCancelled: true });
		expect(message).toMatch(/cancelled before the service had responded$/);
		expect(facts.httpCode).toBeUndefined();
	},
);
