import { join } from 'node:path';

import { execaNode, getEachMessage, sendMessage } from 'execa';

import { isRecord, type JsonRecord } from '#sandbox/json.mts';
import { type Contender, type Run, watchMemory } from './measurement.mts';

const OPTIONS = {
	nodeOptions: ['--expose-gc'],
	timeout: 3_600_000,
};
/** The message that asks a process to do one run. */
const RUN = 'run';
const pathOf = (script: string) => join(import.meta.dirname, script);

/** Runs a script of this folder in a new process. Returns the JSON object in the last line of its output. */
export async function inOwnProcess(
	script: string,
	args: readonly string[] = [],
): Promise<JsonRecord> {
	const { stdout } = await execaNode(pathOf(script), args, OPTIONS);
	const answer: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
	if (isRecord(answer)) return answer;
	throw new Error(`${script} printed no object`);
}

const start = (script: string, args: readonly string[]) =>
	execaNode(pathOf(script), args, { ...OPTIONS, ipc: true });

/** A contender that does all its runs in one process. The script in that process calls `serveRuns`. */
export class OwnProcess implements Contender {
	readonly way: string;
	private readonly script: string;
	private readonly args: readonly string[];
	private process: ReturnType<typeof start> | undefined;

	constructor(way: string, script: string, args: readonly string[]) {
		this.way = way;
		this.script = script;
		this.args = args;
	}

	async run(): Promise<Run> {
		const run = await this.ask();
		if (!isRecord(run)) throw new Error(`${this.script} sent no object`);
		return { ms: Number(run.ms), memory: typeof run.memory === 'number' ? run.memory : null };
	}

	async restart(): Promise<void> {
		await this.stop();
	}

	async stop(): Promise<void> {
		const { process } = this;
		this.process = undefined;
		process?.kill();
		await process?.catch(() => undefined);
	}

	private async ask(): Promise<unknown> {
		const process = (this.process ??= start(this.script, this.args));
		try {
			await process.sendMessage(RUN);
			return await process.getOneMessage();
		} catch (error) {
			this.process = undefined;
			// If the process has ended, this throws an error that says why.
			await process;
			throw error;
		}
	}
}

/** Calls `work` each time `OwnProcess` sends a message, until the connection closes. */
export async function serveRuns(work: () => Promise<void>): Promise<void> {
	for await (const message of getEachMessage()) {
		if (message !== RUN) continue;
		// Collects the garbage of the previous run, so that it doesn't slow down this run.
		globalThis.gc?.();
		const grown = watchMemory(process.pid);
		const begin = performance.now();
		await work();
		await sendMessage({ ms: performance.now() - begin, memory: grown() });
	}
	process.exit(0);
}
