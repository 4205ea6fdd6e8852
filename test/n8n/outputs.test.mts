/**
 * Tests the outputs of inspections: rows, answers, files, the options that change them, and the lists from which users
 * choose these options' values.
 */
import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { actionNode, listQueries } from '#harness/actionNode.mts';
import { page, radio, repeatable, text } from '#harness/controls.mts';
import { loadOptionsContext, type NodeRunOptions, searchList } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	getManyParameters,
	MAP_AUTOMATICALLY,
	templateBy,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { Sheet } from '#harness/sheet.mts';
import type { FileSpec } from '#sandbox/service/specs.mts';

const DATES = ['created_at', 'created_by', 'updated_at', 'updated_by'];
const OWN = ['id', 'name', 'status', 'template', 'template_id', 'team', ...DATES];
const QUESTIONS = ['Door, side', 'Height', 'What', 'Where', 'Who', 'Where:2'];

const IMAGE: FileSpec = { kind: 'image', name: 'door.png' };

const { sandbox, credential } = await sandboxForTests();
const run = actionNode(credential);
const template = sandbox.store.addTemplate({
	identifier: 'DOOR',
	name: 'Fire door',
	controls: [
		page('Doors', [
			text('Door, side', 'door'),
			{ type: 'number', label: 'Height', fieldId: 'height' },
			repeatable('Defects', 'defects', [text('What', 'what'), text('Where', 'where')]),
			repeatable('Visitors', 'visitors', [text('Who', 'who')]),
		]),
	],
});
const lift = sandbox.store.addTemplate({ identifier: 'LIFT', name: 'Lift', controls: [] });
const walk = sandbox.store.addInspection({
	template: template.id,
	name: 'Walk 1',
	answers: [
		{ control: 'door', value: 'North' },
		{ control: 'height', value: '21.50' },
		{ control: 'what', value: 'Smoke' },
		{ control: 'where', value: 'Hall', order: 3 },
	],
	files: [IMAGE, { kind: 'signature', name: 'sign.png' }],
});
const plain = sandbox.store.addInspection({ template: template.id, name: 'Walk 2' });

const addFiles = (names: readonly string[]) => {
	const files = names.map((name) => ({ ...IMAGE, name }));
	sandbox.store.addInspection({ template: template.id, files });
};

/** Runs Get Many with this output. The default order is oldest first. */
const getMany = async (
	output: string,
	{ options, ...others }: IDataObject = {},
	how?: Partial<NodeRunOptions>,
) => {
	const sorted = { sortBy: 'created_at', sortOrder: 'asc', ...Object(options) };
	return await run(getManyParameters({ output, ...others, options: sorted }), how);
};
const oneWalk = async (options: IDataObject) => {
	const filters = { templateId: templateBy('DOOR') };
	return await getMany('row', { filters, limit: 1, options });
};
/** Runs Get Many for the inspection that was added last, and downloads its files. */
const lastWithFiles = async (output: string, limit = 1) =>
	await getMany(output, { limit, options: { downloadFiles: true, sortOrder: 'desc' } });

const columnsOf = (rows: readonly IDataObject[]) => rows.map((row) => Object.keys(row));
const namesOf = (files: Awaited<ReturnType<typeof getMany>>['files']) =>
	files.flatMap((binary = {}) => Object.values(binary).map(({ fileName }) => fileName));
const refuseFiles = (where = '') =>
	sandbox.faults.add({
		on: { operation: 'getFileUrl', where: ({ url }) => url.includes(where) },
		do: { kind: 'status', status: 404 },
	});

test('answers are one item each, with one request per template', async () => {
	const { jsons, pairs } = await getMany('answers');
	expect(jsons.map(({ label }) => label)).toEqual(['Door, side', 'Height', 'What', 'Where']);
	const height = { inspection_name: 'Walk 1', template: 'Fire door', type: 'number', value: 21.5 };
	expect(jsons[1]).toMatchObject(height);
	expect(pairs).toEqual([0, 0, 0, 0]);
	expect(listQueries(sandbox)[0]?.getAll('includes')).toEqual(['data']);
	expect(sandbox.requests.count('getTemplate')).toBe(1);
});

describe('files', () => {
	test('are one item each, with binary data only if requested', async () => {
		const none = await getMany('files', { limit: 2 });
		expect(none.jsons).toMatchObject([
			{ inspection_name: 'Walk 1', name: 'door.png', type: 'image', file: { name: 'door.png' } },
			{ inspection_name: 'Walk 1', name: 'sign.png', type: 'signature' },
		]);
		expect(none.files).toEqual([undefined, undefined]);
		expect(listQueries(sandbox)[0]?.getAll('includes')).toEqual(['files']);
		const options = { downloadFiles: true };
		const { files } = await getMany('files', { limit: 1, options });
		expect(files.map((binary = {}) => Object.keys(binary))).toEqual([['data'], ['data']]);
		expect(namesOf(files)).toEqual(['door.png', 'sign.png']);
	});

	test('are limited to the chosen File Kinds', async () => {
		const options = { downloadFiles: true, fileKinds: ['signature'] };
		const { jsons, files } = await getMany('files', { limit: 1, options });
		expect(jsons.map(({ name }) => name)).toEqual(['sign.png']);
		expect(namesOf(files)).toEqual(['sign.png']);
		const row = await getMany('row', { limit: 1, options });
		expect(namesOf(row.files)).toEqual(['sign.png']);
		const all = await getMany('files', { limit: 1, options: { fileKinds: [] } });
		expect(all.jsons).toHaveLength(2);
	});

	test('are kept whatever File Kinds are chosen if their kind is unknown', async () => {
		sandbox.store.addInspection({ template: template.id, files: [{ ...IMAGE, kind: '' }] });
		const options = { fileKinds: ['signature'], sortOrder: 'desc' };
		const { jsons, hints } = await getMany('files', { limit: 1, options });
		expect(jsons).toHaveLength(1);
		expect(hints).toEqual([
			expect.stringMatching(
				/the kind of some files \(1\), so the option 'File Kinds' couldn't be applied/,
			),
		]);
	});

	test("are attached to their inspection's item in other outputs, which lists them", async () => {
		const options = { downloadFiles: true };
		const { jsons, files, hints } = await getMany('simplified', { limit: 2, options });
		expect(Object.keys(files[0] ?? {})).toEqual(['file_0', 'file_1']);
		expect(files[1]).toBeUndefined();
		expect(files[0]?.['file_0']?.mimeType).toBe('image/png');
		expect(JSON.parse(String(jsons[0]?.downloaded_files))).toMatchObject([
			{ binary_property: 'file_0', kind: 'image' },
			{ binary_property: 'file_1', kind: 'signature' },
		]);
		expect(hints).toEqual([]);
	});

	test.each([
		['simplified', ['name']],
		['files', ['name', 'error']],
	])("only cause a hint if they can't be downloaded: %s", async (output, columns) => {
		refuseFiles(walk.files[1]?.id);
		const options = { downloadFiles: true, fields: 'name' };
		const { jsons, files, hints } = await getMany(output, { limit: 2, options });
		expect(columnsOf(jsons)).toEqual([['name'], columns]);
		expect(namesOf(files)).toEqual(['door.png']);
		const told = /^File .* of inspection .* was not downloaded: /;
		expect(hints).toEqual([expect.stringMatching(told)]);
	});

	test("are listed in the hint if they can't be downloaded, but at most five", async () => {
		addFiles(Array.from({ length: 6 }, () => 'x.jpg'));
		refuseFiles();
		const { jsons, hints } = await lastWithFiles('files');
		expect(jsons).toHaveLength(6);
		for (const { error } of jsons) expect(error).toMatch(/404/);
		expect(hints).toEqual([expect.stringMatching(/… and 1 more$/)]);
		expect(hints[0]?.match(/was not downloaded/g)).toHaveLength(5);
	});

	test('have unique names within an inspection, in the order of the service', async () => {
		addFiles(['IMG_0001.jpg', 'IMG_0001.jpg', 'img_0001.JPG']);
		addFiles(['IMG_0001.jpg']);
		const unique = ['IMG_0001.jpg', 'IMG_0001 (2).jpg', 'img_0001 (3).JPG'];
		const { jsons, files } = await lastWithFiles('row', 2);
		for (const each of [files, (await lastWithFiles('files', 2)).files]) {
			expect(namesOf(each)).toEqual(['IMG_0001.jpg', ...unique]);
		}
		expect(jsons.map(({ files_count }) => files_count)).toEqual([1, 3]);
		const told: unknown = JSON.parse(String(jsons[1]?.downloaded_files));
		expect(told).toMatchObject(unique.map((file_name) => ({ file_name })));
	});

	test('have the name of their file object if the storage has none', async () => {
		sandbox.settings.contentDisposition = 'absent';
		addFiles(['Stairs']);
		expect(namesOf((await lastWithFiles('raw')).files)).toEqual(['Stairs.png']);
	});
});

describe('rows', () => {
	test('have a column for every question of their template', async () => {
		sandbox.store.addInspection({ template: lift.id });
		const items = [{ limit: 50 }, { limit: 60 }];
		const { jsons, hints } = await getMany('row', { limit: '={{ $json.limit }}' }, { items });
		const columns = [[...OWN, ...QUESTIONS], [...OWN, ...QUESTIONS], OWN];
		expect(columnsOf(jsons)).toEqual([...columns, ...columns]);
		expect(jsons[0]).toMatchObject({ 'Door, side': 'North', Height: 21.5, 'Where:2': 'Hall' });
		expect(sandbox.requests.count('getTemplate')).toBe(2);
		const several = 'These rows are from several templates, so their columns differ.';
		expect(hints.join().split(several)).toHaveLength(2);
		const filters = { templateId: templateBy('DOOR') };
		const advice = [
			expect.stringMatching(/^To write these rows to a sheet, .* match on the column "id"\./),
		];
		expect((await getMany('row', { filters })).hints).toEqual(advice);
		expect((await getMany('row', { filters, options: { fields: 'name' } })).hints).toEqual([]);
		expect((await getMany('answers')).hints).toEqual([]);
	});

	test.each([401, 403, 404])(
		'use labels with a hint if the template is rejected with %d',
		async (status) => {
			sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'status', status } });
			const labels = ['Door, side', 'Height', 'What', 'Where:3'];
			const { jsons, hints } = await getMany('row', { limit: 1 });
			expect(columnsOf(jsons)).toEqual([[...OWN, ...labels]]);
			expect(hints[0]).toMatch(
				/^The template "Fire door" \(\S+\) can't be read with this API key: its answers/,
			);
		},
	);

	test('use paths with a hint if the service sends neither template nor questions', async () => {
		const one = (await getMany('raw', { limit: 1, options: { include: ['data'] } })).jsons[0];
		const told = async (change: object) => {
			const body = { data: [{ ...one, ...change }], has_more: false };
			sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
			return (await getMany('row', { limit: 1 })).hints.join();
		};
		const withoutId = /^The service sent an inspection without the ID of its template: its answers/;
		expect(await told({ template: { name: 'Fire door' } })).toMatch(withoutId);
		sandbox.faults.clear();
		const body = { id: lift.id };
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'body', body } });
		const withoutQuestions = /^The template \S+ came without its questions: its answers/;
		expect(await told({ template: body })).toMatch(withoutQuestions);
	});

	test('fail if their template is unreadable for a different reason', async () => {
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'status', status: 400 } });
		await expect(getMany('row')).rejects.toMatchObject({ httpCode: '400' });
	});

	test('per instance repeat the values outside the section, but not the files', async () => {
		const options = { rowPerInstanceOf: 'Defects', downloadFiles: true };
		const { jsons, files, hints } = await getMany('row', { limit: 1, options });
		const outside = { name: 'Walk 1', files_count: 2, 'Door, side': 'North', Height: 21.5 };
		const told = expect.stringContaining('door.png') as unknown;
		expect(jsons).toMatchObject([
			{ ...outside, instance: 1, downloaded_files: told, What: 'Smoke', Where: '' },
			{ ...outside, instance: 2, downloaded_files: '', What: '', Where: 'Hall' },
		]);
		expect(files.map((binary = {}) => Object.keys(binary).length)).toEqual([2, 0]);
		expect(hints).toEqual([expect.stringContaining('match on the column "row_key".')]);
	});

	/** Returns the row of the newest inspection, then that of the oldest. Only the oldest has two answers to "Where". */
	const newestAndOldest = async (options: IDataObject) => {
		const items = [{ order: 'desc' }, { order: 'asc' }];
		const sorted = { sortOrder: '={{ $json.order }}', ...options };
		return await getMany('row', { limit: 1, options: sorted }, { items });
	};

	test('have one header row, whichever of several items requested them', async () => {
		const { jsons } = await newestAndOldest({});
		expect(columnsOf(jsons)).toEqual(Array(2).fill([...OWN, ...QUESTIONS]));
		const parameters = { resource: 'inspection', operation: 'get', output: 'row', options: {} };
		const items = [plain, walk].map(({ id }) => ({ id }));
		const got = await run({ ...parameters, inspectionId: '={{ $json.id }}' }, { items });
		expect(columnsOf(got.jsons)).toEqual(Array(2).fill([...OWN, ...QUESTIONS]));
	});

	test('have a hint only for a field or section that no item has', async () => {
		const { jsons, hints } = await newestAndOldest({ fields: 'name, Where:2' });
		expect([jsons, hints]).toMatchObject([[{ 'Where:2': '' }, { 'Where:2': 'Hall' }], []]);
		expect((await newestAndOldest({ fields: 'name, Where' })).hints).toEqual([
			expect.stringMatching(
				/^The option 'Field Names or IDs' leaves out .* of a section: "Where:2"\. Choose these fields too/,
			),
		]);
		sandbox.store.addInspection({ template: lift.id });
		const perInstance = await newestAndOldest({ rowPerInstanceOf: 'Defects' });
		expect(perInstance.jsons).toHaveLength(3);
		expect(perInstance.hints.join()).not.toContain('no repeatable section');
		const nowhere = await newestAndOldest({ rowPerInstanceOf: 'Defekte' });
		expect(nowhere.jsons).toHaveLength(2);
		expect(nowhere.hints[0]).toContain(
			`"Defekte" isn't a repeatable section. Repeatable sections: "Defects"`,
		);
	});

	test('per instance keep their identity in a sheet that is updated by the column in the hint', async () => {
		const order = { output: 'row', options: { rowPerInstanceOf: 'Defects', fields: [] } };
		const seen = sandbox.store.addInspection({
			template: template.id,
			answers: ['kitchen', 'bath', 'hall'].map((value, index) => ({
				control: 'where',
				value,
				order: index + 1,
			})),
		});
		const parameters = {
			resource: 'inspection',
			operation: 'get',
			inspectionId: seen.id,
			...order,
		};
		const sheet = new Sheet();
		for (let time = 0; time < 2; time++) {
			const { jsons, hints } = await run(parameters);
			const [, column = ''] = /match on the column "(\w+)"\./.exec(hints.join()) ?? [];
			expect(Object.keys(jsons[0] ?? {})[0]).toBe(column);
			sheet.appendOrUpdate(jsons, [column]);
		}
		expect(sheet.column('Where')).toEqual(['kitchen', 'bath', 'hall']);
	});

	test("clear a sheet's cell whose answer was removed, even if its instance was removed", async () => {
		const answers = [{ control: 'where', value: 'Hall' }];
		const two = [...answers, { control: 'where', value: 'Roof', order: 2 }];
		const [seen, other] = [{ name: 'Seen' }, { name: 'Other' }].map((given) =>
			sandbox.store.addInspection({ template: template.id, answers: two, ...given }),
		);
		const sheet = new Sheet();
		const update = async () => {
			const options = { sortOrder: 'desc' };
			sheet.appendOrUpdate((await getMany('row', { limit: 2, options })).jsons, ['id']);
		};
		await update();
		sandbox.store.updateInspection(seen?.id ?? '', { name: '', answers: [] });
		await update();
		expect(sheet.column('id')).toEqual([other?.id, seen?.id]);
		expect(sheet.column('name')).toEqual(['Other', '']);
		expect(sheet.column('Where')).toEqual(['Hall', '']);
		expect(sheet.column('Where:2')).toEqual(['Roof', '']);
	});

	test('have a hint if an answer is too long for a cell of a spreadsheet', async () => {
		const answers = [{ control: 'door', value: 'x'.repeat(40_000) }];
		sandbox.store.addInspection({ template: template.id, name: 'Long', answers });
		const options = { sortOrder: 'desc' };
		const { hints } = await getMany('row', { limit: 1, options });
		expect(hints[0]).toMatch(/^"Door, side" of inspection Long has 40,000 characters/);
		expect((await getMany('answers', { limit: 1, options })).hints).toEqual([]);
	});

	test('have the number of files if Fields includes it, without a download', async () => {
		const options = { fields: 'name, files_count' };
		const { jsons, names, hints } = await getMany('row', { limit: 2, options });
		const counts = jsons.map(({ files_count }) => files_count);
		expect([names, counts, hints]).toEqual([['Walk 1', 'Walk 2'], [2, 0], []]);
		expect(listQueries(sandbox)[0]?.getAll('includes')).toEqual(['data', 'files']);
		expect(sandbox.requests.count('getFileUrl')).toBe(0);
	});

	test('keep their columns with Fields when the template gets a question in the middle', async () => {
		const { id } = sandbox.store.addTemplate({
			identifier: 'GATE',
			controls: [text('Site', 'site'), text('Remark', 'remark')],
			name: 'Gate',
		});
		const answers = [{ control: 'site', value: 'Quay 7' }];
		sandbox.store.addInspection({ template: id, name: 'Walk', answers });
		const read = async (fields: IDataObject[string] = []) => {
			const filters = { templateId: templateBy('GATE') };
			return await getMany('row', { filters, options: { fields } });
		};
		const fields = ['name', 'Site', 'Remark'];
		const before = await read(fields);
		const controls = [text('Site', 'site'), text('Gate', 'gate'), text('Remark', 'remark')];
		sandbox.store.updateTemplate(id, { controls });
		expect(columnsOf((await read()).jsons)).toEqual([[...OWN, 'Site', 'Gate', 'Remark']]);
		const after = await read(fields);
		expect(after).toMatchObject({ jsons: before.jsons, hints: [] });
		expect(columnsOf(after.jsons)).toEqual([fields]);
	});

	test('have columns by field ID if that is chosen', async () => {
		const { jsons } = await oneWalk({ columnNames: 'fieldId' });
		const columns = ['door', 'height', 'what', 'where', 'who', 'where:2'];
		expect(columnsOf(jsons)).toEqual([[...OWN, ...columns]]);
	});
});

describe('an answer whose choice was renamed', () => {
	const crack = (...choices: string[]) => ({
		...radio('Damage', 'damage', ...choices),
		type: 'checkbox',
	});
	const state = (...choices: string[]) => radio('State', 'state', ...choices);
	const { id } = sandbox.store.addTemplate({
		identifier: 'WALL',
		name: 'Wall',
		controls: [state('Good', 'Poor'), crack('Crack', 'Damp, inside', 'Noise')],
	});
	const filters = { templateId: templateBy('WALL') };

	test('is shown as it was stored in every output, but is rejected by Create', async () => {
		const damage = ['Crack', 'Damp, inside'];
		sandbox.store.addInspection({
			template: id,
			answers: [
				{ control: 'state', value: 'Poor' },
				{ control: 'damage', value: damage },
			],
		});
		const controls = [state('Good', 'Bad'), crack('Crack', 'Humidity', 'Noise')];
		sandbox.store.updateTemplate(id, { controls });
		const [row = {}] = (await getMany('row', { filters })).jsons;
		expect(row).toMatchObject({ State: 'Poor', Damage: '"Crack", "Damp, inside"' });
		const answers = (await getMany('answers', { filters })).jsons;
		expect(answers.map(({ value, response }) => [value, response])).toEqual([
			['Poor', { value: 'Poor' }],
			['"Crack", "Damp, inside"', { value: damage }],
		]);
		const again = createParameters(templateBy('WALL'), { responses: MAP_AUTOMATICALLY });
		await expect(run(again, { items: [row] })).rejects.toMatchObject({
			description: expect.stringMatching(/"State": "Poor".*"Damage": "Damp, inside"/s),
		});
	});
});

describe('Fields, after the template has changed', () => {
	/** Adds an inspection with answers, changes the template to these questions, and returns the inspection's row. */
	const rowAfter = async (
		controls: Parameters<typeof page>[1],
		{ fields, mode }: { fields?: string[]; mode?: 'manual' } = {},
	) => {
		sandbox.faults.clear();
		const before = [text('Site', 's'), text('Notes', 'n')];
		const { id } = sandbox.store.addTemplate({ name: 'Walk', controls: [page('General', before)] });
		const answers = [
			{ control: 's', value: 'Hall' },
			{ control: 'n', value: 'Wet' },
		];
		sandbox.store.addInspection({ template: id, answers });
		const filters = { templateId: templateBy(id) };
		const raw = await getMany('raw', { filters, options: { include: ['data'] } });
		sandbox.store.updateTemplate(id, { controls });
		// The service still sends the answers of deleted questions.
		const body = { data: raw.jsons, has_more: false };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
		const parameters = { filters, ...(fields && { options: { fields } }) };
		const { jsons, hints } = await getMany('row', parameters, mode && { mode });
		return { row: jsons[0], hints };
	};
	const SITE = text('Site', 's');
	const NOTES = text('Notes', 'n');
	const fields = ['Site', 'Notes'];

	test('are null with a warning if a question was renamed', async () => {
		const controls = [page('General', [SITE, text('Note', 'n')])];
		expect(await rowAfter(controls, { fields })).toEqual({
			row: { Site: 'Hall', Notes: null },
			hints: [
				'Field Names or IDs: no item has a field "Notes", so its value is null. Did you mean "Note"?',
			],
		});
	});

	test('are null with a warning if the name fits two questions', async () => {
		const controls = [page('General', [SITE, NOTES]), page('End', [text('Notes', 'end')])];
		const problem =
			'Field Names or IDs: 2 questions are named "Notes". Choose from these instead: "General/Notes", "End/Notes".';
		expect(await rowAfter(controls, { fields })).toEqual({
			row: { Site: 'Hall', Notes: null },
			hints: [problem],
		});
		await expect(rowAfter(controls, { fields, mode: 'manual' })).rejects.toThrow(problem);
	});

	test('still have the answer if the question was deleted', async () => {
		const { row, hints } = await rowAfter([page('General', [SITE])], { fields });
		expect([row, hints]).toEqual([{ Site: 'Hall', Notes: 'Wet' }, []]);
	});

	test('are null with a warning if a new question replaced a deleted one', async () => {
		const controls = [page('General', [SITE, { ...text('Notes', 'again'), id: randomUUID() }])];
		const { row, hints } = await rowAfter(controls, { fields });
		expect(row).toEqual({ Site: 'Hall', Notes: null });
		expect(hints).toEqual([
			expect.stringContaining('A removed question and a question of the template are both'),
		]);
	});

	test('include a deleted question under its label if none is chosen', async () => {
		const { row } = await rowAfter([page('General', [SITE])]);
		expect(Object.entries(row ?? {}).slice(OWN.length)).toEqual([
			['Site', 'Hall'],
			['Notes', 'Wet'],
		]);
	});
});

test("Fields rejects values that aren't names", async () => {
	await expect(oneWalk({ fields: '={{ [{ name: "id" }] }}' })).rejects.toThrow(
		`Field Names or IDs: [{"name":"id"}] isn't a list of names. Enter names, separated by commas.`,
	);
});

test('the error for too many cells names the option to use, even if the node continues on errors', async () => {
	const questions = Array.from({ length: 3_200 }, (_, n) =>
		text(`Question ${String(n)}`, `q${String(n)}`),
	);
	const wide = sandbox.store.addTemplate({
		name: 'Wide',
		controls: [page('All', [...questions, repeatable('Finds', 'finds', [text('Find', 'find')])])],
	});
	const answers = questions.map((_, n) => ({ control: 'find', value: 'x', order: n + 1 }));
	const { id } = sandbox.store.addInspection({ template: wide.id, name: 'Wide walk', answers });
	const parameters = {
		resource: 'inspection',
		operation: 'get',
		inspectionId: id,
		output: 'row',
		options: { rowPerInstanceOf: 'Finds' },
	};
	const { jsons } = await run(parameters, { onError: 'continueRegularOutput' });
	expect(jsons).toEqual([
		{
			error: expect.stringMatching(
				/^The rows would have 10,\d{3},\d{3} cells.* "Wide walk".* 'Field Names or IDs'/,
			),
		},
	]);
});

test('Include only applies to the output Raw', async () => {
	// The output is an expression here. With a fixed output other than raw, n8n removes this option before the run.
	await getMany('={{ "row" }}', { options: { include: ['shared_with_users'] } });
	expect(listQueries(sandbox)[0]?.getAll('includes')).toEqual(['data']);
});

const ofDoors = (given: object = {}) =>
	getManyParameters({ filters: { templateId: templateBy('DOOR') }, ...given });

async function sections(given: INodeParameters, filter?: string) {
	const asked = { parameters: ofDoors(given), credential };
	return (await searchList(asked, 'searchSections', { filter })).results;
}

async function fields(given: INodeParameters) {
	const asked = { parameters: ofDoors(given), credential };
	const { context, nodeType } = await loadOptionsContext(asked);
	const found = (await nodeType.methods?.loadOptions?.['getOutputFields']?.call(context)) ?? [];
	return found.map(({ name, value }) => (value === '' ? `(${name})` : String(value)));
}

describe('the list of sections', () => {
	test("has the sections of the template under Filters, or of the chosen inspection's template", async () => {
		const BOTH = [
			{ name: 'Defects', value: 'section:defects' },
			{ name: 'Visitors', value: 'section:visitors' },
		];
		expect(await sections({})).toEqual(BOTH);
		expect(await sections({}, 'vISIT')).toEqual(BOTH.slice(1));
		const get = { operation: 'get', filters: {}, inspectionId: walk.id.toUpperCase() };
		expect(await sections(get)).toEqual(BOTH);
	});

	const byExpression = templateById('={{ $json.t }}');
	test.each<[string, INodeParameters, string]>([
		['there are none', { filters: { templateId: templateBy('LIFT') } }, 'has no repeatable'],
		['no template is chosen', { filters: {} }, "Choose a template under 'Filters' first"],
		['it is an expression', { filters: { templateId: byExpression } }, 'Choose a template under'],
		['no inspection is chosen', { operation: 'get', filters: {} }, 'Choose a recent inspection'],
	])("explains why it's empty if %s", async (_, given, note) => {
		const [first] = await sections(given);
		expect(first?.name).toContain(note);
	});
});

describe('the list of fields', () => {
	test.each([
		{},
		{ columnNames: 'fieldId', downloadFiles: true },
		{ rowPerInstanceOf: { __rl: true, mode: 'list', value: 'section:defects' } },
	])('has the columns of the actual rows: %j', async (options) => {
		const offered = await fields({ output: 'row', options });
		const [row = {}] = (await oneWalk(options)).jsons;
		const columns = Object.keys(row).filter((key) => !key.endsWith(':2'));
		const withoutCount = (names: string[]) => names.filter((name) => name !== 'files_count');
		expect(withoutCount(offered)).toEqual(withoutCount(columns));
		expect(offered).toContain('files_count');
	});

	test.each(['simplified', 'answers', 'files', 'raw'])(
		'has the fields of the output %s',
		async (output) => {
			const [item = {}] = (await getMany(output, { limit: 1 })).jsons;
			expect(await fields({ output, options: {} })).toEqual(Object.keys(item));
		},
	);

	test('explains what to choose if the questions are unknown', async () => {
		const found = await fields({ output: 'row', filters: {} });
		expect(found.slice(0, 3)).toEqual(['id', 'name', 'status']);
		expect(found.at(-1)).toBe("(Choose a template under 'Filters' first to list its questions)");
	});
});

describe('a chosen or typed value works', () => {
	test.each<[string, IDataObject[string]]>([
		['a list', ['name', 'Door, side']],
		['an expression of text', '={{ \'name, "Door, side"\' }}'],
		['an expression of a list', '={{ ["name", "Door, side"] }}'],
		['a list that includes the empty value of a note', ['name', '', 'Door, side']],
	])('in Fields if it is %s', async (_, given) => {
		const { jsons, hints } = await oneWalk({ fields: given });
		expect([jsons, hints]).toEqual([[{ name: 'Walk 1', 'Door, side': 'North' }], []]);
	});

	test.each<[string, IDataObject[string]]>([
		['from the list', { __rl: true, mode: 'list', value: 'section:defects' }],
		['by name', { __rl: true, mode: 'name', value: ' defects ' }],
		['a name that an older workflow has saved', 'Defects'],
		['an expression', '={{ "Defects" }}'],
	])('in Row per Instance Of if it is %s', async (_, rowPerInstanceOf) => {
		const { jsons, hints } = await oneWalk({ rowPerInstanceOf, fields: 'instance, What, Where' });
		const rows = jsons.map((json) => Object.values(json));
		expect([rows[0], hints]).toEqual([[1, 'Smoke', ''], []]);
		expect(rows.slice(1)).toEqual([[2, '', 'Hall']]);
	});

	test.each([{ __rl: true, mode: 'list', value: '' }, ''])(
		'in Row per Instance Of, without a section, as one row: %j',
		async (chosen) => {
			expect((await oneWalk({ rowPerInstanceOf: chosen })).jsons).toHaveLength(1);
		},
	);
});
