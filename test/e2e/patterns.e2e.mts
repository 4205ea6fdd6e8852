/**
 * Tests common patterns of larger workflows in a real n8n. Checks the resulting inspections, the number of requests,
 * and whether n8n still links each item to its row.
 */
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, expect, it } from 'vitest';

import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { connectedN8n } from './connectedN8n.mts';
import {
	actionNode,
	chain,
	itemsNodes,
	n8nNode,
	type PlainNode,
	setNode,
	START,
	type Wire,
	wiresInSequence,
} from './connectorWorkflow.mts';

const { sandbox, credential, run } = await connectedN8n({ data: 'empty' });
sandbox.store.addTemplate({
	identifier: 'PATTERN',
	name: 'Pattern',
	controls: [{ type: 'text', label: 'Area', is_required: true }],
});

const CREATE = createParameters(templateBy('PATTERN'), {
	name: '={{ $json.Area }}',
});
const create = (settings: object = {}) => ({
	...actionNode(credential, CREATE, 'Create'),
	...settings,
});
/** A node that returns, for each inspection, the row that n8n links to it. */
const LINK = setNode('Link', "={{ { row: $('Items').item.json.Area, name: $json.name } }}");

const rows = (count: number) =>
	Array.from({ length: count }, (_, row) => ({ Area: `A${String(row)}` }));
const made = () => sandbox.store.inspections().map(({ name }) => name);
const count = (operation: 'createInspection' | 'getTemplate') => sandbox.requests.count(operation);

afterEach(() => {
	sandbox.faults.clear();
	sandbox.requests.clear();
	for (const { id } of sandbox.store.inspections()) sandbox.store.removeInspection(id);
});

const LOOP = n8nNode('splitInBatches', 3, { batchSize: 15, options: {} }, 'Loop');
const CALL = n8nNode(
	'executeWorkflow',
	1.2,
	{
		source: 'parameter',
		workflowJson: JSON.stringify(
			chain('Called', [
				n8nNode('executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
				create(),
			]),
		),
		mode: 'each',
		options: { waitForSubWorkflow: true },
	},
	'Call',
);

it.each<[string, PlainNode[], Wire[]]>([
	[
		'in a loop',
		[LOOP, create()],
		[
			['Items', 0, 'Loop', 0],
			['Loop', 1, 'Create', 0],
			['Create', 0, 'Link', 0],
			['Link', 0, 'Loop', 0],
		],
	],
	[
		'in a sub-workflow per item',
		[CALL],
		[
			['Items', 0, 'Call', 0],
			['Call', 0, 'Link', 0],
		],
	],
])('creates each row once, with one request for the template, %s', async (_, nodes, wires) => {
	const first = [START, ...itemsNodes(rows(30))];
	const workflow = chain(
		'Wired',
		[...first, ...nodes, LINK],
		[...wiresInSequence(first), ...wires],
	);
	const { error, items } = await run(workflow);
	expect(error).toBeUndefined();
	const linked = items('Link').map(({ json }) => json);
	const areas = rows(30).map(({ Area }) => Area);
	expect(linked).toEqual(areas.map((Area) => ({ row: Area, name: Area })));
	expect(made().toSorted()).toEqual(areas.toSorted());
	expect([count('getTemplate'), count('createInspection')]).toEqual([1, 30]);
});

it('Retry On Fail resends nothing if a row is rejected on every attempt', async () => {
	sandbox.faults.add({
		on: { operation: 'createInspection', where: ({ body }) => body.includes('"A2"') },
		do: { kind: 'status', status: 403 },
	});
	const retried = create({ retryOnFail: true, maxTries: 3, waitBetweenTries: 10 });
	const { error } = await run([...itemsNodes(rows(6)), retried]);
	expect(error?.message).toMatch(/^Row 3 \("A2"\): .*\(403\)/);
	expect(error?.description).toContain('5 inspections were created');
	expect(made().toSorted()).toEqual(['A0', 'A1', 'A3', 'A4', 'A5']);
	// The service accepts five rows, and rejects one row in each of the three attempts.
	expect(count('createInspection')).toBe(5 + 3);
});

it('sends nothing after a timeout', async () => {
	sandbox.faults.add({ on: { operation: 'createInspection' }, do: { kind: 'latency', ms: 400 } });
	const workflow = chain('Timeout', [START, ...itemsNodes(rows(200)), create()]);
	const settings = { executionOrder: 'v1', executionTimeout: 4 };
	expect((await run({ ...workflow, settings })).status).toBe('canceled');
	// Waits for the end of the requests that were open at the timeout.
	await untilFound(() =>
		sandbox.requests.all('createInspection').every(({ endedAt }) => endedAt !== null),
	);
	const sent = count('createInspection');
	expect(sent).toBeGreaterThan(0);
	expect(sent).toBeLessThan(200);
	await pause(1000);
	expect(count('createInspection')).toBe(sent);
});
