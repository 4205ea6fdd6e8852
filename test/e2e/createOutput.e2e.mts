/** What comes out of Create in a real n8n: a sheet that a person can read, and a way back to the row that it came from. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { connectedN8n } from './connectedN8n.mts';
import {
	actionNode,
	AS_SHEET,
	chain,
	FROM_SHEET,
	type PlainNode,
	START,
} from './connectorWorkflow.mts';

const { sandbox, n8n, credential } = await connectedN8n('create output', { data: 'empty' });
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		page('Walk', [
			...Array.from({ length: 40 }, (_, at) => text(`Question ${String(at)}`, `q${String(at)}`)),
			repeatable('Findings', 'findings', [text('Room', 'room')]),
		]),
	],
});

const READ: PlainNode = {
	name: 'Read the file',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1,
	parameters: { operation: 'read', fileSelector: join(n8n.filesFolder, 'walks.csv') },
};
const ROWS: PlainNode = {
	name: 'Extract from File',
	type: 'n8n-nodes-base.extractFromFile',
	typeVersion: 1,
	parameters: { operation: 'csv', options: {} },
};
const NUMBER_AND_ID: PlainNode = {
	name: 'Number and ID',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput:
			'={{ { nr: $("Extract from File").item.json["Nr."], group: $json.group, id: $json.id } }}',
		options: {},
	},
};

beforeAll(async () => {
	await writeFile(
		join(n8n.filesFolder, 'walks.csv'),
		'Nr.,Question 0,Room\nW-1,North,A\nW-2,South,X\nW-1,,B\nW-1,,C\n',
	);
});

/** Runs Create on the sheet's rows and the nodes behind it; the items of the last node. */
async function run(parameters: object, ...behind: PlainNode[]) {
	const options = { groupRowsBy: 'Nr.' };
	const create = actionNode(
		credential,
		createParameters(templateBy('WALK'), { options, ...parameters }),
		'Create',
	);
	const nodes = [START, READ, ROWS, create, ...behind];
	const workflow = await n8n.client.createWorkflow(chain('Create output', nodes));
	const execution = await n8n.client.run(workflow.id, START.name);
	expect(execution.error).toBeUndefined();
	return execution.items(nodes.at(-1)?.name ?? '').map(({ json }) => json);
}

const SIMPLIFIED =
	'id,name,status,task_id,template,team,created_at,warnings,unstored_responses,already_existed,group';

describe('created inspections', () => {
	it('become a sheet that a person can read: a dozen columns, and no more', async () => {
		const made = await run({}, AS_SHEET, FROM_SHEET);
		const all = SIMPLIFIED.split(',');
		expect(made.map(({ group }) => group)).toEqual(['W-1', 'W-2']);
		for (const row of made) expect(all).toEqual(expect.arrayContaining(Object.keys(row)));
		expect(made[0]).toMatchObject({ template: 'Site walk', status: 'new', already_existed: false });
		expect(made[0]).not.toHaveProperty('data');
	});

	it('as rows are the sheet that was given, with what was made of it', async () => {
		const made = await run({ output: 'row' }, AS_SHEET, FROM_SHEET);
		expect(
			made.map((row) => [row['group'], row['Question 0'], row['Room'], row['Room:3']]),
		).toEqual([
			['W-1', 'North', 'A', 'C'],
			['W-2', 'South', 'X', undefined],
		]);
	});

	it.each(['simplified', 'row', 'raw'])(
		'lead back to the first row of their group: %s',
		async (output) => {
			const made = await run({ output }, NUMBER_AND_ID);
			expect(made.map(({ nr, group }) => [nr, group])).toEqual([
				['W-1', 'W-1'],
				['W-2', 'W-2'],
			]);
			for (const { id } of made) expect(sandbox.store.find(String(id))).toBeDefined();
		},
	);
});

describe('Check Only', () => {
	it('makes a sheet of what is to be corrected, and sends nothing', async () => {
		await writeFile(
			join(n8n.filesFolder, 'walks.csv'),
			'Nr.,Question 0,Room\nW-1,North,A\nW-1,South,B\nW-2,East,C\n',
		);
		sandbox.requests.clear();
		const options = { groupRowsBy: 'Nr.', checkOnly: true };
		const [wrong, good] = await run({ options }, AS_SHEET, FROM_SHEET);
		expect(wrong).toMatchObject({ ok: false, group: 'W-1' });
		expect(wrong?.['problems']).toMatch(/row 1 says "North" and row 2 says "South"/);
		expect(good).toMatchObject({ ok: true, group: 'W-2' });
		expect(sandbox.requests.count('createInspection')).toBe(0);
	});
});

describe('local dates', () => {
	it('go through a sheet and make the same answers', async () => {
		sandbox.store.addTemplate({
			identifier: 'SHIFT',
			name: 'Shift',
			controls: [
				page('Shift', [
					{ type: 'date', label: 'Day', fieldId: 'day' },
					{ type: 'date', label: 'Begin', fieldId: 'begin', show_time: true },
				]),
			],
		});
		const begins = [
			'2026-05-24T06:30:00.000Z',
			'2026-11-01T05:30:00.000Z',
			'2026-11-01T06:30:00.000Z',
		];
		for (const value of begins) {
			sandbox.store.addInspection({
				template: 'SHIFT',
				answers: [
					{ control: 'day', value: '2026-05-24T00:00:00.000Z' },
					{ control: 'begin', value },
				],
			});
		}
		const templateId = templateBy('SHIFT');
		const read = actionNode(
			credential,
			getManyParameters({
				returnAll: true,
				filters: { templateId },
				output: 'row',
				options: { datesAs: 'local' },
			}),
			'Read',
		);
		const copy = actionNode(credential, createParameters(templateId, { output: 'row' }), 'Copy');
		const workflow = await n8n.client.createWorkflow({
			...chain('Local dates', [START, read, AS_SHEET, FROM_SHEET, copy]),
			settings: { executionOrder: 'v1', timezone: 'America/New_York' },
		});
		const execution = await n8n.client.run(workflow.id, START.name);
		expect(execution.error).toBeUndefined();
		const sheet = execution.items(FROM_SHEET.name).map(({ json }) => [json['Day'], json['Begin']]);
		expect(sheet.toSorted()).toEqual([
			['2026-05-24', '2026-05-24 02:30'],
			['2026-05-24', '2026-11-01 01:30'],
			['2026-05-24', '2026-11-01 01:30 -05:00'],
		]);
		const copies = execution.items(copy.name).map(({ json }) => [json['Day'], json['Begin']]);
		expect(copies.toSorted()).toEqual(begins.map((begin) => ['2026-05-24T00:00:00.000Z', begin]));
	});
});
