/**
 * How many requests Get Many takes for a whole list, and in how many rounds where every request takes equally long:
 *
 *     npm run build && node_modules/.bin/node test/bench/listRequests.mts
 */
import type * as reading from '../../nodes/InspectionService/domain/list/readWhole.ts';
import { readThrough, ticksOfText } from '../unit/changingList.mts';
import { bulkBetweenQuietMonths, LIST_SHAPES, StillList } from '../unit/stillList.mts';

const LANES = 10;
const COUNTS = [5_000, 100_000];
const SHAPES = [
	...Object.entries(LIST_SHAPES),
	['a bulk between quiet months', bulkBetweenQuietMonths] as const,
];
const START = ticksOfText('2020-01-01T00:00:00.0000000Z');

const built = new URL(
	'../../dist/nodes/InspectionService/domain/list/readWhole.js',
	import.meta.url,
);
const { readWhole }: typeof reading = await import(built.href);

console.log(
	'| list | inspections | requests | rounds | fewest requests possible |\n| --- | --- | --- | --- | --- |',
);
for (const count of COUNTS) {
	for (const [shape, at] of SHAPES) {
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
