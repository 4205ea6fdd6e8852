import { describe, expect, it } from 'vitest';

import type { SortOrder } from '#connector/domain/list/inspectionQuery.ts';
import { isEmptyRange, nextRange, type TimeRange } from '#connector/domain/list/timeRange.ts';
import { at, timeOf } from '#harness/times.mts';

const sortBy = 'updated_at';
const NONE = undefined;
const BEGINNING = timeOf('0000-01-01T00:00:00Z');
const END = timeOf('9999-12-31T23:59:59Z');
const range = (after?: number, before?: number): TimeRange => ({
	after: after === undefined ? undefined : at(after),
	before: before === undefined ? undefined : at(before),
});

describe('the rest of a range after a page that ends with a time', () => {
	it.each<[string, SortOrder, TimeRange, number, TimeRange]>([
		['the second of it with all after', 'asc', range(), 30.4, range(30)],
		['the same within a filter', 'asc', range(10, 90), 30.4, range(30, 90)],
		['all until its second ends', 'desc', range(), 30.4, range(NONE, 31)],
		['all until its second ends', 'desc', range(10, 90), 30, range(10, 31)],
	])('includes %s: %s', (_, sortOrder, ...[whole, last, rest]) => {
		expect(nextRange({ sortBy, sortOrder }, whole, at(last))).toEqual({ rest });
	});

	it.each<[string, SortOrder, TimeRange, number, TimeRange, TimeRange?]>([
		['begins with it', 'asc', range(30), 30.4, range(30, 31), range(31)],
		['is it', 'asc', range(30, 31), 30.4, range(30, 31)],
		['lies in it', 'asc', range(30.2, 30.9), 30.5, range(30.2, 30.9)],
		['begins in it', 'asc', range(30.2, 90), 30.5, range(30.2, 31), range(31, 90)],
		['ends with it', 'desc', range(10, 31), 30.4, range(30, 31), range(10, 30)],
		['ends in it', 'desc', range(10, 30.9), 30.5, range(30, 30.9), range(10, 30)],
		['ends as it begins', 'desc', range(10, 30), 30, range(29, 30), range(10, 29)],
		['is it', 'desc', range(30, 31), 30.4, range(30, 31)],
	])(
		'is first that second by page number, within a full second (a range that %s, %s)',
		(_, sortOrder, ...[whole, last, part, rest]) => {
			const left = nextRange({ sortBy, sortOrder }, whole, at(last));
			expect(left).toEqual({ tiedSecond: { second: at(30), range: part }, rest });
		},
	);

	it('is first that second by page number, if the page began in it', () => {
		const left = nextRange({ sortBy, sortOrder: 'asc' }, range(), at(30.4), at(30.1));
		const tiedSecond = { second: at(30), range: range(30, 31) };
		expect(left).toEqual({ tiedSecond, rest: range(31) });
	});

	it.each([
		['asc', { after: END }, END, { after: END, before: undefined }],
		['desc', { before: BEGINNING }, BEGINNING, { after: undefined, before: BEGINNING }],
	] as const)(
		'in the order %s has nothing after the last possible second',
		(sortOrder, whole, last, part) => {
			expect(nextRange({ sortBy, sortOrder }, whole, last)).toEqual({
				tiedSecond: { second: last, range: part },
				rest: undefined,
			});
		},
	);
});

it('a range is empty if it ends before it begins', () => {
	expect([range(1, 0), range(1, 1), range(1), range()].map(isEmptyRange)).toEqual([
		true,
		false,
		false,
		false,
	]);
});
