import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import {
	type Checkpoint,
	checkpointAt,
	checkpointOf,
	checkpointToJson,
} from '#connector/domain/changes/checkpoint.ts';
import { readChanges } from '#connector/domain/changes/readChanges.ts';
import { ServiceClock } from '#connector/domain/changes/serviceClock.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import { allowed } from './changingList.mts';
import { PLAIN_WATCH } from './plainWatch.mts';

const INSTANT = '2026-03-01T08:00:00Z';
const NEXT_DAY = '2026-03-02T08:00:00Z';
/** More than any test here makes. */
const MOST_REQUESTS = 5_000;
type Ties = 'another order for every request' | 'another order for every page';

/** Many inspections of one instant, and one of the next day. */
class TiedService {
	requests = 0;
	private readonly rows: InspectionRecord[];
	private readonly ties: Ties;
	private readonly seed: number;

	constructor(count: number, ties: Ties, seed: number) {
		this.ties = ties;
		this.seed = seed;
		this.rows = Array.from({ length: count }, (_, index) => ({
			id: `i${index}`,
			updated_at: INSTANT,
		}));
		this.rows.push({ id: 'later', updated_at: NEXT_DAY });
	}

	list(query: InspectionPageQuery): InspectionRecord[] {
		this.requests += 1;
		if (this.requests > MOST_REQUESTS) throw new Error('the reading has no end');
		const salt = this.ties === 'another order for every page' ? query.page : this.requests;
		const key = ({ id, updated_at }: InspectionRecord) =>
			`${String(updated_at)} ${createHash('md5').update(`${id}/${this.seed}/${salt}`).digest('hex')}`;
		const sorted = this.rows
			.filter(({ updated_at }) => String(updated_at) >= (query.updatedAfter ?? ''))
			.filter(({ updated_at }) => String(updated_at) <= (query.updatedBefore ?? '9'))
			.map((row) => ({ row, key: key(row) }))
			.sort((a, b) => (a.key < b.key ? -1 : 1))
			.map(({ row }) => row);
		if (query.sortOrder === 'desc') sorted.reverse();
		return sorted.slice((query.page - 1) * query.pageSize, query.page * query.pageSize);
	}
}

/** Polls until nothing is left. */
async function drained(service: TiedService) {
	const emitted: string[] = [];
	const warnings: string[] = [];
	const source = {
		list: async (query: InspectionPageQuery) =>
			await Promise.resolve({ inspections: service.list(allowed(query)) }),
		clock: new ServiceClock(() => 0),
		hasTimeLeft: () => true,
	};
	const beginning = timestampOf('2020-01-01T00:00:00Z');
	let checkpoint: Checkpoint | undefined = beginning && checkpointAt(beginning);
	for (let polls = 0, quiet = 0; checkpoint !== undefined && polls < 200 && quiet < 3; polls++) {
		const before = emitted.length;
		const told = await readChanges(checkpoint, PLAIN_WATCH, {
			...source,
			emit: async (changes) => {
				emitted.push(...changes.map(({ inspection }) => inspection.id));
				return await Promise.resolve(changes.length);
			},
		});
		checkpoint = checkpointOf(JSON.parse(JSON.stringify(checkpointToJson(checkpoint))));
		warnings.push(...told);
		quiet = checkpoint?.resumeAt === undefined && emitted.length === before ? quiet + 1 : 0;
	}
	return { emitted, warnings };
}

describe('more inspections of one instant than a page', () => {
	test.each([150, 250, 400])('%i in another order for every request: each once', async (count) => {
		for (let seed = 0; seed < 40; seed++) {
			const service = new TiedService(count, 'another order for every request', seed);
			const { emitted, warnings } = await drained(service);
			expect(new Set(emitted).size).toBe(count + 1);
			expect(emitted.length).toBe(count + 1);
			expect(warnings).toEqual([]);
		}
	});

	test('in another order for every page: each once, or the log says what may be missed', async () => {
		for (let seed = 0; seed < 10; seed++) {
			const service = new TiedService(250, 'another order for every page', seed);
			const { emitted, warnings } = await drained(service);
			expect(new Set(emitted).size).toBe(emitted.length);
			expect(emitted).toContain('later');
			if (emitted.length < 251) {
				expect(warnings.join()).toContain(`it has shown ${emitted.length - 1}`);
			}
			expect(service.requests).toBeLessThan(200);
		}
	});
});
