import { KeyedInspections, type UniqueKey } from '../../domain/create/uniqueKey';
import type { JsonRecord } from '../../domain/json';
import { type InspectionFilter, LATE_COMMIT_SECONDS } from '../../domain/list/inspectionQuery';
import { readAllPages } from '../../domain/list/readAll';
import { readUpTo } from '../../domain/list/readUpTo';
import { mapConcurrently, MAX_ACTIVE } from '../../domain/mapConcurrently';
import {
	addSeconds,
	ceilToSecond,
	earliestOf,
	floorToSecond,
	type Timestamp,
	timestampOf,
	timestampOfMs,
} from '../../domain/timestamp';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import type { ItemService } from '../../transport/itemServices';
import { Memory } from '../../transport/memory';

const SECONDS_PER_DAY = 86_400;
/** In ms. A loop that waits between its rounds looks again for what others have created meanwhile. */
const MAX_AGE_MS = 60_000;
/** In ms. Rounds of a loop follow each other faster. After that the list is read again. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** One reading of 20,000 keys takes a few megabytes. */
const MAX_READINGS = 10;
/** The waits before each look for an inspection in doubt, in ms: 31 s in all, which find one that shows up 20 s late. */
const WAITS_MS = [0, 1_000, 2_000, 4_000, 8_000, 16_000];
/** After so many searches in vain, a doubt gets one look: else 500, ten at once, would take 25 minutes at a broken service. */
const MAX_IN_VAIN = 2;

export interface KeySearch {
	readonly field: string;
	/** The keys of all inspections that are to be made: no other may be asked for. */
	readonly wanted: ReadonlySet<string>;
	/** 0 for all. */
	readonly days: number;
}

interface KeyReading {
	/**
	 * The newest time of creation, but not later than the service's `Date` header and n8n's clock, because imported
	 * inspections can have dates in the future. An earlier bound only makes the reading longer.
	 */
	newest: Timestamp | undefined;
	/** By n8n's clock. */
	readAt: number;
	found: KeyedInspections;
}

const readings = new Memory<Promise<KeyReading>>({
	maxSize: MAX_READINGS,
	maxAgeMs: FORGOTTEN_AFTER_MS,
});

/** The lists of all services of a run: each is read once for all rows, and remembered for an execution that has an id. */
export class KeyLists {
	private readonly execution: string | undefined;
	private readonly search: KeySearch;
	private readonly lists = new Memory<KeyList>();

	constructor(execution: string | undefined, search: KeySearch) {
		this.execution = execution;
		this.search = search;
	}

	of({ client, credential }: ItemService): KeyList {
		const { execution, search } = this;
		const name = execution && JSON.stringify([execution, credential, search.field, search.days]);
		return this.lists.getOrMake(credential, () => new KeyList(client, search, name));
	}
}

/** Finds inspections by their unique keys, so that none is created twice. It reads the list once, and later what is new. */
export class KeyList {
	private readonly client: InspectionServiceClient;
	private readonly search: KeySearch;
	/** The name under which later rounds of a loop and other nodes of the execution find the reading. */
	private readonly name: string | undefined;
	private reading: Promise<KeyReading> | undefined;
	/** Searches for an inspection in doubt that have not found it. */
	private inVain = 0;

	constructor(client: InspectionServiceClient, search: KeySearch, name?: string) {
		this.client = client;
		this.search = search;
		this.name = name;
	}

	/** Throws where the list cannot be read: then nothing may be created. */
	async existing({ value }: UniqueKey, template: JsonRecord): Promise<JsonRecord | undefined> {
		const { found } = await this.read();
		return found.get(value, template);
	}

	/**
	 * The inspection that a create in doubt made, looked for with growing waits; undefined where no look has shown it.
	 * Throws where the last look failed: then nothing is known.
	 */
	async madeInDoubt({ value }: UniqueKey, template: JsonRecord): Promise<JsonRecord | undefined> {
		const { newest, found } = await this.read();
		let look = Promise.resolve();
		for (const wait of this.inVain < MAX_IN_VAIN ? WAITS_MS : [0]) {
			if (!(await this.client.wait(wait))) return undefined;
			look = this.readInto(found, { createdAfter: lateBefore(newest) });
			// The service may be well again at the next look.
			await look.catch(() => undefined);
			const made = found.get(value, template);
			if (made !== undefined) return made;
		}
		this.inVain += 1;
		await look;
		return undefined;
	}

	async remember({ value }: UniqueKey, template: JsonRecord, made: JsonRecord): Promise<void> {
		const { found } = await this.read();
		// The response may leave out, or tell in its own words, which template the inspection was made from.
		found.keep(value, { ...made, template_id: template.id });
	}

	private async read(): Promise<KeyReading> {
		return await (this.reading ??= this.readKept());
	}

	/** A reading that is older than a minute is brought up to date with what was created since. */
	private async readKept(): Promise<KeyReading> {
		const { name } = this;
		const kept = name === undefined ? undefined : readings.get(name);
		const known = await kept?.catch(() => undefined);
		const isFresh = known !== undefined && Date.now() - known.readAt < MAX_AGE_MS;
		const current = isFresh ? Promise.resolve(known) : this.readList(known);
		if (name !== undefined) void readings.keep(name, current);
		const reading = await current;
		await this.readPassed(reading.found);
		return reading;
	}

	private async readList(known: KeyReading | undefined): Promise<KeyReading> {
		const { field, days } = this.search;
		const readAt = Date.now();
		const order = { sortBy: 'created_at', sortOrder: 'desc' } as const;
		const first = await readUpTo({ ...order, filter: {}, includes: [] }, 1, this.client);
		const created = timestampOf(first.inspections[0]?.created_at);
		const today = timestampOfMs(readAt);
		const newest =
			created === undefined ? known?.newest : earliestOf([created, first.sentAt, today]);
		const found = known?.found ?? new KeyedInspections(field);
		const earliest = newest && days !== 0 ? addSeconds(newest, -days * SECONDS_PER_DAY) : undefined;
		await this.readInto(found, {
			createdAfter: known === undefined ? earliest : lateBefore(known.newest),
		});
		return { newest, readAt, found };
	}

	/** Reads again the inspections of keys that were not wanted when the list was read. */
	private async readPassed(found: KeyedInspections): Promise<void> {
		const passed = [...this.search.wanted].filter((key) => found.passedAt(key).length > 0);
		await mapConcurrently(passed, MAX_ACTIVE, async (key) => {
			for (const created of found.passedAt(key)) {
				const createdBefore = ceilToSecond(created) ?? created;
				await this.readInto(found, { createdAfter: floorToSecond(created), createdBefore });
			}
			found.forgetPassed(key);
		});
	}

	private async readInto(found: KeyedInspections, filter: InspectionFilter): Promise<void> {
		await readAllPages({ filter, includes: [] }, this.client, MAX_ACTIVE, (page) => {
			found.add(page, this.search.wanted);
		});
	}
}

/** Inspections that were created since then may not have shown yet when the newest one was seen. */
function lateBefore(newest: Timestamp | undefined): Timestamp | undefined {
	return newest && addSeconds(newest, -LATE_COMMIT_SECONDS);
}
