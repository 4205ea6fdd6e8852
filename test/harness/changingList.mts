// The service's list while others change it. What its document leaves open are settings.
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
import { floorTo, formatTimestamp, type Ticks, ticksOf } from '#sandbox/service/time.mts';
import { allowed, filtersIn, pageOf } from './listPage.mts';

export interface ListSettings {
	precision: Precision;
	/** Digits of times, as stored and sent. */
	timestampPrecision: SandboxSettings['timestampPrecision'];
	/** Order of equal times. It can differ for every request, or for each page, where it's always the same. */
	ties: 'by id' | 'by update' | 'by request' | 'by page';
	/** Selects the order of ties by request or page. */
	salt: number;
	/** The service's behavior at the end of a list. A rejected page is empty here, as the client returns it. */
	ends: Partial<ListEnds>;
}

export interface Row {
	id: string;
	createdAt: Ticks;
	updatedAt: Ticks;
	status: Status;
}

export const START = ticksOf('2026-03-01T08:00:00Z');

/** The ways in which a service can compare times. */
export const anyPrecision: fc.Arbitrary<Precision> = fc.record({
	filters: fc.constantFrom('full', 'ms', 'nearest ms', 's'),
	times: fc.constantFrom('full', 'ms', 's'),
});

export class ChangingList {
	readonly rows = new Map<string, Row>();
	requestCount = 0;
	/** The service's clock. */
	now: Ticks;
	private writes = 0;
	private readonly settings: ListSettings;
	/** Until a row changes. */
	private list: InspectionList<Row> | undefined;

	constructor(settings: Partial<ListSettings> = {}, now = START) {
		const plain = { precision: EXACT, timestampPrecision: '100ns', ties: 'by id' } as const;
		this.settings = { ...plain, salt: 1, ends: {}, ...settings };
		this.now = now;
	}

	create(at: Ticks, status = this.anyStatus()): Row {
		const number = (this.writes += 1);
		const time = this.stored(at);
		// IDs don't follow the order of creation.
		const id = `${scatter(String(number)).toString(16).padStart(8, '0')}-${String(number)}`;
		const row = { id, createdAt: time, updatedAt: time, status };
		this.rows.set(id, row);
		this.list = undefined;
		return row;
	}

	/** Creates `count` rows, the n-th of them `after(n, count)` ticks after `START`. */
	fill(count: number, after: (index: number, count: number) => Ticks): this {
		for (let index = 0; index < count; index++) this.create(START + after(index, count));
		return this;
	}

	/** Updates a row, `ticks` after the last update. By default, that is within half a second. */
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

	/** One page by the rules of listInspections, from a service that sends at most `cap` inspections. */
	page(query: InspectionPageQuery, cap?: number): InspectionRecord[] {
		this.requestCount += 1;
		const { precision, timestampPrecision, ends } = this.settings;
		this.list ??= new InspectionList(this.rows.values());
		const pageCap = cap ?? ends.pageCap ?? null;
		const rules = { ...ends, pageCap, precision, tieOf: this.tieOf(query) };
		return pageOf(this.list, query, rules).map(({ id, status, createdAt, updatedAt }) => {
			const created_at = formatTimestamp(createdAt, timestampPrecision);
			return { id, status, created_at, updated_at: formatTimestamp(updatedAt, timestampPrecision) };
		});
	}

	/**
	 * Whether a row matches by every applicable rule. Creation and update are each judged by the service or, among
	 * inspections of one second, by every digit on this side. `surely`: by all rules. `possibly`: by some.
	 */
	matchesByAnyRule(row: Row, filter: InspectionFilter) {
		const [byService = [], exactly = []] = [this.settings.precision, EXACT].map((precision) =>
			filtersOf(filtersIn(filter), precision).map((matches) => matches(row)),
		);
		return {
			surely: [...byService, ...exactly].every(Boolean),
			possibly: byService.every((matches, rule) => matches || exactly[rule]),
		};
	}

	/** The order of rows with equal times, before their IDs. */
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

/** A service's response to a query: only the inspections, or a page with more details. */
export type Respond = (query: InspectionPageQuery) => readonly InspectionRecord[] | InspectionPage;

/** Rounds of the longest read in a test. An endless list is stopped after 5,000 pages. */
const MOST_ROUNDS = 10_000;

/**
 * Reads from a list that responds to all open requests in their order, or always to the last one first. `most`: the
 * highest number of open requests. `rounds`: how many times responses arrived.
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
	let most = 0;
	let rounds = 0;
	for (await settled(); !isDone; await settled()) {
		if (pending.length === 0) throw new Error('the reading waits for nothing');
		most = Math.max(most, pending.length);
		rounds += 1;
		if (rounds > MOST_ROUNDS) throw new Error('the reading has no end');
		for (const answer of pending.splice(isLastFirst ? -1 : 0)) {
			answer();
			await settled();
		}
	}
	return { result: await reading, most, rounds };
}

/** Reads from a list whose responses follow a scheduler's order, so that a failure shrinks to a simple order. */
export async function readScheduled<Result>(
	read: (source: ListSource) => Promise<Result>,
	respond: Respond,
	scheduler: fc.Scheduler,
) {
	let [underWay, most] = [0, 0];
	const list = async (query: InspectionPageQuery) => {
		underWay += 1;
		most = Math.max(most, underWay);
		await scheduler.schedule(Promise.resolve(), `page ${String(query.page)}`);
		underWay -= 1;
		return pageFrom(respond, query);
	};
	const result = await scheduler.waitFor(read({ list }));
	return { result, most };
}

function pageFrom(respond: Respond, query: InspectionPageQuery): InspectionPage {
	const page = respond(allowed(query));
	return 'inspections' in page ? page : { inspections: page };
}

/** Resolves when everything that can continue without a response has done so. */
export async function settled(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
