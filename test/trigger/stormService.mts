import type { InspectionPage, InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery, Status } from '#connector/domain/list/inspectionQuery.ts';
import { timestampOfMs } from '#connector/domain/timestamp.ts';
import type { Random } from '#harness/random.mts';
import { STATUSES } from '#sandbox/service/model.mts';
import type { VirtualTime } from './virtualTime.mts';

const US_PER_MS = 1000;
const CUTS = { full: 1, ms: US_PER_MS, s: 1_000_000 } as const;

/** Inclusive bounds. */
export type Range = readonly [number, number];

export interface StormSettings {
	/** Fractional digits of timestamps. */
	digits: 3 | 6 | 7;
	/** Precision of the service's date filters. Times of inspections are truncated to it. */
	filterPrecision: keyof typeof CUTS;
	/**
	 * Whether a filter's bound is truncated like the inspections' times. Otherwise inspections of its second get lost.
	 */
	cutsBounds: boolean;
	/** The order of equal timestamps. By chance: different for every request. */
	ties: 'by id' | 'by update' | 'by chance';
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
	 * Share of responses in which the newest inspection is future-dated, together with the `Date` header, and how far.
	 * The next response is right again. The very first one is right, because what it hides is news to the next poll.
	 */
	lies?: { share: number; byMs: Range };
	/** Share of responses with only a wrong `Date` header, and by how much. */
	wrongDate?: { share: number; byMs: Range };
	/** Templates of the inspections, equally frequent. */
	templates: readonly [string, ...string[]];
}

/** A version of an inspection as the storm remembers it. */
export interface Version {
	id: string;
	status: Status;
	template: string;
	team: string;
	createdUs: number;
	updatedUs: number;
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
		this.inspections.set(id, {
			id,
			status: this.random.pick(STATUSES),
			template: this.random.pick(this.settings.templates),
			// Half of them each. Derived from the ID, so that storms without teams don't change.
			team: id < '8' ? 'team a' : 'team b',
			createdUs: stampUs,
			updatedUs: stampUs,
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
		this.inspections.set(version.id, { ...version, status, updatedUs: stampUs, visibleAt });
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
		return timestampOfMs(Math.floor((this.clockMs() + wrongByMs) / 1000) * 1000);
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

	stamp(us: number): string {
		const seconds = new Date(Math.floor(us / US_PER_MS)).toISOString().slice(0, 19);
		const fraction = `${String(us % 1_000_000).padStart(6, '0')}${us % 10}`;
		return `${seconds}.${fraction.slice(0, this.settings.digits)}Z`;
	}

	private page(query: InspectionPageQuery): InspectionRecord[] {
		const isByCreation = query.sortBy === 'created_at';
		const key = isByCreation ? 'createdUs' : 'updatedUs';
		const { filterPrecision, cutsBounds, pageCap = Infinity } = this.settings;
		const cut = CUTS[filterPrecision];
		const bound = (text: string | undefined, none: number) => {
			const units = text === undefined ? none : (Date.parse(text) * US_PER_MS) / cut;
			return cutsBounds ? Math.floor(units) : units;
		};
		const after = bound(isByCreation ? query.createdAfter : query.updatedAfter, -Infinity);
		const before = bound(isByCreation ? query.createdBefore : query.updatedBefore, Infinity);
		const cap = typeof pageCap === 'number' ? pageCap : this.random.between(...pageCap);
		const pageSize = Math.min(query.pageSize, cap);
		const sign = query.sortOrder === 'desc' ? -1 : 1;
		return [...this.inspections.values()]
			.filter((version) => {
				const compared = Math.floor(this.cutStamp(version[key]) / cut);
				return compared >= after && compared <= before;
			})
			.filter(({ status }) => !query.status?.length || query.status.includes(status))
			.filter(({ team }) => query.teamId === undefined || query.teamId === team)
			.sort(
				(a, b) => (this.cutStamp(a[key]) - this.cutStamp(b[key])) * sign || this.compareTies(a, b),
			)
			.slice((query.page - 1) * pageSize, query.page * pageSize)
			.map((version) => this.record(version));
	}

	private compareTies(a: Version, b: Version): number {
		const { ties } = this.settings;
		if (ties === 'by chance') return this.tieSalt(a.id) - this.tieSalt(b.id);
		if (ties === 'by update' && a.visibleAt !== b.visibleAt) return a.visibleAt - b.visibleAt;
		return a.id < b.id ? -1 : 1;
	}

	/** A number that is unique to this request. */
	private tieSalt(id: string): number {
		let salt = this.requests;
		for (const character of id) salt = (Math.imul(salt, 31) + character.charCodeAt(0)) | 0;
		return Math.imul(salt, 2_654_435_761) >>> 0;
	}

	/** The service stores no more digits than it shows. */
	private cutStamp(us: number): number {
		return this.settings.digits === 3 ? Math.floor(us / US_PER_MS) * US_PER_MS : us;
	}

	private record(version: Version): InspectionRecord {
		const { id, status, template } = version;
		const [created_at, updated_at] = [this.stamp(version.createdUs), this.stamp(version.updatedUs)];
		return { id, status, template, created_at, updated_at, has_content: hasContent(version) };
	}
}
