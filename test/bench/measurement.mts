import { readFileSync } from 'node:fs';

/** One run of a job by one contender. */
export interface Run {
	/** Milliseconds that the work itself took, by the contender's own clock. */
	ms: number;
	/** By how many bytes the contender's memory (RSS) was higher at most; null where it cannot be seen. */
	memory: number | null;
}

/** What the service saw of a run. */
export interface Seen {
	requests: number;
	peakInFlight: number;
}

/** Who does a job, and how. */
export interface Contender {
	way: string;
	run(): Promise<Run>;
}

/** The same work for several contenders. */
export interface Job {
	name: string;
	/** Before every run. */
	prepare?(): void;
	/** Throws where a run did not do the whole job. */
	check?(): void;
	contenders: Contender[];
}

export interface Result extends Seen {
	job: string;
	way: string;
	ms: number;
	memory: number | null;
}

/** Runs of each contender; the middle one counts. BENCH_ROUNDS=1 is for a quick look. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

/**
 * Lets all contenders of a job run in turn, round after round, so that what else the machine does hits all of
 * them alike. `counter` is the service's own count of requests.
 */
export async function measure(
	job: Job,
	counter: { clear(): void; count(): number; peakInFlight(): number },
): Promise<Result[]> {
	const runs = job.contenders.map((): (Run & Seen)[] => []);
	for (let round = 0; round < ROUNDS; round++) {
		for (const [index, contender] of job.contenders.entries()) {
			job.prepare?.();
			counter.clear();
			const run = await contender.run();
			job.check?.();
			runs[index]?.push({
				...run,
				requests: counter.count(),
				peakInFlight: counter.peakInFlight(),
			});
		}
	}
	return job.contenders.map(({ way }, index) => {
		const own = runs[index] ?? [];
		const seen = own.map(({ memory }) => memory).filter((memory) => memory !== null);
		return {
			job: job.name,
			way,
			ms: median(own.map(({ ms }) => ms)),
			requests: median(own.map(({ requests }) => requests)),
			peakInFlight: Math.max(...own.map(({ peakInFlight }) => peakInFlight)),
			memory: seen.length === 0 ? null : median(seen),
		};
	});
}

/** The middle one of a few numbers. */
export function median(numbers: readonly number[]): number {
	return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

/** Watches a process's memory until it is told to end; gives the growth at its highest, in bytes. */
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

/** Only Linux tells it of another process. */
function residentBytes(pid: number): number | null {
	try {
		const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
		return Number(/VmRSS:\s*(\d+) kB/.exec(status)?.[1]) * 1024;
	} catch {
		return null;
	}
}

/** The results as a Markdown table; times beside each other within a job. */
export function tableOf(results: readonly Result[]): string {
	const rows = results.map(({ job, way, ms, requests, peakInFlight, memory }) => [
		job,
		way,
		duration(ms),
		String(requests),
		String(peakInFlight),
		memory === null ? '' : `${(memory / 2 ** 20).toFixed(0)} MB`,
	]);
	const head = ['job', 'way', 'time', 'requests', 'in flight', 'memory'];
	const widths = head.map((name, column) =>
		Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const rule = widths.map((width) => '-'.repeat(width));
	return [line(head), line(rule), ...rows.map(line)].join('\n');
}

function duration(ms: number): string {
	return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
