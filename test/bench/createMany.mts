import type { Execution, N8nClient } from '../../sandbox/demo/n8nClient.mts';
import { isRecord, recordsOf, type JsonRecord } from '../../nodes/InspectionService/domain/json.ts';
import type { Sandbox, Template } from '../../sandbox/service/sandbox.mts';

/** The job of issue 3: 500 rows with 20 answers each on a service that takes 20 ms per request. */
const ROWS = 500;
const ANSWERS = 20;
const LATENCY_MS = 20;

/** How one node did the job. */
export interface CreateRun {
	way: string;
	/** n8n's own measure of the node, milliseconds. */
	nodeMs: number;
	templateRequests: number;
	createRequests: number;
	/** Inspections in the service afterwards, and how many of them have a first answer of their own. */
	inspections: number;
	distinct: number;
	peakInFlight: number;
	outputItems: number;
}

/** The same rows through Create and through n8n's HTTP Request node, one after the other in the same n8n. */
export async function compareCreates(client: N8nClient, sandbox: Sandbox): Promise<CreateRun[]> {
	const template = sandbox.store.addTemplate({
		name: 'Twenty questions',
		controls: Array.from({ length: ANSWERS }, (_, n) => ({
			type: 'text',
			label: `Question ${String(n)}`,
			fieldId: `q${String(n)}`,
		})),
	});
	const fault = sandbox.faults.add({ do: { kind: 'latency', ms: LATENCY_MS } });
	try {
		const runs: CreateRun[] = [];
		for (const { way, node } of await waysOf(client, sandbox, template)) {
			runs.push(await runWay({ client, sandbox, template, way, node }));
		}
		return runs;
	} finally {
		fault.remove();
	}
}

async function waysOf(client: N8nClient, sandbox: Sandbox, template: Template) {
	const credential = await client.createCredential('Bench', 'inspectionServiceApi', {
		baseUrl: sandbox.apiUrl,
		apiKey: sandbox.keys.north,
	});
	const create = (options: JsonRecord): JsonRecord => ({
		type: 'n8n-nodes-inspection-service.inspectionService',
		typeVersion: 1,
		credentials: { inspectionServiceApi: credential },
		parameters: {
			resource: 'inspection',
			operation: 'create',
			templateId: { __rl: true, mode: 'id', value: template.id },
			responses: { mappingMode: 'autoMapInputData', value: null, schema: [] },
			options,
		},
	});
	const http = (options: JsonRecord): JsonRecord => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${sandbox.apiUrl}/v1/inspections`,
			sendHeaders: true,
			headerParameters: {
				parameters: [{ name: 'access-token', value: sandbox.keys.north }],
			},
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ { template_id: "${template.id}", data: { item_type: "question_response", items: Object.keys($json).map((id) => ({ field_id: id, response: { value: $json[id] } })) } } }}`,
			options,
		},
	});
	return [
		{ way: 'Create, 5 at a time (default)', node: create({}) },
		{ way: 'Create, 10 at a time', node: create({ concurrency: 10 }) },
		{
			way: 'HTTP Request, batches of 5',
			node: http({ batching: { batch: { batchSize: 5, batchInterval: 0 } } }),
		},
		{ way: 'HTTP Request, all at once (default)', node: http({}) },
	];
}

interface Way {
	client: N8nClient;
	sandbox: Sandbox;
	template: Template;
	way: string;
	node: JsonRecord;
}

const NODE = 'Under test';

async function runWay({ client, sandbox, template, way, node }: Way): Promise<CreateRun> {
	const { id } = await client.createWorkflow({
		name: way,
		nodes: [...rowNodes(), { id: NODE, name: NODE, position: [600, 0], ...node }],
		connections: {
			Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
			Rows: { main: [[{ node: 'Split', type: 'main', index: 0 }]] },
			Split: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
		},
	});
	const before = new Set(sandbox.store.inspections().map((inspection) => inspection.id));
	sandbox.requests.clear();
	const execution = await client.run(id, 'Start');
	if (execution.status !== 'success') {
		throw new Error(`${way}: ${execution.error?.message ?? execution.status}`);
	}
	const made = sandbox.store
		.inspections()
		.filter(({ id: made, templateId }) => templateId === template.id && !before.has(made));
	return {
		way,
		nodeMs: executionTime(execution),
		templateRequests: sandbox.requests.count('getTemplate'),
		createRequests: sandbox.requests.count('createInspection'),
		inspections: made.length,
		distinct: new Set(made.map(({ answers }) => answers[0]?.value)).size,
		peakInFlight: sandbox.requests.peakInFlight('createInspection'),
		outputItems: execution.items(NODE).length,
	};
}

function rowNodes(): JsonRecord[] {
	const rows = `={{ { rows: Array.from({ length: ${String(ROWS)} }, (_, row) => Object.fromEntries(Array.from({ length: ${String(ANSWERS)} }, (_, n) => ["q" + n, "Row " + row]))) } }}`;
	return [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'rows',
			name: 'Rows',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [200, 0],
			parameters: { mode: 'raw', jsonOutput: rows, options: {} },
		},
		{
			id: 'split',
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [400, 0],
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
	];
}

/** From n8n's run data: what the editor shows as the node's time. */
function executionTime({ data }: Execution): number {
	const result = isRecord(data.resultData) ? data.resultData : {};
	const runData = isRecord(result.runData) ? result.runData : {};
	return Number(recordsOf(runData[NODE])[0]?.executionTime);
}
