import { KeyedInspections } from '../../domain/create/uniqueKey';
import { LATE_COMMIT_SECONDS } from '../../domain/list/inspectionQuery';
import { type ListSource, readFirst } from '../../domain/list/readFirst';
import { readPages, type TakePage } from '../../domain/list/readWhole';
import { mapConcurrently } from '../../domain/mapConcurrently';
import {
	addSeconds,
	ceilToSecond,
	earlierOf,
	floorToSecond,
	type Timestamp,
	timestampOf,
} from '../../domain/timestamp';

/** Lanes that read the list side by side: as many as the transport sends requests at once (MAX_ACTIVE). */
const LANES = 10;
const SECONDS_PER_DAY = 86_400;
/** In ms. A loop that waits between its rounds looks again for what others have created meanwhile. */
const MAX_AGE_MS = 60_000;
/** Executions whose readings are kept. Chosen for a busy n8n: a reading of 20,000 keys takes a few megabytes. */
const MAX_EXECUTIONS = 10;

/** What the list has shown of unique keys. */
export interface KeyReading {
	/**
	 * When the newest inspection was created, by the service's clock: n8n's may be wrong by days. Never later than the
	 * response's `Date` header, because an import may have dates that lie ahead.
	 */
	newest: Timestamp | undefined;
	/** When the list was read, by n8n's clock. */
	readAt: number;
	found: KeyedInspections;
}

/** Which unique keys to look for in one service, during one run of the node. */
export interface KeySearch {
	/** The name of the custom field that holds the keys. */
	readonly field: string;
	/** The keys of all units. */
	readonly wanted: ReadonlySet<string>;
	/** How many days back inspections are looked for; 0 for all. */
	readonly days: number;
}

/** Where a reading is kept for the later rounds of a loop and the other nodes of an execution. */
export interface KeyReadings {
	reading?: Promise<KeyReading>;
}

const executions = new Map<string, Map<string, KeyReadings>>();

/** The readings of an execution in one service. For an execution without an id nothing is remembered. */
export function readingsOf(
	execution: string | undefined,
	service: string,
	{ field, days }: KeySearch,
): KeyReadings {
	if (execution === undefined) return {};
	const known = executions.get(execution) ?? new Map<string, KeyReadings>();
	executions.delete(execution);
	executions.set(execution, known);
	for (const oldest of executions.keys()) {
		if (executions.size <= MAX_EXECUTIONS) break;
		executions.delete(oldest);
	}
	const key = JSON.stringify([service, field, days]);
	const readings = known.get(key) ?? {};
	known.set(key, readings);
	return readings;
}

/**
 * What the list shows of the wanted keys. It is read whole once per execution. A reading that is older than a minute is
 * brought up to date with what was created since.
 */
export async function readKeys(
	kept: KeyReadings,
	source: ListSource,
	search: KeySearch,
	now: number,
): Promise<KeyReading> {
	const known = await kept.reading?.catch(() => undefined);
	const isFresh = known !== undefined && now - known.readAt < MAX_AGE_MS;
	const reading = isFresh ? Promise.resolve(known) : readList(source, search, { known, now });
	kept.reading = reading;
	return await reading.then(async (read) => {
		await readPassed(read, source, search);
		return read;
	});
}

async function readList(
	source: ListSource,
	{ field, wanted, days }: KeySearch,
	{ known, now }: { known: KeyReading | undefined; now: number },
): Promise<KeyReading> {
	const newestFirst = { sortBy: 'created_at', sortOrder: 'desc' } as const;
	const first = await readFirst({ ...newestFirst, filter: {}, includes: [] }, 1, source);
	const created = timestampOf(first.inspections[0]?.created_at);
	const newest =
		created === undefined ? known?.newest : earlierOf(created, first.sentAt ?? created);
	const found = known?.found ?? new KeyedInspections(field);
	const since = known === undefined ? daysBefore(newest, days) : lateBefore(known.newest);
	await readSince(source, since, (page) => {
		found.add(page, wanted);
	});
	return { newest, readAt: now, found };
}

function daysBefore(newest: Timestamp | undefined, days: number): Timestamp | undefined {
	return newest && (days === 0 ? undefined : addSeconds(newest, -days * SECONDS_PER_DAY));
}

/** From when on inspections may still have been invisible when the newest one was seen. */
export function lateBefore(newest: Timestamp | undefined): Timestamp | undefined {
	return newest && addSeconds(newest, -LATE_COMMIT_SECONDS);
}

/** Reads again the inspections of keys that were not wanted when the list was read. */
async function readPassed(
	{ found }: KeyReading,
	source: ListSource,
	{ wanted }: KeySearch,
): Promise<void> {
	const passed = [...wanted].filter((key) => found.passedAt(key).length > 0);
	await mapConcurrently(passed, LANES, async (key) => {
		for (const created of found.passedAt(key)) {
			const second = {
				createdAfter: floorToSecond(created),
				createdBefore: ceilToSecond(created) ?? created,
			};
			await readPages({ filter: second, includes: [] }, source, 1, (page) => {
				found.add(page, wanted);
			});
		}
		found.forgetPassed(key);
	});
}

/** Reads the inspections that were created at `createdAfter` or later. */
export async function readSince(
	source: ListSource,
	createdAfter: Timestamp | undefined,
	take: TakePage,
): Promise<void> {
	const filter = createdAfter === undefined ? {} : { createdAfter };
	await readPages({ filter, includes: [] }, source, LANES, take);
}
