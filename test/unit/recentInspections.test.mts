import { describe, expect, it } from 'vitest';

import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import type { Timestamp } from '#connector/domain/timestamp.ts';
import { readRecent } from '#connector/methods/recentInspections.ts';
import { ChangingList, idsOf, type ListSettings } from '#harness/changingList.mts';
import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';

const serviceOf = (list: ChangingList) => ({
	list: async (query: InspectionPageQuery) =>
		await Promise.resolve({ inspections: list.page(query) }),
});

/**
 * Returns the IDs that a user sees who scrolls to the end of the list. Each step is a new request of n8n, and n8n shows
 * each inspection once.
 */
async function scrolled(list: ChangingList): Promise<string[]> {
	const ids: string[] = [];
	let before: Timestamp | undefined;
	do {
		const { inspections, isCutShort, next } = await readRecent(serviceOf(list), () => true, {
			before,
		});
		ids.push(...idsOf(inspections));
		if (isCutShort) expect(next).toBeDefined();
		before = isCutShort ? next : undefined;
	} while (before !== undefined);
	return [...new Set(ids)];
}

const never = () => false;

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
	])('are all in the list while a user scrolls, from a service with %s', async (_, settings) => {
		for (const perSecond of [1n, 3n, 7n]) {
			const list = new ChangingList({ ...settings, salt: Number(perSecond) });
			list.fill(158, (index) => (BigInt(index) * TICKS_PER_SECOND) / perSecond);
			expect((await scrolled(list)).toSorted()).toEqual([...list.rows.keys()].toSorted());
		}
	});

	it('end after five seconds with a note that the list continues', async () => {
		const list = new ChangingList().fill(900, (index) => BigInt(index) * TICKS_PER_SECOND);
		let ms = 0;
		const now = () => (ms += 1_300);
		const recent = await readRecent(serviceOf(list), never, { now });
		expect(recent).toMatchObject({ isCutShort: true, next: expect.any(String) as unknown });
		expect(list.requestCount).toBe(4);
	});

	it('continue within a second that fills the first page', async () => {
		const list = new ChangingList().fill(250, (index) => (index < 150 ? 0n : TICKS_PER_SECOND));
		expect(await scrolled(list)).toHaveLength(250);
	});

	it('end after 1,000 of one second, because the list could not continue within this second', async () => {
		const list = new ChangingList().fill(1_400, () => 0n);
		const first = await readRecent(serviceOf(list), never);
		expect(first.inspections).toHaveLength(1_000);
		const { next: before } = first;
		const again = await readRecent(serviceOf(list), () => true, { before });
		expect(again).toMatchObject({ isCutShort: true, next: undefined });
	});

	it('are one page if the list cannot be continued after an inspection without a time', async () => {
		const list = new ChangingList().fill(450, (index) => BigInt(index) * TICKS_PER_SECOND);
		const untimed = list.page({ sortBy: 'updated_at', sortOrder: 'desc', page: 2, pageSize: 100 });
		const ids = new Set(idsOf(untimed.slice(-1)));
		const respond = (query: InspectionPageQuery) =>
			list.page(query).map((one) => (ids.has(one.id) ? { ...one, updated_at: undefined } : one));
		const source = {
			list: async (query: InspectionPageQuery) =>
				await Promise.resolve({ inspections: respond(query) }),
		};
		const { inspections, isCutShort, next } = await readRecent(source, never);
		expect([inspections.length, isCutShort]).toEqual([100, true]);
		expect(next).toBeDefined();
	});
});
