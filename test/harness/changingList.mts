// A model of the service's list that others change during reads: listInspections of docs/service.openapi.yaml. Its
// open ends (precision of date filters, order of ties) are settings.
import fc from 'fast-check';

import type { ListSource } from '#connector/domain/list/fetchPage.ts';
import type { InspectionPage, InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { type ListEnds, pageAtEnds, PLAIN_ENDS } from '#sandbox/service/listEnds.mts';
import { pick, randomOf } from './random.mts';

export const TICKS_PER_SECOND = 10_000_000n;
const TICKS_PER_MS = 10_000n;
export const STATUSES = ['new', 'in_progress', 'completed', 'canceled'] as const;
const PRECISIONS = ['full', 'ms', 'nearest ms', 's'] as const;
const ROW_CUTS = [false, true, 'to the second'] as const;

export interface ListSettings {
	/** Precision to which filter dates are truncated or rounded. */
	filterPrecision: (typeof PRECISIONS)[number];
	/** Whether a row's own time is truncated before comparing: like the filter's, or always to the second. */
	cutsRowTimes: (typeof ROW_CUTS)[number];
	digits: 3 | 6 | 7;
	/**
	 * 'by chance': a different order for every request. 'by page': a different one for each page, but always the same.
	 */
	ties: 'by id' | 'by update' | 'by chance' | 'by page';
	/** The service's behavior at the end of a list. A rejected page is empty here, as the client returns it. */
	ends?: Partial<ListEnds>;
}

export interface Row {
	id: string;
	created: bigint;
	updated: bigint;
	status: (typeof STATUSES)[number];
}

export function textOfTicks(ticks: bigint, digits = 7): string {
	const fraction = (ticks % TICKS_PER_SECOND).toString().padStart(7, '0').slice(0, digits);
	return `${new Date(Number(ticks / TICKS_PER_SECOND) * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

export function ticksOfText(text: string): bigint {
	const [second = '', fraction = ''] = text.replace('Z', '').split('.');
	const ms = BigInt(Date.parse(`${second}Z`));
	return ms * TICKS_PER_MS + BigInt(fraction.padEnd(7, '0'));
}

export const START = ticksOfText('2026-03-01T08:00:00.0000000Z');

/** The ways in which a service can compare times. */
export const ANY_PRECISION = {
	filterPrecision: fc.constantFrom(...PRECISIONS),
	cutsRowTimes: fc.constantFrom(...ROW_CUTS),
};

export class ChangingList {
	readonly rows = new Map<string, Row>();
	requestCount = 0;
	/** The service's clock, in ticks of 100 ns. */
	now: bigint;
	private created = 0;
	private readonly settings: ListSettings;
	private readonly random: () => number;
	/** The rows in each requested order, cached until one is created or updated. */
	private readonly inOrder = new Map<string, readonly Row[]>();
	/** The last query's result, for requests of its next page. */
	private lastFound: { question: string; rows: readonly Row[] } | undefined;

	constructor(settings: Partial<ListSettings> = {}, random = randomOf(1), now = START) {
		const exact = { filterPrecision: 'full', cutsRowTimes: false, digits: 7 } as const;
		this.settings = { ...exact, ties: 'by id', ...settings };
		this.random = random;
		this.now = now;
	}

	create(at: bigint, status: Row['status'] = pick(this.random, STATUSES)): Row {
		const stored = this.stored(at);
		const number = (this.created += 1);
		// IDs don't follow the order of creation.
		const id = `${(Math.imul(number, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}-${number}`;
		const row = { id, created: stored, updated: stored, status };
		this.rows.set(id, row);
		this.forget();
		return row;
	}

	/** Creates `count` rows, the n-th of them `after(n, count)` ticks after `START`. */
	fill(count: number, after: (index: number, count: number) => bigint): this {
		for (let index = 0; index < count; index++) this.create(START + after(index, count));
		return this;
	}

	/** Updates a row, `ticks` after the last update. */
	update(
		row: Row,
		status: Row['status'] = pick(this.random, STATUSES),
		ticks = BigInt(1 + Math.floor(this.random() * 5_000_000)),
	): void {
		this.now += ticks;
		row.updated = this.stored(this.now);
		row.status = status;
		this.forget();
	}

	/** One page by the rules of listInspections, from a service that sends at most `cap` inspections. */
	page(query: InspectionPageQuery, cap?: number): InspectionRecord[] {
		this.requestCount += 1;
		const { digits, ends } = this.settings;
		const page = pageAtEnds(
			this.found(query),
			{ page: query.page, page_size: query.pageSize },
			{ ...PLAIN_ENDS, ...ends, ...(cap === undefined ? {} : { pageCap: cap }) },
		);
		const rows = typeof page === 'string' ? [] : page;
		return rows.map(({ id, status, created, updated }) => {
			const created_at = textOfTicks(created, digits);
			return { id, status, created_at, updated_at: textOfTicks(updated, digits) };
		});
	}

	private found(query: InspectionPageQuery): readonly Row[] {
		const isFixed = this.settings.ties === 'by id' || this.settings.ties === 'by update';
		const question = JSON.stringify({ ...query, page: 0, pageSize: 0 });
		if (isFixed && this.lastFound?.question === question) return this.lastFound.rows;
		const judge = this.judgeOf(query, false);
		const order = `${query.sortBy} ${query.sortOrder}`;
		const sorted = (isFixed ? this.inOrder.get(order) : undefined) ?? this.sorted(query);
		this.inOrder.set(order, sorted);
		const rows = sorted.filter((row) => judge(row).every(Boolean));
		this.lastFound = { question, rows };
		return rows;
	}

	private forget(): void {
		this.inOrder.clear();
		this.lastFound = undefined;
	}

	/**
	 * Whether a row matches by every applicable rule. Creation and update are each judged by the service or, among
	 * inspections of one second, by every digit on this side. `surely`: by all rules. `possibly`: by some.
	 */
	matchesByAnyRule(row: Row, query: Partial<InspectionPageQuery>) {
		const byService = this.judgeOf(query, false)(row);
		const exactly = this.judgeOf(query, true)(row);
		return {
			surely: [...byService, ...exactly].every(Boolean),
			possibly: byService.every((matches, rule) => matches || exactly[rule]),
		};
	}

	private sorted({ sortBy, sortOrder, page }: InspectionPageQuery): readonly Row[] {
		const key = sortBy === 'created_at' ? 'created' : 'updated';
		const sign = sortOrder === 'desc' ? -1 : 1;
		return [...this.rows.values()]
			.map((row) => ({ row, time: row[key], tie: this.tieRank(row, page) }))
			.sort((a, b) => {
				if (a.time !== b.time) return a.time < b.time ? -sign : sign;
				return a.tie - b.tie || (a.row.id < b.row.id ? -1 : 1);
			})
			.map(({ row }) => row);
	}

	/** Whether a row matches by status, creation, and update, by every digit or as the service compares. */
	private judgeOf(query: Partial<InspectionPageQuery>, isExact: boolean): (row: Row) => boolean[] {
		const isIn = (after: string | undefined, before: string | undefined) => {
			const [low, high] = [after, before].map((text) => {
				const ticks = text === undefined ? undefined : ticksOfText(text);
				return ticks === undefined || isExact ? ticks : this.bound(ticks);
			});
			return (at: bigint) => {
				const compared = isExact ? at : this.comparedTime(at);
				return (low === undefined || compared >= low) && (high === undefined || compared <= high);
			};
		};
		const isCreatedIn = isIn(query.createdAfter, query.createdBefore);
		const isUpdatedIn = isIn(query.updatedAfter, query.updatedBefore);
		const { status = [] } = query;
		return (row) => [
			status.length === 0 || status.includes(row.status),
			isCreatedIn(row.created),
			isUpdatedIn(row.updated),
		];
	}

	/** The order of rows with equal times, before their IDs. */
	private tieRank(row: Row, page: number): number {
		const { ties } = this.settings;
		if (ties === 'by update') return -Number(row.updated);
		if (ties === 'by chance') return this.random();
		return ties === 'by page' ? randomOf(Number.parseInt(row.id, 16) ^ (page * 7_919))() : 0;
	}

	/** A time is stored with as many digits as are sent. */
	private stored(at: bigint): bigint {
		return at - (at % 10n ** BigInt(7 - this.settings.digits));
	}

	private comparedTime(at: bigint): bigint {
		const { cutsRowTimes } = this.settings;
		if (cutsRowTimes === 'to the second') return at - (at % TICKS_PER_SECOND);
		return cutsRowTimes ? this.cut(at) : at;
	}

	private bound(ticks: bigint): bigint {
		const isRounded = this.settings.filterPrecision === 'nearest ms';
		return this.cut(isRounded ? ticks + TICKS_PER_MS / 2n : ticks);
	}

	private cut(ticks: bigint): bigint {
		const units = { full: 1n, ms: TICKS_PER_MS, 'nearest ms': TICKS_PER_MS, s: TICKS_PER_SECOND };
		return ticks - (ticks % units[this.settings.filterPrecision]);
	}
}

export const idsOf = (inspections: readonly InspectionRecord[]) => inspections.map(({ id }) => id);

/** A service's response to a query: only the inspections, or a page with more details. */
export type Respond = (query: InspectionPageQuery) => readonly InspectionRecord[] | InspectionPage;

/** Rounds of the longest read in a test. An endless list is stopped after 5,000 pages. */
const MOST_ROUNDS = 10_000;

/**
 * Reads from a list. The service responds to each open request at a separate moment, in any order, as over a network.
 * Without `random`, it responds to all open requests in their order. `most`: the highest number of open requests.
 * `rounds`: how many times responses arrived.
 */
export async function readThrough<Result>(
	read: (source: ListSource) => Promise<Result>,
	service: ChangingList | Respond,
	random?: () => number,
) {
	const respond: Respond = typeof service === 'function' ? service : (query) => service.page(query);
	const pending: (() => void)[] = [];
	const list = async (query: InspectionPageQuery) => {
		await new Promise<void>((resolve) => pending.push(resolve));
		const page = respond(allowed(query));
		return 'inspections' in page ? page : { inspections: page };
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
		const chosen = random && Math.floor(random() * pending.length);
		const next = chosen === undefined ? pending.splice(0) : pending.splice(chosen, 1);
		for (const answer of next) {
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
		const page = respond(allowed(query));
		return 'inspections' in page ? page : { inspections: page };
	};
	const result = await scheduler.waitFor(read({ list }));
	return { result, most };
}

/** The query, after checking that listInspections allows its page. */
export function allowed(query: InspectionPageQuery): InspectionPageQuery {
	const { page, pageSize } = query;
	if (page >= 1 && pageSize >= 1 && pageSize <= 100) return query;
	throw new Error(`page ${String(page)} of ${String(pageSize)} is none`);
}

/** Resolves when everything that can continue without a response has done so. */
export async function settled(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
