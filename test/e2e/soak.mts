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
import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { ENGINE_ENV, POLL_ENGINES, type PollEngine } from '#harness/pollEngine.mts';
import { startChat } from '#sandbox/demo/inboxes.mts';
import { startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { formatTimestamp } from '#sandbox/service/time.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { Churn } from './churn.mts';
import { chain, n8nNode, triggerNode } from './connectorWorkflow.mts';

const MINUTE_MS = 60_000;
const POLL_SECONDS = 5;
/** Two to three writes a second, bulk writes not counted. */
const STEP_MS = 300;
const INSPECTIONS_BEFORE = 400;
/** The trigger's default lookback: what was committed late is found within it, then nothing more may come. */
const LOOKBACK_MS = 60_000;
/** n8n's heap breathes by some tens of MB; a leak of one item's answers per poll would be more than this. */
const LEVEL_FACTOR = 1.2;

const { minutes, engine, seed } = readOptions();
const folder = join(RUNS, 'soak', engine);
const sandbox = await startSandbox({
	data: 'empty',
	settings: { timestampPrecision: '100ns', tieOrder: 'perRequest', totals: 'lying' },
});
// What the workflow hands on is counted where it arrives: outside of n8n, so that nothing is pruned.
const { inbox, ...chat } = await startChat();
const { path: tarball } = await packConnector(folder);
const n8n = await startN8n({
	...{ userFolder: join(folder, 'n8n'), fresh: true, tarball },
	env: ENGINE_ENV[engine],
});
const churn = new Churn(sandbox, seed);
/** Each version that arrived, as often as it did. */
const arrived = () => inbox.messages.flatMap((versions) => versions.split(','));
/** `id updated_at` of each inspection: what the trigger may emit once. */
const currentVersions = () =>
	sandbox.store
		.inspections()
		.map(({ id, updatedAt }) => `${id} ${formatTimestamp(updatedAt, '100ns')}`);

try {
	churn.fill(INSPECTIONS_BEFORE);
	const workflowId = await activate();
	await untilFound(() =>
		sandbox.requests.all('listInspections').some(({ endedAt }) => endedAt !== null),
	);
	const before = new Set(currentVersions());
	console.log(`n8n ${String(n8n.pid)}, engine ${engine}, seed ${String(seed)}`);
	const memory = await watch();
	churn.calm();
	await quiet();
	console.log(
		`faults: ${JSON.stringify(churn.hits())}; polls that failed: ${String(await failedPolls(workflowId))}`,
	);
	const isGood = [isOnceEach(before), isLevel(memory)].every(Boolean);
	console.log(isGood ? 'soak passed' : 'soak FAILED');
	if (!isGood) process.exitCode = 1;
} finally {
	await n8n.stop();
	await chat.close();
	await sandbox.close();
}

function readOptions(): { minutes: number; engine: PollEngine; seed: number } {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '30' },
			engine: { type: 'string', default: 'memory' },
			seed: { type: 'string', default: '7' },
		},
	});
	const engine = POLL_ENGINES.find((name) => name === values.engine);
	const minutes = Number(values.minutes);
	const seed = Number(values.seed);
	if (engine === undefined || !(minutes > 0) || !Number.isInteger(seed)) {
		throw new Error(`--minutes NUMBER --engine ${POLL_ENGINES.join('|')} --seed INTEGER`);
	}
	return { minutes, engine, seed };
}

/** Each execution posts the versions of its items in one message. */
async function activate(): Promise<string> {
	const { apiUrl: baseUrl, keys } = sandbox;
	const key = { baseUrl, apiKey: keys.north };
	const credential = await n8n.client.createCredential('Soak', CREDENTIAL_TYPE, key);
	const versions = "$json.data.map(({ id, updated_at }) => id + ' ' + updated_at)";
	const { id } = await n8n.client.createWorkflow(
		chain('Soak', [
			triggerNode(credential, { output: 'raw' }, POLL_SECONDS),
			n8nNode('aggregate', 1, { aggregate: 'aggregateAllItemData', options: {} }),
			n8nNode('httpRequest', 4.2, {
				...{ method: 'POST', url: chat.url, sendBody: true, specifyBody: 'json', options: {} },
				jsonBody: `={{ JSON.stringify({ text: ${versions}.join() }) }}`,
			}),
		]),
	);
	await n8n.client.activate(id);
	return id;
}

/** Lets the service churn and prints a line a minute; n8n's memory at each, MB. */
async function watch(): Promise<number[]> {
	const samples: number[] = [];
	const end = Date.now() + minutes * MINUTE_MS;
	console.log('| minute | writes | emitted | executions | list requests | n8n MB |');
	console.log('| --- | --- | --- | --- | --- | --- |');
	while (Date.now() < end) {
		const nextSample = Math.min(Date.now() + MINUTE_MS, end);
		while (Date.now() < nextSample) {
			churn.step();
			await pause(STEP_MS);
		}
		const { stdout } = await execa('ps', ['-o', 'rss=', '-p', String(n8n.pid)]);
		const memory = Math.round(Number(stdout) / 1024);
		samples.push(memory);
		const emitted = [churn.writes, arrived().length, inbox.messages.length];
		const polls = sandbox.requests.count('listInspections');
		console.log(`| ${[samples.length, ...emitted, polls, memory].join(' | ')} |`);
	}
	return samples;
}

/** Waits until nothing has come for longer than anything may be late. */
async function quiet(): Promise<void> {
	let last = Date.now();
	inbox.onMessage = () => void (last = Date.now());
	while (Date.now() < last + LOOKBACK_MS) await pause(1000);
}

async function failedPolls(workflowId: string): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['error'] }));
	const list = await n8n.client.request('GET', `/executions?limit=1&filter=${filter}`);
	return isRecord(list) ? Number(list['count']) : Number.NaN;
}

/** Whether each current version arrived once; none twice, and none of those that were there before the trigger. */
function isOnceEach(before: ReadonlySet<string>): boolean {
	const counts = Map.groupBy(arrived(), (version) => version);
	const expected = currentVersions().filter((version) => !before.has(version));
	const lost = expected.filter((version) => !counts.has(version));
	const repeated = [...counts].filter(([, all]) => all.length > 1).map(([version]) => version);
	const old = [...counts.keys()].filter((version) => before.has(version));
	console.log(`${String(expected.length)} current versions`);
	for (const [what, versions] of Object.entries({ lost, repeated, 'from before': old })) {
		console.log(`${what}: ${[versions.length, ...versions.slice(0, 10)].join('\n')}`);
	}
	return lost.length + repeated.length + old.length === 0;
}

/** Whether n8n's memory stayed level between the second and the last fifth of the run: in the first one it gets warm. */
function isLevel(samples: readonly number[]): boolean {
	const fifth = Math.ceil(samples.length / 5);
	const mean = (part: readonly number[]) =>
		Math.round(part.reduce((sum, memory) => sum + memory, 0) / part.length);
	const [early, late] = [mean(samples.slice(fifth, 2 * fifth)), mean(samples.slice(-fifth))];
	console.log(`memory: ${String(early)} MB in the second fifth, ${String(late)} MB in the last`);
	return late <= early * LEVEL_FACTOR;
}
