/** Random lists of inspections, and random changes that other users make to them. */
import fc from 'fast-check';

import { ChangingList, type ListSettings, type Row, START } from '#harness/changingList.mts';
import { STATUSES } from '#sandbox/service/model.mts';
import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';

export const DAY = 86_400n * TICKS_PER_SECOND;

export type Generated<Any> = Any extends fc.Arbitrary<infer One> ? One : never;

/**
 * Realistic activity: quiet weeks, busy hours, and imports of hundreds of inspections within one second, one
 * millisecond, or one tick.
 */
export const anyWork = fc.array(
	fc.record({
		size: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(99, 100, 101, 200)),
		/** The number of ticks between two inspections. */
		gap: fc.constantFrom(0n, 1n, 3n, 9_000n, 700_000n, TICKS_PER_SECOND, DAY / 40n),
		pause: fc.constantFrom(0n, 1n, 500_000n, TICKS_PER_SECOND, DAY),
		/** Every nth inspection was updated after its creation. 0 means none. */
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

/** Returns one of the rows. `position` can be larger than the number of rows. */
export const rowAt = (rows: readonly Row[], position: number): Row | undefined =>
	rows[position % Math.max(1, rows.length)];

export const anyPlace = fc.option(fc.nat(), { nil: undefined });

const anyChange = fc.record({
	/** The position of the inspection to update. Undefined: the change creates an inspection. */
	position: anyPlace,
	status: fc.constantFrom(...STATUSES),
	ticks: fc.bigInt({ min: 1n, max: 5_000_000n }),
	/** Whether a created inspection becomes visible a day after its timestamp. */
	isLate: fc.boolean(),
});

/** Changes by other users: up to four before each response. */
export const anyChanges = fc.array(fc.array(anyChange, { maxLength: 4 }), { maxLength: 60 });
export type Changes = Generated<typeof anyChanges>;

/** Returns a function that makes the changes before the next response. It calls `touch` with each changed row. */
export function changesOf(
	list: ChangingList,
	changes: Changes,
	touch: (row: Row) => void = () => undefined,
) {
	const left = changes.values();
	return (rows: readonly Row[] = [...list.rows.values()]) => {
		for (const { position, status, ticks, isLate } of left.next().value ?? []) {
			const row = position === undefined ? undefined : rowAt(rows, position);
			if (row !== undefined) list.update(row, status, ticks);
			else list.now += ticks;
			touch(row ?? list.create(isLate ? list.now - DAY : list.now, status));
		}
	};
}
