/** The jobs that the benchmarks measure, each with its contenders. */
import type { JsonRecord } from '#sandbox/json.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';
import { addInspections, evenly, everFaster } from './longList.mts';
import type { Contender, Job } from './measurement.mts';
import type { NodeWay } from './n8nContender.mts';
import { inOwnProcess, OwnProcess } from './ownProcess.mts';

/** Three minutes between two inspections, so that 5,000 inspections span ten days. */
const BETWEEN_MS = 180_000;
/** How the number of inspections grew over time. */
const GROWTHS = { evenly: evenly(BETWEEN_MS), 'ever faster': everFaster(BETWEEN_MS) };
export type ListGrowth = keyof typeof GROWTHS;
const PAGE_SIZE = 100;
const CONNECTOR = 'n8n-nodes-inspection-service.inspectionService';

/** The sandbox and the n8n nodes that a job uses. */
export interface Bench {
	sandbox: Sandbox;
	/** The credentials of the connector and of the HTTP Request node, in the format of a node's `credentials`. */
	credentials: JsonRecord;
	/** Returns a contender that runs an n8n node, or undefined if the benchmark runs without n8n. */
	nodeContender: (way: NodeWay) => Promise<Contender | undefined>;
}

/** The names of the contenders that goals compare. */
export const WAYS = {
	connector: 'this connector, without n8n',
	trigger: 'this connector',
	helper: 'n8n’s request helper, 10 at the same time',
	undici: 'undici, 8 connections',
};

function connectorNode({ credentials }: Bench, parameters: JsonRecord): NodeWay['node'] {
	return { type: CONNECTOR, typeVersion: 1, credentials, parameters };
}

/**
 * Returns an HTTP Request node that uses a saved credential, as n8n's users do. So n8n reads the credential for each
 * request, as it does for the connector's node.
 */
function httpRequestNode({ credentials }: Bench, parameters: JsonRecord): NodeWay['node'] {
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			...parameters,
		},
	};
}

const argumentsOf = ({ sandbox }: Bench, args: unknown[]) => [
	sandbox.apiUrl,
	sandbox.keys.north,
	...args.map(String),
];

/** Returns a contender that starts a new process for each run. */
function ownProcess(bench: Bench, way: string, script: string, args: unknown[]): Contender {
	return {
		way,
		async run() {
			const { ms, memory } = await inOwnProcess(script, argumentsOf(bench, args));
			return { ms: Number(ms), memory: typeof memory === 'number' ? memory : null };
		},
	};
}

/**
 * Returns a contender that uses one process for all runs, as n8n does. In a long-lived process, V8 has time to optimize
 * the code.
 */
const warmProcess = (bench: Bench, way: string, script: string, args: unknown[]): Contender =>
	new OwnProcess(way, script, argumentsOf(bench, args));

const undici = (bench: Bench, job: string, ...args: unknown[]) =>
	ownProcess(bench, WAYS.undici, 'undiciClient.mts', [job, ...args]);

const helper = (bench: Bench, job: string, ...args: unknown[]) =>
	warmProcess(bench, WAYS.helper, 'helperClient.mts', [job, ...args]);

const connector = (bench: Bench, job: string, ...args: unknown[]) =>
	warmProcess(bench, WAYS.connector, 'connectorClient.mts', [job, ...args]);

const trigger = (bench: Bench, job: string, ...args: unknown[]) =>
	ownProcess(bench, WAYS.trigger, 'pollClient.mts', [job, ...args]);

const contenders = (all: readonly (Contender | undefined)[]) =>
	all.filter((contender) => contender !== undefined);

const thousands = (count: number) => count.toLocaleString('en');

/** Makes the service take `ms` longer for each request. */
function slowBy(sandbox: Sandbox, ms: number): void {
	sandbox.faults.clear();
	if (ms > 0) sandbox.faults.add({ do: { kind: 'latency', ms } });
}

/** Adds a template with `questions` questions, which have the field IDs `q0`, `q1`, … */
function addTemplate({ store }: Sandbox, questions: number): string {
	return store.addTemplate({
		name: `Site walk of ${String(questions)}`,
		controls: Array.from({ length: questions }, (_, n) => ({
			type: 'text',
			label: `Question ${String(n)}`,
			fieldId: `q${String(n)}`,
		})),
	}).id;
}

/** Adds inspections, each with some answers. The newest is a few minutes old. Returns a time before the oldest. */
export function fill(
	sandbox: Sandbox,
	count: number,
	{ answers = 0, growth = 'evenly' }: { answers?: number; growth?: ListGrowth } = {},
): string {
	const createdAgo = GROWTHS[growth];
	const template = addTemplate(sandbox, Math.max(1, answers));
	const answersOf = (n: number) =>
		Array.from({ length: answers }, (_, q) => ({
			control: `q${String(q)}`,
			value: `Answer ${String(n)}`,
		}));
	const [first] = addInspections(sandbox, { count, createdAgo }, (n) => ({
		template,
		answers: answersOf(n),
	}));
	return new Date(Date.parse(first?.at ?? '') - BETWEEN_MS).toISOString();
}

const PAGINATION: JsonRecord = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.data.length < 100 }}',
};

/** Returns the job that reads all inspections with Return All. `output: 'row'` also requests the answers. */
export async function getManyJob(
	bench: Bench,
	{
		count,
		latencyMs,
		output,
		growth = 'evenly',
	}: { count: number; latencyMs: number; output: 'raw' | 'row'; growth?: ListGrowth },
): Promise<Job> {
	const { sandbox } = bench;
	const includes = output === 'row' ? '&includes=data' : '';
	const what = `${output === 'row' ? ', rows' : ''}${growth === 'evenly' ? '' : `, ${growth}`}`;
	return {
		name: `Get Many, ${thousands(count)}${what} at ${String(latencyMs)} ms`,
		prepare: () => slowBy(sandbox, latencyMs),
		contenders: contenders([
			await bench.nodeContender({
				way: 'this connector',
				node: connectorNode(bench, {
					resource: 'inspection',
					operation: 'getAll',
					returnAll: true,
					output,
				}),
				output: count,
			}),
			await bench.nodeContender({
				way: 'HTTP Request, paged',
				node: httpRequestNode(bench, {
					url: `${sandbox.apiUrl}/v1/inspections?page_size=${String(PAGE_SIZE)}&sort_by=created_at${includes}`,
					options: { pagination: { pagination: PAGINATION } },
				}),
				// The node returns one item per page. The last page is never full, so it is empty if `count` is a multiple of
				// the page size.
				output: Math.floor(count / PAGE_SIZE) + 1,
				field: 'data',
			}),
			connector(bench, 'list', count, output),
			helper(bench, 'list', count, includes),
			undici(bench, 'list', count, includes),
		]),
	};
}

/** The size of a job that creates one inspection per row, each with `answers` text answers. */
export interface CreateSize {
	rows: number;
	answers: number;
	latencyMs: number;
}

export async function createJob(bench: Bench, size: CreateSize): Promise<Job> {
	const { sandbox } = bench;
	const { rows, answers, latencyMs } = size;
	const template = addTemplate(sandbox, answers);
	const made = () =>
		sandbox.store.inspections().filter(({ templateId }) => templateId === template);
	let before = 0;
	const perInspection = answers > 100 ? `, ${thousands(answers)} answers each` : '';
	return {
		name: `Create ${thousands(rows)}${perInspection} at ${String(latencyMs)} ms`,
		prepare: () => {
			slowBy(sandbox, latencyMs);
			before = made().length;
		},
		check: () => {
			const created = made().slice(before);
			const distinct = new Set(created.map((inspection) => inspection.answers[0]?.value)).size;
			if (created.length !== rows || distinct !== rows) throw new Error('not every row once');
		},
		contenders: await createContenders(bench, { template, rows, answers }),
	};
}

async function createContenders(
	bench: Bench,
	{ template, rows, answers }: Omit<CreateSize, 'latencyMs'> & { template: string },
): Promise<Contender[]> {
	const items = `Array.from({ length: ${String(rows)} }, (_, row) => Object.fromEntries(Array.from({ length: ${String(answers)} }, (_, n) => ["q" + n, "Row " + row])))`;
	const body = `={{ { template_id: "${template}", data: { item_type: "question_response", items: Object.keys($json).map((id) => ({ field_id: id, response: { value: $json[id] } })) } } }}`;
	const create = async (way: string, options: JsonRecord) =>
		await bench.nodeContender({
			way,
			items,
			output: rows,
			node: connectorNode(bench, {
				resource: 'inspection',
				operation: 'create',
				templateId: { __rl: true, mode: 'id', value: template },
				responses: { mappingMode: 'autoMapInputData', value: null, schema: [] },
				options,
			}),
		});
	return contenders([
		await create('this connector, 10 at the same time', {}),
		await bench.nodeContender({
			way: 'HTTP Request, all at the same time (default)',
			items,
			output: rows,
			node: httpRequestNode(bench, {
				method: 'POST',
				url: `${bench.sandbox.apiUrl}/v1/inspections`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: body,
				options: {},
			}),
		}),
		connector(bench, 'create', template, rows, answers),
		helper(bench, 'create', template, rows, answers),
		undici(bench, 'create', template, rows, answers),
	]);
}

export async function downloadJob(bench: Bench, bytes: number): Promise<Job> {
	const { sandbox } = bench;
	const inspection = sandbox.store.addInspection({
		template: addTemplate(sandbox, 1),
		files: [{ kind: 'video', content: { form: 'pattern', length: bytes } }],
	});
	const fileId = inspection.files[0]?.id ?? '';
	const parameters = { inspectionId: inspection.id, fileId };
	const files = `${sandbox.apiUrl}/v1/inspections/${inspection.id}/files/${fileId}/url`;
	const { url } = (await (
		await fetch(files, { headers: { 'access-token': sandbox.keys.north } })
	).json()) as { url: string };
	return {
		name: `Download, ${String(bytes / 1e6)} MB`,
		prepare: () => slowBy(sandbox, 0),
		contenders: contenders([
			await bench.nodeContender({
				way: 'this connector',
				node: connectorNode(bench, {
					resource: 'file',
					operation: 'download',
					binaryPropertyName: 'data',
					...parameters,
				}),
				output: 1,
			}),
			await bench.nodeContender({
				way: 'HTTP Request, URL already signed',
				node: withoutKey({
					url,
					options: { response: { response: { responseFormat: 'file' } } },
				}),
				output: 1,
			}),
			undici(bench, 'download', inspection.id, fileId),
		]),
	};
}

/** Returns an HTTP Request node without a credential, because the file storage must not get the API key. */
function withoutKey(parameters: JsonRecord): NodeWay['node'] {
	return { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
}

export function idlePollJob(bench: Bench): Job {
	return {
		name: 'Poll with nothing new (one of 20)',
		prepare: () => slowBy(bench.sandbox, 0),
		contenders: [trigger(bench, 'idle')],
	};
}

export function backlogJob(bench: Bench, count: number, since: string): Job {
	return {
		name: `Polls over a backlog of ${thousands(count)}`,
		prepare: () => slowBy(bench.sandbox, 0),
		contenders: [trigger(bench, 'backlog', since), undici(bench, 'list', count, '')],
	};
}

/**
 * Returns the job that polls once a minute by the service's clock. `changes` inspections change in each of these
 * minutes.
 */
export function busyPollJob(bench: Bench, changes: number): Job {
	return {
		name: `Poll of a minute with ${thousands(changes)} changes`,
		prepare: () => slowBy(bench.sandbox, 0),
		contenders: [trigger(bench, 'busy', changes), undici(bench, 'changed', changes)],
	};
}
