/** How inspections come out of both nodes: rows, answers, files, and the options that change them. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { executeNode, type NodeRunOptions, triggerPolls } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	getManyParameters,
	templateBy,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { FileSpec } from '#sandbox/service/specs.mts';

const OWN =
	'id name status template template_id team created_at created_by updated_at updated_by'.split(' ');

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
const walk = addWalk('Walk 1');
sandbox.store.addInspection({ template: template.id, name: 'Walk 2' });

function addWalk(name: string) {
	return sandbox.store.addInspection({
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

const addFiles = (names: readonly string[]) => {
	const files = names.map((name): FileSpec => ({ kind: 'image', name }));
	sandbox.store.addInspection({ template: template.id, files });
};

/** The oldest first, unless `options` say otherwise. */
async function getMany({ options, ...parameters }: IDataObject, run: Partial<NodeRunOptions> = {}) {
	const sorted = { sortBy: 'created_at', sortOrder: 'asc', ...Object(options) };
	const { items, hints } = await executeNode({
		credential,
		...run,
		parameters: getManyParameters({ ...parameters, options: sorted }) as never,
	});
	return { items, hints: hints.map(({ message }) => message) };
}

/** What the trigger emits for the inspection that is made after its first poll. */
async function emitted(parameters: IDataObject, name: string) {
	const poll = await triggerPolls({ credential, parameters: parameters as never });
	await poll();
	addWalk(name);
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
		const items = await emitted({ output: 'answers' }, 'Walk 3');
		expect(items.map(({ json }) => [json.inspection_name, json.field_id])).toEqual(
			['door', 'height', 'what', 'where'].map((field) => ['Walk 3', field]),
		);
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

	test('have each its own as "data", from the trigger as well', async () => {
		const parameters = { output: 'files', options: { downloadFiles: true } };
		for (const items of [(await getMany(parameters)).items, await emitted(parameters, 'Walk 4')]) {
			expect(items.map(({ binary = {} }) => Object.keys(binary))).toEqual([['data'], ['data']]);
			expect(items.map(({ binary }) => binary?.['data']?.fileName)).toEqual([
				'door.png',
				'sign.png',
			]);
		}
	});

	test('stand together with an inspection of another output, and as a text in its item', async () => {
		const { items, hints } = await getMany({ limit: 2, options: { downloadFiles: true } });
		expect(items.map(({ binary = {} }) => Object.keys(binary))).toEqual([['file_0', 'file_1'], []]);
		expect(items[0]?.binary?.file_0?.mimeType).toBe('image/png');
		expect(JSON.parse(String(items[0]?.json.downloaded_files))).toMatchObject([
			{ binary_property: 'file_0', kind: 'image' },
			{ binary_property: 'file_1', kind: 'signature' },
		]);
		expect(hints).toEqual([]);
	});

	test.each(['simplified', 'files'])(
		'that cannot be had are named in a hint, and cost nothing else: %s',
		async (output) => {
			sandbox.faults.add({
				on: { operation: 'getFileUrl', where: ({ url }) => url.includes(walk.files[1]?.id ?? '-') },
				do: { kind: 'status', status: 404 },
			});
			const { items, hints } = await getMany({
				output,
				limit: 2,
				options: { downloadFiles: true },
			});
			expect(items).toHaveLength(2);
			const names = items.flatMap(({ binary = {} }) => Object.values(binary));
			expect(names.map(({ fileName }) => fileName)).toEqual(['door.png']);
			expect(hints).toEqual([
				expect.stringMatching(/^File .* of inspection .* was not downloaded: /),
			]);
		},
	);

	test.each([
		[5, /downloaded: [^…]*$/],
		[7, /… and 2 more$/],
	])('%d that cannot be had are named, but no more than five', async (count, end) => {
		addFiles(Array.from({ length: count }, () => 'x.jpg'));
		sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'status', status: 404 } });
		const options = { downloadFiles: true, sortOrder: 'desc' };
		const { hints } = await getMany({ output: 'files', limit: 1, options });
		expect(hints).toEqual([expect.stringMatching(end)]);
		expect(hints[0]?.match(/was not downloaded/g)).toHaveLength(5);
	});

	test.each(['row', 'raw', 'simplified', 'files'])(
		'have names of their own within an inspection, in the order of the service: %s',
		async (output) => {
			addFiles(['IMG_0001.jpg', 'IMG_0001.jpg', 'img_0001.JPG']);
			addFiles(['IMG_0001.jpg']);
			const options = { downloadFiles: true, sortOrder: 'desc' };
			const { items } = await getMany({ output, limit: 2, options });
			const files = items.flatMap(({ binary = {} }) => Object.values(binary));
			const names = files.map(({ fileName }) => fileName);
			const unique = ['IMG_0001.jpg', 'IMG_0001 (2).jpg', 'img_0001 (3).JPG'];
			expect(names).toEqual(['IMG_0001.jpg', ...unique]);
			if (output !== 'row') return;
			expect(items.map(({ json }) => json.files_count)).toEqual([1, 3]);
			const told: unknown = JSON.parse(String(items[1]?.json.downloaded_files));
			expect(told).toMatchObject(unique.map((file_name) => ({ file_name })));
		},
	);

	test('have the name of their file object where the storage has none', async () => {
		sandbox.settings.contentDisposition = 'absent';
		addFiles(['Stairs']);
		const options = { downloadFiles: true, sortOrder: 'desc' };
		const { items } = await getMany({ limit: 1, options });
		expect(items[0]?.binary?.file_0?.fileName).toBe('Stairs');
	});
});

describe('rows', () => {
	const QUESTIONS = ['Door', 'Height', 'What', 'Where', 'Where:2'];
	const columnsOf = ({ items }: Awaited<ReturnType<typeof getMany>>) =>
		items.map(({ json }) => Object.keys(json));

	test('have a column for every question, from one request per template for all items', async () => {
		sandbox.store.addInspection({ template: lift.id, name: 'Lift 1' });
		const found = await getMany({ output: 'row' }, { items: [{}, {}] });
		const columns = [[...OWN, ...QUESTIONS], [...OWN, ...QUESTIONS], OWN];
		expect(columnsOf(found)).toEqual([...columns, ...columns]);
		expect(found.items[0]?.json).toMatchObject({ Door: 'North', Height: 21.5, 'Where:2': 'Hall' });
		expect(sandbox.requests.count('getTemplate')).toBe(2);
	});

	test('of several templates have other columns, which a hint says once for all items', async () => {
		sandbox.store.addInspection({ template: lift.id, name: 'Lift 1' });
		expect((await getMany({ output: 'row' })).hints).toEqual([
			expect.stringMatching(/^These rows are of several templates, and their columns differ\./),
		]);
		const filters = { templateId: templateBy('DOOR') };
		expect((await getMany({ output: 'row', filters })).hints).toEqual([]);
		expect((await getMany({ output: 'answers' })).hints).toEqual([]);
	});

	test.each([401, 403, 404])('go by path where the template is refused with %d', async (status) => {
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'status', status } });
		const [columns] = columnsOf(await getMany({ output: 'row', limit: 1 }));
		const paths = ['Door', 'Height', 'Defects/What', 'Defects/Where:3'];
		expect(columns).toEqual([...OWN, ...paths.map((path) => `Doors/${path}`)]);
	});

	test('whose template cannot be had for another reason are an error', async () => {
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'status', status: 400 } });
		await expect(getMany({ output: 'row', limit: 2 })).rejects.toMatchObject({ httpCode: '400' });
	});

	test('per instance: what is outside of the section stands in each, the files in the first', async () => {
		const options = { rowPerInstanceOf: 'Defects', downloadFiles: true };
		const { items, hints } = await getMany({ output: 'row', limit: 1, options });
		expect(hints).toEqual([]);
		const outside = { files_count: 2, Door: 'North', Height: 21.5 };
		const files = expect.stringContaining('door.png') as unknown;
		expect(items.map(({ json }) => Object.fromEntries(Object.entries(json).slice(10)))).toEqual([
			{ ...outside, instance: 1, downloaded_files: files, What: 'Smoke', Where: null },
			{ ...outside, instance: 2, downloaded_files: null, What: null, Where: 'Hall' },
		]);
		expect(items.map(({ binary }) => Object.keys(binary ?? {}).length)).toEqual([2, 0]);
	});

	test('per instance, grouped by id by Create, make the same answers', async () => {
		const { items } = await getMany({
			output: 'row',
			limit: 1,
			options: { rowPerInstanceOf: 'Defects' },
		});
		expect(items.map(({ json }) => json.name)).toEqual(['Walk 1', 'Walk 1']);
		const created = await executeNode({
			credential,
			items: items.map(({ json }) => json),
			parameters: createParameters(templateById(template.id), { options: { groupRowsBy: 'id' } }),
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

	test('say which sections there are where none has the name', async () => {
		const options = { rowPerInstanceOf: 'Defekte' };
		const { items, hints } = await getMany({ output: 'row', limit: 1, options });
		expect(items).toHaveLength(1);
		expect(hints[0]).toContain('"Defekte" is no repeatable section; known are "Defects"');
	});

	test('have the number of files where Fields names it, without a download', async () => {
		const options = { fields: 'name, files_count' };
		const { items, hints } = await getMany({ output: 'row', limit: 2, options });
		expect(items.map(({ json }) => json)).toEqual([
			{ name: 'Walk 1', files_count: 2 },
			{ name: 'Walk 2', files_count: 0 },
		]);
		expect(hints).toEqual([]);
		expect(includes()[0]).toEqual(['data', 'files']);
		expect(sandbox.requests.count('getFileUrl')).toBe(0);
	});

	const PATHS = ['Door', 'Height', 'Defects/What', 'Defects/Where', 'Defects/Where:2'];
	test.each([
		['label', QUESTIONS],
		['path', PATHS.map((path) => `Doors/${path}`)],
		['fieldId', QUESTIONS.map((name) => name.toLowerCase())],
	])('have columns by %s, in both nodes', async (columnNames, expected) => {
		const parameters = { output: 'row', options: { columnNames } };
		const { items } = await getMany({ ...parameters, limit: 1 });
		const [item] = await emitted(parameters, 'Walk 5');
		for (const row of [items[0], item]) {
			expect(Object.keys(row?.json ?? {}).slice(10)).toEqual(expected);
		}
	});
});

describe('fields', () => {
	test.each(['simplified', 'raw', 'row', 'answers', 'files'])(
		'of %s are those that were named, in that order, missing ones null',
		async (output) => {
			const fields = 'Door, "not, there", id, inspection_id, constructor';
			const { items } = await getMany({ output, limit: 1, options: { fields } });
			const { json = {} } = items[0] ?? {};
			const names = ['Door', 'not, there', 'id', 'inspection_id', 'constructor'];
			expect(Object.keys(json)).toEqual(names);
			expect(json).toMatchObject({ 'not, there': null, constructor: null });
			expect([json.id, json.inspection_id]).toContain(walk.id);
			if (output === 'row') expect(json.Door).toBe('North');
		},
	);

	test('that no item has are named in a hint', async () => {
		const options = { fields: 'Heigth, status' };
		const { hints } = await getMany({ output: 'row', limit: 1, options });
		expect(hints).toEqual(['Fields: no item has a field "Heigth"; did you mean "Height"?']);
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
