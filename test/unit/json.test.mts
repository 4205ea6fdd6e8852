import { expect, test } from 'vitest';

import { isObject, isRecord } from '#connector/domain/json.ts';

test.each([
	[{}, true, true],
	[Object.create(null), true, true],
	[[], false, true],
	[new Date(0), false, true],
	[new Map(), false, true],
	[null, false, false],
	['x', false, false],
	[undefined, false, false],
])('%j is a JSON object (%s), or an object of any kind (%s)', (value: unknown, record, object) => {
	expect([isRecord(value), isObject(value)]).toEqual([record, object]);
});
