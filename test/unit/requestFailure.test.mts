/** Tests the functions that tell other code the status of a failed request, and whether its outcome is unknown. */
import { expect, test } from 'vitest';

import { hasStatus, isOutcomeUnknown } from '#connector/domain/request/requestFailure.ts';
import { failureOf, network, status, type Trouble } from './failures.mts';

const reading = (trouble: Trouble) => failureOf('listInspections', trouble);
const create = (trouble: Trouble) => failureOf('createInspection', trouble);

test('a failure only has a status if there was a response', () => {
	expect(hasStatus(reading(status(404)), 400, 404)).toBe(true);
	expect(hasStatus(reading(status(404)), 400, 403)).toBe(false);
	expect(hasStatus(reading(network('ECONNREFUSED')), 404)).toBe(false);
	expect(hasStatus(new Error('404'), 404)).toBe(false);
});

test('an unknown outcome is the failure of a request', () => {
	expect(isOutcomeUnknown(create(status(500)))).toBe(true);
	expect(isOutcomeUnknown(create(status(400)))).toBe(false);
	expect(isOutcomeUnknown({ facts: { outcomeUnknown: true } })).toBe(false);
});
