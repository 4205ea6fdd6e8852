import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

/** The result of one run of a job by one contender. */
export interface Run {
	/** How long the job took, measured by the contender, in ms. */
	ms: number;
	/** How much the contender's memory (RSS) grew at its peak, in bytes. Null if it can't be measured. */
	memory: number | null;
}

/** The service's own counts during a run: all requests, and the highest number of requests at the same time. */
export interface Seen {
	requests: number;
	peakInFlight: number;
}

/** A program that does a job in its own way. Jobs compare several of them. */
export interface Contender {
	way: string;
	run(): Promise<Run>;
	/** Makes sure that the next run is in a process that hasn't done other work. */
	restart?(): Promise<void>;
	/** Ends the contender's process if it has one. */
	stop?(): Promise<void>;
}

/** A task that several contenders do, so that they can be compared. */
export interface Job {
	name: string;
	/** Called before every run. */
	prepare?(): void;
	/** Called after every run. @throws if the run didn't do the whole job */
	check?(): void;
	contenders: Contender[];
}

export interface Result extends Seen, Run {
	job: string;
	way: string;
	/** The times of the shortest and the longest run, in ms. `ms` is the median. */
	range: [shortest: number, longest: number];
	/**
	 * Why a run didn't do the whole job, or undefined if all runs did. The time and the number of requests then include
	 * the failed run.
	 */
	failure: string | undefined;
}

/**
 * How many times each contender runs. The median is reported. BENCH_ROUNDS=1 gives a quick impression, but makes the
 * first contender look slower than it is.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

/**
 * Measures a job. The contenders take turns, so that other load on the machine affects all of them alike. `counter` is
 * the service's own count of requests.
 */
export async function measure(job: Job, counter: Counter): Promise<Result[]> {
	try {
		return await measureRounds(job, counter);
	} finally {
		for (const contender of job.contenders) await contender.stop?.();
	}
}

async function measureRounds(job: Job, counter: Counter): Promise<Result[]> {
	const runs = job.contenders.map((): Result[] => []);
	for (let round = 0; round < ROUNDS; round++) {
		for (const [index, contender] of job.contenders.entries()) {
			runs[index]?.push(await runOnce(job, contender, counter));
		}
	}
	return runs.map(middleOf);
}

/**
 * Like `measure`, but measures the memory in one more run in a new process. A process that has already done such work
 * reuses the memory that it freed, so its memory hardly grows.
 */
export async function measureWithMemory(job: Job, counter: Counter): Promise<Result[]> {
	const results = await measure(job, counter);
	for (const [index, contender] of job.contenders.entries()) {
		const result = results[index];
		if (contender.restart === undefined || result === undefined) continue;
		await contender.restart();
		result.memory = (await runOnce(job, contender, counter)).memory;
		await contender.stop?.();
	}
	return results;
}

interface Counter {
	clear(): void;
	count(): number;
	peakInFlight(): number;
}

async function runOnce(job: Job, contender: Contender, counter: Counter): Promise<Result> {
	job.prepare?.();
	counter.clear();
	const start = performance.now();
	let failure: string | undefined;
	let run: Run = { ms: 0, memory: null };
	try {
		run = await contender.run();
		job.check?.();
	} catch (error) {
		failure = reasonOf(error instanceof Error ? error.message : String(error));
		run = { ms: performance.now() - start, memory: null };
	}
	const seen = { requests: counter.count(), peakInFlight: counter.peakInFlight() };
	return { job: job.name, way: contender.way, failure, range: [run.ms, run.ms], ...run, ...seen };
}

/** Finds the error's message in the whole output of a failed process. */
function reasonOf(message: string): string {
	return /^\w*Error: (.*)$/m.exec(message)?.[1] ?? message;
}

function middleOf(runs: readonly Result[]): Result {
	const [first] = runs;
	if (first === undefined) throw new Error('no runs');
	const memory = runs.map((run) => run.memory).filter((bytes) => bytes !== null);
	const times = runs.map(({ ms }) => ms);
	return {
		...first,
		failure: runs.find((run) => run.failure !== undefined)?.failure,
		ms: median(times),
		range: [Math.min(...times), Math.max(...times)],
		requests: median(runs.map(({ requests }) => requests)),
		peakInFlight: Math.max(...runs.map(({ peakInFlight }) => peakInFlight)),
		memory: memory.length === 0 ? null : median(memory),
	};
}

export function median(numbers: readonly number[]): number {
	return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

/**
 * Returns a line that lists, for each contender, how many times as long the larger job takes: `…: this connector 9.8`.
 */
export function growthOf(small: readonly Result[], large: readonly Result[]): string {
	const ways = small.flatMap(({ way, ms }) => {
		const other = large.find((result) => result.way === way);
		if (other === undefined || other.failure !== undefined) return [];
		return [`${way} ${(other.ms / ms).toFixed(1)}`];
	});
	return `${large[0]?.job ?? ''}: times as long as ${small[0]?.job ?? ''}: ${ways.join(', ')}`;
}

/**
 * Starts to watch the memory of a process. The returned function stops watching. It returns how much the memory grew at
 * its peak, in bytes.
 */
export function watchMemory(pid: number): () => number | null {
	const start = residentBytes(pid);
	if (start === null) return () => null;
	let peak = start;
	const look = () => {
		peak = Math.max(peak, residentBytes(pid) ?? 0);
	};
	const timer = setInterval(look, 20);
	return () => {
		clearInterval(timer);
		look();
		return peak - start;
	};
}

/** Returns the memory of a process in bytes, or null if the system isn't Linux. */
function residentBytes(pid: number): number | null {
	try {
		const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
		return Number(/VmRSS:\s*(\d+) kB/.exec(status)?.[1]) * 1024;
	} catch {
		return null;
	}
}

/** Returns a line about the machine that runs the benchmark. */
export function machine(): string {
	const [processor] = cpus();
	const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GB`;
	return `${String(cpus().length)} cores (${processor?.model ?? 'unknown'}), ${memory}, ${process.platform}, Node ${process.version}; load before: ${loadavg()[0]?.toFixed(1) ?? ''}`;
}

/** Formats the results as a Markdown table. */
export function tableOf(results: readonly Result[]): string {
	const rows = results.map(({ job, way, failure, ms, range, requests, peakInFlight, memory }) => [
		job,
		way,
		failure === undefined ? duration(ms) : `fails: ${failure.slice(0, 80)}`,
		range.map(duration).join(' – '),
		String(requests),
		String(peakInFlight),
		memory === null ? '' : `${(memory / 2 ** 20).toFixed(0)} MB`,
	]);
	const head = ['job', 'way', 'time', 'range', 'requests', 'in flight', 'memory'];
	const widths = head.map((name, column) =>
		Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const rule = widths.map((width) => '-'.repeat(width));
	return [line(head), line(rule), ...rows.map(line)].join('\n');
}

export function duration(ms: number): string {
	return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
