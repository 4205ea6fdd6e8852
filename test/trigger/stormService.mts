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
import { floorTo, formatTimestamp, type Ticks } from '#sandbox/service/time.mts';
import type { VirtualTime } from './virtualTime.mts';

const US_PER_MS = 1000;

/** Inclusive bounds. */
export type Range = readonly [number, number];

export interface StormSettings {
	timestampPrecision: SandboxSettings['timestampPrecision'];
	/** Precision of the service's date filters. Times of inspections are truncated to it. */
	filterPrecision: Precision['times'];
	/**
	 * Whether a filter's bound is truncated like the inspections' times. Otherwise inspections of its second get lost.
	 */
	cutsBounds: boolean;
	/** The order of equal timestamps. By request: different for each. */
	ties: 'by id' | 'by update' | 'by request';
	/** Duration of a request, in ms. */
	latency: Range;
	/** Share of requests that fail. */
	failures: number;
	/** Maximum page size, whatever is requested. A range: different for every request. */
	pageCap?: number | Range;
	/** Whether responses have a `Date` header. */
	sendsDate: boolean;
	/** How far the service's clock is ahead of n8n's. */
	aheadOfN8nMs: number;
	/**
	 * Share of responses in which the newest inspection and the `Date` header are in the future, and how far. The next
	 * response is right again. The first response of all is right: if it hid an inspection, a later poll would emit it.
	 */
	lies?: { share: number; byMs: Range };
	/** Share of responses with only a wrong `Date` header, and by how much. */
	wrongDate?: { share: number; byMs: Range };
	/** Templates of the inspections, equally frequent. */
	templates: readonly [string, ...string[]];
}

/** A version of an inspection as the storm remembers it. */
export interface Version extends ListedInspection {
	template: string;
	team: string;
	readonly createdUs: number;
	readonly updatedUs: number;
	/** When it became visible, in virtual ms. */
	visibleAt: number;
	createdVisibleAt: number;
}

/** Whether a version has content, such as photos. Two of three do. */
export function hasContent({ updatedUs }: Version): boolean {
	return updatedUs % 3 !== 0;
}

/** A service in virtual time, with a separate clock that can be days off n8n's. */
export class StormService {
	readonly inspections = new Map<string, Version>();
	requests = 0;
	private readonly time: VirtualTime;
	private readonly random: Random;
	readonly settings: StormSettings;
	/** How far the service's clock is wrong now, for all of its times. */
	wrongByMs = 0;
	private readonly pending = new Set<string>();
	/** Until an inspection changes. */
	private current: InspectionList<Version> | undefined;

	constructor(time: VirtualTime, random: Random, settings: StormSettings) {
		this.time = time;
		this.random = random;
		this.settings = settings;
	}

	/** The service's clock, in µs. */
	nowUs(): number {
		return this.clockMs() * US_PER_MS + this.random.between(0, 999);
	}

	private clockMs(): number {
		return this.time.now + this.settings.aheadOfN8nMs + this.wrongByMs;
	}

	/** Creates an inspection, visible `delay` ms after its timestamp. */
	async create(stampUs = this.nowUs(), delay = 0): Promise<void> {
		const id = this.random.guid();
		if (delay > 0) await this.time.sleep(delay);
		this.set({
			id,
			status: this.random.pick(STATUSES),
			template: this.random.pick(this.settings.templates),
			// Half of the inspections each. By ID, not at random, so that the storms without teams stay the same.
			team: id < '8' ? 'team a' : 'team b',
			createdUs: stampUs,
			createdAt: this.stored(stampUs),
			updatedUs: stampUs,
			updatedAt: this.stored(stampUs),
			visibleAt: this.time.now,
			createdVisibleAt: this.time.now,
		});
	}

	/** Updates any inspection that isn't already being updated. */
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

	/** One page of the list, after the duration of a request. */
	async list(query: InspectionPageQuery): Promise<InspectionPage> {
		const { latency, failures } = this.settings;
		this.requests += 1;
		const duration = this.random.between(...latency);
		await this.time.sleep(Math.ceil(duration / 2));
		const fails = this.random.chance(failures);
		const inspections = fails ? [] : this.page(query);
		const lieMs = this.lieMs(query, inspections);
		const sentAt = this.settings.sendsDate ? this.date(lieMs + this.wrongDateMs()) : undefined;
		await this.time.sleep(Math.floor(duration / 2));
		if (fails) throw new Error('503 Service Unavailable');
		if (lieMs === 0) return { inspections, sentAt };
		const [newest, ...others] = query.sortOrder === 'desc' ? inspections : inspections.toReversed();
		if (newest === undefined) return { inspections, sentAt };
		const lied = [this.datedAhead(newest, lieMs), ...others];
		return { inspections: query.sortOrder === 'desc' ? lied : lied.toReversed(), sentAt };
	}

	/** The `Date` header, in whole seconds. */
	private date(wrongByMs: number) {
		const ms = Math.floor((this.clockMs() + wrongByMs) / 1000) * 1000;
		return timeOf(new Date(ms).toISOString());
	}

	private wrongDateMs(): number {
		const { wrongDate } = this.settings;
		if (wrongDate === undefined || !this.random.chance(wrongDate.share)) return 0;
		return this.random.between(...wrongDate.byMs);
	}

	/** In ascending order, only a page that isn't full has the newest inspection. */
	private lieMs({ sortOrder, pageSize }: InspectionPageQuery, { length }: InspectionRecord[]) {
		const { lies } = this.settings;
		if (lies === undefined || this.requests === 1) return 0;
		if (sortOrder === 'asc' && length === pageSize) return 0;
		if (!this.random.chance(lies.share)) return 0;
		return this.random.between(...lies.byMs);
	}

	private datedAhead(inspection: InspectionRecord, lieMs: number): InspectionRecord {
		const ahead = this.stamp(this.nowUs() + lieMs * US_PER_MS);
		return { ...inspection, created_at: ahead, updated_at: ahead };
	}

	/** The time as it's sent. */
	stamp(us: number): string {
		return formatTimestamp(ticksOfUs(us), this.settings.timestampPrecision);
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

	/** The service stores no more digits than it shows. */
	private stored(us: number): Ticks {
		return floorTo(ticksOfUs(us), this.settings.timestampPrecision);
	}

	private record(version: Version): InspectionRecord {
		const { id, status, template } = version;
		const [created_at, updated_at] = [this.stamp(version.createdUs), this.stamp(version.updatedUs)];
		return { id, status, template, created_at, updated_at, has_content: hasContent(version) };
	}
}

/** The seventh digit repeats the sixth. */
const ticksOfUs = (us: number): Ticks => BigInt(us) * 10n + BigInt(us % 10);
