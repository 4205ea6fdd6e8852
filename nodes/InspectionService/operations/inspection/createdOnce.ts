import { NodeApiError } from 'n8n-workflow';

import { KeyedInspections, type UniqueKey } from '../../domain/create/uniqueKey';
import type { JsonRecord } from '../../domain/json';
import { type ListSource, readFirst } from '../../domain/list/readFirst';
import { readPages } from '../../domain/list/readWhole';
import { addSeconds, type Timestamp, timestampOf } from '../../domain/timestamp';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import { failAlone } from '../../transport/serviceError';
import { listOf } from '../../transport/serviceList';

/** Lanes that read the list side by side: as many as the transport sends requests at once (MAX_ACTIVE). */
const LANES = 10;
const SECONDS_PER_DAY = 86_400;
/** How much later than a newer one an inspection may become visible. The same as the trigger's default Lookback. */
const LATE_COMMIT_SECONDS = 60;
/** The waits before each look for an inspection in doubt, in ms. Chosen: 31 s in all find one that shows up 20 s late. */
const WAITS_MS = [0, 1_000, 2_000, 4_000, 8_000, 16_000];
/**
 * After so many waits that found no inspection, the next ones are looked for once, without waiting. Chosen: otherwise 500
 * rows in doubt at a broken service would take 25 minutes.
 */
const MAX_WAITED_IN_VAIN = 2;

/** Which unique keys to look for in one service, during one run of the node. */
export interface KeySearch {
	/** The name of the custom field that holds the keys. */
	readonly field: string;
	/** The keys of all units. */
	readonly wanted: ReadonlySet<string>;
	/** How many days back inspections are looked for; 0 for all. */
	readonly days: number;
}

/** Looks inspections up by their unique keys, so that none is created twice. */
export interface CreatedOnce {
	/**
	 * The inspection that has the key already; undefined for none. The first call reads the list, for all keys. Throws
	 * NodeApiError where the list cannot be read: then nothing may be created.
	 */
	existing(key: UniqueKey): Promise<JsonRecord | undefined>;
	/**
	 * The inspection that a create in doubt made, looked for again and again with growing waits, about 30 s in all.
	 * Undefined where it was not seen, the list could not be read, or the execution was cancelled.
	 */
	madeInDoubt(key: UniqueKey): Promise<JsonRecord | undefined>;
}

/** What the list showed before anything was created. */
interface Before {
	/** When the newest inspection was created, by the service's clock: n8n's may be wrong by days. */
	newest: Timestamp | undefined;
	found: KeyedInspections;
}

export function createdOnce(client: InspectionServiceClient, search: KeySearch): CreatedOnce {
	const source = listOf(client);
	let reading: Promise<Before> | undefined;
	let waitedInVain = 0;
	const before = async () => await (reading ??= readBefore(source, search)).catch(failAlone);

	return {
		async existing({ value }) {
			return (await before()).found.get(value);
		},
		async madeInDoubt({ field, value }) {
			const since = secondsBefore((await before()).newest, LATE_COMMIT_SECONDS);
			const wanted = { field, wanted: new Set([value]) };
			for (const wait of waitedInVain < MAX_WAITED_IN_VAIN ? WAITS_MS : [0]) {
				if (!(await client.wait(wait))) return undefined;
				const found = await readSince(source, since, wanted).catch(undefinedWhereUnreadable);
				const made = found?.get(value);
				if (made !== undefined) return made;
			}
			waitedInVain += 1;
			return undefined;
		},
	};
}

async function readBefore(source: ListSource, search: KeySearch): Promise<Before> {
	const newestFirst = { sortBy: 'created_at', sortOrder: 'desc' } as const;
	const { inspections } = await readFirst({ ...newestFirst, filter: {}, includes: [] }, 1, source);
	const newest = timestampOf(inspections[0]?.created_at);
	const since =
		search.days === 0 ? undefined : secondsBefore(newest, search.days * SECONDS_PER_DAY);
	return { newest, found: await readSince(source, since, search) };
}

/** The inspections that carry the wanted keys, of all that were created at `createdAfter` or later. */
async function readSince(
	source: ListSource,
	createdAfter: Timestamp | undefined,
	{ field, wanted }: Pick<KeySearch, 'field' | 'wanted'>,
): Promise<KeyedInspections> {
	const found = new KeyedInspections(field, wanted);
	const filter = createdAfter === undefined ? {} : { createdAfter };
	await readPages({ filter, includes: [] }, source, LANES, (page) => {
		found.add(page);
	});
	return found;
}

function secondsBefore(moment: Timestamp | undefined, seconds: number): Timestamp | undefined {
	return moment && addSeconds(moment, -seconds);
}

/** Undefined after a failed look, because the service may be well again at the next look. */
function undefinedWhereUnreadable(error: unknown): undefined {
	if (error instanceof NodeApiError) return undefined;
	throw error;
}
