/** How inspections come out of both nodes, besides simplified, raw and plain rows. */
import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { executeNode, type NodeOptions, triggerPolls } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	getManyParameters,
	templateBy,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'DOOR',
	name: 'Fire door',
	controls: [
		page('Doors', [
			text('Door', 'door'),
			{ type: 'number', label: 'Height', fieldId: 'height' },
			repeatable('Defects', 'defects', [text('What', 'what'), text('Where', 'where')]),
		]),
	],
});
const lift = sandbox.store.addTemplate({ identifier: 'LIFT', name: 'Lift', controls: [] });
addWalk('Walk 1');
sandbox.store.addInspection({ template: template.id, name: 'Walk 2' });

function addWalk(name: string): void {
	sandbox.store.addInspection({
		template: template.id,
		name,
		answers: [
			{ control: 'door', value: 'North' },
			{ control: 'height', value: '21.50' },
			{ control: 'what', value: 'Smoke' },
			{ control: 'where', value: 'Hall', order: 3 },
		],
		files: [
			{ kind: 'image', name: 'door.png' },
			{ kind: 'signature', name: 'sign.png' },
		],
	});
}

async function getMany(parameters: NodeOptions['parameters']) {
	return await executeNode({
		credential,
		parameters: getManyParameters({
			...parameters,
			options: { sortBy: 'created_at', sortOrder: 'asc', ...Object(parameters['options']) },
		}),
	});
}

/** What the trigger emits for the inspections that are made after its first poll. */
async function emitted(parameters: NodeOptions['parameters'], change: () => void) {
	const poll = await triggerPolls({ credential, parameters });
	await poll();
	change();
	return await poll();
}

const includes = () =>
	sandbox.requests
		.all('listInspections')
		.map(({ url }) => new URL(url, sandbox.apiUrl).searchParams.getAll('includes'));

describe('answers', () => {
	test('are one item each, with one request per template', async () => {
		const { items } = await getMany({ output: 'answers' });
		expect(items.map(({ json }) => [json.label, json.section, json.instance, json.value])).toEqual([
			['Door', null, 1, 'North'],
			['Height', null, 1, 21.5],
			['What', 'Defects', 1, 'Smoke'],
			['Where', 'Defects', 3, 'Hall'],
		]);
		expect(items[1]?.json).toMatchObject({
			inspection_name: 'Walk 1',
			template: 'Fire door',
			type: 'number',
			field_id: 'height',
			response: { value: '21.50' },
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(4).fill({ item: 0 }));
		expect(includes()[0]).toEqual(['data']);
		expect(sandbox.requests.count('getTemplate')).toBe(1);
	});

	test('come from the trigger as well', async () => {
		const items = await emitted({ output: 'answers' }, () => addWalk('Walk 3'));
		expect(items.map(({ json }) => [json.inspection_name, json.field_id])).toEqual([
			['Walk 3', 'door'],
			['Walk 3', 'height'],
			['Walk 3', 'what'],
			['Walk 3', 'where'],
		]);
	});
});

describe('files', () => {
	test('are one item each, without binary data unless it is asked for', async () => {
		const { items } = await getMany({ output: 'files', limit: 2 });
		expect(items.map(({ json }) => [json.inspection_name, json.name, json.type])).toEqual([
			['Walk 1', 'door.png', 'image'],
			['Walk 1', 'sign.png', 'signature'],
		]);
		expect(items[0]?.json.file).toMatchObject({ id: items[0]?.json.file_id, name: 'door.png' });
		expect(items[0]?.binary).toBeUndefined();
		expect(includes()[0]).toEqual(['files']);
	});

	test('have each its own as "data"; one that cannot be had is named in a hint', async () => {
		sandbox.faults.add({
			on: { operation: 'getFileUrl', where: ({ url }) => url.includes(fileId('sign.png')) },
			do: { kind: 'status', status: 404 },
		});
		const { items, hints } = await getMany({
			output: 'files',
			limit: 2,
			options: { downloadFiles: true },
		});
		expect(items.map(({ json, binary }) => [json.name, Object.keys(binary ?? {})])).toEqual([
			['door.png', ['data']],
			['sign.png', []],
		]);
		expect(items[0]?.binary?.['data']).toMatchObject({ fileName: 'door.png' });
		expect(hints[0]?.message).toMatch(/^File .* of inspection .* was not downloaded: /);
	});

	test.each([
		[5, /downloaded: [^…]*$/],
		[7, /… and 2 more$/],
	])('%d that cannot be had are named, but no more than five', async (count, end) => {
		const files = Array.from({ length: count }, () => ({ kind: 'image' }));
		sandbox.store.addInspection({ template: template.id, files });
		sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'status', status: 404 } });
		const { hints } = await getMany({
			output: 'files',
			limit: 1,
			options: { downloadFiles: true, sortOrder: 'desc' },
		});
		expect(hints).toMatchObject([{ message: expect.stringMatching(end) as string }]);
		expect(hints[0]?.message.match(/was not downloaded/g)).toHaveLength(5);
	});

	test.each(['row', 'raw', 'simplified', 'files'])(
		'have names of their own within an inspection, in the order of the service: %s',
		async (output) => {
			const photos = ['IMG_0001.jpg', 'IMG_0001.jpg', 'img_0001.JPG'];
			const files = photos.map((name) => ({ kind: 'image' as const, name }));
			sandbox.store.addInspection({ template: template.id, files });
			sandbox.store.addInspection({ template: template.id, files: files.slice(0, 1) });
			const { items } = await getMany({
				output,
				limit: 2,
				options: { downloadFiles: true, sortOrder: 'desc' },
			});
			const names = items.flatMap(({ binary }) =>
				Object.values(binary ?? {}).map(({ fileName }) => fileName),
			);
			expect(names).toEqual([
				'IMG_0001.jpg',
				'IMG_0001.jpg',
				'IMG_0001 (2).jpg',
				'img_0001 (3).JPG',
			]);
			if (output === 'row') {
				expect(items.map(({ json }) => json.files_count)).toEqual([1, 3]);
				const told: unknown = JSON.parse(String(items[1]?.json.downloaded_files));
				expect(told).toMatchObject(names.slice(1).map((file_name) => ({ file_name })));
			}
		},
	);

	test('come from the trigger as well', async () => {
		const items = await emitted({ output: 'files', options: { downloadFiles: true } }, () => {
			addWalk('Walk 4');
		});
		expect(items.map(({ binary }) => binary?.['data']?.fileName)).toEqual(['door.png', 'sign.png']);
	});
});

describe('rows', () => {
	test('per instance: what is outside of the section stands in each, the files in the first', async () => {
		const { items, hints } = await getMany({
			output: 'row',
			limit: 1,
			options: { rowPerInstanceOf: 'Defects', downloadFiles: true },
		});
		expect(hints).toEqual([]);
		expect(items.map(({ json }) => Object.entries(json).slice(10))).toEqual([
			[
				['instance', 1],
				['files_count', 2],
				['downloaded_files', expect.stringContaining('door.png')],
				['Door', 'North'],
				['Height', 21.5],
				['What', 'Smoke'],
				['Where', null],
			],
			[
				['instance', 2],
				['files_count', 2],
				['downloaded_files', null],
				['Door', 'North'],
				['Height', 21.5],
				['What', null],
				['Where', 'Hall'],
			],
		]);
		expect(items.map(({ binary }) => Object.keys(binary ?? {}).length)).toEqual([2, 0]);
	});

	test('have the number of files where Fields names it, without a download', async () => {
		const fields = 'name, files_count';
		const { items, hints } = await getMany({ output: 'row', limit: 2, options: { fields } });
		expect(items.map(({ json }) => json)).toEqual([
			{ name: 'Walk 1', files_count: 2 },
			{ name: 'Walk 2', files_count: 0 },
		]);
		expect(hints).toEqual([]);
		expect(includes()[0]).toEqual(['data', 'files']);
		expect(sandbox.requests.count('getFileUrl')).toBe(0);
	});

	test('say which sections there are where none has the name', async () => {
		const { items, hints } = await getMany({
			output: 'row',
			limit: 1,
			options: { rowPerInstanceOf: 'Defekte' },
		});
		expect(items).toHaveLength(1);
		expect(hints[0]?.message).toContain('"Defekte" is no repeatable section; known are "Defects"');
	});

	test.each([
		['label', ['Door', 'Height', 'What', 'Where', 'Where:2']],
		[
			'path',
			[
				'Doors/Door',
				'Doors/Height',
				'Doors/Defects/What',
				'Doors/Defects/Where',
				'Doors/Defects/Where:2',
			],
		],
		['fieldId', ['door', 'height', 'what', 'where', 'where:2']],
	])('have columns by %s', async (columnNames, expected) => {
		const options = { columnNames };
		const { items } = await getMany({ output: 'row', limit: 1, options });
		expect(Object.keys(items[0]?.json ?? {}).slice(10)).toEqual(expected);
		const [item] = await emitted({ output: 'row', options }, () => addWalk('Walk 5'));
		expect(Object.keys(item?.json ?? {}).slice(10)).toEqual(expected);
	});
});

test('rows per instance, grouped by id by Create, make the same answers', async () => {
	addWalk('Walk 6');
	const { items } = await getMany({
		output: 'row',
		limit: 1,
		options: { rowPerInstanceOf: 'Defects', sortOrder: 'desc' },
	});
	expect(items.map(({ json }) => json.name)).toEqual(['Walk 6', 'Walk 6']);
	const created = await executeNode({
		credential,
		items: items.map(({ json }) => json),
		parameters: createParameters(templateById(template.id), {
			options: { groupRowsBy: 'id' },
		}),
	});
	expect(created.items).toHaveLength(1);
	const answers = sandbox.store.find(String(created.items[0]?.json.id))?.answers ?? [];
	expect(answers.map(({ order, value }) => [order, value])).toEqual([
		[1, 'North'],
		[1, 21.5],
		[1, 'Smoke'],
		[2, 'Hall'],
	]);
});

describe('rows of several templates', () => {
	test('say in a hint that their columns differ, once for all items', async () => {
		sandbox.store.addInspection({ template: lift.id, name: 'Lift' });
		const { hints } = await getMany({ output: 'row' });
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^These rows are of several templates, and their columns differ\./),
		]);
		const templateId = templateBy('DOOR');
		const one = await getMany({ output: 'row', filters: { templateId } });
		expect(one.hints).toEqual([]);
		expect((await getMany({ output: 'answers' })).hints).toEqual([]);
	});
});

describe('fields', () => {
	test.each(['simplified', 'raw', 'row', 'answers', 'files'])(
		'of %s are those that were named, in that order, missing ones null',
		async (output) => {
			const fields = 'Door, "not, there", id, inspection_id, constructor';
			const { items } = await getMany({ output, limit: 1, options: { fields } });
			const { json = {} } = items[0] ?? {};
			expect(Object.keys(json)).toEqual([
				'Door',
				'not, there',
				'id',
				'inspection_id',
				'constructor',
			]);
			expect(json).toMatchObject({ 'not, there': null, constructor: null });
			expect([json.id, json.inspection_id]).toContain(idOf('Walk 1'));
			if (output === 'row') expect(json.Door).toBe('North');
		},
	);

	test('that no item has are named in a hint', async () => {
		const { hints } = await getMany({
			output: 'row',
			limit: 1,
			options: { fields: 'Heigth, status' },
		});
		expect(hints[0]?.message).toBe('Fields: no item has a field "Heigth"; did you mean "Height"?');
	});

	test('may come as a list from an expression', async () => {
		const { items } = await getMany({ limit: 1, options: { fields: "={{ ['status', 'name'] }}" } });
		expect(items[0]?.json).toEqual({ status: 'new', name: 'Walk 1' });
	});
});

test.each(['simplified', 'row', 'answers', 'files'])(
	'Include counts for raw only: %s',
	async (output) => {
		// n8n takes the option away by itself where the output is no expression.
		const expression = `={{ "${output}" }}`;
		await getMany({ output: expression, limit: 1, options: { include: ['shared_with_users'] } });
		expect(includes()[0]).not.toContain('shared_with_users');
	},
);

function idOf(name: string): string {
	return findWalk(name)?.id ?? '';
}

function fileId(name: string): string {
	return findWalk('Walk 1')?.files.find((file) => file.name === name)?.id ?? '';
}

function findWalk(name: string) {
	return sandbox.store
		.inspections(sandbox.tenants.north.organization.id)
		.find((inspection) => inspection.name === name);
}
