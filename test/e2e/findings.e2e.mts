/** A sheet with one row per finding, through a real n8n: one inspection per walk, as the sheet says, and read back equal. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { beforeAll, describe, expect, it } from 'vitest';

import { findingsSheet } from '#harness/findingsSheet.mts';
import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import {
	copyExampleSheets,
	EXAMPLE_NODES,
	EXAMPLE_SHEETS,
	loadExample,
} from '#sandbox/demo/exampleWorkflow.mts';
import { connectedN8n } from './connectedN8n.mts';
import { actionNode, chain, type PlainNode, START } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, n8n, credential } = await connectedN8n('findings', { data: 'demo' });

const TEMPLATE = templateBy('SITE-SAFETY');
const WALKS = 300;
const FINDINGS = 2000;

describe('the example', () => {
	it('makes one inspection of all rows of a walk, with a person’s dates and numbers', async () => {
		const { filesFolder } = n8n;
		await copyExampleSheets(filesFolder);
		const example = await loadExample('findings-to-inspections', { credential, filesFolder });
		const workflow = await n8n.client.createWorkflow(example);
		const execution = await n8n.client.run(workflow.id, EXAMPLE_NODES.start);

		expect(execution.error).toBeUndefined();
		const made = execution.items(EXAMPLE_NODES.create);
		expect(made.map(({ json, pairedItem }) => [json['name'], pairedItem])).toEqual([
			['F-001', { item: 0 }],
			['F-002', { item: 2 }],
			['F-003', { item: 4 }],
		]);
		const [first, second] = made.map(({ json }) => storedAnswers(sandbox, json['id']));
		expect(first).toEqual({
			'Site name': 'Harbour Gate 4',
			Date: '2026-05-04T00:00:00.000Z',
			'Number of workers': 14,
			Result: 'Fail',
			PPE: ['Helmet', 'Gloves'],
			Area: 'Gate',
			Comments: 'Weekly walk',
			Description: 'Loose cable at the gate',
			Severity: 'Medium',
			'Description:2': 'Fire extinguisher is blocked',
			'Severity:2': 'High',
			'Description:3': 'No light on the stairs',
			'Severity:3': 'Low',
		});
		expect(second).toEqual({
			'Site name': 'Mill Road 12',
			Date: '2026-05-11T00:00:00.000Z',
			'Number of workers': 1200,
			Result: 'Pass',
			PPE: ['Helmet'],
			Area: 'Roof',
			Location: '12 Mill Road, Springfield',
		});
		expect(await readSheet(join(filesFolder, EXAMPLE_SHEETS.findingsMade))).toEqual([
			['Walk', 'Inspection ID', 'Status', 'Not stored', 'Warnings'],
			...made.map(({ json }) => [json['name'], json['id'], 'new', null, null]),
		]);
	});

	it('sends nothing of a sheet with a wrong cell, and names its row', async () => {
		const { filesFolder } = n8n;
		const example = await loadExample('findings-to-inspections', { credential, filesFolder });
		const workflow = await n8n.client.createWorkflow(example);
		await writeFile(
			join(filesFolder, EXAMPLE_SHEETS.findings),
			'Walk;Site name;Dte;Result;Severity\nG-1;Gate;4.5.2026;Pass;Low\nG-2;Roof;4.5.2026;Pass;Awful\n',
		);
		const before = sandbox.store.inspections().length;
		const { error } = await n8n.client.run(workflow.id, EXAMPLE_NODES.start);
		const text = `${error?.message ?? ''} ${error?.description ?? ''}`;
		expect(text).toContain('Nothing was sent. 2 of 2 rows have problems');
		expect(text).toMatch(/Awful.* is not among its choices/);
		expect(text).toMatch(/Date.* required/);
		expect(text).toMatch(/Dte.*did you mean .*Date/);
		expect(sandbox.store.inspections()).toHaveLength(before);
	});
});

describe(`${String(FINDINGS)} rows for ${String(WALKS)} walks`, () => {
	const sheet = findingsSheet({ findings: FINDINGS, walks: WALKS });
	const perWalk = Map.groupBy(sheet.lines, ({ Walk }) => Walk);

	beforeAll(async () => {
		await writeFile(join(n8n.filesFolder, 'many.csv'), sheet.csv);
	});

	it('become as many inspections, and are read back as they were', async () => {
		const read: PlainNode = {
			name: 'Read',
			type: 'n8n-nodes-base.readWriteFile',
			typeVersion: 1,
			parameters: { operation: 'read', fileSelector: join(n8n.filesFolder, 'many.csv') },
		};
		const extract: PlainNode = {
			name: 'Extract',
			type: 'n8n-nodes-base.extractFromFile',
			typeVersion: 1,
			parameters: { operation: 'csv', options: { delimiter: ';' } },
		};
		const create = actionNode(
			credential,
			createParameters(TEMPLATE, {
				additionalFields: { name: '={{ $json.Walk }}' },
				options: sheet.options,
			}),
			'Create',
		);
		const readBack = actionNode(
			credential,
			getManyParameters({
				returnAll: true,
				filters: { templateId: TEMPLATE },
				output: 'row',
				options: { rowPerInstanceOf: 'Hazards' },
			}),
			'Read back',
		);
		const workflow = await n8n.client.createWorkflow(chain('Many', [START, read, extract, create]));
		sandbox.requests.clear();
		const execution = await n8n.client.run(workflow.id, START.name);
		expect(execution.error).toBeUndefined();
		expect(execution.items('Create')).toHaveLength(WALKS);
		expect(sandbox.requests.count('getTemplate')).toBe(1);
		expect(sandbox.requests.count('createInspection')).toBe(WALKS);
		sheet.checkStored(sandbox);

		const back = await n8n.client.createWorkflow(chain('Read back', [START, readBack]));
		const found = await n8n.client.run(back.id, START.name);
		const byWalk = Map.groupBy(
			found.items('Read back').map(({ json }) => json),
			({ name }) => name,
		);
		for (const [walk, lines] of perWalk) {
			const stored = byWalk.get(walk) ?? [];
			const inOrder = stored.toSorted((a, b) => Number(a['instance']) - Number(b['instance']));
			expect(inOrder.map((row) => [row['Description'], row['Severity']])).toEqual(
				lines.map(({ Description, Severity }) => [Description, Severity]),
			);
			expect(stored[0]?.['Site name']).toBe(lines[0]?.['Site name']);
		}
	});
});
