import type { InspectionPage, InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { pageOf } from '#harness/listPage.mts';
import type { Random } from '#harness/random.mts';
import { timeOf } from '#harness/times.mts';
import { scatter } from '#sandbox/service/guid.mts';
import {
	InspectionList,
	type ListedInspection,
	type Precision,
} from '#sandbox/service/inspectionList.mts';
import { STATUSES } from '#sandbox/service/model.mts';
import type { SandboxSettings } from '#sandbox/service/settings.mts';
import { floorTo, formatTimestamp, shownPrecisionOf, type Ticks } from '#sandbox/service/time.mts';
import type { VirtualTime } from './virtualTime.mts';

const US_PER_MS = 1000;

/** The lowest and the highest number, both inclusive. */
export type Range = readonly [number, number];

export interface StormSettings {
	timestampPrecision: SandboxSettings['timestampPrecision'];
	/** The precision of timestamps in responses, if the service sends fewer digits than it stores and compares. */
	shownPrecision: SandboxSettings['shownPrecision'];
	/** The precision to which inspections' times are truncated before they are compared with a filter. */
	filterPrecision: Precision['times'];
	/**
	 * Whether dates in a filter are truncated like inspections' times. If not, a filter loses inspections whose truncated
	 * times are before its date.
	 */
	cutsBounds: boolean;
	/** The order of inspections with equal timestamps. `by request`: a different random order for each request. */
	ties: 'by id' | 'by update' | 'by request';
	/** How long a request takes, in ms. */
	latency: Range;
	/** The share of requests that fail. */
	failures: number;
	/**
	 * The maximum page size, even if the request has a larger one. With a range, each request has a different maximum.
	 */
	pageCap?: number | Range;
	/** Whether responses have the header `Date`. */
	sendsDate: boolean;
	/** How far the service's clock is ahead of n8n's clock, in ms. */
	aheadOfN8nMs: number;
	/**
	 * The share of responses in which the newest inspection and the header `Date` are in the future, and how far in ms.
	 * The next response has the right times again. The first response always has the right times. Otherwise, a later poll
	 * could emit an inspection that is older than the trigger.
	 */
	futureTimes?: { share: number; byMs: Range };
	/** The share of responses in which only the header `Date` is wrong, and by how many ms. */
	wrongDate?: { share: number; byMs: Range };
	/** The templates of the inspections. Each has about the same number of inspections. */
	templates: readonly [string, ...string[]];
}

/** The current version of an inspection, and when it became visible. */
export interface Version extends ListedInspection {
	template: string;
	team: string;
	readonly createdUs: number;
	readonly updatedUs: number;
	/** The time from which lists contain this version, in virtual ms. */
	visibleAt: number;
	createdVisibleAt: number;
}

/** Whether a version has content, such as photos. Two of three versions have content. */
export function hasContent({ updatedUs }: Version): boolean {
	return updatedUs % 3 !== 0;
}

/** A service in virtual time. Its clock can differ from n8n's clock by days in both directions. */
export class StormService {
	readonly inspections = new Map<string, Version>();
	requests = 0;
	private readonly time: VirtualTime;
	private readonly random: Random;
	readonly settings: StormSettings;
	/** How far the service's clock is currently wrong, in ms. This affects all times that the service sends or stores. */
	wrongByMs = 0;
	private readonly pending = new Set<string>();
	/** A snapshot of the inspections, or undefined if an inspection has changed since. */
	private current: InspectionList<Version> | undefined;

	constructor(time: VirtualTime, random: Random, settings: StormSettings) {
		this.time = time;
		this.random = random;
		this.settings = settings;
	}

	/** Returns the service's time in µs. */
	nowUs(): number {
		return this.clockMs() * US_PER_MS + this.random.between(0, 999);
	}

	private clockMs(): number {
		return this.time.now + this.settings.aheadOfN8nMs + this.wrongByMs;
	}

	/** Creates an inspection. It becomes visible `delay` ms later than now. */
	async create(stampUs = this.nowUs(), delay = 0): Promise<void> {
		const id = this.random.guid();
		if (delay > 0) await this.time.sleep(delay);
		this.set({
			id,
			status: this.random.pick(STATUSES),
			template: this.random.pick(this.settings.templates),
			// Each team has half of the inspections. The ID selects the team, because another random number would change all
			// later random choices of the storm.
			team: id < '8' ? 'team a' : 'team b',
			createdUs: stampUs,
			createdAt: this.stored(stampUs),
			updatedUs: stampUs,
			updatedAt: this.stored(stampUs),
			visibleAt: this.time.now,
			createdVisibleAt: this.time.now,
		});
	}

	/** Updates a random inspection, unless an update of it is already in progress. */
	async update(stampUs: number, delay = 0): Promise<void> {
		const all = [...this.inspections.values()];
		const version = all[this.random.between(0, all.length - 1)];
		if (version === undefined || this.pending.has(version.id)) return;
		if (version.updatedUs >= stampUs) return;
		this.pending.add(version.id);
		if (delay > 0) await this.time.sleep(delay);
		this.pending.delete(version.id);
		const status = this.random.chance(0.5) ? version.status : this.random.pick(STATUSES);
		const visibleAt = this.time.now;
		this.set({
			...version,
			status,
			updatedUs: stampUs,
			updatedAt: this.stored(stampUs),
			visibleAt,
		});
	}

	/** Returns one page of the list, after the time that a request takes. */
	async list(query: InspectionPageQuery): Promise<InspectionPage> {
		const { latency, failures } = this.settings;
		this.requests += 1;
		const duration = this.random.between(...latency);
		await this.time.sleep(Math.ceil(duration / 2));
		const fails = this.random.chance(failures);
		const inspections = fails ? [] : this.page(query);
		const aheadMs = this.futureMs(query, inspections);
		const sentAt = this.settings.sendsDate ? this.date(aheadMs + this.wrongDateMs()) : undefined;
		await this.time.sleep(Math.floor(duration / 2));
		if (fails) throw new Error('503 Service Unavailable');
		if (aheadMs === 0) return { inspections, sentAt };
		const [newest, ...others] = query.sortOrder === 'desc' ? inspections : inspections.toReversed();
		if (newest === undefined) return { inspections, sentAt };
		const changed = [this.datedAhead(newest, aheadMs), ...others];
		return { inspections: query.sortOrder === 'desc' ? changed : changed.toReversed(), sentAt };
	}

	/** Returns the time in the header `Date`, which has whole seconds. */
	private date(wrongByMs: number) {
		const ms = Math.floor((this.clockMs() + wrongByMs) / 1000) * 1000;
		return timeOf(new Date(ms).toISOString());
	}

	private wrongDateMs(): number {
		const { wrongDate } = this.settings;
		if (wrongDate === undefined || !this.random.chance(wrongDate.share)) return 0;
		return this.random.between(...wrongDate.byMs);
	}

	/**
	 * Returns how far in the future this response's newest times are, in ms, or 0 if they are right. In ascending order,
	 * only the last page has the newest inspection, and that page isn't full.
	 */
	private futureMs({ sortOrder, pageSize }: InspectionPageQuery, { length }: InspectionRecord[]) {
		const { futureTimes } = this.settings;
		if (futureTimes === undefined || this.requests === 1) return 0;
		if (sortOrder === 'asc' && length === pageSize) return 0;
		if (!this.random.chance(futureTimes.share)) return 0;
		return this.random.between(...futureTimes.byMs);
	}

	private datedAhead(inspection: InspectionRecord, aheadMs: number): InspectionRecord {
		const ahead = this.stamp(this.nowUs() + aheadMs * US_PER_MS);
		return { ...inspection, created_at: ahead, updated_at: ahead };
	}

	/** Formats a time as responses do. */
	stamp(us: number): string {
		return formatTimestamp(ticksOfUs(us), shownPrecisionOf(this.settings));
	}

	private page(query: InspectionPageQuery): InspectionRecord[] {
		const { filterPrecision, cutsBounds, pageCap = null } = this.settings;
		this.current ??= new InspectionList(this.inspections.values());
		const rules = {
			pageCap: typeof pageCap === 'object' && pageCap ? this.random.between(...pageCap) : pageCap,
			precision: { filters: cutsBounds ? filterPrecision : 'full', times: filterPrecision },
			tieOf: this.tieOf(),
			filters: [({ team }: Version) => (query.teamId ?? team) === team],
		} as const;
		return pageOf(this.current, query, rules).map((version) => this.record(version));
	}

	private tieOf(): ((version: Version) => number) | undefined {
		const { requests, settings } = this;
		if (settings.ties === 'by id') return undefined;
		if (settings.ties === 'by update') return ({ visibleAt }) => visibleAt;
		return ({ id }) => scatter(`${String(requests)} ${id}`);
	}

	private set(version: Version): void {
		this.inspections.set(version.id, version);
		this.current = undefined;
	}

	/**
	 * Truncates a time to the precision of timestamps in responses, because the service doesn't store a higher precision.
	 */
	private stored(us: number): Ticks {
		return floorTo(ticksOfUs(us), this.settings.timestampPrecision);
	}

	private record(version: Version): InspectionRecord {
		const { id, status, template } = version;
		const [created_at, updated_at] = [this.stamp(version.createdUs), this.stamp(version.updatedUs)];
		return { id, status, template, created_at, updated_at, has_content: hasContent(version) };
	}
}

/** Converts µs to ticks. The seventh digit repeats the sixth, so that it isn't always zero. */
const ticksOfUs = (us: number): Ticks => BigInt(us) * 10n + BigInt(us % 10);
