// Ten times as many inspections: how many more requests and rows it takes to read them.
import { expect, it } from 'vitest';

import { checkpointAt } from '#connector/domain/changes/checkpoint.ts';
import type { ChangesPoll } from '#connector/domain/changes/emitNewVersions.ts';
import { firstPoll, readChanges } from '#connector/domain/changes/readChanges.ts';
import { ServiceClock } from '#connector/domain/changes/serviceClock.ts';
import type { ListSource } from '#connector/domain/list/askPage.ts';
import { findInspections } from '#connector/domain/list/findInspections.ts';
import { readFirst } from '#connector/domain/list/readFirst.ts';
import { readWhole } from '#connector/domain/list/readWhole.ts';
import { BEGINNING_OF_TIME } from '#connector/domain/timestamp.ts';
import { ChangingList, START, TICKS_PER_SECOND } from './changingList.mts';
import { PLAIN_WATCH } from './polledList.mts';
import { timeOf } from './times.mts';

// More than a thousand: a shorter list is read by page number alone.
const [FEW, MANY] = [1_500, 15_000];
/** Ten times as much, and what a reading costs besides; work by the square would be a hundred times. */
const MAX_RATIO = 15;

interface Source extends ListSource {
	/** Requests and inspections so far. */
	work(): number;
}

function sourceOf(count: number, ticksOf: (n: bigint) => bigint): Source {
	const list = new ChangingList();
	for (let n = 0n; n < count; n++) list.create(START + ticksOf(n), 'new');
	let work = 0;
	return {
		list: async (query) => {
			const inspections = list.page(query);
			work += 1 + inspections.length;
			return await Promise.resolve({ inspections });
		},
		work: () => work,
	};
}

function pollOf(source: Source, emit: ChangesPoll['emit']): ChangesPoll {
	const clock = new ServiceClock({ now: () => 0, today: () => timeOf('2100-01-01T00:00:00Z') });
	return { ...source, watch: PLAIN_WATCH, clock, emit, hasTimeLeft: () => true };
}

const ALL = { filter: {}, includes: [], sortBy: 'created_at', sortOrder: 'asc' } as const;

/** Readings of all inspections of a source; each gives how many it has read. */
const READINGS: Readonly<Record<string, (source: Source, count: number) => Promise<number>>> = {
	readWhole: async (source) => (await readWhole(ALL, source, 10)).length,
	readFirst: async (source, count) => (await readFirst(ALL, count, source)).inspections.length,
	findInspections: async (source) => {
		const wanted = new Map([['gone', undefined]]);
		return (await findInspections(wanted, source, [])).lookedAt;
	},
	readChanges: async (source) => {
		const checkpoint = checkpointAt(BEGINNING_OF_TIME);
		let emitted = 0;
		const poll = pollOf(source, async function* (changes) {
			emitted += changes.length;
			yield* await Promise.resolve(changes.map(() => true));
		});
		for (let polls = 0; polls === 0 || (checkpoint.resumeAt && polls < 200); polls++) {
			await readChanges(checkpoint, poll);
		}
		return emitted;
	},
};

/** How inspections lie in time: evenly, crowded into seconds, all in one second. */
const TIMES: [string, (n: bigint) => bigint][] = [
	['one a minute', (n) => n * 60n * TICKS_PER_SECOND],
	['fifty a second', (n) => (n * TICKS_PER_SECOND) / 50n],
	['all in one second', (n) => n * 100n],
];

it.each(
	Object.entries(READINGS).flatMap(([name, read]) =>
		TIMES.map(([times, timeOf]) => ({ name, read, times, timeOf })),
	),
)(
	'ten times as many inspections take some ten times the requests and rows: $name, $times',
	async ({ read, timeOf }) => {
		const workOf = async (count: number) => {
			const source = sourceOf(count, timeOf);
			expect(await read(source, count)).toBe(count);
			return source.work();
		};
		expect((await workOf(MANY)) / (await workOf(FEW))).toBeLessThan(MAX_RATIO);
	},
);

it('firstPoll takes what the lookback holds, however much there is before it', async () => {
	const workOf = async (count: number) => {
		const source = sourceOf(count, (n) => n * TICKS_PER_SECOND);
		const poll = pollOf(source, async function* () {
			yield await Promise.reject<boolean>(new Error('a first poll emits nothing'));
		});
		await firstPoll(poll, new Set());
		return source.work();
	};
	expect(await workOf(MANY)).toBe(await workOf(FEW));
});
