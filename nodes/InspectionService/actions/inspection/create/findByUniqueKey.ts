import { LruCache } from '../../../cache/lruCache';
import { InspectionsByKey } from '../../../domain/create/uniqueKey';
import { idKey } from '../../../domain/id';
import { type JsonRecord, type JsonValue, textOf } from '../../../domain/json';
import { windowsAround } from '../../../domain/list/findInspections';
import {
	type InspectionFilter,
	LATE_COMMIT_SECONDS,
	MAX_PAGE_SIZE,
} from '../../../domain/list/inspectionQuery';
import { readAllPages } from '../../../domain/list/readAll';
import { readRange } from '../../../domain/list/readRange';
import { readUpTo } from '../../../domain/list/readUpTo';
import { upperBoundFor } from '../../../domain/list/timeRange';
import { mapConcurrently, MAX_ACTIVE } from '../../../domain/mapConcurrently';
import { MemoryBudget } from '../../../domain/memoryBudget';
import {
	addSeconds,
	earliestOf,
	floorToSecond,
	type Timestamp,
	timestampOf,
	timestampOfMs,
} from '../../../domain/timestamp';
import type { InspectionServiceClient } from '../../../transport/inspectionServiceClient';
import type { ItemService } from '../../itemServices';

const SECONDS_PER_DAY = 86_400;
/**
 * Maximum age of a cached list in ms. An older list is updated, because other people or workflows may have created
 * inspections since.
 */
const MAX_AGE_MS = 60_000;
/** Time after which a cached list is deleted, in ms. The rounds of a loop are usually closer together. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** Maximum number of lists kept in memory. A list with 20,000 keys takes a few megabytes. */
const MAX_READINGS = 10;
/**
 * Waits before each search for an inspection after an unknown outcome, in ms. Their total of 31 s is enough to find an
 * inspection that appears 20 s late.
 */
const WAITS_MS = [0, 1_000, 2_000, 4_000, 8_000, 16_000];
/**
 * After this many unsuccessful searches, each further inspection is searched for only once, without waits. Otherwise,
 * 500 inspections, ten at the same time, would take 25 minutes if the service is down.
 */
const MAX_FAILED_SEARCHES = 2;

/** Maximum bytes of the answers that are compared: as much as one index keeps (`InspectionsByKey`). */
const MAX_ANSWERS = 64 * 1024 * 1024;

/**
 * Seconds that are read before and after the creation of an existing inspection. Chosen: the inspections of one run are
 * usually less than twice this time apart, so one request reads many of them.
 */
const AROUND_SECONDS = 5;
const WITH_ANSWERS = {
	includes: ['data'],
	filter: {},
	order: { sortBy: 'created_at', sortOrder: 'asc' },
	pageSize: MAX_PAGE_SIZE,
} as const;

interface KeySearch {
	/** The unique keys of all inspections to create. Only these keys can be looked up. */
	readonly wanted: ReadonlySet<string>;
	/** Number of days to look back. 0 for no limit. */
	readonly days: number;
	/** How many creation times of other keys a list keeps. Only tests set it. */
	readonly maxPassed?: number;
}

interface ReadList {
	/**
	 * The latest creation time in the list, but not later than the service's `Date` header or n8n's clock, because
	 * imported inspections can have future dates. If the time is too early, the next update only reads more inspections
	 * than needed.
	 */
	newest: Timestamp | undefined;
	/** When the list was read, by n8n's clock, in Unix ms. */
	readAt: number;
	found: InspectionsByKey;
}

const readings = new LruCache<Promise<ReadList>>({
	maxSize: MAX_READINGS,
	maxAgeMs: FORGOTTEN_AFTER_MS,
});

/**
 * The unique key indexes of a run, one per service. Each index is read once for all rows, and cached if the execution
 * has an ID.
 */
export class UniqueKeyIndexes {
	private readonly execution: string | undefined;
	private readonly search: KeySearch;
	private readonly indexes = new LruCache<UniqueKeyIndex>();

	constructor(execution: string | undefined, search: KeySearch) {
		this.execution = execution;
		this.search = search;
	}

	of({ client, credential }: ItemService): UniqueKeyIndex {
		const { execution, search } = this;
		const name = execution && JSON.stringify([execution, credential, search.days]);
		return this.indexes.getOrMake(credential, () => new UniqueKeyIndex(client, search, name));
	}
}

/**
 * Finds inspections by unique key, so that no inspection is created twice. Reads the list once, then only newer
 * inspections.
 */
export class UniqueKeyIndex {
	private readonly client: InspectionServiceClient;
	private readonly search: KeySearch;
	/**
	 * Cache key that lets later rounds of a loop and other nodes of the execution use the same list. Undefined for no
	 * cache.
	 */
	private readonly name: string | undefined;
	private reading: Promise<ReadList> | undefined;
	private answers: Promise<ReadonlyMap<string, JsonValue>> | undefined;
	/** Number of unsuccessful searches for inspections with an unknown outcome. */
	private failedSearches = 0;

	constructor(client: InspectionServiceClient, search: KeySearch, name?: string) {
		this.client = client;
		this.search = search;
		this.name = name;
	}

	/** Returns the known inspections. Throws if the list can't be read. The caller must then create nothing. */
	async known(): Promise<InspectionsByKey> {
		return (await this.read()).found;
	}

	/**
	 * Returns the `data` of a known inspection. Undefined if it couldn't be read. Reads the answers of all
	 * existing inspections with a wanted key once.
	 */
	async answersOf(inspection: JsonRecord): Promise<JsonValue | undefined> {
		return (await (this.answers ??= this.readAnswers())).get(idOf(inspection));
	}

	/**
	 * Reads the times at which the existing inspections were created. A run creates its inspections close together, so
	 * this usually takes one request for 100 inspections. Inspections of this execution are known with their answers.
	 */
	private async readAnswers(): Promise<ReadonlyMap<string, JsonValue>> {
		const existing = (await this.known()).withKeys(this.search.wanted);
		const ids = new Set(existing.map(idOf));
		const budget = new MemoryBudget('', MAX_ANSWERS);
		const answers = new Map<string, JsonValue>();
		const add = (inspection: JsonRecord) => {
			const [id, { data }] = [idOf(inspection), inspection];
			if (data === undefined || !ids.has(id) || answers.has(id)) return false;
			if (budget.tryAdd({ data }) === undefined) return false;
			answers.set(id, data);
			return true;
		};
		const unread = existing.filter((inspection) => !add(inspection));
		const times = unread.flatMap(({ created_at }) => timestampOf(created_at) ?? []);
		const windows = windowsAround(times, AROUND_SECONDS);
		await mapConcurrently(windows, MAX_ACTIVE, async ({ timeCount, ...range }) => {
			const reading = { list: this.client.list, ...WITH_ANSWERS };
			let left = timeCount;
			try {
				for await (const { inspections } of readRange(reading, range)) {
					left -= inspections.filter(add).length;
					if (left <= 0) return;
				}
			} catch {
				// The inspections exist either way. Without their answers, the output says that nothing was compared.
			}
		});
		return answers;
	}

	/**
	 * Searches with growing waits for the inspection of a request with an unknown outcome. Returns undefined if no
	 * search finds the inspection. Throws if the last search failed, because the outcome is then still unknown.
	 */
	async findAfterUnknownOutcome(
		key: string,
		template: JsonRecord,
	): Promise<JsonRecord | undefined> {
		const { newest, found } = await this.read();
		const search = async () => {
			await this.readInto(found, { createdAfter: lateBefore(newest) });
			return found.get(key, template);
		};
		let searching: Promise<JsonRecord | undefined> = Promise.resolve(undefined);
		for (const wait of this.failedSearches < MAX_FAILED_SEARCHES ? WAITS_MS : [0]) {
			if (!(await this.client.wait(wait))) return undefined;
			searching = search();
			// Ignore an error for now, because the next search may succeed.
			const inspection = await searching.catch(() => undefined);
			if (inspection !== undefined) return inspection;
		}
		this.failedSearches += 1;
		return await searching;
	}

	private async read(): Promise<ReadList> {
		return await (this.reading ??= this.readKept());
	}

	/** If the cached list is older than a minute, adds inspections that were created since. */
	private async readKept(): Promise<ReadList> {
		const { name } = this;
		const kept = name === undefined ? undefined : readings.get(name);
		const known = await kept?.catch(() => undefined);
		const isComplete = known?.found.hasForgottenPassed() === false;
		const isFresh = isComplete && Date.now() - known.readAt < MAX_AGE_MS;
		const current = isFresh ? Promise.resolve(known) : this.readList(known);
		if (name !== undefined) void readings.keep(name, current);
		const reading = await current;
		await this.readPassed(reading.found);
		return reading;
	}

	private async readList(known: ReadList | undefined): Promise<ReadList> {
		const { days } = this.search;
		const readAt = Date.now();
		const order = { sortBy: 'created_at', sortOrder: 'desc' } as const;
		const first = await readUpTo({ ...order, filter: {}, includes: [] }, 1, this.client);
		const created = timestampOf(first.inspections[0]?.created_at);
		const today = timestampOfMs(readAt);
		const newest =
			created === undefined ? known?.newest : earliestOf([created, first.sentAt, today]);
		const found = known?.found ?? new InspectionsByKey(this.search.maxPassed);
		const earliest = newest && days !== 0 ? addSeconds(newest, -days * SECONDS_PER_DAY) : undefined;
		await this.readInto(found, {
			createdAfter:
				known?.found.hasForgottenPassed() === false ? lateBefore(known.newest) : earliest,
		});
		return { newest, readAt, found };
	}

	/**
	 * Reads inspections with newly wanted keys again. They weren't kept when the list was first read, because another
	 * node or another round of a loop looked for different keys.
	 */
	private async readPassed(found: InspectionsByKey): Promise<void> {
		const passed = [...this.search.wanted].filter((key) => found.passedAt(key).length > 0);
		await mapConcurrently(passed, MAX_ACTIVE, async (key) => {
			for (const created of found.passedAt(key)) {
				const createdBefore = upperBoundFor(created);
				await this.readInto(found, { createdAfter: floorToSecond(created), createdBefore });
			}
			found.forgetPassed(key);
		});
	}

	private async readInto(found: InspectionsByKey, filter: InspectionFilter): Promise<void> {
		await readAllPages({ filter, includes: [] }, this.client, MAX_ACTIVE, (page) => {
			found.add(page, this.search.wanted);
		});
	}
}

/**
 * Returns the creation time from which to read the list again. It's before the newest known inspection, because the
 * service can show an older inspection later than a newer one.
 */
function lateBefore(newest: Timestamp | undefined): Timestamp | undefined {
	return newest && addSeconds(newest, -LATE_COMMIT_SECONDS);
}

function idOf({ id }: JsonRecord): string {
	return idKey(textOf(id) ?? '');
}
