/**
 * Creates 300 inspections from a sheet of 2,000 findings in a real n8n. Compares this connector with n8n's Code and
 * HTTP Request nodes:
 *
 *     npm run bench -- findingsSheet
 *
 * For a quick look, set BENCH_ROUNDS=1.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { templateBy } from '#harness/nodeParameters.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { actionNode, chain, type PlainNode, START } from '../test/e2e/connectorWorkflow.mts';
import { type Contender, measure, tableOf, watchMemory } from './measurement.mts';
import { nodeMs } from './n8nContender.mts';
import { findingsSheet } from './sheetOfFindings.mts';

const WALKS = 300;
const FINDINGS = 2_000;
/** How long the service takes for each request, as in `npm run bench`. */
const LATENCY_MS = 20;
const SHEET = findingsSheet({ findings: FINDINGS, walks: WALKS });

const READ: PlainNode = {
	name: 'Read',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1,
	parameters: { operation: 'read', fileSelector: '' },
};
const EXTRACT: PlainNode = {
	name: 'Extract',
	type: 'n8n-nodes-base.extractFromFile',
	typeVersion: 1,
	parameters: { operation: 'csv', options: { delimiter: ';' } },
};

/**
 * The code of a Code node that does the connector's work, but checks nothing. The author of the code had to look up the
 * field IDs.
 */
const CODE = `
const walks = new Map();
for (const { json } of $input.all()) {
	const known = walks.get(json.Walk) ?? [];
	walks.set(json.Walk, known);
	known.push(json);
}
const answer = (field_id, value, order = 1) =>
	value === '' ? [] : [{ field_id, response: { value }, repeat_section_order: order }];
return [...walks].map(([name, rows]) => {
	const [first] = rows;
	const date = DateTime.fromFormat(first.Date, 'd.M.yyyy', { zone: 'utc' }).toISO();
	const workers = Number(first['Number of workers'].replaceAll('.', '').replace(',', '.'));
	const items = [
		...answer('site_name', first['Site name']),
		...answer('walk_date', date),
		...answer('workers', workers),
		...answer('result', first.Result),
		...rows.flatMap((row, index) => [
			...answer('hazard_description', row.Description, index + 1),
			...answer('hazard_severity', row.Severity, index + 1),
		]),
	];
	return { json: { template_id: TEMPLATE_ID, name, data: { item_type: 'question_response', items } } };
});
`;

/**
 * Returns an HTTP Request node with its default settings, which sends all requests concurrently. The node's option Batching
 * doesn't limit the number of open requests: it starts batches at intervals, even if the previous batch isn't finished.
 */
function httpRequest({ apiUrl, keys }: Sandbox): PlainNode {
	return {
		name: 'Send',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${apiUrl}/v1/inspections`,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'access-token', value: keys.north }] },
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ $json }}',
			options: {},
		},
	};
}

/**
 * Returns a contender that runs a workflow. Its time is the sum of the times that n8n reports for the nodes, except the
 * two that read the sheet.
 */
async function contender({ client, pid }: N8nServer, way: string, nodes: readonly PlainNode[]) {
	const { id } = await client.createWorkflow(chain(way, [START, ...nodes]));
	return {
		way,
		async run() {
			const grown = watchMemory(pid);
			const execution = await client.run(id, START.name);
			const memory = grown();
			if (execution.error !== undefined) throw new Error(execution.error.message);
			const times = nodes.slice(2).map(({ name }) => nodeMs(execution, name));
			return { ms: times.reduce((sum, ms) => sum + ms, 0), memory };
		},
	} satisfies Contender;
}

const folder = join(RUNS, 'findings-sheet');
const { path: tarball } = await packConnector(folder);
const n8n = await startN8n({ userFolder: join(folder, 'n8n'), fresh: true, tarball });
const sandbox = await startSandbox({ data: 'demo', demoInspections: 0 });
try {
	const clear = () => {
		for (const { id } of sandbox.store.inspections()) sandbox.store.removeInspection(id);
	};
	sandbox.faults.add({ do: { kind: 'latency', ms: LATENCY_MS } });
	const fileSelector = join(n8n.filesFolder, 'findings.csv');
	await writeFile(fileSelector, SHEET.csv);
	const rows = [{ ...READ, parameters: { ...READ.parameters, fileSelector } }, EXTRACT];

	const credential = await n8n.client.createCredential('North', CREDENTIAL_TYPE, {
		baseUrl: sandbox.apiUrl,
		apiKey: sandbox.keys.north,
	});
	const create = actionNode(credential, {
		resource: 'inspection',
		operation: 'create',
		templateId: templateBy(SHEET.template),
		responses: { mappingMode: 'autoMapInputData', value: null },
		name: '={{ $json.Walk }}',
		options: SHEET.options,
	});
	const templateId = sandbox.store.findTemplate(null, SHEET.template)?.id ?? '';
	const code: PlainNode = {
		name: 'Code',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: CODE.replace('TEMPLATE_ID', JSON.stringify(templateId)) },
	};
	const results = await measure(
		{
			name: `${FINDINGS.toLocaleString('en')} rows into ${String(WALKS)} inspections at ${String(LATENCY_MS)} ms`,
			prepare: clear,
			check: () => {
				SHEET.checkStored(sandbox);
			},
			contenders: [
				await contender(n8n, 'this connector, 10 at the same time (default)', [...rows, create]),
				await contender(n8n, 'Code, HTTP Request, all at the same time (default)', [
					...rows,
					code,
					httpRequest(sandbox),
				]),
			],
		},
		sandbox.requests,
	);
	console.log(tableOf(results));
} finally {
	await Promise.all([n8n.stop(), sandbox.close()]);
}
