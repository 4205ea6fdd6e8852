// Measures ways to limit the memory for responses that are read at the same time. Run it with
// `node test/long/responseMemory.mts` after `npm run build`. It prints the peak memory and the longest pause of each attack.
//
// - now: 64 MB and a million values for a response, 128 MB for all that are being read (`transport/responseBody.ts`)
// - no sum: as now, but without the 128 MB
// - 16 MB: only 16 MB for a response
//
// All of them limit the memory that the run keeps (`domain/memoryBudget.ts`).
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

import { execaNode } from 'execa';

import type * as json from '#connector/domain/json.ts';
import type * as memory from '#connector/domain/memoryBudget.ts';
import type * as body from '#connector/transport/responseBody.ts';
import { startRawServer } from '#harness/rawServer.mts';

const MB = 1024 * 1024;
const LIMITS = {
	now: { bytes: 64 * MB, values: 1_000_000, all: 128 * MB },
	'no sum': { bytes: 64 * MB, values: 1_000_000, all: Infinity },
	'16 MB': { bytes: 16 * MB, values: Infinity, all: Infinity },
};
/** The parts that an attacking service repeats in a list, with the number of concurrent requests. */
const ATTACKS = {
	'empty objects': { part: '{},', count: 1 },
	'empty objects, ten times': { part: '{},', count: 10 },
	'lists in lists, ten times': { part: '[[]],', count: 10 },
	'one long text, ten times': { part: '"x",'.padStart(MB, 'x'), count: 10 },
	'one long text, ten times, without its end': { part: '"x",'.padStart(MB, 'x'), count: 10 },
	'a page of 15 MB, ten times': {
		part: `${JSON.stringify({ id: 1, items: Array.from({ length: 500 }, () => 'x'.repeat(297)) })},`,
		count: 10,
	},
};

const [kind, attack, url] = process.argv.slice(2);
if (url === undefined) await measureAll();
else await readResponses(kind as keyof typeof LIMITS, attack as keyof typeof ATTACKS, url);

async function measureAll(): Promise<void> {
	for (const [name, { part }] of Object.entries(ATTACKS)) {
		for (const [limit, { bytes }] of Object.entries(LIMITS)) {
			// The largest response that isn't too large, except for the number of its values.
			const size = name.startsWith('a page') ? 15 * MB : bytes - MB;
			const text = part.startsWith('x') ? `"${'x'.repeat(size)}"` : part.repeat(size / part.length);
			const whole = Buffer.from(part.startsWith('x') ? `[${text}]` : `[${text}0]`);
			await using server = await startRawServer((_, response) => {
				if (name.endsWith('without its end')) response.write(whole);
				else response.end(whole);
			});
			const child = await execaNode(import.meta.filename, [limit, name, server.url], {
				nodeOptions: ['--max-old-space-size=2048', '--no-warnings'],
				reject: false,
			});
			const outcome = child.exitCode === 0 ? child.stdout : 'the process died';
			console.log(`${name.padEnd(42)} ${limit.padEnd(6)} ${outcome}`);
		}
	}
}

async function readResponses(
	kind: keyof typeof LIMITS,
	attack: keyof typeof ATTACKS,
	url: string,
): Promise<void> {
	const require = createRequire(import.meta.url);
	const built = (path: string): unknown => require(`../../dist/nodes/InspectionService/${path}`);
	const { readText, ResponseBudget } = built('transport/responseBody') as typeof body;
	const { MemoryBudget } = built('domain/memoryBudget') as typeof memory;
	const { parseJsonWithLongIntegers } = built('domain/json') as typeof json;
	const limits = LIMITS[kind];
	const reading = new ResponseBudget(limits.all);
	const kept = new MemoryBudget('more than the run can keep');
	let peak = 0;
	let pause = 0;
	let last = performance.now();
	const timer = setInterval(() => {
		pause = Math.max(pause, performance.now() - last);
		last = performance.now();
		peak = Math.max(peak, process.memoryUsage.rss());
	}, 5);
	const values: unknown[] = [];
	const read = async () => {
		const { body: stream } = await fetch(url);
		if (stream === null) throw new Error('no body');
		const outcome = await reading.read(
			async (reserve) => await readText(Readable.fromWeb(stream), limits, reserve),
			AbortSignal.timeout(10_000),
		);
		if (outcome.exceeded !== undefined) throw new Error(`more ${outcome.exceeded} than allowed`);
		const value = parseJsonWithLongIntegers(outcome.text) as object;
		peak = Math.max(peak, process.memoryUsage.rss());
		kept.add(value);
		values.push(value);
	};
	const { count } = ATTACKS[attack];
	const reads = Promise.allSettled(Array.from({ length: count }, read));
	// Responses that don't end are given up after ten seconds.
	const timeUp = new Promise<[]>((resolve) => setTimeout(resolve, 10_000, []));
	const outcomes = attack.endsWith('without its end') ? await timeUp : await reads;
	await new Promise((resolve) => setTimeout(resolve, 20));
	clearInterval(timer);
	const failed = outcomes.filter(({ status }) => status === 'rejected').length;
	console.log(
		`${String(Math.round(peak / MB))} MB, longest pause ${String(Math.round(pause))} ms, ${String(values.length)} kept, ${String(failed)} refused`,
	);
	process.exit(0);
}
