import { describe, expect, it } from 'vitest';

import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import {
	isFarEnough,
	positionOf,
	type ReadPosition,
	recentPages,
	START,
} from '#connector/methods/recentInspections.ts';
import { ChangingList, idsOf, type ListSettings } from '#harness/changingList.mts';
import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';

const serviceOf = (list: ChangingList) => ({
	list: async (query: InspectionPageQuery) =>
		await Promise.resolve({ inspections: list.page(query) }),
});

/** Returns the IDs that a user sees who scrolls to the end of the list. Each page is a new request of n8n. */
async function scrolled(list: ChangingList): Promise<string[]> {
	const ids: string[] = [];
	for (let position: ReadPosition | undefined = START; position !== undefined; ) {
		const start = positionOf(JSON.stringify(position));
		position = undefined;
		for await (const { inspections, next } of recentPages(serviceOf(list), [], start)) {
			ids.push(...idsOf(inspections));
			position = next;
			break;
		}
	}
	return ids;
}

describe('the recent inspections in the editor', () => {
	it.each<[string, Partial<ListSettings>]>([
		['equal times in random order', { ties: 'by request' }],
		['a repeated last page', { ends: { afterLastPage: 'repeated' } }],
		[
			'a repeated last page in random order',
			{ ties: 'by request', ends: { afterLastPage: 'repeated' } },
		],
		['a page cap', { ends: { pageCap: 10 } }],
		['a result window of 50', { ends: { resultWindow: 50, pageCap: 50 } }],
		['times shown by the second', { shownPrecision: 's', ties: 'by request' }],
		['filters that compare whole seconds', { precision: { filters: 's', times: 's' } }],
	])('come once each while a user scrolls, from a service with %s', async (_, settings) => {
		for (const perSecond of [1n, 3n, 7n]) {
			const list = new ChangingList({ ...settings, salt: Number(perSecond) });
			list.fill(158, (index) => (BigInt(index) * TICKS_PER_SECOND) / perSecond);
			expect((await scrolled(list)).toSorted()).toEqual([...list.rows.keys()].toSorted());
		}
	});

	it('end after five seconds with a note that the list continues', async () => {
		const list = new ChangingList().fill(900, (index) => BigInt(index) * TICKS_PER_SECOND);
		let ms = 0;
		const pages = [];
		for await (const page of recentPages(serviceOf(list), [], START, () => (ms += 1_300))) {
			pages.push(page);
		}
		expect(pages).toHaveLength(4);
		expect(pages.at(-1)?.next).toBeDefined();
	});

	it('end after 1,000 of one second, because the list could not continue within this second', async () => {
		const list = new ChangingList().fill(1_400, () => 0n);
		const pages = [];
		for await (const page of recentPages(serviceOf(list))) pages.push(page);
		expect(pages.map(({ inspections }) => inspections.length)).toEqual([1_000]);
		expect(pages.map(({ next }) => next && isFarEnough(next))).toEqual([true]);
	});
});
