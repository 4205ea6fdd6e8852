/** Lists of inspections, and the changes that others make to them. */
import fc from 'fast-check';

import { ChangingList, type ListSettings, type Row, START } from '#harness/changingList.mts';
import { STATUSES } from '#sandbox/service/model.mts';
import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';

export const DAY = 86_400n * TICKS_PER_SECOND;

export type Generated<Any> = Any extends fc.Arbitrary<infer One> ? One : never;

/** Realistic work: quiet weeks, busy hours, and imports of hundreds within a second, a millisecond, or a tick. */
export const anyWork = fc.array(
	fc.record({
		size: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(99, 100, 101, 200)),
		/** Ticks between two inspections, and before the first. */
		gap: fc.constantFrom(0n, 1n, 3n, 9_000n, 700_000n, TICKS_PER_SECOND, DAY / 40n),
		pause: fc.constantFrom(0n, 1n, 500_000n, TICKS_PER_SECOND, DAY),
		/** Every how many of them were updated since. 0: none. */
		updated: fc.integer({ min: 0, max: 5 }),
	}),
	{ maxLength: 6 },
);

export type Work = Generated<typeof anyWork>;

export function listOfWork(work: Work, settings: Partial<ListSettings> = {}): ChangingList {
	const list = new ChangingList(settings);
	let at = START;
	const updated: Row[] = [];
	for (const { size, gap, pause, updated: every } of work) {
		at += pause;
		for (let index = 0; index < size; index++) {
			const row = list.create((at += gap));
			if (every > 0 && index % every === 0) updated.push(row);
		}
	}
	list.now = at + DAY;
	for (const row of updated) list.update(row);
	return list;
}

/** Any of the rows: their position counts from the beginning again after the last. */
export const rowAt = (rows: readonly Row[], place: number): Row | undefined =>
	rows[place % Math.max(1, rows.length)];

export const anyPlace = fc.option(fc.nat(), { nil: undefined });

const anyChange = fc.record({
	/** Position of the inspection to update. Undefined: creates one. */
	place: anyPlace,
	status: fc.constantFrom(...STATUSES),
	ticks: fc.bigInt({ min: 1n, max: 5_000_000n }),
	/** Whether a created inspection becomes visible a day late. */
	isLate: fc.boolean(),
});

/** What others change before each response. */
export const anyChanges = fc.array(fc.array(anyChange, { maxLength: 4 }), { maxLength: 60 });
export type Changes = Generated<typeof anyChanges>;

/** Makes the next changes each time it's called. Calls `touch` after each with the changed row. */
export function changesOf(
	list: ChangingList,
	changes: Changes,
	touch: (row: Row) => void = () => undefined,
) {
	const left = changes.values();
	return (rows: readonly Row[] = [...list.rows.values()]) => {
		for (const { place, status, ticks, isLate } of left.next().value ?? []) {
			const row = place === undefined ? undefined : rowAt(rows, place);
			if (row !== undefined) list.update(row, status, ticks);
			else list.now += ticks;
			touch(row ?? list.create(isLate ? list.now - DAY : list.now, status));
		}
	};
}
