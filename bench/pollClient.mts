// The trigger node through n8n-core's PollContext, because n8n itself polls at most once a minute. One job per
// process.
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

/** The number of inspections that a poll emits. */
const poll = async () => (await items()).length;

/** Duration of an idle poll, in ms. */
async function idle(): Promise<number> {
	await poll();
	const start = performance.now();
	for (let count = 0; count < IDLE_POLLS; count++) {
		if ((await poll()) > 0) throw new Error('an idle poll emitted');
	}
	return (performance.now() - start) / IDLE_POLLS;
}

/** Duration of all polls until the backlog is empty, in ms. */
async function backlog(): Promise<number> {
	const start = performance.now();
	while ((await poll()) > 0);
	return performance.now() - start;
}

/** Mean duration of a poll in ms, if it polls once a minute and `changes` inspections change between polls. */
async function busy(changes: number): Promise<number> {
	const { now } = Date;
	let ahead = await msAhead(baseUrl);
	// Keeps n8n's clock in step with the service's. If it stood still, polls would reread everything later than it.
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
