import { describe, expect, it } from 'vitest';

import { checkTimes } from '#connector/domain/list/fetchPage.ts';
import type { SortOrder } from '#connector/domain/list/inspectionQuery.ts';
import { at } from '#harness/times.mts';

/** Checks the times of a page whose inspections were updated at these seconds. */
function timesOf(seconds: readonly number[], sortOrder: SortOrder = 'asc', range = {}) {
	const page = seconds.map((second, n) => ({ id: `i${String(n)}`, updated_at: at(second) }));
	return checkTimes({ sortBy: 'updated_at', sortOrder }, range, page);
}

describe('a page of a list', () => {
	it.each<[string, number[], SortOrder]>([
		['rises', [1, 2, 2, 3], 'asc'],
		['falls', [3, 2, 2, 1], 'desc'],
		['is empty', [], 'asc'],
		['reaches two seconds beyond its range', [-2, 32], 'asc'],
	])('is accepted if it %s', (_, seconds, sortOrder) => {
		const range = { after: at(0), before: at(30) };
		expect(timesOf(seconds, sortOrder, range)).toEqual(seconds.map(at));
	});

	it.each<[string, number[], SortOrder, RegExp]>([
		['is not sorted', [2, 1], 'asc', /did not sort .*sort_by=updated_at, sort_order=asc/],
		['is sorted in the wrong order', [1, 2], 'desc', /did not sort .*sort_order=desc/],
		['begins too early', [-2.1, 5], 'asc', /ignored updated_after=\S+10:00:00Z: .*09:59:57.9/],
		['ends too late', [5, 32.1], 'asc', /ignored updated_before=\S+10:00:30Z: .*10:00:32.1/],
	])('is rejected if it %s', (_, seconds, sortOrder, message) => {
		expect(() => timesOf(seconds, sortOrder, { after: at(0), before: at(30) })).toThrow(message);
	});

	it.each([
		[{ id: 'a', updated_at: 'soon' }, 'a has no ISO 8601 timestamp under "updated_at" ("soon")'],
		[{ id: 'a', updated_at: { at: 1 } }, '(an object with the keys at)'],
		[{ id: 'a' }, '(no value)'],
		[{ id: 'a', updated_at: null }, '(no value)'],
		[{ id: 'a', updated_at: '' }, '(no value)'],
	])("is rejected if a time can't be parsed: %j", (inspection, message) => {
		const order = { sortBy: 'updated_at', sortOrder: 'asc' } as const;
		expect(() => checkTimes(order, {}, [inspection])).toThrow(message);
	});
});
