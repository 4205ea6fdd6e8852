import type { PollEngine } from '#harness/pollEngine.mts';
import type { Random } from '#harness/random.mts';
import type { VirtualTime } from './virtualTime.mts';

type StaticData = Record<string, unknown>;

/** What n8n passes to a poll. */
export interface PollView {
	nodeId: string;
	nodeName: string;
	node(): StaticData;
	global(): StaticData;
	budgetMs: number | undefined;
	/** Differs in each life of n8n, because a new process doesn't remember earlier polls. */
	workflowId: string;
	/** Set by a poll that left its turn to a different one. It doesn't reveal what is new. */
	isSkipped: boolean;
}

/** The node's poll: returns outputs, or null if there are none, or throws. */
export type Poll = (view: PollView) => Promise<string[] | null>;

const NODE_ID = 'node-id';
const POLL_TIMEOUT_MS = 45_000;
const POLL_BUDGET_MS = 36_000;
const ACTIVATION_RETRY_MS = 2_000;
/**
 * Overdue jobs that run right after a start, one for each poll time of the node. A real n8n does this on some starts.
 * The model uses the harder case.
 */
const OVERDUE_JOBS = 3;
/** Longest time in ms between reading the static data and calling the poll, and between its return and saving. */
const LOADING_MS = 400;
const STORING_MS = 1_500;

/** The polled node, the interval in ms, and the engine's time and random numbers. */
interface EngineHost {
	readonly time: VirtualTime;
	readonly random: Random;
	readonly intervalMs: number;
	readonly poll: Poll;
}

let nextEngine = 1;

type Blob = Record<string, StaticData>;

/**
 * A model of an n8n with one polling node. `saved`, `rows`, and `executions` survive `kill`. The rules come from n8n
 * 2.41.1, and test/e2e checks them against it.
 */
export class EngineModel {
	readonly executions: string[] = [];
	idlePolls = 0;
	/** Number of emissions that weren't saved, nor anything with them in the node's row. */
	unsaved = 0;
	nodeName = 'Trigger';
	/** Time of the first completed activation, in virtual ms. */
	activatedAt: number | undefined;
	private saved = '{}';
	private rows: string | undefined;
	/** The node's name when its row was last saved together with an emission. */
	private rowName = 'Trigger';
	private hasJob = false;
	/** Incremented by `kill`, to discard running polls. */
	private life = 0;
	private live: Blob = {};
	private readonly name = `engine ${String(nextEngine++)}`;
	private engine: PollEngine;
	/** A second registration of the same trigger, with separate data. */
	private twin: Blob | undefined;
	/** Emissions saved since n8n was started with this engine. 0 if the last one wasn't saved. */
	savedEmissions = 0;
	private readonly host: EngineHost;

	constructor(engine: PollEngine, host: EngineHost) {
		this.engine = engine;
		this.host = host;
	}

	/**
	 * Starts n8n or activates the workflow. Resolves after the activation's poll. `isEdited`: the node's parameters
	 * changed, so n8n registers it again and polls as in an activation, but the table's row stays.
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

	/** Restarts with a different engine from what is saved: both the rows and the workflow's data stay. */
	async switchTo(engine: PollEngine): Promise<void> {
		this.kill();
		this.engine = engine;
		this.hasJob = false;
		this.savedEmissions = 0;
		await this.start();
	}

	/** n8n registers the trigger a second time, as after `import:workflow`. Only its in-memory engine can. */
	registerTwin(): void {
		if (this.engine !== 'memory') return;
		this.twin = parse(JSON.stringify(this.live));
	}

	/** kill -9: memory and running polls are lost. */
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
		// Null: the workflow's static data is saved after an activation, but a row isn't.
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
			// The next poll continues.
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
			// Sometimes the database fails to save this, and the next poll starts from the old row.
			else if (row && JSON.stringify(row) !== before && !this.host.random.chance(0.1))
				this.rows = JSON.stringify(row);
		} catch {
			// The next poll continues.
		}
	}

	/** The table's row, created from the workflow's data if there is none. */
	private ensureRow(blob: Blob): StaticData {
		this.rows ??= JSON.stringify(staticOf(blob, `node:${this.nodeName}`));
		const row: StaticData = JSON.parse(this.rows);
		return row;
	}

	/**
	 * With rows, the execution and the row are saved together or not at all. The workflow's data is saved separately.
	 */
	private emit(blob: Blob, row: StaticData | undefined, outputs: string[]): void {
		this.saved = JSON.stringify(blob);
		if (row !== undefined) {
			// Not after a renaming: if the node also gets its old name back, it's undecidable which data is right.
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
