import { describe, expect, it } from 'vitest';

import { rangeOf } from '#connector/domain/list/keyRange.ts';
import { pagesOf, type Part, takeParts } from '#connector/domain/list/part.ts';
import { NOTHING_KNOWN } from '#connector/domain/list/readFullSecond.ts';
import { type Timestamp, timestampOf } from '#connector/domain/timestamp.ts';

function at(second: number): Timestamp {
	const moment = timestampOf(new Date(Date.UTC(2026, 2, 1, 8) + second * 1000).toISOString());
	if (moment === undefined) throw new Error('no timestamp');
	return moment;
}

describe('a list read side by side', () => {
	const part = (from: number, to: number) => ({ after: at(from), until: at(to), spanMs: 1_000 });

	it('is shared out among all lanes: the longest part is halved, again and again', () => {
		const [short, long] = [part(0, 10), part(10, 1_000)];
		const { taken, left } = takeParts([short, long], 4, undefined);
		expect(left).toEqual([]);
		expect(taken).toHaveLength(4);
		expect(taken).toContainEqual(short);
		const stretches = taken.flatMap((one) => ('until' in one ? [one] : []));
		const inOrder = stretches.toSorted((a, b) => (a.after < b.after ? -1 : 1));
		// No second lies between two parts, or belongs to both.
		expect(inOrder.map(({ after }) => after)).toEqual([
			at(0),
			...inOrder.slice(0, -1).map(({ until }) => until),
		]);
		expect(inOrder.at(-1)?.until).toBe(at(1_000));
	});

	it('gives the longest parts first, and keeps the others', () => {
		const parts: Part[] = [part(0, 10), part(10, 100), part(100, 120)];
		const { taken, left } = takeParts(parts, 2, undefined);
		expect(taken.map(pagesOf)).toEqual([90, 20]);
		expect(left.map(pagesOf)).toEqual([10]);
	});

	it('is not shared out where one lane alone is as fast', () => {
		expect(takeParts([part(0, 1)], 8, undefined).taken).toHaveLength(1);
	});

	it('leaves out what lies behind the end of the list', () => {
		const { taken } = takeParts([part(0, 1), part(5, 6), part(2, 9)], 8, at(3));
		expect(taken.map(pagesOf)).toEqual([1, 1]);
	});
});

it('a bound that is no time is refused, and the error names it', () => {
	expect(() => rangeOf({ createdAfter: 'soon' }, 'created_at')).toThrow(
		/^createdAfter: "soon" is not a date and time such as 2026/,
	);
});

it('the error for a second that could not be read completely names its time and what to do', () => {
	expect(() => NOTHING_KNOWN.onIncomplete(at(0), { shown: 150, holds: 151 })).toThrow(
		/the time 2026-03-01T08:00:00Z.*could not be read completely\. Try again/,
	);
});
