/** Inspection → Get: one inspection for each item, found in a list that can only be read. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { failureOf } from '#harness/failure.mts';
import { executeNode, nodeRun, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const START = Date.parse('2026-03-01T08:00:00Z');
const HOUR = 3_600_000;
const NOWHERE = '00000000-0000-4000-8000-000000000000';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Fire door',
	controls: [
		page('Doors', [text('Door', 'door'), repeatable('Defects', 'defects', [text('Note', 'note')])]),
	],
});
// One an hour, the last one of all is the newest.
const ids = Array.from({ length: 260 }, (_, hour) => {
	const at = new Date(START + hour * HOUR).toISOString();
	const { id } = sandbox.store.addInspection(
		{
			template: template.id,
			name: `Walk ${String(hour)}`,
			createdAt: at,
			answers: [
				{ control: 'door', value: `Door ${String(hour)}` },
				{ control: 'note', value: 'Hinge', order: 1 },
				{ control: 'note', value: 'Lock', order: 2 },
			],
			files: hour % 100 === 0 ? [{ kind: 'image' }, { kind: 'signature' }] : [],
		},
		{ at },
	);
	return id;
});
const [oldest = '', second = ''] = ids;
const newest = ids.at(-1) ?? '';
const timeOf = (hour: number) => new Date(START + hour * HOUR).toISOString();
const requests = () => sandbox.requests.count('listInspections');

function get(inspectionId: string, others: IDataObject = {}, run: Partial<NodeRunOptions> = {}) {
	return executeNode({
		credential,
		...run,
		parameters: { resource: 'inspection', operation: 'get', inspectionId, ...others },
	});
}

/** One item for each id, whose field `id` is asked for. */
function getEach(
	wanted: readonly string[],
	others: IDataObject = {},
	run: Partial<NodeRunOptions> = {},
) {
	return get('={{ $json.id }}', others, { items: wanted.map((id) => ({ id })), ...run });
}

describe('one inspection', () => {
	test('comes by its id, however it is written, and wherever in the list it is', async () => {
		for (const id of [newest, oldest, oldest.toUpperCase(), `{${second}}`]) {
			const { items } = await get(id);
			expect(items.map(({ json }) => json.id)).toEqual([id.toLowerCase().replaceAll(/[{}]/g, '')]);
		}
		const chosen = { __rl: true, mode: 'list', value: oldest } as unknown as string;
		expect((await get(chosen)).items[0]?.json.name).toBe('Walk 0');
	});

	test.each(['simplified', 'raw', 'row', 'answers', 'files'])(
		'comes as Get Many gives it: %s',
		async (output) => {
			for (const [hour, options] of [
				[0, {}],
				[100, { downloadFiles: true }],
				[200, { include: ['data', 'files'], fields: 'name, Door', rowPerInstanceOf: 'Defects' }],
			] as const) {
				const at = timeOf(hour);
				const filters = { createdAfter: at, createdBefore: at };
				const many = await executeNode({
					credential,
					parameters: getManyParameters({ output, filters, options }),
				});
				const one = await get(ids[hour] ?? '', { output, options });
				const jsonOf = ({ items }: typeof one) => items.map(({ json }) => json);
				expect(jsonOf(one)).toEqual(jsonOf(many));
				const filesOf = ({ items }: typeof one) =>
					items.map(({ binary = {} }) => Object.keys(binary));
				expect(filesOf(one)).toEqual(filesOf(many));
				expect(one.items.length).toBeGreaterThan(0);
			}
		},
	);

	test('takes one request among the newest, and one or two where a time near it is known', async () => {
		await get(newest);
		expect(requests()).toBe(1);
		for (const [output, wanted] of [
			['simplified', 1],
			['row', 2],
		] as const) {
			for (const changedAround of [timeOf(0), '2026-03-01T10:01:30+02:00', '2026-03-01 08:01']) {
				sandbox.requests.clear();
				const { items } = await get(oldest, { output, options: { changedAround } });
				expect(items[0]?.json.name).toBe('Walk 0');
				expect(requests()).toBe(wanted);
			}
		}
	});

	test('is found where the time was wrong', async () => {
		const options = { changedAround: timeOf(200) };
		expect((await get(oldest, { options })).items[0]?.json.name).toBe('Walk 0');
	});

	test('that is not there is an error that says how far was looked', async () => {
		const { message } = await failureOf(get(NOWHERE));
		expect(message).toContain(`Inspection: ${NOWHERE} is not in the service's list.`);
		expect(message).toContain(
			'(260 inspections, back to the one that was last updated at 2026-03-01T08:00:00Z)',
		);
		expect(message).toContain('Check the ID.');
		sandbox.requests.clear();
		// A list of 260 has three pages.
		await failureOf(get(NOWHERE, { output: 'row' }));
		expect(requests()).toBeLessThanOrEqual(20);
	});

	test.each([
		['', 'Inspection: nothing is chosen. Choose it from the list'],
		['WALK-1', 'Inspection: "WALK-1" is not a UUID'],
	])('needs an id: "%s"', async (id, message) => {
		await expect(get(id)).rejects.toThrow(message);
		expect(requests()).toBe(0);
	});

	test('needs a time that is one', async () => {
		const read = get(oldest, { options: { changedAround: 'soon' } });
		await expect(read).rejects.toThrow('Changed Around: "soon" is not a date');
		expect(requests()).toBe(0);
	});

	test('comes complete from a service that sends short pages', async () => {
		sandbox.settings.pageCap = 25;
		const { items } = await get(oldest, { output: 'row' });
		expect(items[0]?.json).toMatchObject({ Door: 'Door 0', 'Note:2': 'Lock' });
	});
});

describe('many items', () => {
	test('share their reading: ten take what one takes', async () => {
		await get(oldest);
		const one = requests();
		sandbox.requests.clear();
		const wanted = [oldest, ...Array.from({ length: 9 }, (_, index) => ids[index * 25 + 3] ?? '')];
		const { items } = await getEach(wanted);
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			wanted.map((id, item) => [id, { item }]),
		);
		expect(requests()).toBeLessThanOrEqual(one + 3);
	});

	test('of the whole list take no more than a whole list', async () => {
		const { items } = await getEach(ids, { output: 'row' });
		expect(items.map(({ json }) => json.id)).toEqual(ids);
		const own = requests();
		sandbox.requests.clear();
		await executeNode({
			credential,
			parameters: getManyParameters({ returnAll: true, output: 'row' }),
		});
		// The newest page, and two requests for each window.
		expect(own).toBeLessThanOrEqual(requests() + 6);
	});

	test('get copies where they ask for the same one', async () => {
		const { items } = await getEach([newest, newest], { output: 'raw' });
		const [first, again] = items.map(({ json }) => json.template as IDataObject);
		if (first === undefined || again === undefined) throw new Error('no template');
		first.name = 'changed';
		expect(again.name).toBe('Fire door');
		expect(requests()).toBe(1);
	});

	test('with the error output: only the ones that are missing or wrong come out there', async () => {
		for (const onError of ['continueErrorOutput', 'continueRegularOutput'] as const) {
			const { items } = await getEach([newest, NOWHERE, 'x', oldest], {}, { onError });
			expect(items.map(({ json }) => json.name ?? json.error)).toEqual([
				'Walk 259',
				expect.stringContaining(`${NOWHERE} is not in the service's list`),
				expect.stringContaining('"x" is not a UUID'),
				'Walk 0',
			]);
		}
	});

	test('stop at the first missing one, and say which row it was', async () => {
		await expect(getEach([newest, NOWHERE])).rejects.toThrow(/^Row 2: Inspection: /);
		sandbox.requests.clear();
		await expect(getEach([newest, 'x', 'y'])).rejects.toThrow(/2 of 3 rows/);
		expect(requests()).toBe(0);
	});

	test('have an error each where the service refuses', async () => {
		sandbox.faults.add({
			on: { operation: 'listInspections' },
			do: { kind: 'status', status: 403 },
		});
		const run = { onError: 'continueRegularOutput' } as const;
		const { items } = await getEach([newest, oldest, second], {}, run);
		expect(items.map(({ json }) => json.id)).toEqual([newest, oldest, second]);
		expect(items.every(({ json }) => typeof json.error === 'string')).toBe(true);
		expect(requests()).toBe(1);
	});

	test('with a credential each are looked for where it leads', async () => {
		const south = sandbox.tenants.south.organization.id;
		const [foreign] = sandbox.store.inspections(south);
		const { items } = await executeNode({
			credential: { ...credential, apiKey: '={{ $json.key }}' },
			items: [
				{ id: newest, key: sandbox.keys.north },
				{ id: newest, key: sandbox.keys.south },
				{ id: oldest, key: sandbox.keys.north },
			],
			onError: 'continueRegularOutput',
			parameters: { resource: 'inspection', operation: 'get', inspectionId: '={{ $json.id }}' },
		});
		expect(foreign).toBeUndefined();
		expect(items.map(({ json }) => json.name ?? json.error)).toEqual([
			'Walk 259',
			expect.stringContaining('(0 inspections)'),
			'Walk 0',
		]);
	});
});

test('Retry On Fail reads again, and gets what there is then', async () => {
	const id = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f';
	const run = await nodeRun({
		credential,
		input: [{ json: { id }, pairedItem: { item: 0 } }],
		parameters: { resource: 'inspection', operation: 'get', inspectionId: '={{ $json.id }}' },
	});
	await expect(run()).rejects.toThrow('is not in the service');
	sandbox.store.addInspection({ id, template: template.id, name: 'Late' });
	expect((await run()).items.map(({ json }) => json.name)).toEqual(['Late']);
});

test('as a tool, it hands the model the whole message', async () => {
	const { message } = await failureOf(get(NOWHERE, {}, { asTool: true }));
	expect(message).toContain('The whole list was searched (260 inspections');
});
