// The limit for a node of n8n: n8n's own request helper in a bare loop, ten requests at once. It opens a connection for
// every request. Pages by number: no safeguard against changes in between.
import { mapConcurrently } from '#connector/domain/mapConcurrently.ts';
import { oneNodeWorkflow, pollContext } from '#harness/inspectionNodes.mts';
import { watchMemory } from './measurement.mts';

const LANES = 10;
const PAGE_SIZE = 100;

const [baseUrl = '', apiKey = '', count = '', more = ''] = process.argv.slice(2);
const inspections = Number(count);
const node = await oneNodeWorkflow('inspectionServiceTrigger', {
	parameters: {},
	credential: { baseUrl, apiKey },
});
const context = pollContext(node);

async function askPage(page: number): Promise<unknown[]> {
	const query = `page=${String(page)}&page_size=${String(PAGE_SIZE)}&sort_by=created_at${more}`;
	const response: { data: unknown[] } = await context.helpers.httpRequestWithAuthentication.call(
		context,
		'inspectionServiceApi',
		{
			url: `${baseUrl}/v1/inspections?${query}`,
			json: true,
		},
	);
	return response.data;
}

// What the helper loads at its first call is not its speed.
await askPage(1);
const grown = watchMemory(process.pid);
const start = performance.now();
const pages = await mapConcurrently(
	Array.from({ length: Math.ceil(inspections / PAGE_SIZE) }, (_, index) => index + 1),
	LANES,
	askPage,
);
const ms = performance.now() - start;
if (pages.flat().length !== inspections) throw new Error(`${String(pages.flat().length)} came`);
console.log(JSON.stringify({ ms, memory: grown() }));
process.exit(0);
