/**
 * Compares how long Inspection → Get and Get Many take, if 20,000 inspections exist. Runs through n8n-core:
 *
 *     npm run bench -- findById
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { executeNode } from '#harness/inspectionNodes.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { addInspections, evenly } from './longList.mts';

const EXISTING = 20_000;
const LATENCY_MS = 20;
/** 20 minutes between two inspections, so that 20,000 inspections span nine months. */
const BETWEEN_MS = 1_200_000;

const sandbox = await startSandbox({ data: 'empty' });
const { id: template } = sandbox.store.addTemplate({
	name: 'Site walk',
	controls: [{ type: 'text', label: 'Area', fieldId: 'area' }],
});
/** The inspections' IDs and creation times as input items, newest first. */
const items: IDataObject[] = addInspections(
	sandbox,
	{ count: EXISTING, createdAgo: evenly(BETWEEN_MS) },
	(n) => ({ template, answers: [{ control: 'area', value: `Area ${String(n)}` }] }),
).reverse();
sandbox.faults.add({ do: { kind: 'latency', ms: LATENCY_MS } });

async function measure(
	way: string,
	parameters: INodeParameters,
	asked: readonly IDataObject[] = [{}],
): Promise<void> {
	const cells: string[] = [];
	for (const output of ['simplified', 'row']) {
		sandbox.requests.clear();
		const started = performance.now();
		const { items: found } = await executeNode({
			credential: { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
			items: [...asked],
			onError: 'continueRegularOutput',
			parameters: { resource: 'inspection', output, ...parameters },
		});
		const ms = performance.now() - started;
		const time = ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`;
		const failed = found.filter(({ json }) => json.error !== undefined).length;
		const requests = sandbox.requests.count();
		cells.push(String(requests), failed === 0 ? time : `${time} (${String(failed)} not found)`);
	}
	console.log(`| ${[way, ...cells].join(' | ')} |`);
}

const get = { operation: 'get', inspectionId: '={{ $json.id }}' };
const some = (many: number) => items.filter((_, index) => index % (EXISTING / many) === 7);

await executeNode({
	credential: { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
	parameters: { resource: 'inspection', operation: 'getAll', output: 'row' },
});
console.log('| wanted | requests, simplified | time | requests, row | time |');
console.log('| --- | --- | --- | --- | --- |');
await measure('Get: 1, the newest', get, items.slice(0, 1));
await measure('Get: 1, a thousand changed since', get, items.slice(1_000, 1_001));
await measure('Get: 1, in the middle', get, items.slice(10_000, 10_001));
await measure('Get: 1, the oldest', get, items.slice(-1));
await measure(
	'Get: 1, the oldest, Changed Around',
	{ ...get, options: { changedAround: '={{ $json.at }}' } },
	items.slice(-1),
);
await measure('Get: 1, not there', { ...get, inspectionId: template });
await measure('Get: 10 of the last 100', get, items.slice(0, 10));
await measure('Get: 10, evenly spread', get, some(10));
await measure('Get: 500, evenly spread', get, some(500));
await measure('Get Many: all 20,000', { operation: 'getAll', returnAll: true });
await sandbox.close();
process.exit(0);
