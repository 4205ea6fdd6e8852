// The trigger node through n8n-core's own PollContext: n8n itself polls at most once a minute. One job per process.
import { oneNodeWorkflow, pollContext } from '../harness/inspectionNodes.mts';

const [job, baseUrl = '', apiKey = '', startFrom = ''] = process.argv.slice(2);
const IDLE_POLLS = 20;

const trigger = await oneNodeWorkflow('inspectionServiceTrigger', {
	parameters: { output: 'raw', options: startFrom === '' ? {} : { startFrom } },
	credential: { baseUrl, apiKey },
});

async function poll(): Promise<number> {
	const items = await trigger.nodeType.poll?.call(pollContext(trigger));
	return items?.flat().length ?? 0;
}

/** Polls until nothing comes any more. */
async function drain(): Promise<{ polls: number; items: number }> {
	let items = 0;
	for (let polls = 1; ; polls++) {
		const found = await poll();
		if (found === 0) return { polls, items };
		items += found;
	}
}

if (job === 'idle') {
	await poll();
	const start = performance.now();
	for (let count = 0; count < IDLE_POLLS; count++) {
		if ((await poll()) > 0) throw new Error('an idle poll emitted');
	}
	console.log(JSON.stringify({ ms: (performance.now() - start) / IDLE_POLLS, memory: null }));
} else {
	const before = process.memoryUsage().rss;
	const start = performance.now();
	const drained = await drain();
	const ms = performance.now() - start;
	const memory = process.resourceUsage().maxRSS * 1024 - before;
	console.log(JSON.stringify({ ms, memory, ...drained }));
}
process.exit(0);
