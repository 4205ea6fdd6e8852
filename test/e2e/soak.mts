/**
 * The trigger over a long time: n8n polls every five seconds, the service changes all the time and fails often.
 *
 *     node scripts/bootstrap.mjs setup
 *     node_modules/.bin/node test/e2e/soak.mts --minutes 30 [--engine memory|scheduler|durableCursors] [--seed 7]
 *
 * Prints one line a minute and ends with 0 when every current version was emitted exactly once, none twice, and n8n's
 * memory stayed level.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { execa } from 'execa';

import { isRecord } from '#connector/domain/json.ts';
import { ENGINE_ENV, type PollEngine } from '#harness/pollEngine.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { formatTimestamp } from '#sandbox/service/time.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { Churn } from './churn.mts';
import { chain, CREDENTIAL_TYPE, triggerNode } from './connectorWorkflow.mts';
import { type EmissionSink, startEmissionSink, versionOf } from './emissionSink.mts';

const MINUTE_MS = 60_000;
const POLL_SECONDS = 5;
/** Two to three writes a second, bulk writes not counted. */
const STEP_MS = 300;
const INSPECTIONS_BEFORE = 400;
/** The trigger's default lookback: what was committed late is found within it, then nothing more may come. */
const LOOKBACK_MS = 60_000;
/** n8n's heap breathes by some tens of MB; a leak of one item's answers per poll would be more than this. */
const LEVEL_FACTOR = 1.2;

const ENGINES: readonly PollEngine[] = ['memory', 'scheduler', 'durableCursors'];

interface Sample {
	minute: number;
	writes: number;
	emitted: number;
	executions: number;
	polls: number;
	/** Resident memory of n8n, MB. */
	memory: number;
}

async function main(): Promise<void> {
	const { minutes, engine, seed } = readOptions();
	const folder = join(RUNS, 'soak', engine);
	const sandbox = await startSandbox({
		data: 'empty',
		settings: { timestampPrecision: '100ns', tieOrder: 'perRequest', totals: 'lying' },
	});
	const sink = await startEmissionSink();
	const { path: tarball } = await packConnector(folder);
	const n8n = await startN8n({
		userFolder: join(folder, 'n8n'),
		fresh: true,
		tarball,
		env: ENGINE_ENV[engine],
	});
	try {
		const churn = new Churn(sandbox, seed);
		churn.fill(INSPECTIONS_BEFORE);
		const workflowId = await activate(n8n, sandbox, sink);
		await untilFound(() =>
			sandbox.requests.all('listInspections').some(({ endedAt }) => endedAt !== null),
		);
		const before = new Set(currentVersions(sandbox));

		console.log(`n8n ${String(n8n.pid)}, engine ${engine}, seed ${String(seed)}`);
		const samples = await watch(minutes, { sandbox, sink, n8n, churn });
		churn.calm();
		await quiet(sink);

		const failed = await failedPolls(n8n, workflowId);
		report({ sandbox, sink, churn, samples, before, failed });
	} finally {
		await n8n.stop();
		await sink.close();
		await sandbox.close();
	}
}

function readOptions(): { minutes: number; engine: PollEngine; seed: number } {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '30' },
			engine: { type: 'string', default: 'memory' },
			seed: { type: 'string', default: '7' },
		},
	});
	const engine = ENGINES.find((name) => name === values.engine);
	const minutes = Number(values.minutes);
	const seed = Number(values.seed);
	if (engine === undefined || !(minutes > 0) || !Number.isInteger(seed)) {
		throw new Error(`--minutes NUMBER --engine ${ENGINES.join('|')} --seed INTEGER`);
	}
	return { minutes, engine, seed };
}

async function activate(n8n: N8nServer, sandbox: Sandbox, sink: EmissionSink): Promise<string> {
	const { apiUrl: baseUrl, keys } = sandbox;
	const key = { baseUrl, apiKey: keys.north };
	const credential = await n8n.client.createCredential('Soak', CREDENTIAL_TYPE, key);
	const trigger = triggerNode(credential, { output: 'raw' }, POLL_SECONDS);
	const workflow = await n8n.client.createWorkflow(chain('Soak', [trigger, ...sink.nodes]));
	await n8n.client.activate(workflow.id);
	return workflow.id;
}

interface Watched {
	sandbox: Sandbox;
	sink: EmissionSink;
	n8n: N8nServer;
	churn: Churn;
}

/** Lets the service churn and prints a line a minute. */
async function watch(minutes: number, watched: Watched): Promise<Sample[]> {
	const samples: Sample[] = [];
	const end = Date.now() + minutes * MINUTE_MS;
	console.log('| minute | writes | emitted | executions | list requests | n8n MB |');
	console.log('| --- | --- | --- | --- | --- | --- |');
	while (Date.now() < end) {
		const nextSample = Math.min(Date.now() + MINUTE_MS, end);
		while (Date.now() < nextSample) {
			watched.churn.step();
			await pause(STEP_MS);
		}
		const sample = await sampleOf(samples.length + 1, watched);
		samples.push(sample);
		console.log(`| ${Object.values(sample).join(' | ')} |`);
	}
	return samples;
}

async function sampleOf(minute: number, { sandbox, sink, n8n, churn }: Watched): Promise<Sample> {
	const { stdout } = await execa('ps', ['-o', 'rss=', '-p', String(n8n.pid)]);
	return {
		minute,
		writes: churn.writes,
		emitted: totalOf(sink),
		executions: sink.executions,
		polls: sandbox.requests.count('listInspections'),
		memory: Math.round(Number(stdout) / 1024),
	};
}

/** Waits until nothing has come for longer than anything may be late. */
async function quiet(sink: EmissionSink): Promise<void> {
	const since = Date.now();
	while (Date.now() < Math.max(since, sink.lastArrival) + LOOKBACK_MS) await pause(1000);
}

async function failedPolls(n8n: N8nServer, workflowId: string): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['error'] }));
	const list = await n8n.client.request('GET', `/executions?limit=1&filter=${filter}`);
	return isRecord(list) ? Number(list['count']) : Number.NaN;
}

interface Outcome {
	sandbox: Sandbox;
	sink: EmissionSink;
	churn: Churn;
	samples: readonly Sample[];
	/** Versions that were there before the trigger: not to be emitted. */
	before: ReadonlySet<string>;
	failed: number;
}

function report({ sandbox, sink, churn, samples, before, failed }: Outcome): void {
	const expected = currentVersions(sandbox).filter((version) => !before.has(version));
	const lost = expected.filter((version) => !sink.counts.has(version));
	const repeated = [...sink.counts].filter(([, count]) => count > 1);
	const old = [...sink.counts.keys()].filter((version) => before.has(version));
	const [early, late] = memoryOf(samples);
	console.log(`faults: ${JSON.stringify(churn.hits())}; polls that failed: ${String(failed)}`);
	console.log(
		`${String(churn.writes)} writes, ${String(totalOf(sink))} emitted in ${String(sink.executions)} executions`,
	);
	console.log(
		`current versions: ${String(expected.length)}, lost: ${String(lost.length)}, repeated: ${String(repeated.length)}, from before: ${String(old.length)}`,
	);
	console.log(`memory: ${String(early)} MB in the second fifth, ${String(late)} MB in the last`);
	for (const version of lost.slice(0, 10)) console.log(`lost: ${version}`);
	for (const [version, count] of repeated.slice(0, 10)) {
		console.log(`repeated: ${version} (${String(count)} times)`);
	}
	const isGood = lost.length + repeated.length + old.length === 0 && late <= early * LEVEL_FACTOR;
	console.log(isGood ? 'soak passed' : 'soak FAILED');
	if (!isGood) process.exitCode = 1;
}

/** Mean memory of the second and of the last fifth of the run: the first one is n8n getting warm. */
function memoryOf(samples: readonly Sample[]): [early: number, late: number] {
	const fifth = Math.ceil(samples.length / 5);
	const mean = (part: readonly Sample[]) =>
		Math.round(part.reduce((sum, { memory }) => sum + memory, 0) / part.length);
	return [mean(samples.slice(fifth, 2 * fifth)), mean(samples.slice(-fifth))];
}

function currentVersions({ store, settings }: Sandbox): string[] {
	return store
		.inspections()
		.map(({ id, updatedAt }) =>
			versionOf(id, formatTimestamp(updatedAt, settings.timestampPrecision)),
		);
}

function totalOf(sink: EmissionSink): number {
	return [...sink.counts.values()].reduce((sum, count) => sum + count, 0);
}

await main();
