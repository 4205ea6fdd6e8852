import { expect, test } from 'vitest';

import { redactorOf } from '#connector/domain/request/apiKey.ts';
import { thrownFailure } from '#connector/transport/thrownFailure.ts';

const failureOf = (error: Error, isCancelled = false) =>
	thrownFailure(error, {
		deadline: { isCancelled: () => isCancelled },
		redact: redactorOf('abcdefghijkl'),
	});

test('what n8n says when it sends nothing is shown without the key', () => {
	expect(failureOf(new Error('No domain for abcdefghijkl'))).toEqual({
		kind: 'notSent',
		detail: 'No domain for [API key]',
	});
});

test.each(['ERR_CANCELED', 'ECONNABORTED', 'ABORT_ERR'])(
	'what this side ended (%s) had no more time, unless somebody cancelled it',
	(code) => {
		const cause = Object.assign(new Error('ended'), { code, isAxiosError: true });
		const error = new Error('wrapped', { cause });
		expect(failureOf(error)).toEqual({ kind: 'timeUp' });
		expect(failureOf(error, true)).toEqual({ kind: 'cancelled', sent: true });
	},
);
