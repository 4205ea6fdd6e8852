/**
 * `npm run bench`: compares the speed of this connector with n8n's HTTP Request node, n8n's request helper, and undici.
 * `npm run bench -- --large` instead measures how time and memory grow with ten times the work.
 */
import { join } from 'node:path';

import { type N8nOptions, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { goalLines } from './goal.mts';
import {
	backlogJob,
	type Bench,
	busyPollJob,
	createJob,
	downloadJob,
	fill,
	getManyJob,
	idlePollJob,
} from './jobs.mts';
import { loadTime } from './loadPackage.mts';
import {
	growthOf,
	type Job,
	machine,
	measure,
	measureWithMemory,
	type Result,
	tableOf,
} from './measurement.mts';
import { n8nContender, n8nContenderOfMany, type RunningN8n } from './n8nContender.mts';

const LATENCY_MS = 20;
/** How many processes load the package. The median of their times is reported. */
const LOADS = 5;

/** How n8n runs the jobs, and how they are measured. */
interface Manner {
	contender: typeof n8nContender;
	measuring: typeof measure;
}

const USUAL: Manner = { contender: n8nContender, measuring: measure };
const LARGE: Manner = { contender: n8nContenderOfMany, measuring: measureWithMemory };

/** Measures the jobs with a separate sandbox. */
async function withSandbox(
	n8n: RunningN8n,
	{ contender, measuring }: Manner,
	jobs: (bench: Bench) => AsyncGenerator<Job>,
): Promise<Result[]> {
	const sandbox = await startSandbox({ data: 'empty', control: true });
	try {
		const credential = await n8n.client.createCredential('Bench', 'inspectionServiceApi', {
			baseUrl: sandbox.apiUrl,
			apiKey: sandbox.keys.north,
		});
		const header = await n8n.client.createCredential('Bench header', 'httpHeaderAuth', {
			name: 'access-token',
			value: sandbox.keys.north,
		});
		const bench: Bench = {
			sandbox,
			credentials: { inspectionServiceApi: credential, httpHeaderAuth: header },
			nodeContender: async (way) => await contender(n8n, way),
		};
		const results: Result[] = [];
		for await (const job of jobs(bench)) {
			results.push(...(await measuring(job, sandbox.requests)));
		}
		return results;
	} finally {
		await sandbox.close();
	}
}

/** Prints the times of common jobs. */
async function usualTable(n8n: RunningN8n): Promise<void> {
	const nodes = await withSandbox(n8n, USUAL, async function* (bench) {
		fill(bench.sandbox, 5_000);
		yield await getManyJob(bench, { count: 5_000, latencyMs: 0, output: 'raw' });
		yield await getManyJob(bench, { count: 5_000, latencyMs: LATENCY_MS, output: 'raw' });
		yield await createJob(bench, {
			rows: 500,
			answers: 20,
			latencyMs: LATENCY_MS,
		});
		yield await downloadJob(bench, 100_000_000);
	});
	const growing = await withSandbox(n8n, USUAL, async function* (bench) {
		const list = { count: 5_000, growth: 'ever faster' } as const;
		fill(bench.sandbox, list.count, list);
		yield await getManyJob(bench, { ...list, latencyMs: LATENCY_MS, output: 'raw' });
	});
	const polls = await withSandbox(n8n, USUAL, async function* (bench) {
		const since = fill(bench.sandbox, 10_000);
		yield idlePollJob(bench);
		yield backlogJob(bench, 10_000, since);
	});
	const results = [...nodes, ...growing, ...polls];
	console.log(tableOf(results));
	console.log(goalLines(results).join('\n'));
	console.log(`\nLoading the package into n8n: ${await loadTime(LOADS)}`);
}

/** Each job with the sizes to measure. The last size is ten times the first. */
const GROWTH: Record<
	string,
	[sizes: readonly number[], job: (bench: Bench, size: number) => Promise<Job>]
> = {
	getMany: [
		[20_000, 50_000, 200_000],
		async (bench, count) => {
			fill(bench.sandbox, count);
			return await getManyJob(bench, { count, latencyMs: 0, output: 'raw' });
		},
	],
	rows: [
		[20_000, 50_000, 200_000],
		async (bench, count) => {
			fill(bench.sandbox, count, { answers: 5 });
			return await getManyJob(bench, { count, latencyMs: 0, output: 'row' });
		},
	],
	changes: [
		[100, 1_000],
		async (bench, changes) => {
			fill(bench.sandbox, 20_000);
			return await Promise.resolve(busyPollJob(bench, changes));
		},
	],
	create: [
		[1_000, 10_000],
		async (bench, rows) => await createJob(bench, { rows, answers: 20, latencyMs: 0 }),
	],
	questions: [
		[100, 1_000],
		async (bench, answers) => await createJob(bench, { rows: 100, answers, latencyMs: 0 }),
	],
};

async function growthTable(n8n: RunningN8n, only: readonly string[]): Promise<void> {
	for (const [name, [sizes, jobOf]] of Object.entries(GROWTH)) {
		if (only.length > 0 && !only.includes(name)) continue;
		const results: Result[][] = [];
		for (const size of sizes) {
			results.push(
				await withSandbox(n8n, LARGE, async function* (bench) {
					yield await jobOf(bench, size);
				}),
			);
		}
		const growth = growthOf(results[0] ?? [], results.at(-1) ?? []);
		console.log([tableOf(results.flat()), growth, ...goalLines(results.flat()), ''].join('\n'));
	}
}

const folder = join(RUNS, 'bench');
const packed = await packConnector(folder);
const options: N8nOptions = {
	userFolder: join(folder, 'n8n'),
	env: { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem', EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all' },
};
const n8n = {
	...(await startN8n({ ...options, fresh: true, tarball: packed.path })),
	async restart() {
		await this.stop();
		Object.assign(this, await startN8n(options));
	},
};
console.log(`${machine()}\n`);
try {
	const [mode, ...names] = process.argv.slice(2);
	await (mode === '--large' ? growthTable(n8n, names) : usualTable(n8n));
} finally {
	await n8n.stop();
}
