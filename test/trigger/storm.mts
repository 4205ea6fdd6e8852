import { ServiceClock } from '#connector/domain/changes/serviceClock.ts';
import type { Change } from '#connector/domain/changes/watch.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import type { Timestamp } from '#connector/domain/timestamp.ts';
import { POLL_LEASE_FACTOR } from '#connector/transport/timeLimits.ts';
import { CheckpointStore } from '#connector/trigger/checkpointStore.ts';
import { createNodeMemory, nodeMemories } from '#connector/trigger/nodeMemory.ts';
import { pollOnce, type PollReport, type Rendered } from '#connector/trigger/pollOnce.ts';
import { PLAIN_WATCH } from '#harness/plainWatch.mts';
import { POLL_ENGINES, type PollEngine } from '#harness/pollEngine.mts';
import { Random } from '#harness/random.mts';
import { timeOf } from '#harness/times.mts';
import type { Status } from '#sandbox/service/model.mts';
import { EngineModel, type Poll } from './pollEngines.mts';
import {
	hasContent,
	type Range,
	StormService,
	type StormSettings,
	type Version,
} from './stormService.mts';
import { VirtualTime } from './virtualTime.mts';

/** The parameters of a storm. Unless the name has a different unit, times are in virtual ms. */
export interface Scenario {
	name: string;
	settings: Partial<StormSettings>;
	event: 'updated' | 'created';
	intervalMs: number;
	durationMs: number;
	lookbackSeconds: number;
	/** The option Wait Until Unchanged, in seconds. 0: off. */
	settleSeconds: number;
	maxItems: number;
	status: readonly Status[];
	template?: string;
	/** How many inspections exist before the trigger is activated. */
	population: number;
	/** The mean time between two single changes. */
	changeEveryMs: number;
	/**
	 * Bursts of changes: the mean time between two bursts, the number of inspections, and the duration of a burst.
	 * Duration 0: all inspections have the same timestamp.
	 */
	bursts?: {
		everyMs: number;
		size: Range;
		withinMs: number;
		/** Whether a burst only creates inspections, as an import does. */
		createsOnly?: boolean;
	};
	/** The share of changes that become visible only after their timestamp, at most `lookbackSeconds` later. */
	late: number;
	/** The mean time between two kills of n8n, and how long n8n stays down. */
	kills?: { everyMs: number; awayMs: Range };
	/**
	 * The other events while n8n is down:
	 * - `status edited`: `status` is removed from the filters, and added back the next time. An inspection that matches
	 * `status` must always be emitted. Other inspections must be emitted if they change after the first poll with the
	 * current filters.
	 * - `team edited`: a different team or any team is chosen. With `once`, also a different credential of the same
	 * service. Inspections must be emitted if they become visible after the first poll with the current team.
	 * - `Start From edited`: a date is set, or sometimes cleared. With each new date, the trigger starts over.
	 * - `engine switched`: n8n restarts with each engine in turn, but not if fewer than two emissions were saved. After
	 * switching back, nothing would show whether a single emission was saved with the table's row.
	 */
	whileAway?: 'renamed' | 'status edited' | 'team edited' | 'Start From edited' | 'engine switched';
	/**
	 * `twice`: the trigger is registered twice in one process. `in two workflows`: a copied workflow has a trigger with
	 * the same node ID.
	 */
	registered?: 'twice' | 'in two workflows';
	/** Each inspection is emitted only once, even if it changes later. */
	once?: true;
	/** Only versions with content become an item. Two of three versions have content. */
	ofContent?: true;
	/** The share of changes whose timestamp is ahead of the service's clock, and how far ahead it is. */
	ahead?: { share: number; byMs: Range };
	/**
	 * From time to time, the service's clock is ahead by `byMs` for `forMs`. This affects the timestamps of changes and
	 * the `Date` header.
	 */
	wrongClock?: { everyMs: number; byMs: Range; forMs: Range };
	/** The option Start From: a date before all inspections, or an expression whose value is different in each poll. */
	startsFrom?: keyof typeof STARTS;
	/** The share of the steps between a page and the saved state that throw. */
	throws?: number;
	/** A shorter time limit for the reading in a poll, in ms. */
	budgetMs?: number;
	/** A lower maximum number of versions in the trigger's state, for storms that exceed it. */
	maxSeenVersions?: number;
}

/** The values of the option Start From as n8n saves them. */
const STARTS = {
	'the beginning': '2000-01-01T00:00:00Z',
	'a day ago': '={{ $now.minus({ days: 1 }) }}',
};

const timeOfMs = (ms: number) => timeOf(new Date(ms).toISOString());

const START = Date.UTC(2026, 0, 5, 8, 0, 0);
const DAY_MS = 86_400_000;
const OWN_BUDGET_MS = 40_000;
/** The time limit that n8n's in-memory engine gives to a poll, in ms. */
const IN_MEMORY_BUDGET_MS = 300_000;
/** The length of a timestamp up to its seconds: `2026-01-08T08:12:30`. */
const SECOND_LENGTH = 19;
/** The number of polls without an emission that must follow the last change before the storm ends. */
const QUIET_POLLS = 4;
const MAX_QUIET_MS = 4 * 3600_000;

export class Storm {
	/** `missed` doesn't include a change if n8n's log has a warning about the change's timestamp. */
	private readonly result = { emitted: 0, missed: 0, repeated: 0, early: 0 };
	private readonly random: Random;
	private readonly time = new VirtualTime(START);
	private readonly service: StormService;
	private readonly engine: EngineModel;
	/** The engine of each workflow. There are two workflows if the trigger is copied. */
	private readonly engines: readonly EngineModel[];
	private readonly scenario: Scenario;
	/**
	 * The data about earlier polls that n8n's processes keep in memory. Each storm has its own data, which is freed
	 * together with the storm.
	 */
	private readonly nodeMemories = nodeMemories();
	private engineName: PollEngine;
	private throwShare: number;
	private status: readonly Status[];
	private teamId: string | undefined;
	private credentialId = 'c1';
	/** The value of the option Start From as n8n saves it. */
	private startFrom: string | undefined;
	private readonly warnings: string[] = [];
	private firstPollAt: number | undefined;
	/**
	 * When the trigger's filters were last edited, by the service's clock, in µs. A later change only has to match the
	 * current filters.
	 * Infinity: the filters weren't edited.
	 */
	private editedAtUs = Infinity;
	/** The end of the first poll with the current team, in virtual ms. */
	private teamSince = 0;
	/** How many executions each workflow had before Start From was last edited. */
	private executionsBefore: number[] = [];
	/** The last date in Start From, in µs. Undefined if Start From was never set. */
	private startUs: number | undefined;

	constructor(scenario: Scenario, engineName: PollEngine, seed: number) {
		this.engineName = engineName;
		this.scenario = scenario;
		this.throwShare = scenario.throws ?? 0;
		this.status = scenario.status;
		this.startFrom = scenario.startsFrom && STARTS[scenario.startsFrom];
		this.random = new Random(seed);
		// Wait Until Unchanged uses the earlier of the two clocks. With n8n's clock days behind, waiting would take days.
		const daysAhead = scenario.settleSeconds > 0 ? [-3, 0] : [3, 0, -3];
		const settings: StormSettings = {
			timestampPrecision: this.random.pick(['ms', 'us', '100ns']),
			shownPrecision: 'as stored',
			filterPrecision: this.random.pick(['full', 'ms', 's']),
			cutsBounds: this.random.chance(0.5),
			ties: this.random.pick(['by id', 'by update', 'by request']),
			latency: [20, 300],
			failures: 0,
			templates: ['t1', 't2'],
			sendsDate: this.random.chance(0.5),
			aheadOfN8nMs: 12_345 + DAY_MS * (daysAhead[seed % 3] ?? 0),
			...scenario.settings,
		};
		this.service = new StormService(this.time, this.random, settings);
		const { time, random, poll } = this;
		const host = { time, random, poll, intervalMs: scenario.intervalMs };
		const engine = () => new EngineModel(engineName, host);
		this.engine = engine();
		this.engines =
			scenario.registered === 'in two workflows' ? [this.engine, engine()] : [this.engine];
	}

	/** Runs the storm. Compares the emitted inspections with the service's inspections, and returns the counts. */
	async run() {
		await this.time.run(this.story());
		for (const [index, engine] of this.engines.entries()) this.compare(engine, index);
		return this.result;
	}

	private readonly poll: Poll = async (view) => {
		const startedAt = this.time.now;
		this.firstPollAt ??= startedAt;
		const { scenario } = this;
		const now = () => this.time.now;
		const today = () => timeOfMs(now());
		const memory = this.nodeMemories.getOrMake(`${view.workflowId} ${view.nodeId}`, () =>
			createNodeMemory(new ServiceClock({ now, today })),
		);
		const { budgetMs: givenMs = IN_MEMORY_BUDGET_MS } = view;
		const budgetMs = Math.min(OWN_BUDGET_MS, givenMs, scenario.budgetMs ?? OWN_BUDGET_MS);
		const store = new CheckpointStore({ node: view.node(), global: view.global() }, memory, {
			nodeId: view.nodeId,
			nodeName: view.nodeName,
			event: scenario.event,
			baseUrl: 'https://service.example',
			startFrom: this.startFrom,
			credentialId: this.credentialId,
			teamId: this.teamId,
		});
		const watch = {
			...PLAIN_WATCH,
			startAt: this.startAt(),
			sortBy: scenario.event === 'created' ? ('created_at' as const) : ('updated_at' as const),
			teamId: this.teamId,
			lookback: scenario.lookbackSeconds,
			settle: scenario.settleSeconds,
			maxItems: scenario.maxItems,
			oncePerInspection: scenario.once === true,
			matches: (inspection: InspectionRecord) => this.matches(inspection),
			maxSeen: scenario.maxSeenVersions,
		};
		const source = {
			clock: memory.clock,
			list: async (query: InspectionPageQuery) => await this.service.list(query),
			prepare: async () => {
				await Promise.resolve();
				this.throwSometimes();
			},
			hasTimeLeft: () => this.time.now - startedAt < budgetMs,
		};
		const report = ({ warnings }: PollReport<Change>) => {
			this.throwSometimes();
			this.warnings.push(...warnings);
		};
		const steps = {
			onStateLost: () => {
				throw new Error('the saved state of a storm is always readable');
			},
			render: async (changes: readonly Change[]) => await this.render(changes),
			report,
		};
		const leaseMs = givenMs * POLL_LEASE_FACTOR;
		const items = await pollOnce(store, watch, source, steps, leaseMs);
		view.isSkipped = items === undefined;
		if (items === undefined) return null;
		for (const change of items) this.countIfEarly(change);
		const outputs = items.map((change) => this.versionOf(change));
		return outputs.length > 0 ? outputs : null;
	};

	/**
	 * Counts a change if the trigger emitted it too early, before its inspection had stayed unchanged long enough. Uses a
	 * service clock that is always right.
	 */
	private countIfEarly({ stamp }: Change): void {
		const { settleSeconds } = this.scenario;
		const settledAtMs = Date.parse(stamp) + settleSeconds * 1000;
		if (settleSeconds > 0 && settledAtMs > this.time.now + this.service.settings.aheadOfN8nMs)
			this.result.early += 1;
	}

	/** Returns the date that the option Start From currently has. */
	private startAt(): Timestamp | undefined {
		if (this.startFrom === STARTS['a day ago'])
			return timeOfMs(this.service.nowUs() / 1000 - DAY_MS);
		return this.startFrom === undefined ? undefined : timeOf(this.startFrom);
	}

	/** Throws at a share of the steps between a page and the saved state, as a failing template or filter does. */
	private throwSometimes(share = this.throwShare): void {
		if (share > 0 && this.random.chance(share)) throw new Error('an error in the middle of a poll');
	}

	private matches({ status, template }: InspectionRecord): boolean {
		// A page has up to 100 inspections, so each of them rarely throws.
		this.throwSometimes(this.throwShare / 50);
		const hasStatus = this.status.length === 0 || this.status.some((name) => name === status);
		return hasStatus && (this.scenario.template ?? template) === template;
	}

	private async render(changes: readonly Change[]): Promise<Rendered<Change>> {
		const { ofContent } = this.scenario;
		const hasItem = ({ inspection }: Change) => !ofContent || inspection.has_content === true;
		const items = changes.map((change) => (hasItem(change) ? [change] : []));
		this.throwSometimes();
		if (this.throwShare === 0 || !this.random.chance(this.throwShare))
			return await Promise.resolve({ items });
		const rendered = items.slice(0, this.random.between(0, items.length - 1));
		return { items: rendered, failure: new Error('rendering stopped early') };
	}

	private versionOf({ inspection: { id, created_at, updated_at } }: Change): string {
		const { event, once } = this.scenario;
		return once ? id : `${id} ${String(event === 'created' ? created_at : updated_at)}`;
	}

	private async story(): Promise<void> {
		for (let count = 0; count < this.scenario.population; count++) {
			await this.service.create(this.service.nowUs() - this.random.between(1, 3600_000) * 1000);
		}
		await this.time.sleep(this.random.between(0, 90_000));
		const end = this.time.now + this.scenario.durationMs;
		const changes = [this.changes(end), this.bursts(end), this.wrongClocks(end)];
		await this.time.sleep(this.random.between(0, 5_000));
		await Promise.all(this.engines.map(async (engine) => await engine.start()));
		if (this.scenario.registered === 'twice') this.engine.registerTwin();
		await this.kills(end);
		await Promise.all(changes);
		await this.untilQuiet();
	}

	private async changes(end: number): Promise<void> {
		const running: Promise<void>[] = [];
		while (await this.waitForNext(this.scenario.changeEveryMs, end))
			running.push(this.change(this.service.nowUs()));
		await Promise.all(running);
	}

	/** Waits until the next event, on average for `everyMs`. Returns false if the storm has ended by then. */
	private async waitForNext(everyMs: number, end: number): Promise<boolean> {
		await this.time.sleep(this.random.between(1, 2 * everyMs));
		return this.time.now < end;
	}

	private async change(stampUs: number): Promise<void> {
		const { late, lookbackSeconds, ahead } = this.scenario;
		if (ahead !== undefined && this.random.chance(ahead.share)) {
			await this.service.create(stampUs + this.random.between(...ahead.byMs) * 1000);
			return;
		}
		const delay = this.random.chance(late) ? this.random.between(1, lookbackSeconds * 1000) : 0;
		if (this.random.chance(0.3)) await this.service.create(stampUs, delay);
		else await this.service.update(stampUs, delay);
	}

	private async bursts(end: number): Promise<void> {
		const { bursts } = this.scenario;
		while (bursts && (await this.waitForNext(bursts.everyMs, end))) {
			const from = this.service.nowUs();
			const changes = Array.from({ length: this.random.between(...bursts.size) }, async () => {
				await this.burstChange(from + this.random.between(0, bursts.withinMs * 1000));
			});
			await Promise.all(changes);
		}
	}

	private async wrongClocks(end: number): Promise<void> {
		const { wrongClock } = this.scenario;
		while (wrongClock && (await this.waitForNext(wrongClock.everyMs, end))) {
			this.service.wrongByMs = this.random.between(...wrongClock.byMs);
			await this.time.sleep(this.random.between(...wrongClock.forMs));
			this.service.wrongByMs = 0;
		}
	}

	/** Waits until the time of the timestamp, then makes one change of a burst. */
	private async burstChange(stampUs: number): Promise<void> {
		const ahead = Math.ceil((stampUs - this.service.nowUs()) / 1000);
		if (ahead > 0) await this.time.sleep(ahead);
		if (this.scenario.bursts?.createsOnly) await this.service.create(stampUs);
		else await this.change(stampUs);
	}

	private async kills(end: number): Promise<void> {
		const { kills, whileAway } = this.scenario;
		while (kills && (await this.waitForNext(kills.everyMs, end))) {
			for (const engine of this.engines) engine.kill();
			await this.time.sleep(this.random.between(...kills.awayMs));
			if (whileAway === 'renamed' && this.random.chance(0.7)) {
				this.engine.nodeName = this.random.pick(['Trigger', 'Inspections', 'New inspections']);
			}
			const isEdited = this.edit();
			const { unsaved } = this.engine;
			const isSwitched = whileAway === 'engine switched' && this.engine.savedEmissions > 1;
			if (isSwitched) await this.switchEngine();
			else await Promise.all(this.engines.map(async (engine) => await engine.start({ isEdited })));
			if (this.scenario.registered === 'twice') this.engine.registerTwin();
			if (whileAway === 'team edited') this.teamSince = this.time.now;
			// If the first poll with the current filters wasn't saved, a later poll counts as the first one.
			const isKept = unsaved === this.engine.unsaved;
			if (whileAway !== 'status edited') continue;
			this.editedAtUs = isKept ? this.service.nowUs() + 1_000 : Infinity;
		}
	}

	/** Edits the trigger as the scenario says. Returns whether the scenario has edits. */
	private edit(): boolean {
		const { whileAway = '', status } = this.scenario;
		if (whileAway === 'status edited') this.status = this.status.length === 0 ? status : [];
		if (whileAway === 'team edited')
			this.teamId = this.random.pick([undefined, 'team a', 'team b']);
		if (whileAway === 'team edited' && this.scenario.once)
			this.credentialId = this.random.pick(['c1', 'c2']);
		if (whileAway === 'Start From edited') this.editStartFrom();
		return whileAway.endsWith(' edited');
	}

	private editStartFrom(): void {
		this.startFrom = undefined;
		if (this.random.chance(0.3)) return;
		// Start From is a whole number of ms, because every service can represent that exactly.
		const ms = this.service.nowUs() / 1000 - this.random.between(1, 15 * 60_000);
		this.startUs = Math.floor(ms) * 1000;
		this.startFrom = timeOfMs(ms);
		this.executionsBefore = this.engines.map(({ executions }) => executions.length);
	}

	private async switchEngine(): Promise<void> {
		const next = (POLL_ENGINES.indexOf(this.engineName) + 1) % POLL_ENGINES.length;
		this.engineName = POLL_ENGINES[next] ?? this.engineName;
		await this.engine.switchTo(this.engineName);
	}

	private async untilQuiet(): Promise<void> {
		this.service.settings.failures = 0;
		this.throwShare = 0;
		const { lookbackSeconds, settleSeconds } = this.scenario;
		await this.time.sleep((lookbackSeconds + settleSeconds) * 1000);
		for (const engine of this.engines) engine.idlePolls = 0;
		const giveUp = this.time.now + MAX_QUIET_MS;
		while (this.engines.some(({ idlePolls }) => idlePolls < QUIET_POLLS)) {
			if (this.time.now > giveUp) throw new Error('the trigger never comes to rest');
			await this.time.sleep(this.scenario.intervalMs);
		}
	}

	private isWanted(version: Version, us: number): boolean {
		if (!this.hasSettled(us)) return false;
		const { template } = this.scenario;
		const status = us > this.editedAtUs ? this.status : this.scenario.status;
		if (status.length > 0 && !status.includes(version.status)) return false;
		if (this.teamId !== undefined && this.teamId !== version.team) return false;
		if (this.scenario.ofContent && !hasContent(version)) return false;
		return template === undefined || version.template === template;
	}

	private compare({ executions, activatedAt = 0 }: EngineModel, workflow: number): void {
		const { event, once, startsFrom } = this.scenario;
		/** Whether the trigger must not emit inspections from before its first poll. */
		const beginsNow = startsFrom === undefined && this.startUs === undefined;
		const present = executions.slice(this.executionsBefore[workflow] ?? 0);
		const emitted = new Set(present);
		this.result.emitted += executions.length;
		this.result.repeated += present.length - emitted.size;
		const said = this.warnings.join(' ');
		for (const version of this.service.inspections.values()) {
			const us = event === 'created' ? version.createdUs : version.updatedUs;
			const visibleAt = event === 'created' ? version.createdVisibleAt : version.visibleAt;
			const isEmitted = emitted.has(once ? version.id : `${version.id} ${this.service.stamp(us)}`);
			const isDue = this.isDue(us, visibleAt, Math.max(activatedAt, this.teamSince));
			if (isDue && this.isWanted(version, us) && !isEmitted) {
				const second = this.service.stamp(us).slice(0, SECOND_LENGTH);
				if (!said.includes(second)) this.result.missed += 1;
			}
			const isHistory = beginsNow && visibleAt < (this.firstPollAt ?? 0);
			if (isHistory && isEmitted) this.result.repeated += 1;
		}
	}

	/**
	 * Whether Wait Until Unchanged already allowed a change from the time `us` (µs) two poll intervals ago. Uses the
	 * earlier of n8n's clock and the service's clock.
	 */
	private hasSettled(us: number): boolean {
		const { settleSeconds, intervalMs } = this.scenario;
		const clockMs = this.time.now + Math.min(0, this.service.settings.aheadOfN8nMs);
		return settleSeconds === 0 || us / 1000 <= clockMs - settleSeconds * 1000 - 2 * intervalMs;
	}

	/** Whether the trigger has to emit a change that became visible at `visibleAt`. */
	private isDue(us: number, visibleAt: number, since: number): boolean {
		if (this.scenario.startsFrom !== undefined) return true;
		return this.startUs === undefined ? visibleAt > since : us >= this.startUs;
	}
}
