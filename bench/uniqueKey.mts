/**
 * Measures the cost of Unique Key: creates 500 inspections with and without a key, if 20,000 inspections exist. Runs
 * through n8n-core:
 *
 *     npm run bench -- uniqueKey
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, templateById } from '#harness/nodeParameters.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { addInspections, evenly } from './longList.mts';

const EXISTING = 20_000;
const ROWS = 500;
const LATENCY_MS = 20;
/**
 * Six minutes between two inspections, so that all 20,000 are from the last 83 days. By default, Unique Key reads 90
 * days.
 */
const BETWEEN_MS = 360_000;

const sandbox = await startSandbox({ data: 'empty' });
const { id: template } = sandbox.store.addTemplate({
	name: 'Site walk',
	controls: [{ type: 'text', label: 'Area', fieldId: 'area' }],
});
addInspections(sandbox, { count: EXISTING, createdAgo: evenly(BETWEEN_MS) }, (n) => ({
	template,
	customFields: [{ name: 'Unique key', value: `OLD-${String(n)}` }],
}));
sandbox.faults.add({ do: { kind: 'latency', ms: LATENCY_MS } });

async function create(
	way: string,
	items: IDataObject[],
	uniqueKey: string,
	options: INodeParameters = {},
): Promise<void> {
	sandbox.requests.clear();
	const before = sandbox.store.inspections().length;
	const started = performance.now();
	await executeNode({
		credential: { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
		items,
		parameters: createParameters(templateById(template), { uniqueKey, options }),
	});
	const seconds = ((performance.now() - started) / 1000).toFixed(2);
	const listed = sandbox.requests.count('listInspections');
	const created = sandbox.requests.count('createInspection');
	const made = sandbox.store.inspections().length - before;
	console.log(
		`${way}: ${seconds} s, ${String(listed)} list requests, ${String(created)} creates, ${String(made)} made`,
	);
}

const rows = (prefix: string) =>
	Array.from({ length: ROWS }, (_, n) => ({
		area: `Area ${String(n)}`,
		Order: `${prefix}-${String(n)}`,
	}));
const KEY = '={{ $json.Order }}';

await create('warm-up', rows('WARM').slice(0, 10), '');
await create('without a key', rows('A'), '');
await create('with a key, all new', rows('B'), KEY);
await create('with a key, all there', rows('B'), KEY);
await create('with a key, last 7 days', rows('C'), KEY, { uniqueKeyDays: 7 });
await sandbox.close();
process.exit(0);
