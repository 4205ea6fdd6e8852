/**
 * Tests Inspection → Get, which returns one inspection per item. The service has no endpoint for a single inspection.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { repeatable, text } from '#harness/controls.mts';
import { failureOf } from '#harness/failure.mts';
import { nodeRun, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Fire door',
	controls: [text('Door', 'door'), repeatable('Defects', 'defects', [text('Note', 'note')])],
});
const timeOf = (hour: number) => new Date(Date.UTC(2026, 2, 1, 8 + hour)).toISOString();
// IDs of 260 inspections, one hour apart, the newest one last.
const ids = Array.from({ length: 260 }, (_, hour) => {
	const at = timeOf(hour);
	const spec = {
		template: template.id,
		name: `Walk ${String(hour)}`,
		createdAt: at,
		answers: [
			{ control: 'door', value: `Door ${String(hour)}` },
			{ control: 'note', value: 'Hinge', order: 1 },
			{ control: 'note', value: 'Lock', order: 2 },
		],
		files: hour % 100 === 0 ? [{ kind: 'image' as const }, { kind: 'signature' as const }] : [],
	};
	return sandbox.store.addInspection(spec, { at }).id;
});
const [oldest = '', second = ''] = ids;
const newest = ids.at(-1) ?? '';
const requests = () => sandbox.requests.count('listInspections');

type Run = Partial<NodeRunOptions>;
const GET = { resource: 'inspection', operation: 'get', inspectionId: '={{ $json.id }}' };

const run = actionNode(credential);
const get = async (inspectionId: unknown, others: IDataObject = {}, how: Run = {}) =>
	await run({ ...GET, inspectionId, ...others }, how);

/** Runs Get with one item for each ID. */
const getEach = async (wanted: readonly string[], others: IDataObject = {}, how: Run = {}) =>
	await get(GET.inspectionId, others, { items: wanted.map((id) => ({ id })), ...how });

describe('one inspection', () => {
	test.each<[string, unknown, string]>([
		['in braces and capitals', `{${second.toUpperCase()}}`, 'Walk 1'],
		['chosen from the list', { __rl: true, mode: 'list', value: oldest }, 'Walk 0'],
	])('is found by its ID anywhere in the list: %s', async (_, id, name) => {
		expect((await get(id)).names).toEqual([name]);
	});

	test.each(['simplified', 'raw', 'row', 'answers', 'files'])(
		'has the same output as Get Many: %s',
		async (output) => {
			for (const [hour, options] of [
				[0, {}],
				[100, { downloadFiles: true }],
				[200, { include: ['data', 'files'], fields: 'name, Door', rowPerInstanceOf: 'Defects' }],
			] as const) {
				const filters = { createdAfter: timeOf(hour), createdBefore: timeOf(hour) };
				const many = await run(getManyParameters({ output, filters, options }));
				const one = await get(ids[hour], { output, options });
				expect([one.jsons, one.hints]).toEqual([many.jsons, many.hints]);
				const fieldsOf = ({ files }: typeof one) => files.map((binary = {}) => Object.keys(binary));
				expect(fieldsOf(one)).toEqual(fieldsOf(many));
				expect(one.jsons.length).toBeGreaterThan(0);
			}
		},
	);

	test('needs at most two requests if a time near it is known', async () => {
		const options = { changedAround: '2026-03-01T10:01:30+02:00' };
		expect((await get(oldest, { options })).names).toEqual(['Walk 0']);
		expect(requests()).toBe(1);
		await get(oldest, { output: 'row', options });
		expect(requests()).toBe(1 + 2);
	});

	test('has the searched range in its error if it is missing, even for a model', async () => {
		const { message } = await failureOf(get(NOWHERE, {}, { asTool: true }));
		expect(message).toMatch(
			/^Inspection: 0{8}-.* is not in the service's list\. The whole list was searched \(260 inspections\).*Check the ID\./,
		);
	});

	test.each([
		['', {}, 'Inspection: nothing is chosen. Choose the inspection from the list'],
		['WALK-1', {}, 'Inspection: "WALK-1" is not an ID such as'],
		[oldest, { changedAround: 'soon' }, 'Changed Around: "soon" is not a date'],
	])(
		'is requested only by a valid ID, near a valid time: "%s" %j',
		async (id, options, message) => {
			await expect(get(id, { options })).rejects.toThrow(message);
			expect(requests()).toBe(0);
		},
	);

	test('is searched again by Retry On Fail, in the current list', async () => {
		const id = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f';
		const once = await nodeRun({ credential, items: [{ id }], parameters: GET });
		await expect(once()).rejects.toThrow('is not in the service');
		sandbox.store.addInspection({ id, template: template.id, name: 'Late' });
		expect((await once()).items.map(({ json }) => json.name)).toEqual(['Late']);
	});
});

test('reports missing answers if no item has any', async () => {
	const none = (await getEach([oldest, newest], { output: 'raw' })).jsons;
	const [withAnswers] = (await get(oldest, { output: 'raw', options: { include: ['data'] } }))
		.jsons;
	const hintsOf = async (data: unknown[]) => {
		sandbox.faults.clear();
		const body = { data, has_more: false };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
		return (await getEach([oldest, newest], { output: 'row' })).hints;
	};
	expect(await hintsOf([withAnswers, none[1]])).toEqual([expect.stringMatching(/^To write these/)]);
	expect(await hintsOf(none)).toEqual([
		expect.stringMatching(/^The service sent all inspections without answers/),
	]);
});

describe('many items', () => {
	test('have separate errors if they are missing or invalid', async () => {
		const how = { onError: 'continueErrorOutput' } as const;
		const { names, pairs } = await getEach([newest, NOWHERE, 'x', oldest], {}, how);
		expect(names).toEqual([
			'Walk 259',
			expect.stringContaining(`${NOWHERE} is not in the service's list`),
			expect.stringContaining('"x" is not an ID such as'),
			'Walk 0',
		]);
		expect(pairs).toEqual([0, 1, 2, 3]);
	});

	test('stop at the first missing one, whose row the error names', async () => {
		const { message, description } = await failureOf(getEach([newest, NOWHERE]));
		expect(message).toMatch(/^Row 2: Inspection: /);
		expect(description).toBeUndefined();
		sandbox.requests.clear();
		await expect(getEach([newest, 'x', 'y'])).rejects.toThrow(/^2 of 3 rows/);
		expect(requests()).toBe(0);
	});

	test('have an error each if the service rejects the single request', async () => {
		const refusal = { kind: 'status', status: 403 } as const;
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: refusal });
		const onError = 'continueRegularOutput';
		const wanted = [newest, oldest];
		const { jsons } = await getEach(wanted, {}, { onError });
		const error = expect.stringContaining('(403)') as unknown;
		expect(jsons).toMatchObject(wanted.map((id) => ({ id, error })));
		expect(requests()).toBe(1);
	});

	test('are each looked up with the API key of their item', async () => {
		const tenants = ['north', 'south', 'north'] as const;
		const wanted = [newest, newest, oldest];
		const { names } = await get(GET.inspectionId, undefined, {
			credential: { ...credential, apiKey: '={{ $json.key }}' },
			onError: 'continueRegularOutput',
			items: tenants.map((tenant, item) => ({ id: wanted[item], key: sandbox.keys[tenant] })),
		});
		const missing = expect.stringContaining('(0 inspections)') as unknown;
		expect(names).toEqual(['Walk 259', missing, 'Walk 0']);
	});
});
