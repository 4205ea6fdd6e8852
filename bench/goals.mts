/**
 * Measures the goals of `goal.mts` and their baselines, without n8n:
 *
 *     npm run bench -- goals              all of them
 *     npm run bench -- goals 200,000      those with this text in their name
 *
 * For a quick look, set BENCH_ROUNDS=1. BENCH_SHARE=0.02 reduces the number of inspections, but the goals are meant for
 * the full number.
 */
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { type Goal, goalLines, GOALS } from './goal.mts';
import { type Bench, busyPollJob, createJob, fill, getManyJob } from './jobs.mts';
import {
	type Job,
	machine,
	measure,
	measureWithMemory,
	type Result,
	tableOf,
} from './measurement.mts';

const LATENCY_MS = 20;
/** How many inspections exist before the measured polls. */
const BEFORE_POLL = 20_000;
const SHARE = Number(process.env.BENCH_SHARE ?? 1);
const share = (count: number) => Math.ceil(count * SHARE);

async function list(bench: Bench, count: number, latencyMs: number): Promise<Job> {
	fill(bench.sandbox, count);
	return await getManyJob(bench, { count, latencyMs, output: 'raw' });
}

const create = async (bench: Bench, rows: number, latencyMs: number) =>
	await createJob(bench, { rows, answers: 20, latencyMs });

/** The jobs that have goals. Each job gets a separate sandbox. */
const JOBS: Readonly<Record<string, (bench: Bench) => Promise<Job>>> = {
	'Get Many, 5,000 at 20 ms': async (bench) => await list(bench, share(5_000), LATENCY_MS),
	'Get Many, 5,000 at 0 ms': async (bench) => await list(bench, share(5_000), 0),
	'Get Many, 200,000 at 0 ms': async (bench) => await list(bench, share(200_000), 0),
	'Create 500 at 20 ms': async (bench) => await create(bench, share(500), LATENCY_MS),
	'Create 10,000 at 0 ms': async (bench) => await create(bench, share(10_000), 0),
	'Poll of a minute with 1,000 changes': async (bench) => {
		fill(bench.sandbox, share(BEFORE_POLL));
		return await Promise.resolve(busyPollJob(bench, share(1_000)));
	},
};

/** Measures a job with only the two contenders that the goal compares. */
async function measured(goal: Goal, jobOf: (bench: Bench) => Promise<Job>): Promise<Result[]> {
	const sandbox = await startSandbox({ data: 'empty', control: true });
	try {
		const nodeContender = async () => await Promise.resolve(undefined);
		const job = await jobOf({ sandbox, credentials: {}, nodeContender });
		const contenders = job.contenders.filter(({ way }) => [goal.way, goal.baseline].includes(way));
		const measuring = goal.memory === undefined ? measure : measureWithMemory;
		return await measuring({ ...job, contenders }, sandbox.requests);
	} finally {
		await sandbox.close();
	}
}

const [only = ''] = process.argv.slice(2);
console.log(`${machine()}\n`);
const results: Result[] = [];
for (const [name, jobOf] of Object.entries(JOBS)) {
	const goal = GOALS[name];
	if (goal === undefined) throw new Error(`${name} has no goal`);
	if (!name.includes(only)) continue;
	const ofJob = await measured(goal, jobOf);
	console.log(`${tableOf(ofJob)}\n`);
	results.push(...ofJob);
}
console.log(goalLines(results).join('\n'));
process.exit(0);
