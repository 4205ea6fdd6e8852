/** `npm run bench`: this connector beside n8n's HTTP Request node and undici, one run, one table. */
import { join } from 'node:path';

import type { JsonRecord } from '../../nodes/InspectionService/domain/json.ts';
import { type N8nServer, startN8n } from '../../sandbox/demo/n8nServer.mts';
import { packConnector } from '../../sandbox/demo/packedConnector.mts';
import { RUNS } from '../../sandbox/demo/projectPaths.mts';
import { type Sandbox, startSandbox } from '../../sandbox/service/sandbox.mts';
import { type Contender, type Job, measure, median, tableOf } from './measurement.mts';
import { n8nContender } from './n8nContender.mts';
import { inOwnProcess } from './ownProcess.mts';

/** The sizes of the jobs in the README's table. */
const LISTED = 5_000;
const BACKLOG = 10_000;
const ROWS = 500;
const ANSWERS = 20;
const LATENCY_MS = 20;
const FILE_BYTES = 100_000_000;
/** One inspection every three minutes: two weeks of work. */
const BETWEEN_MS = 180_000;
/** Process starts of which the middle one counts. */
const LOADS = 5;

interface Bench {
	sandbox: Sandbox;
	n8n: N8nServer;
	credentials: JsonRecord;
}

const CONNECTOR = 'n8n-nodes-inspection-service.inspectionService';

function connectorNode({ credentials }: Bench, parameters: JsonRecord): JsonRecord {
	return { type: CONNECTOR, typeVersion: 1, credentials, parameters };
}

function httpRequestNode({ sandbox }: Bench, parameters: JsonRecord): JsonRecord {
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'access-token', value: sandbox.keys.north }] },
			...parameters,
		},
	};
}

function undici({ sandbox }: Bench, job: string, ...args: (string | number)[]): Contender {
	return ownProcess('undici, 8 connections', 'undiciClient.mts', [
		job,
		sandbox.apiUrl,
		sandbox.keys.north,
		...args.map(String),
	]);
}

function ownProcess(way: string, script: string, args: string[]): Contender {
	return {
		way,
		async run() {
			const { ms, memory } = await inOwnProcess(script, args);
			return { ms: Number(ms), memory: typeof memory === 'number' ? memory : null };
		},
	};
}

function fill(sandbox: Sandbox, count: number): string {
	const template = sandbox.store.addTemplate({
		name: 'Site walk',
		controls: [{ type: 'text', label: 'Area', fieldId: 'area' }],
	}).id;
	const first = sandbox.clock.date().getTime() - (count + 1) * BETWEEN_MS;
	for (let n = 0; n < count; n++) {
		sandbox.store.addInspection({ template }, { at: new Date(first + n * BETWEEN_MS) });
	}
	return new Date(first - BETWEEN_MS).toISOString();
}

async function getManyJob(bench: Bench, latencyMs: number): Promise<Job> {
	const { sandbox, n8n } = bench;
	return {
		name: `Get Many, ${LISTED.toLocaleString('en')} at ${String(latencyMs)} ms`,
		prepare: () => slowBy(sandbox, latencyMs),
		contenders: [
			await n8nContender(n8n, {
				way: 'this connector',
				node: connectorNode(bench, {
					resource: 'inspection',
					operation: 'getAll',
					returnAll: true,
					output: 'raw',
				}),
			}),
			await n8nContender(n8n, {
				way: 'HTTP Request, paged',
				node: httpRequestNode(bench, {
					url: `${sandbox.apiUrl}/v1/inspections?page_size=100&sort_by=created_at`,
					options: { pagination: { pagination: PAGINATION } },
				}),
			}),
			undici(bench, 'list', LISTED),
		],
	};
}

const PAGINATION: JsonRecord = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.data.length < 100 }}',
};

async function createJob(bench: Bench): Promise<Job> {
	const { sandbox, n8n } = bench;
	const template = sandbox.store.addTemplate({
		name: 'Twenty questions',
		controls: Array.from({ length: ANSWERS }, (_, n) => ({
			type: 'text',
			label: `Question ${String(n)}`,
			fieldId: `q${String(n)}`,
		})),
	});
	const items = `Array.from({ length: ${String(ROWS)} }, (_, row) => Object.fromEntries(Array.from({ length: ${String(ANSWERS)} }, (_, n) => ["q" + n, "Row " + row])))`;
	const body = `={{ { template_id: "${template.id}", data: { item_type: "question_response", items: Object.keys($json).map((id) => ({ field_id: id, response: { value: $json[id] } })) } } }}`;
	const made = () =>
		sandbox.store.inspections().filter(({ templateId }) => templateId === template.id);
	let before = 0;
	const create = async (way: string, options: JsonRecord) =>
		await n8nContender(n8n, {
			way,
			items,
			node: connectorNode(bench, {
				resource: 'inspection',
				operation: 'create',
				templateId: { __rl: true, mode: 'id', value: template.id },
				responses: { mappingMode: 'autoMapInputData', value: null, schema: [] },
				options,
			}),
		});
	return {
		name: `Create ${String(ROWS)} at ${String(LATENCY_MS)} ms`,
		prepare: () => {
			slowBy(sandbox, LATENCY_MS);
			before = made().length;
		},
		check: () => {
			const created = made().slice(before);
			const distinct = new Set(created.map(({ answers }) => answers[0]?.value)).size;
			if (created.length !== ROWS || distinct !== ROWS) throw new Error('not every row once');
		},
		contenders: [
			await create('this connector, 5 at once (default)', {}),
			await create('this connector, 10 at once', { concurrency: 10 }),
			await n8nContender(n8n, {
				way: 'HTTP Request, all at once (default)',
				items,
				node: httpRequestNode(bench, {
					method: 'POST',
					url: `${sandbox.apiUrl}/v1/inspections`,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: body,
					options: {},
				}),
			}),
			undici(bench, 'create', template.id, ROWS, ANSWERS),
		],
	};
}

async function downloadJob(bench: Bench): Promise<Job> {
	const { sandbox, n8n } = bench;
	const template = sandbox.store.addTemplate({ name: 'Film' }).id;
	const inspection = sandbox.store.addInspection({
		template,
		files: [{ kind: 'video', content: { form: 'pattern', length: FILE_BYTES } }],
	});
	const fileId = inspection.files[0]?.id ?? '';
	const parameters = { inspectionId: inspection.id, fileId };
	const files = `${sandbox.apiUrl}/v1/inspections/${inspection.id}/files/${fileId}/url`;
	const { url } = (await (
		await fetch(files, { headers: { 'access-token': sandbox.keys.north } })
	).json()) as { url: string };
	return {
		name: 'Download, 100 MB',
		prepare: () => slowBy(sandbox, 0),
		contenders: [
			await n8nContender(n8n, {
				way: 'this connector',
				node: connectorNode(bench, {
					resource: 'file',
					operation: 'download',
					binaryPropertyName: 'data',
					...parameters,
				}),
			}),
			await n8nContender(n8n, {
				way: 'HTTP Request, URL already signed',
				node: httpRequestNode(bench, {
					url,
					options: { response: { response: { responseFormat: 'file' } } },
				}),
			}),
			undici(bench, 'download', inspection.id, fileId),
		],
	};
}

function pollJobs(bench: Bench, since: string): Job[] {
	const { sandbox } = bench;
	const poll = (job: string, ...args: string[]) =>
		ownProcess('this connector', 'pollClient.mts', [
			job,
			sandbox.apiUrl,
			sandbox.keys.north,
			...args,
		]);
	return [
		{
			name: 'Poll with nothing new (one of 20)',
			prepare: () => slowBy(sandbox, 0),
			contenders: [poll('idle')],
		},
		{
			name: `Polls over a backlog of ${BACKLOG.toLocaleString('en')}`,
			prepare: () => slowBy(sandbox, 0),
			contenders: [poll('backlog', since), undici(bench, 'list', BACKLOG)],
		},
	];
}

function slowBy(sandbox: Sandbox, ms: number): void {
	sandbox.faults.clear();
	if (ms > 0) sandbox.faults.add({ do: { kind: 'latency', ms } });
}

/** By the clock, and what the processor had to do with it: the two differ on a machine with other work. */
async function loadTime(): Promise<string> {
	const loads: JsonRecord[] = [];
	for (let load = 0; load < LOADS; load++) loads.push(await inOwnProcess('loadTime.mts'));
	const middle = (name: string) => median(loads.map((load) => Number(load[name]))).toFixed(0);
	return `${middle('ms')} ms, of the processor ${middle('processorMs')} ms`;
}

const folder = join(RUNS, 'bench');
const packed = await packConnector(folder);
const n8n = await startN8n({
	userFolder: join(folder, 'n8n'),
	fresh: true,
	tarball: packed.path,
	env: { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem', EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all' },
});
const listed = await startSandbox({ data: 'empty' });
const backlog = await startSandbox({ data: 'empty' });
try {
	fill(listed, LISTED);
	const since = fill(backlog, BACKLOG);
	const benchOf = async (sandbox: Sandbox): Promise<Bench> => {
		const credential = await n8n.client.createCredential('Bench', 'inspectionServiceApi', {
			baseUrl: sandbox.apiUrl,
			apiKey: sandbox.keys.north,
		});
		return { sandbox, n8n, credentials: { inspectionServiceApi: credential } };
	};
	const first = await benchOf(listed);
	const second = await benchOf(backlog);
	const results = [
		...(await measure(await getManyJob(first, 0), listed.requests)),
		...(await measure(await getManyJob(first, LATENCY_MS), listed.requests)),
		...(await measure(await createJob(first), listed.requests)),
		...(await measure(await downloadJob(first), listed.requests)),
	];
	for (const job of pollJobs(second, since)) {
		results.push(...(await measure(job, backlog.requests)));
	}
	console.log(tableOf(results));
	console.log(`\nLoading the package into n8n: ${await loadTime()}`);
} finally {
	await Promise.all([n8n.stop(), listed.close(), backlog.close()]);
}
