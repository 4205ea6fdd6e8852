import { expect, test } from 'vitest';

import { windowsBefore } from '#connector/domain/list/searchWindows.ts';
import { msSinceEpoch } from '#connector/domain/timestamp.ts';
import { at } from './times.mts';

const HOUR_MS = 3_600_000;
const WINDOWS = [...windowsBefore(at(0), 0)];
const BEGINS = WINDOWS.flatMap(({ after }) => (after === undefined ? [] : [msSinceEpoch(after)]));

test('windows of a search begin with an hour, and each is eight times as long as the one before', () => {
	const [first = 0, second = 0] = BEGINS;
	expect(msSinceEpoch(at(0)) - first).toBe(HOUR_MS);
	expect(first - second).toBe(8 * HOUR_MS);
});

test('windows of a search meet, and the last one reaches to the beginning of the list', () => {
	expect(WINDOWS.map(({ before }) => before)).toEqual([
		at(0),
		...WINDOWS.slice(0, -1).map(({ after }) => after),
	]);
	expect(WINDOWS.at(-1)?.after).toBeUndefined();
	expect(Math.min(...BEGINS)).toBeGreaterThanOrEqual(0);
});
