/**
 * How many requests Get Many takes for a whole list, and in how many rounds where every request takes equally long:
 *
 *     npm run build && node_modules/.bin/node test/bench/listRequests.mts
 */
import type { InspectionPageQuery } from '../../nodes/InspectionService/domain/list/inspectionQuery.ts';
import type * as reading from '../../nodes/InspectionService/domain/list/readWhole.ts';
import { randomOf, readThrough, textOfTicks, ticksOfText } from '../unit/changingList.mts';
import { LIST_SHAPES } from '../unit/listShapes.mts';

const LANES = 10;
const COUNTS = [5_000, 100_000];
const START = ticksOfText('2020-01-01T00:00:00.0000000Z');

const built = new URL(
	'../../dist/nodes/InspectionService/domain/list/readWhole.js',
	import.meta.url,
);
const { readWhole }: typeof reading = await import(built.href);

/** A list that nobody changes, by the rules of listInspections; the ids do not follow the order of creation. */
class StillList {
	requests = 0;
	private readonly times: readonly bigint[];
	private readonly ids: readonly string[];

	constructor(times: readonly bigint[]) {
		const random = randomOf(1);
		this.times = times;
		this.ids = times.map((_, index) => `${random().toString(36).slice(2)}-${String(index)}`);
	}

	page({ createdAfter, createdBefore, sortOrder, page, pageSize }: InspectionPageQuery) {
		this.requests += 1;
		const from = createdAfter === undefined ? 0 : this.firstFrom(ticksOfText(createdAfter));
		const to =
			createdBefore === undefined
				? this.times.length
				: this.firstFrom(ticksOfText(createdBefore) + 1n);
		const start = (page - 1) * pageSize;
		const rows = Array.from(
			{ length: Math.max(0, Math.min(pageSize, to - from - start)) },
			(_, index) => (sortOrder === 'asc' ? from + start + index : to - 1 - start - index),
		);
		return rows.map((row) => {
			const time = textOfTicks(this.times[row] ?? 0n);
			return { id: this.ids[row] ?? '', created_at: time, updated_at: time };
		});
	}

	/** The first inspection that was created at a time or later, by halving. */
	private firstFrom(time: bigint): number {
		let [low, high] = [0, this.times.length];
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			if ((this.times[middle] ?? 0n) < time) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

console.log(
	'| list | inspections | requests | rounds | fewest requests possible |\n| --- | --- | --- | --- | --- |',
);
for (const count of COUNTS) {
	for (const [shape, at] of Object.entries(LIST_SHAPES)) {
		const times = Array.from({ length: count }, (_, index) => START + at(index, count));
		const list = new StillList(times);
		const options = { filter: {}, includes: [], sortBy: 'created_at', sortOrder: 'asc' } as const;
		const { result, rounds } = await readThrough(
			async (source) => await readWhole(options, source, LANES),
			(query) => list.page(query),
		);
		if (result.length !== count)
			throw new Error(`${shape}: ${String(result.length)} of ${String(count)}`);
		const cells = [shape, count.toLocaleString('en'), list.requests, rounds, count / 100];
		console.log(`| ${cells.map(String).join(' | ')} |`);
	}
}
