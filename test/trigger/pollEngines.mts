import type { PollEngine } from '#harness/pollEngine.mts';
import type { Random } from '#harness/random.mts';
import type { VirtualTime } from './virtualTime.mts';

type StaticData = Record<string, unknown>;

/** The data that n8n passes to one poll of a node. */
export interface PollView {
	nodeId: string;
	nodeName: string;
	node(): StaticData;
	global(): StaticData;
	budgetMs: number | undefined;
	/** The workflow's ID. It differs after each restart, because a new process doesn't remember earlier polls. */
	workflowId: string;
	/** Set if the node skipped this poll because a different poll was running. A skipped poll doesn't count as idle. */
	isSkipped: boolean;
}

/** One poll of the node. Resolves with its outputs, or with null if it has none. Rejects if the poll fails. */
export type Poll = (view: PollView) => Promise<string[] | null>;

const NODE_ID = 'node-id';
const POLL_TIMEOUT_MS = 45_000;
const POLL_BUDGET_MS = 36_000;
const ACTIVATION_RETRY_MS = 2_000;
/**
 * How many overdue jobs run right after a start. A real n8n runs one for each of the node's poll times, but only on
 * some starts. The model does it on every start, which is the harder case.
 */
const OVERDUE_JOBS = 3;
/** The longest time in ms from reading static data to starting the poll, and from the end of the poll to saving. */
const LOADING_MS = 400;
const STORING_MS = 1_500;

/** The parts of the model that a test provides: the node's poll, the interval in ms, the time, and random numbers. */
interface EngineHost {
	readonly time: VirtualTime;
	readonly random: Random;
	readonly intervalMs: number;
	readonly poll: Poll;
}

let nextEngine = 1;

type Blob = Record<string, StaticData>;

/**
 * A model of an n8n that has one polling node. `saved`, `rows`, and `executions` survive `kill`. The rules come from
 * n8n 2.41.1. test/e2e/pollRules checks them in that version.
 */
export class EngineModel {
	readonly executions: string[] = [];
	idlePolls = 0;
	/**
	 * The number of emissions that were lost because the database couldn't save them. The node's row wasn't saved either.
	 */
	unsaved = 0;
	nodeName = 'Trigger';
	/** When the first activation was completed, in virtual ms. */
	activatedAt: number | undefined;
	private saved = '{}';
	private rows: string | undefined;
	/** The node's name when an emission last saved the node's row. */
	private rowName = 'Trigger';
	private hasJob = false;
	/**
	 * The number of starts and kills. A running poll compares it with its own copy to detect that n8n was stopped
	 * meanwhile.
	 */
	private life = 0;
	private live: Blob = {};
	private readonly name = `engine ${String(nextEngine++)}`;
	private engine: PollEngine;
	/** The static data of a second registration of the same trigger in memory. */
	private twin: Blob | undefined;
	/**
	 * The number of emissions that were saved since n8n started with this engine. An emission that can't be saved sets it
	 * to 0.
	 */
	savedEmissions = 0;
	private readonly host: EngineHost;

	constructor(engine: PollEngine, host: EngineHost) {
		this.engine = engine;
		this.host = host;
	}

	/**
	 * Starts n8n or activates the workflow. Resolves after the poll at activation.
	 *
	 * @param isEdited the node's parameters have changed, so n8n registers the node again and polls as at an activation.
	 * The table's row stays.
	 */
	async start({ isEdited = false } = {}): Promise<void> {
		this.life += 1;
		if (isEdited) this.hasJob = false;
		const { life } = this;
		for (;;) {
			this.live = parse(this.saved);
			try {
				if (this.engine === 'memory' || !this.hasJob) await this.activationPoll(life);
				break;
			} catch {
				await this.host.time.sleep(ACTIVATION_RETRY_MS);
				if (life !== this.life) return;
			}
		}
		if (life !== this.life) return;
		const isOverdue = this.hasJob && this.engine !== 'memory';
		this.hasJob = true;
		this.activatedAt ??= this.host.time.now;
		if (isOverdue) for (let job = 0; job < OVERDUE_JOBS; job++) void this.durableTick(life);
		void this.beat(life);
	}

	/**
	 * Restarts n8n with a different engine. All saved data stays: both the table's rows and the workflow's static data.
	 */
	async switchTo(engine: PollEngine): Promise<void> {
		this.kill();
		this.engine = engine;
		this.hasJob = false;
		this.savedEmissions = 0;
		await this.start();
	}

	/**
	 * Registers the trigger a second time in the same process, as n8n does after `import:workflow`. Only the in-memory
	 * engine does this.
	 */
	registerTwin(): void {
		if (this.engine !== 'memory') return;
		this.twin = parse(JSON.stringify(this.live));
	}

	/** Simulates kill -9, which loses the memory and all running polls. */
	kill(): void {
		this.life += 1;
		this.live = {};
		this.twin = undefined;
	}

	private async beat(life: number): Promise<void> {
		while (life === this.life) {
			const { time, intervalMs } = this.host;
			await time.sleep(intervalMs - (time.now % intervalMs));
			if (life !== this.life) return;
			if (this.engine === 'memory') void this.inMemoryTicks(life);
			else void this.durableTick(life);
		}
	}

	private async activationPoll(life: number): Promise<void> {
		const blob = this.live;
		const row = this.engine === 'durableCursors' ? this.ensureRow(blob) : undefined;
		const outputs = await this.runPoll(blob, row, undefined);
		if (life !== this.life) return;
		if (outputs !== null) this.emit(blob, row, outputs);
		// After an activation, n8n saves the workflow's static data even if the poll returns null. It doesn't save the row
		// then.
		this.saved = JSON.stringify(blob);
	}

	private async inMemoryTicks(life: number): Promise<void> {
		const { twin } = this;
		await this.inMemoryTick(life, this.live);
		if (twin === undefined) return;
		await this.host.time.sleep(this.host.random.between(0, LOADING_MS));
		if (life === this.life) await this.inMemoryTick(life, twin);
	}

	private async inMemoryTick(life: number, blob: Blob): Promise<void> {
		try {
			const outputs = await this.runPoll(blob, undefined, 300_000);
			if (life === this.life && outputs !== null) this.emit(blob, undefined, outputs);
		} catch {
			// The poll failed. The next poll tries again.
		}
	}

	private async durableTick(life: number): Promise<void> {
		const blob = parse(this.saved);
		const row = this.engine === 'durableCursors' ? this.ensureRow(blob) : undefined;
		const before = JSON.stringify(row);
		await this.host.time.sleep(this.host.random.between(0, LOADING_MS));
		if (life !== this.life) return;
		const poll = this.runPoll(blob, row, POLL_BUDGET_MS);
		const timeout = this.host.time.sleep(POLL_TIMEOUT_MS).then(() => 'timeout' as const);
		try {
			const outputs = await Promise.race([poll, timeout]);
			poll.catch(() => undefined);
			if (outputs === 'timeout') return;
			await this.host.time.sleep(this.host.random.between(0, STORING_MS));
			if (life !== this.life) return;
			if (outputs !== null) this.emit(blob, row, outputs);
			// In one of ten polls, the database fails to save the row, so the next poll gets the previous row.
			else if (row && JSON.stringify(row) !== before && !this.host.random.chance(0.1))
				this.rows = JSON.stringify(row);
		} catch {
			// The poll failed. The next poll tries again.
		}
	}

	/** Returns the node's row in the table, or creates it from the workflow's static data. */
	private ensureRow(blob: Blob): StaticData {
		this.rows ??= JSON.stringify(staticOf(blob, `node:${this.nodeName}`));
		const row: StaticData = JSON.parse(this.rows);
		return row;
	}

	/**
	 * Saves an emission. The execution and the node's row are saved together or not at all. The workflow's static data is
	 * saved separately.
	 */
	private emit(blob: Blob, row: StaticData | undefined, outputs: string[]): void {
		this.saved = JSON.stringify(blob);
		if (row !== undefined) {
			// In 3 % of emissions, the database can't save. A renamed node is excluded: if it then got its old name back,
			// nothing would show which data is newer.
			if (this.host.random.chance(0.03) && this.rowName === this.nodeName) {
				this.unsaved += 1;
				this.savedEmissions = 0;
				return;
			}
			this.rows = JSON.stringify(row);
			this.rowName = this.nodeName;
		}
		this.savedEmissions += 1;
		this.executions.push(...outputs);
	}

	private async runPoll(
		blob: Blob,
		row: StaticData | undefined,
		budgetMs: number | undefined,
	): Promise<string[] | null> {
		const { nodeName } = this;
		const view: PollView = {
			nodeId: NODE_ID,
			nodeName,
			budgetMs,
			workflowId: `${this.name} ${this.life}`,
			isSkipped: false,
			node: () => row ?? staticOf(blob, `node:${nodeName}`),
			global: () => staticOf(blob, 'global'),
		};
		const outputs = await this.host.poll(view);
		if (outputs !== null) this.idlePolls = 0;
		else if (!view.isSkipped) this.idlePolls += 1;
		return outputs;
	}
}

function staticOf(blob: Blob, key: string): StaticData {
	return (blob[key] ??= {});
}

function parse(text: string): Blob {
	const parsed: Blob = JSON.parse(text);
	return parsed;
}
