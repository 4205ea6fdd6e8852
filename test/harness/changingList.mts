// A model of the service's list while other users change inspections. A setting exists for each behavior that the
// OpenAPI document leaves open.
import fc from 'fast-check';

import type { ListSource } from '#connector/domain/list/fetchPage.ts';
import type { InspectionPage, InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type {
	InspectionFilter,
	InspectionPageQuery,
} from '#connector/domain/list/inspectionQuery.ts';
import { scatter } from '#sandbox/service/guid.mts';
import {
	EXACT,
	filtersOf,
	InspectionList,
	type ListEnds,
	type Precision,
} from '#sandbox/service/inspectionList.mts';
import { type Status, STATUSES } from '#sandbox/service/model.mts';
import type { SandboxSettings } from '#sandbox/service/settings.mts';
import {
	floorTo,
	formatTimestamp,
	shownPrecisionOf,
	type Ticks,
	ticksOf,
} from '#sandbox/service/time.mts';
import { allowed, filtersIn, pageOf } from './listPage.mts';

export interface ListSettings {
	precision: Precision;
	/** The precision of stored times. */
	timestampPrecision: SandboxSettings['timestampPrecision'];
	/** The precision of times in responses, if the service sends fewer digits than it stores and compares. */
	shownPrecision: SandboxSettings['shownPrecision'];
	/**
	 * The order of inspections with equal times: by ID, or the most recent update first, or in a different random order
	 * for each request or page number.
	 */
	ties: 'by id' | 'by update' | 'by request' | 'by page';
	/** Selects the random order for `ties`. */
	salt: number;
	/**
	 * The service's behavior at the end of a list. If the service would respond to a page with an error, this model
	 * returns an empty page, as the connector's client does.
	 */
	ends: Partial<ListEnds>;
}

export interface Row {
	id: string;
	createdAt: Ticks;
	updatedAt: Ticks;
	status: Status;
}

export const START = ticksOf('2026-03-01T08:00:00Z');

/** Any combination of precisions with which a service can compare times. */
export const anyPrecision: fc.Arbitrary<Precision> = fc.record({
	filters: fc.constantFrom('full', 'ms', 'nearest ms', 's'),
	times: fc.constantFrom('full', 'ms', 's'),
});

export const anyShownPrecision = fc.constantFrom<ListSettings['shownPrecision']>(
	'as stored',
	'ms',
	's',
);

export class ChangingList {
	readonly rows = new Map<string, Row>();
	requestCount = 0;
	/** The time of the service's clock, which each update advances. */
	now: Ticks;
	private writes = 0;
	private readonly settings: ListSettings;
	/** A snapshot of the rows, or undefined if a row has changed since. */
	private list: InspectionList<Row> | undefined;

	constructor(settings: Partial<ListSettings> = {}, now = START) {
		const times = { timestampPrecision: '100ns', shownPrecision: 'as stored' } as const;
		this.settings = { precision: EXACT, ...times, ties: 'by id', salt: 1, ends: {}, ...settings };
		this.now = now;
	}

	create(at: Ticks, status = this.anyStatus()): Row {
		const number = (this.writes += 1);
		const time = this.stored(at);
		// The IDs are in a different order than the times of creation.
		const id = `${scatter(String(number)).toString(16).padStart(8, '0')}-${String(number)}`;
		const row = { id, createdAt: time, updatedAt: time, status };
		this.rows.set(id, row);
		this.list = undefined;
		return row;
	}

	/** Creates `count` rows. Row number `index` is created `after(index, count)` ticks after `START`. */
	fill(count: number, after: (index: number, count: number) => Ticks): this {
		for (let index = 0; index < count; index++) this.create(START + after(index, count));
		return this;
	}

	/** Updates a row `ticks` after the previous update. Default: at most half a second after it. */
	update(row: Row, status = this.anyStatus(), ticks?: Ticks): void {
		this.writes += 1;
		this.now += ticks ?? BigInt(1 + (scatter(String(this.writes)) % 5_000_000));
		row.updatedAt = this.stored(this.now);
		row.status = status;
		this.list = undefined;
	}

	delete(id: string): boolean {
		this.list = undefined;
		return this.rows.delete(id);
	}

	/** Returns one page as listInspections specifies it. `cap` is the service's maximum page size. */
	page(query: InspectionPageQuery, cap?: number): InspectionRecord[] {
		this.requestCount += 1;
		const { precision, ends } = this.settings;
		const shown = shownPrecisionOf(this.settings);
		this.list ??= new InspectionList(this.rows.values());
		const pageCap = cap ?? ends.pageCap ?? null;
		const rules = { ...ends, pageCap, precision, tieOf: this.tieOf(query) };
		return pageOf(this.list, query, rules).map(({ id, status, createdAt, updatedAt }) => {
			const created_at = formatTimestamp(createdAt, shown);
			return { id, status, created_at, updated_at: formatTimestamp(updatedAt, shown) };
		});
	}

	/**
	 * Whether a row matches a filter. Each condition is checked at the service's precision, exactly, and with the
	 * digits that responses have. `surely`: every condition matches in the first two ways. `possibly`: every condition
	 * matches in at least one way.
	 */
	matchesByAnyRule(row: Row, filter: InspectionFilter) {
		const shown = shownPrecisionOf(this.settings);
		const times = shown === 'ms' || shown === 's' ? shown : ('full' as const);
		const [byService = [], exactly = [], asShown = []] = [
			this.settings.precision,
			EXACT,
			{ filters: times, times },
		].map((precision) => filtersOf(filtersIn(filter), precision).map((matches) => matches(row)));
		return {
			surely: [...byService, ...exactly].every(Boolean),
			possibly: byService.every((matches, rule) => matches || exactly[rule] || asShown[rule]),
		};
	}

	/** Returns a number that sorts rows with equal times, or undefined if IDs sort them. */
	private tieOf({ page }: InspectionPageQuery): ((row: Row) => number) | undefined {
		const { ties, salt } = this.settings;
		if (ties === 'by id') return undefined;
		if (ties === 'by update') return ({ updatedAt }) => -Number(updatedAt);
		const number = ties === 'by page' ? page : this.requestCount;
		return ({ id }) => scatter(`${String(salt)} ${String(number)} ${id}`);
	}

	private anyStatus(): Status {
		return STATUSES[scatter(`status ${String(this.writes)}`) % STATUSES.length] ?? 'new';
	}

	private stored(at: Ticks): Ticks {
		return floorTo(at, this.settings.timestampPrecision);
	}
}

export const idsOf = (inspections: readonly InspectionRecord[]) => inspections.map(({ id }) => id);

/** Responds to a query, as a service would: with the inspections only, or with a whole page. */
export type Respond = (query: InspectionPageQuery) => readonly InspectionRecord[] | InspectionPage;

/** The number of rounds of responses after which a read counts as endless. The longest read in a test needs fewer. */
const MAX_ROUNDS = 10_000;

/**
 * Reads from a list whose responses arrive in rounds. In each round, all open requests get their responses in order.
 * With `isLastFirst`, only the newest open request gets one.
 *
 * @returns `maxOpen`: the highest number of open requests; `rounds`: how many rounds of responses arrived
 */
export async function readThrough<Result>(
	read: (source: ListSource) => Promise<Result>,
	service: ChangingList | Respond,
	{ isLastFirst = false } = {},
) {
	const respond: Respond = typeof service === 'function' ? service : (query) => service.page(query);
	const pending: (() => void)[] = [];
	const list = async (query: InspectionPageQuery) => {
		await new Promise<void>((resolve) => pending.push(resolve));
		return pageFrom(respond, query);
	};
	let isDone = false;
	const reading = read({ list }).finally(() => (isDone = true));
	reading.catch(() => undefined);
	let maxOpen = 0;
	let rounds = 0;
	for (await settled(); !isDone; await settled()) {
		if (pending.length === 0) throw new Error('the reading waits for nothing');
		maxOpen = Math.max(maxOpen, pending.length);
		rounds += 1;
		if (rounds > MAX_ROUNDS) throw new Error('the reading has no end');
		for (const answer of pending.splice(isLastFirst ? -1 : 0)) {
			answer();
			await settled();
		}
	}
	return { result: await reading, maxOpen, rounds };
}

/**
 * Reads from a list whose responses arrive in the order that fast-check's scheduler chooses. If a test fails,
 * fast-check reduces that order to a simple one.
 */
export async function readScheduled<Result>(
	read: (source: ListSource) => Promise<Result>,
	respond: Respond,
	scheduler: fc.Scheduler,
) {
	let [underWay, maxOpen] = [0, 0];
	const list = async (query: InspectionPageQuery) => {
		underWay += 1;
		maxOpen = Math.max(maxOpen, underWay);
		await scheduler.schedule(Promise.resolve(), `page ${String(query.page)}`);
		underWay -= 1;
		return pageFrom(respond, query);
	};
	const result = await scheduler.waitFor(read({ list }));
	return { result, maxOpen };
}

function pageFrom(respond: Respond, query: InspectionPageQuery): InspectionPage {
	const page = respond(allowed(query));
	return 'inspections' in page ? page : { inspections: page };
}

/** Resolves when all code has run that doesn't have to wait for a response. */
export async function settled(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
