import { describe, expect, it } from 'vitest';

import { type Part, takeParts } from '#connector/domain/list/part.ts';
import { at } from './times.mts';

describe('a list read side by side', () => {
	const part = (page: number, pages: number): Part => ({
		...{ kind: 'pages', after: at(0), page, pages, isGuess: false },
	});
	/** The pages of each part, in the order of the list. */
	const placesOf = (parts: readonly Part[]) =>
		parts
			.flatMap((one) => (one.kind === 'pages' ? [[one.page, one.pages] as const] : []))
			.toSorted(([a], [b]) => a - b);

	it('is shared out among all lanes: the longest part is halved, again and again', () => {
		const { taken, left } = takeParts([part(1, 40)], 4, true);
		expect(left).toEqual([]);
		// No page lies between two parts, or belongs to both.
		expect(placesOf(taken)).toEqual([
			[1, 10],
			[11, 10],
			[21, 10],
			[31, 10],
		]);
	});

	it('gives the longest parts first, and keeps the others', () => {
		const { taken, left } = takeParts([part(1, 5), part(6, 90), part(96, 20)], 2, true);
		expect([placesOf(taken), placesOf(left)]).toEqual([
			[
				[6, 90],
				[96, 20],
			],
			[[1, 5]],
		]);
	});

	it('is not cut where the next page would not overlap, nor while it may be short', () => {
		expect(takeParts([part(2, 3), part(1, 2)], 8, true).taken).toHaveLength(2);
		expect(takeParts([part(1, 40)], 8, false).taken).toHaveLength(1);
	});
});
