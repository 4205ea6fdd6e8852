/**
 * Counts the requests that Get Many needs for a whole list. Also counts the rounds of concurrent requests, assuming
 * that all requests take equally long:
 *
 *     npm run bench -- listRequests
 */
import type * as reading from '#connector/domain/list/readAll.ts';
import type * as timestamps from '#connector/domain/timestamp.ts';
import { ChangingList, readThrough } from '#harness/changingList.mts';
import { LIST_SHAPES } from '#harness/listShapes.mts';
import { formatTimestamp, TICKS_PER_SECOND, ticksOf } from '#sandbox/service/time.mts';

const WORKERS = 10;
const COUNTS = [120, 1_000, 5_000, 100_000];
const HOUR = 3_600n * TICKS_PER_SECOND;
const START = ticksOf('2020-01-01T00:00:00Z');

const DOMAIN = new URL('../dist/nodes/InspectionService/domain/', import.meta.url);
const { readAll }: typeof reading = await import(new URL('list/readAll.js', DOMAIN).href);
const { timestampOf }: typeof timestamps = await import(new URL('timestamp.js', DOMAIN).href);

console.log(
	'| list | inspections | requests | rounds | fewest requests possible |\n| --- | --- | --- | --- | --- |',
);
for (const count of COUNTS) {
	for (const [shape, at] of Object.entries(LIST_SHAPES)) {
		const times = Array.from({ length: count }, (_, index) => START + at(index, count));
		const list = new ChangingList();
		for (const time of times) list.create(time);
		// The time in the service's responses: an hour after the last inspection was created.
		const sentAt = timestampOf(formatTimestamp((times.at(-1) ?? START) + HOUR, '100ns'));
		const options = { filter: {}, includes: [], sortBy: 'created_at', sortOrder: 'asc' } as const;
		const { result, rounds } = await readThrough(
			async (source) => await readAll(options, source, WORKERS),
			(query) => ({ inspections: list.page(query), sentAt }),
		);
		if (result.length !== count)
			throw new Error(`${shape}: ${String(result.length)} of ${String(count)}`);
		const cells = [shape, count.toLocaleString('en'), list.requestCount, rounds, count / 100];
		console.log(`| ${cells.map(String).join(' | ')} |`);
	}
}
