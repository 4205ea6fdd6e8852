// The baseline for an n8n node: n8n's own request helper in a simple loop, with ten requests concurrently. The helper opens
// a new connection for each request. The loop reads pages by number, so it misses or repeats inspections if the list
// changes meanwhile. Like the connector, it doesn't know the number of pages in advance.
import { oneNodeWorkflow, pollContext } from '#harness/inspectionNodes.mts';
import { runConcurrently } from '#harness/runConcurrently.mts';
import { serveRuns } from './ownProcess.mts';

const LANES = 10;
const PAGE_SIZE = 100;

const [baseUrl = '', apiKey = '', job = '', ...rest] = process.argv.slice(2);
const node = await oneNodeWorkflow('inspectionServiceTrigger', {
	parameters: {},
	credential: { baseUrl, apiKey },
});
const context = pollContext(node);

async function send<Body>(path: string, body?: object): Promise<Body> {
	const response: Body = await context.helpers.httpRequestWithAuthentication.call(
		context,
		'inspectionServiceApi',
		{ url: `${baseUrl}/v1/inspections${path}`, json: true, ...(body && { method: 'POST', body }) },
	);
	return response;
}

async function fetchPage(page: number, more: string): Promise<unknown[]> {
	const query = `page=${String(page)}&page_size=${String(PAGE_SIZE)}&sort_by=created_at${more}`;
	return (await send<{ data: unknown[] }>(`?${query}`)).data;
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function list(inspections: number, more: string): Promise<void> {
	const all: unknown[] = [];
	let pages = 0;
	let isOver = false;
	await runConcurrently(numbersTo(LANES), LANES, async () => {
		while (!isOver) {
			const page = await fetchPage((pages += 1), more);
			all.push(...page);
			isOver ||= page.length < PAGE_SIZE;
		}
	});
	if (all.length !== inspections) throw new Error(`${String(all.length)} inspections came`);
}

async function create(template_id: string, rows: number, answers: number): Promise<void> {
	await runConcurrently(numbersTo(rows), LANES, async (row) => {
		const items = numbersTo(answers).map((question) => ({
			field_id: `q${String(question - 1)}`,
			response: { value: `Row ${String(row)}` },
		}));
		await send('', { template_id, data: { item_type: 'question_response', items } });
	});
}

const JOBS: Record<string, () => Promise<void>> = {
	list: () => list(Number(rest[0]), rest[1] ?? ''),
	create: () => create(rest[0] ?? '', Number(rest[1]), Number(rest[2])),
};

// The first call warms up the helper, so that loading its code isn't measured.
await fetchPage(1, '');
await serveRuns(async () => await JOBS[job]?.());
