/** What Row per Instance Of and Fields are chosen from, and that what is chosen or typed is what comes out. */
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { page, repeatable, text } from '#harness/controls.mts';
import { loadOptionsContext, oneNodeWorkflow, searchList } from '#harness/inspectionNodes.mts';
import { workflow } from '#harness/n8nCore.mts';
import { getManyParameters, templateBy, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		page('Site', [
			text('Area, floor', 'area'),
			repeatable('Defects', 'defects', [text('What', 'what')]),
			repeatable('Visitors', 'visitors', [text('Who', 'who')]),
		]),
	],
});
sandbox.store.addTemplate({ identifier: 'PLAIN', name: 'Plain', controls: [text('Note', 'note')] });
const { id: inspection } = sandbox.store.addInspection({
	template: template.id,
	name: 'Walk 1',
	answers: [
		{ control: 'area', value: 'North' },
		{ control: 'what', value: 'Smoke' },
		{ control: 'what', value: 'Noise', order: 2 },
	],
	files: [{ kind: 'image' }],
});

const walks = (given: object = {}) =>
	getManyParameters({ filters: { templateId: templateBy('WALK') }, ...given });

async function sections(given: INodeParameters, filter?: string) {
	const asked = { parameters: walks(given), credential };
	return (await searchList(asked, 'searchSections', { filter })).results;
}

async function fields(given: INodeParameters) {
	const { context, nodeType } = await loadOptionsContext({ parameters: walks(given), credential });
	const found = (await nodeType.methods?.loadOptions?.['getOutputFields']?.call(context)) ?? [];
	return found.map(({ name, value }) => (value === '' ? `(${name})` : String(value)));
}

const made = async (given: object) => await actionNode(credential)(walks(given));
const rows = async (options: IDataObject) => await made({ output: 'row', options });

describe('the list of sections', () => {
	const BOTH = [
		{ name: 'Defects', value: 'section:defects' },
		{ name: 'Visitors', value: 'section:visitors' },
	];

	test('has those of the template under Filters', async () => {
		expect(await sections({})).toEqual(BOTH);
		expect(await sections({}, 'vISIT')).toEqual(BOTH.slice(1));
	});

	test('has those of the chosen inspection’s template', async () => {
		const get = { operation: 'get', filters: {}, inspectionId: inspection.toUpperCase() };
		expect(await sections(get)).toEqual(BOTH);
	});

	const byExpression = templateById('={{ $json.t }}');
	test.each<[string, INodeParameters, string]>([
		['there are none', { filters: { templateId: templateBy('PLAIN') } }, 'has no repeatable'],
		['no template is chosen', { filters: {} }, 'Choose a template under Filters first, or choose'],
		[
			'the template comes from an expression',
			{ filters: { templateId: byExpression } },
			'Choose a template under Filters first',
		],
		['no inspection is chosen', { operation: 'get', filters: {} }, 'Choose a recent inspection'],
	])('says so where %s', async (_, given, note) => {
		expect(await sections(given)).toEqual([{ name: expect.stringContaining(note), value: '' }]);
	});
});

describe('the list of fields', () => {
	test.each([
		{},
		{ columnNames: 'path' },
		{ columnNames: 'fieldId', downloadFiles: true },
		{ rowPerInstanceOf: { __rl: true, mode: 'list', value: 'section:defects' } },
	])('has the columns of the rows that come out: %j', async (options) => {
		const offered = await fields({ output: 'row', options });
		const [row = {}] = (await rows(options)).jsons;
		const columns = Object.keys(row).filter((key) => !key.endsWith(':2'));
		const withoutCount = (names: string[]) => names.filter((name) => name !== 'files_count');
		expect(withoutCount(offered)).toEqual(withoutCount(columns));
		expect(offered).toContain('files_count');
	});

	test.each(['simplified', 'answers', 'files', 'raw'])(
		'has those of the output %s',
		async (output) => {
			const [item = {}] = (await made({ output })).jsons;
			expect(await fields({ output, options: {} })).toEqual(Object.keys(item));
		},
	);

	test('says what to choose where the questions are not known', async () => {
		const found = await fields({ output: 'row', filters: {} });
		expect(found.slice(0, 3)).toEqual(['id', 'name', 'status']);
		expect(found.at(-1)).toBe('(Choose a template under Filters first to list its questions)');
	});
});

describe('what is chosen and what is typed', () => {
	test.each<[string, IDataObject[string]]>([
		['a list', ['name', 'Area, floor']],
		['a text that an older workflow has saved', 'name, "Area, floor"'],
		['an expression of a list', '={{ ["name", "Area, floor"] }}'],
		['a list with the note of the list in it', ['name', '', 'Area, floor']],
	])('Fields: %s', async (_, given) => {
		const { jsons, hints } = await rows({ fields: given });
		expect([jsons, hints]).toEqual([[{ name: 'Walk 1', 'Area, floor': 'North' }], []]);
	});

	test.each<[INodeParameters[string], string]>([
		[[], 'multiOptions'],
		[['name', 'status'], 'multiOptions'],
		[['==10 mm'], 'multiOptions'],
		['name, status', 'string'],
		['={{ $json.fields }}', 'string'],
	])('Fields %j shows in the editor as %s', async (given, type) => {
		const parameters: INodeParameters = { ...walks(), options: { fields: given } };
		const { node, nodeType } = await oneNodeWorkflow('inspectionService', {
			parameters,
			credential,
		});
		const { properties } = nodeType.description;
		const collections = properties.flatMap(({ options = [] }) => options);
		const fieldsShown = collections.filter(
			(field): field is INodeProperties =>
				field.name === 'fields' &&
				'type' in field &&
				workflow.NodeHelpers.displayParameter(parameters, field, node, nodeType.description),
		);
		expect(new Set(fieldsShown.map((field) => field.type))).toEqual(new Set([type]));
	});

	test.each<[string, IDataObject[string]]>([
		['from the list', { __rl: true, mode: 'list', value: 'section:defects' }],
		['by name', { __rl: true, mode: 'name', value: ' defects ' }],
		['a text that an older workflow has saved', 'Defects'],
		['an expression', '={{ "Defects" }}'],
	])('Row per Instance Of: %s', async (_, rowPerInstanceOf) => {
		expect(await rows({ rowPerInstanceOf, fields: 'instance, What' })).toMatchObject({
			jsons: [
				{ instance: 1, What: 'Smoke' },
				{ instance: 2, What: 'Noise' },
			],
			hints: [],
		});
	});

	test.each([{ __rl: true, mode: 'list', value: '' }, ''])(
		'nothing chosen means one row: %j',
		async (rowPerInstanceOf) => {
			expect((await rows({ rowPerInstanceOf })).jsons).toHaveLength(1);
		},
	);
});
