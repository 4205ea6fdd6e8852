/** Every output of Get Many through n8n's own nodes: what a person would see in the files and tables made of it. */

import { describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { page, repeatable, text } from '#harness/controls.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';
import { connectedN8n } from './connectedN8n.mts';
import {
	actionNode,
	AS_SHEET,
	chain,
	FROM_SHEET,
	type PlainNode,
	START,
} from './connectorWorkflow.mts';

const { sandbox, n8n, credential } = await connectedN8n('outputs', { data: 'empty' });
const template = sandbox.store.addTemplate({
	identifier: 'ROUND',
	name: 'Site round',
	controls: [
		page('Round', [
			text('Site', 'site'),
			text('10', 'ten'),
			{ type: 'number', label: 'Costs', fieldId: 'costs' },
			{
				type: 'dropdown',
				label: 'Inspector',
				fieldId: 'who',
				choices: ['Smith, John', 'Smith', 'John'],
			},
			repeatable('Findings', 'findings', [
				text('What', 'what'),
				{ type: 'checkbox', label: 'Risks', fieldId: 'risks', choices: ['Dust', 'Heat'] },
			]),
		]),
	],
});
sandbox.store.addInspection({
	template: template.id,
	name: 'Monday',
	answers: [
		{ control: 'site', value: 'North' },
		{ control: 'ten', value: 'first' },
		{ control: 'costs', value: '21.50' },
		{ control: 'who', value: 'Smith, John' },
		{ control: 'what', value: 'Crack' },
		{ control: 'risks', value: ['Dust', 'Heat'] },
		{ control: 'what', value: 'Leak', order: 2 },
	],
	files: [{ kind: 'image', name: 'crack.png' }],
});
sandbox.store.addInspection({ template: template.id, name: 'Tuesday' });

/** Runs Get Many, oldest first, and the nodes behind it; the items of the last node. */
async function run(parameters: JsonRecord, options: JsonRecord = {}, ...behind: PlainNode[]) {
	const order = { sortBy: 'created_at', sortOrder: 'asc' };
	const read = actionNode(
		credential,
		getManyParameters({
			...parameters,
			options: { ...order, ...options },
		}),
	);
	const nodes = [START, read, ...behind];
	const workflow = await n8n.client.createWorkflow(chain(JSON.stringify(parameters), nodes));
	const execution = await n8n.client.run(workflow.id, START.name);
	expect(execution.error).toBeUndefined();
	return execution.items(nodes.at(-1)?.name ?? '');
}

const OWN = 'id,name,status,template,template_id,team,created_at,created_by,updated_at,updated_by';

describe('in n8n', () => {
	it('a row is a row of a sheet: own columns first, numbers as numbers, choices as Create reads them', async () => {
		const [monday, tuesday] = await run({ output: 'row' }, {}, AS_SHEET, FROM_SHEET);
		const { 'What:2': second, ...cells } = Object.fromEntries(
			Object.entries(monday?.json ?? {}).slice(OWN.split(',').length),
		);
		expect(Object.keys(monday?.json ?? {}).slice(0, 10)).toEqual(OWN.split(','));
		expect(second).toBe('Leak');
		expect(cells).toEqual({
			Site: 'North',
			'Round/10': 'first',
			Costs: 21.5,
			Inspector: 'Smith, John',
			What: 'Crack',
			Risks: 'Dust, Heat',
		});
		expect(tuesday?.json).toMatchObject({ name: 'Tuesday', template: 'Site round' });
	});

	it('each instance of a section is a row of its own', async () => {
		const options = { rowPerInstanceOf: 'Findings', fields: 'name, instance, Site, What, Risks' };
		const items = await run({ output: 'row' }, options, AS_SHEET, FROM_SHEET);
		expect(items.map(({ json }) => json)).toEqual([
			{ name: 'Monday', instance: 1, Site: 'North', What: 'Crack', Risks: 'Dust, Heat' },
			{ name: 'Monday', instance: 2, Site: 'North', What: 'Leak' },
			{ name: 'Tuesday' },
		]);
	});

	it('columns go by field ID', async () => {
		const [row] = await run({ output: 'row' }, { columnNames: 'fieldId' });
		expect(Object.keys(row?.json ?? {}).slice(10)).toEqual([
			'site',
			'ten',
			'costs',
			'who',
			'what',
			'what:2',
			'risks',
		]);
	});

	it('answers can be summed up and filtered', async () => {
		const items = await run({ output: 'answers' }, {}, SUM_OF_VALUES);
		const sums = new Map(items.map(({ json }) => [json['type'], json['sum_value']]));
		expect([...sums.keys()].sort()).toEqual(['checkbox', 'dropdown', 'number', 'text']);
		expect(sums.get('number')).toBe(21.5);
	});

	it('files come one by one with their bytes', async () => {
		const [file, ...others] = await run({ output: 'files' }, { downloadFiles: true });
		expect(others).toEqual([]);
		expect(file?.json).toMatchObject({
			inspection_name: 'Monday',
			name: 'crack.png',
			type: 'image',
		});
		expect(file?.binary?.['data']).toMatchObject({ fileName: 'crack.png', mimeType: 'image/png' });
	});

	it('raw has what is included, simplified has at most ten fields', async () => {
		const [raw] = await run({ output: 'raw' }, { include: ['data', 'files'] });
		expect(raw?.json).toMatchObject({ name: 'Monday', data: { items: expect.any(Array) } });
		const [simple] = await run({ output: 'simplified' }, { include: ['data'] });
		expect(Object.keys(simple?.json ?? {}).length).toBeLessThanOrEqual(10);
	});
});
const SUM_OF_VALUES: PlainNode = {
	name: 'Sum of values',
	type: 'n8n-nodes-base.summarize',
	typeVersion: 1.1,
	parameters: {
		fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'value' }] },
		fieldsToSplitBy: 'type',
		options: {},
	},
};
