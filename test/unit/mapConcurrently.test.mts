import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { limitConcurrency, mapConcurrently } from '#connector/domain/mapConcurrently.ts';

describe('mapConcurrently', () => {
	it('keeps the order within its limit, whichever ends first', async () => {
		const lists = fc.array(fc.nat(), { maxLength: 30 });
		const limits = fc.integer({ min: 1, max: 8 });
		await fc.assert(
			fc.asyncProperty(lists, limits, fc.scheduler(), async (elements, limit, scheduler) => {
				let [underWay, maxUnderWay] = [0, 0];
				const mapping = mapConcurrently(elements, limit, async (element) => {
					underWay += 1;
					maxUnderWay = Math.max(maxUnderWay, underWay);
					await scheduler.schedule(Promise.resolve());
					underWay -= 1;
					return element * 2;
				});
				expect(await scheduler.waitFor(mapping)).toEqual(elements.map((element) => element * 2));
				expect(maxUnderWay).toBe(Math.min(limit, elements.length));
			}),
		);
	});

	it('throws the first failure after running calls have ended, without starting others', async () => {
		const blockers = [0, 1].map(() => Promise.withResolvers<undefined>());
		const begun: number[] = [];
		let isOver = false;
		const mapping = mapConcurrently([0, 1, 2, 3], 2, async (element) => {
			begun.push(element);
			await blockers[element]?.promise;
			throw new Error(`element ${String(element)}`);
		}).finally(() => (isOver = true));
		mapping.catch(() => undefined);
		blockers[1]?.resolve(undefined);
		await setImmediate();
		expect(isOver).toBe(false);
		blockers[0]?.resolve(undefined);
		await expect(mapping).rejects.toThrow('element 1');
		expect(begun).toEqual([0, 1]);
	});
});

describe('a limit on concurrent calls', () => {
	it('is never exceeded while each call gets its result', async () => {
		const limits = fc.integer({ min: 1, max: 4 });
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.nat()),
				limits,
				fc.scheduler(),
				async (values, limit, scheduler) => {
					let [underWay, maxUnderWay] = [0, 0];
					const double = limitConcurrency(async (value: number) => {
						underWay += 1;
						maxUnderWay = Math.max(maxUnderWay, underWay);
						await scheduler.schedule(Promise.resolve());
						underWay -= 1;
						return value * 2;
					}, limit);
					const doubled = Promise.all(values.map(double));
					expect(await scheduler.waitFor(doubled)).toEqual(values.map((value) => value * 2));
					expect(maxUnderWay).toBe(Math.min(limit, values.length));
				},
			),
		);
	});

	it('starts nothing after a failure, but throws its reason', async () => {
		const started: number[] = [];
		const fail = limitConcurrency(async (value: number) => {
			started.push(value);
			await setImmediate();
			throw new Error(`call ${String(value)}`);
		}, 1);
		const reasons = await Promise.allSettled([fail(1), fail(2), fail(3)]);
		expect(started).toEqual([1]);
		expect(reasons.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
			[1, 2, 3].map(() => 'Error: call 1'),
		);
	});
});
