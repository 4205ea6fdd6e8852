import { describe, expect, it } from 'vitest';

import { pagesOf, takeParts } from '#connector/domain/list/part.ts';
import { at } from './times.mts';

describe('a list read side by side', () => {
	const part = (from: number, to: number) => ({ after: at(from), until: at(to), spanMs: 1_000 });

	it('is shared out among all lanes: the longest part is halved, again and again', () => {
		const [short, long] = [part(0, 10), part(10, 1_000)];
		const { taken, left } = takeParts([short, long], 4, undefined);
		expect(left).toEqual([]);
		expect(taken).toContainEqual(short);
		const inOrder = taken
			.flatMap((one) => ('until' in one ? [one] : []))
			.toSorted((a, b) => (a.after < b.after ? -1 : 1));
		// No second lies between two parts, or belongs to both.
		expect(inOrder.map(({ after }) => after)).toEqual([
			at(0),
			...inOrder.slice(0, 3).map(({ until }) => until),
		]);
		expect(inOrder[3]?.until).toBe(at(1_000));
	});

	it('gives the longest parts first, and keeps the others', () => {
		const { taken, left } = takeParts([part(0, 10), part(10, 100), part(100, 120)], 2, undefined);
		expect([taken.map(pagesOf), left.map(pagesOf)]).toEqual([[90, 20], [10]]);
	});

	it('is not shared out where one lane alone is as fast', () => {
		expect(takeParts([part(0, 1)], 8, undefined).taken).toHaveLength(1);
	});

	it('leaves out what lies behind the end of the list', () => {
		const { taken } = takeParts([part(0, 1), part(5, 6), part(2, 9)], 8, at(3));
		expect(taken.map(pagesOf)).toEqual([1, 1]);
	});
});
