/** Spreadsheets through n8n's own nodes: rows that were read make the same answers, and a bad row costs only itself. */
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';

import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import {
	copyExampleSheets,
	EXAMPLE_NODES,
	EXAMPLE_SHEETS,
	loadExample,
} from '#sandbox/demo/exampleWorkflow.mts';
import { connectedN8n } from './connectedN8n.mts';
import { actionNode, AS_SHEET, chain, FROM_SHEET, START } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, n8n, credential } = await connectedN8n('spreadsheet', { data: 'demo' });

describe('spreadsheets', () => {
	it.each(['SITE-SAFETY', 'EVERY-TYPE', 'DEEP-NEST', 'DUPLICATES', 'ÄÖÜ/1: "x"'])(
		'rows read into a sheet, read from it and created again have the same answers: %s',
		async (identifier) => {
			const templateId = templateBy(identifier);
			const read = actionNode(
				credential,
				getManyParameters({
					returnAll: true,
					filters: { templateId },
					output: 'row',
				}),
				'Read',
			);
			const create = actionNode(
				credential,
				createParameters(templateId, {
					additionalFields: { name: '={{ $json.id }}' },
				}),
				'Copy',
			);
			const copy = { ...create, onError: 'continueErrorOutput' };
			const workflow = await n8n.client.createWorkflow(
				chain(`Copies of ${identifier}`, [START, read, AS_SHEET, FROM_SHEET, copy]),
			);
			const execution = await n8n.client.run(workflow.id, START.name);

			expect(execution.error).toBeUndefined();
			const copies = execution.items(copy.name).map(({ json }) => json);
			for (const { id, name } of copies) {
				expect(answersIn(id)).toEqual(answersIn(name));
			}
			expect(execution.items(copy.name, 1).map(({ json }) => json['error'])).toEqual([]);
			expect(copies.length).toBe(execution.items(read.name).length);
		},
	);

	/** One choice of a dropdown may be given as it is or as a list (Response of docs/service.openapi.yaml). */
	function answersIn(id: unknown): Record<string, unknown> {
		const answers = Object.entries(storedAnswers(sandbox, id, 'fieldId'));
		return Object.fromEntries(
			answers
				.filter(([field]) => !LOST_IN_SHEETS.has(field))
				.map(([field, value]) => [
					field,
					Array.isArray(value) && value.length === 1 ? value[0] : value,
				]),
		);
	}

	it('says of every row what was made of it, or what its problem is', async () => {
		const { filesFolder } = n8n;
		await copyExampleSheets(filesFolder);
		const example = await loadExample('spreadsheet-to-inspections', { credential, filesFolder });
		const workflow = await n8n.client.createWorkflow(example);
		sandbox.faults.add({
			on: { operation: 'createInspection' },
			times: 1,
			do: { kind: 'status', status: 403 },
		});
		const execution = await n8n.client.run(workflow.id, EXAMPLE_NODES.start);

		expect(execution.error).toBeUndefined();
		const [header, ...rows] = await readSheet(join(filesFolder, EXAMPLE_SHEETS.made));
		expect(header).toEqual([
			'Reference',
			'Inspection ID',
			'Inspection',
			'Status',
			'Not stored',
			'Warnings',
			'Problem',
		]);
		const read = execution.items(EXAMPLE_NODES.rows).map(({ json }) => json['Reference']);
		expect(rows.map(([reference]) => reference)).toEqual(read);
		const refused = rows.filter((row) => row[6] !== null);
		expect(refused.map((row) => row.slice(1, 6))).toEqual([[null, null, null, null, null]]);
		expect(refused[0]?.[6]).toContain('403');
		for (const [, id, name, ...others] of rows.filter((row) => row[6] === null)) {
			expect(sandbox.store.find(String(id))?.name).toBe(name);
			expect(others).toEqual(['new', null, null, null]);
		}
	});
});

/** n8n's Extract from File gives columns with these headings another name. */
const LOST_IN_SHEETS = new Set(['__proto__', 'constructor']);
