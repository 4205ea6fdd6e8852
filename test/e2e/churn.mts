/** Work and trouble at the service, as random as it gets and the same for the same seed. */
import { Random } from '#harness/random.mts';
import type { FaultHandle } from '#sandbox/service/faultBoard.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

/** More equal timestamps than a page has room for (listInspections of docs/service.openapi.yaml: page_size up to 100). */
const TIED = 130;
/** Late commits stay well inside the trigger's lookback (60 s by default). */
const LATEST_COMMIT_MS = 30_000;

/** What can happen to a list request; the service's answer is never a wrong one that looks right. */
const FAULTS: readonly [Fault, ...Fault[]] = [
	{ kind: 'status', status: 429, headers: { 'retry-after': '1' } },
	{ kind: 'status', status: 429 },
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 503, headers: { 'retry-after': '2' } },
	{ kind: 'html', status: 502 },
	{ kind: 'truncate' },
	{ kind: 'truncate', reset: true },
	{ kind: 'malformed' },
	{ kind: 'empty' },
	{ kind: 'reset' },
	{ kind: 'reset', when: 'after' },
	{ kind: 'latency', ms: 7_000 },
];

/** A seeded stream of writes to the store and faults of the list. */
export class Churn {
	writes = 0;
	private readonly faults: { name: string; handle: FaultHandle }[] = [];
	private readonly sandbox: Sandbox;
	private readonly random: Random;
	private readonly templateId: string;
	private readonly ids: string[] = [];

	constructor(sandbox: Sandbox, seed: number) {
		this.sandbox = sandbox;
		this.random = new Random(seed);
		this.templateId = sandbox.store.addTemplate({ name: 'Round', controls: [] }).id;
	}

	/** Creates so many inspections at once, before anything is watched. */
	fill(count: number): void {
		for (let left = count; left > 0; left--) this.create();
	}

	/** One step: a write in most cases, now and then many of them, a late one or a fault. */
	step(): void {
		const chance = this.random.next();
		if (chance < 0.55) this.update();
		else if (chance < 0.8) this.create();
		else if (chance < 0.9) this.commitLate();
		else if (chance < 0.93) this.updateWhilePaging();
		else if (chance < 0.94) this.tie();
		else if (chance < 0.97) this.addFault();
	}

	/** Ends all faults, so that what is still to come can come. */
	calm(): void {
		this.sandbox.faults.clear();
	}

	/** How many requests each kind of fault hit. */
	hits(): Record<string, number> {
		const sums: Record<string, number> = {};
		for (const { name, handle } of this.faults) sums[name] = (sums[name] ?? 0) + handle.hits;
		return sums;
	}

	private create(timing = {}): void {
		const { id } = this.sandbox.store.addInspection({ template: this.templateId }, timing);
		this.ids.push(id);
		this.writes += 1;
	}

	private update(timing = {}): void {
		this.sandbox.store.updateInspection(this.anyId(), {}, timing);
		this.writes += 1;
	}

	private commitLate(): void {
		const timing = { visibleInMs: this.random.between(0, LATEST_COMMIT_MS) };
		if (this.random.chance(0.5)) this.create(timing);
		else this.update(timing);
	}

	/** A bulk write: one timestamp for all. */
	private tie(): void {
		const { clock, settings } = this.sandbox;
		const timing = { at: clock.stamp(settings.timestampPrecision) };
		for (let left = TIED; left > 0; left--) {
			if (this.random.chance(0.3)) this.create(timing);
			else this.update(timing);
		}
	}

	/** Writes between the pages of the next reads. */
	private updateWhilePaging(): void {
		const run = () => {
			for (let left = 5; left > 0; left--) this.update();
		};
		this.sandbox.faults.add({
			on: { operation: 'listInspections' },
			times: 3,
			do: { kind: 'run', run },
		});
	}

	private addFault(): void {
		const fault = this.random.pick(FAULTS);
		const name = fault.kind === 'status' ? String(fault.status) : fault.kind;
		const handle = this.sandbox.faults.add({
			on: { operation: 'listInspections' },
			times: 1 + this.random.between(0, 3),
			do: fault,
		});
		this.faults.push({ name, handle });
	}

	private anyId(): string {
		const id = this.ids[this.random.between(0, this.ids.length - 1)];
		if (id === undefined) throw new Error('there is nothing to update');
		return id;
	}
}
