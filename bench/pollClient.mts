// Runs the trigger node through n8n-core's PollContext, because n8n itself polls at most once a minute. Does one job,
// then ends.
import { triggerPolls } from '#harness/inspectionNodes.mts';
import { BUSY_MINUTES, letMinutePass, MINUTE_MS, msAhead } from './changingService.mts';
import { watchMemory } from './measurement.mts';

const [baseUrl = '', apiKey = '', job = '', ...rest] = process.argv.slice(2);
const IDLE_POLLS = 20;

const startFrom = job === 'backlog' ? rest[0] : undefined;
const items = await triggerPolls({
	parameters: {
		output: 'raw',
		options: {
			...(startFrom === undefined ? {} : { startFrom }),
			...(job === 'busy' ? { maxItems: 2 * Number(rest[0]) } : {}),
		},
	},
	credential: { baseUrl, apiKey },
});

/** Polls once. Returns the number of emitted inspections. */
const poll = async () => (await items()).length;

/** Returns the mean duration of a poll that finds nothing, in ms. */
async function idle(): Promise<number> {
	await poll();
	const start = performance.now();
	for (let count = 0; count < IDLE_POLLS; count++) {
		if ((await poll()) > 0) throw new Error('an idle poll emitted');
	}
	return (performance.now() - start) / IDLE_POLLS;
}

/** Returns the total duration of all polls until nothing is left to emit, in ms. */
async function backlog(): Promise<number> {
	const start = performance.now();
	while ((await poll()) > 0);
	return performance.now() - start;
}

/** Returns the mean duration of a poll in ms, if `changes` inspections change in the minute between two polls. */
async function busy(changes: number): Promise<number> {
	const { now } = Date;
	let ahead = await msAhead(baseUrl);
	// Makes this process's clock advance with the service's clock. Otherwise, each poll would again read all inspections
	// whose time is later than this process's clock.
	Date.now = () => now() + ahead;
	await poll();
	let ms = 0;
	for (let minute = 0; minute < BUSY_MINUTES; minute++) {
		await letMinutePass(baseUrl, changes);
		ahead += MINUTE_MS;
		const start = performance.now();
		const emitted = await poll();
		ms += performance.now() - start;
		if (emitted !== changes)
			throw new Error(`${String(emitted)} emitted, ${String(changes)} changed`);
	}
	return ms / BUSY_MINUTES;
}

const JOBS: Record<string, () => Promise<number>> = {
	idle,
	backlog,
	busy: () => busy(Number(rest[0])),
};

const grown = watchMemory(process.pid);
const ms = await JOBS[job]?.();
console.log(JSON.stringify({ ms, memory: job === 'idle' ? null : grown() }));
process.exit(0);
