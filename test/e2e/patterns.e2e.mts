/**
 * The patterns of larger workflows, each in a real n8n: what exists in the service afterwards, how often it was asked, and
 * that n8n still knows which row each item comes from.
 */
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, expect, it } from 'vitest';

import { isRecord, type JsonRecord, recordsOf } from '#connector/domain/json.ts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { connectedN8n } from './connectedN8n.mts';
import {
	actionNode,
	chain,
	inTurn,
	itemsNodes,
	n8nNode,
	type PlainNode,
	setNode,
	START,
	type Wire,
} from './connectorWorkflow.mts';

const { sandbox, n8n, credential, run } = await connectedN8n({ data: 'empty' });
sandbox.store.addTemplate({
	identifier: 'PATTERN',
	name: 'Pattern',
	controls: [{ type: 'text', label: 'Area', is_required: true }],
});

const CREATE: JsonRecord = createParameters(templateBy('PATTERN'), {
	additionalFields: { name: '={{ $json.Area }}' },
});
const create = (settings: object = {}) => ({
	...actionNode(credential, CREATE, 'Create'),
	...settings,
});
/** Says of each item which row n8n takes it to come from. */
const LINK = setNode('Link', "={{ { row: $('Items').item.json.Area, name: $json.name } }}");

const rows = (count: number) =>
	Array.from({ length: count }, (_, row) => ({ Area: `A${String(row)}` }));
const areas = (items: readonly JsonRecord[]) => items.map(({ Area }) => String(Area));
const made = () => sandbox.store.inspections().map(({ name }) => name);
const count = (operation: 'createInspection' | 'getTemplate') => sandbox.requests.count(operation);

afterEach(() => {
	sandbox.faults.clear();
	sandbox.requests.clear();
	for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
});

/** Every row is there once, and each inspection is linked to the row that it was made from. */
function expectLinked(execution: Execution, items: readonly JsonRecord[]) {
	expect(execution.error).toBeUndefined();
	expect(made().toSorted()).toEqual(areas(items).toSorted());
	const linked = execution.items('Link').map(({ json }) => json);
	expect(linked.map(({ row }) => String(row)).toSorted()).toEqual(areas(items).toSorted());
	expect(linked.filter(({ row, name }) => row !== name)).toEqual([]);
}

/** n8n's If, true for every other item. */
const ODD = n8nNode(
	'if',
	2.2,
	{
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
			combinator: 'and',
			conditions: [
				{
					id: 'one',
					leftValue: '={{ $itemIndex % 2 === 1 }}',
					rightValue: '',
					operator: { type: 'boolean', operation: 'true', singleValue: true },
				},
			],
		},
		options: {},
	},
	'Odd',
);
const LOOP = n8nNode('splitInBatches', 3, { batchSize: 2, options: {} }, 'Loop');
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
const MERGE = n8nNode(
	'merge',
	3,
	{ mode: 'combine', combineBy: 'combineByPosition', options: {} },
	'Merge',
);
const WAIT: PlainNode = {
	...n8nNode('wait', 1.1, { resume: 'timeInterval', amount: 1, unit: 'seconds' }, 'Wait'),
	webhookId: 'patterns-wait',
};
const TO_CREATE: Wire = ['Items', 0, 'Create', 0];
const TO_LINK: Wire = ['Create', 0, 'Link', 0];

it.each<[string, PlainNode[], Wire[]]>([
	[
		'in a loop',
		[LOOP, create()],
		[['Items', 0, 'Loop', 0], ['Loop', 1, 'Create', 0], TO_LINK, ['Link', 0, 'Loop', 0]],
	],
	[
		'in a sub-workflow per item',
		[CALL],
		[
			['Items', 0, 'Call', 0],
			['Call', 0, 'Link', 0],
		],
	],
	[
		'by a node that is reached twice, with its parts of the items',
		[ODD, create()],
		[['Items', 0, 'Odd', 0], ['Odd', 0, 'Create', 0], ['Odd', 1, 'Create', 0], TO_LINK],
	],
	[
		'before their rows are merged with them',
		[create(), MERGE],
		[TO_CREATE, ['Create', 0, 'Merge', 0], ['Items', 0, 'Merge', 1], ['Merge', 0, 'Link', 0]],
	],
	[
		'before the workflow waits',
		[create(), WAIT],
		[TO_CREATE, ['Create', 0, 'Wait', 0], ['Wait', 0, 'Link', 0]],
	],
])('each row is created once, with one look at the template, %s', async (_, nodes, wires) => {
	const items = rows(6);
	const first = [START, ...itemsNodes(items)];
	const workflow = chain('Wired', [...first, ...nodes, LINK], [...inTurn(first), ...wires]);
	expectLinked(await run(workflow), items);
	expect([count('getTemplate'), count('createInspection')]).toEqual([1, 6]);
});

it('Retry On Fail sends nothing twice where a row is refused at every try, and the error counts the others', async () => {
	sandbox.faults.add({
		on: { operation: 'createInspection', where: ({ body }) => body.includes('"A2"') },
		do: { kind: 'status', status: 403 },
	});
	const retried = create({ retryOnFail: true, maxTries: 3, waitBetweenTries: 10 });
	const { error } = await run([...itemsNodes(rows(6)), retried]);
	expect(error?.message).toMatch(/^Row 3 \("A2"\): .*\(403\)/);
	expect(error?.description).toContain('5 inspections were created');
	expect(made().toSorted()).toEqual(['A0', 'A1', 'A3', 'A4', 'A5']);
	// The refused row once in each try.
	expect(count('createInspection')).toBe(5 + 3);
});

it.each(['timeout', 'stop'])('nothing is sent after a %s', async (end) => {
	sandbox.faults.add({ on: { operation: 'createInspection' }, do: { kind: 'latency', ms: 400 } });
	const workflow = chain(end, [START, ...itemsNodes(rows(200)), create()]);
	const running = run({
		...workflow,
		settings: { executionOrder: 'v1', ...(end === 'timeout' ? { executionTimeout: 4 } : {}) },
	});
	await untilFound(() => count('createInspection') > 0);
	if (end === 'stop') {
		const list = await n8n.client.request('GET', '/executions?limit=10');
		const current = recordsOf(isRecord(list) ? list['results'] : []).find(
			({ status }) => status === 'running',
		);
		await n8n.client.request('POST', `/executions/${String(current?.['id'])}/stop`);
	}
	expect((await running).status).toBe('canceled');
	// What was under way then is over.
	await untilFound(() =>
		sandbox.requests.all('createInspection').every(({ endedAt }) => endedAt !== null),
	);
	const sent = count('createInspection');
	expect(sent).toBeLessThan(200);
	await pause(1000);
	expect(count('createInspection')).toBe(sent);
});

it('1,000 rows are each there once, and linked', async () => {
	const items = rows(1000);
	expectLinked(await run([...itemsNodes(items), create(), LINK], 300_000), items);
	expect([count('getTemplate'), count('createInspection')]).toEqual([1, 1000]);
}, 300_000);

it.each<[string, JsonRecord, string[]]>([
	[
		'the key of its row',
		{ uniqueKey: '={{ $json.Area.toDateTime().toISODate() }}' },
		['2026-05-01'],
	],
	['an option of all rows', { checkOnly: "={{ $json.Area === 'soon' }}" }, []],
])('error output: no row goes on as done where n8n cannot use %s', async (_, options, done) => {
	const node = {
		...actionNode(credential, { ...CREATE, options }, 'Create'),
		onError: 'continueErrorOutput',
	};
	const rowsToDo = itemsNodes([{ Area: 'soon' }, { Area: '2026-05-01' }]);
	const execution = await run([...rowsToDo, node]);
	expect(execution.items('Create').map(({ json }) => json['name'])).toEqual(done);
	expect(execution.items('Create', 1)).toHaveLength(2 - done.length);
	expect(made()).toEqual(done);
});
