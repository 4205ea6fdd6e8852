/** Writes rows of Get Many to a file with n8n's own nodes, and creates inspections from that file. */
import { expect, it } from 'vitest';

import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { connectedN8n } from './connectedN8n.mts';
import { actionNode, chain, fromSheet, n8nNode, triggerNode } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, n8n, credential, run, outputOf } = await connectedN8n({ data: 'demo' });

it.each(['SITE-SAFETY', 'EVERY-TYPE', 'DEEP-NEST', 'DUPLICATES', 'ÄÖÜ/1: "x"'])(
	'rows that pass through a sheet create inspections with the same answers: %s',
	async (template) => {
		const templateId = templateBy(template);
		const rows = getManyParameters({ returnAll: true, filters: { templateId }, output: 'row' });
		const { error, items } = await run([
			actionNode(credential, rows, 'Read'),
			n8nNode('convertToFile', 1.1, { operation: 'xlsx' }),
			fromSheet(),
			actionNode(credential, createParameters(templateId, { name: '={{ $json.id }}' }), 'Copy'),
		]);

		expect(error).toBeUndefined();
		const copies = items('Copy').map(({ json }) => json);
		expect(copies.length).toBe(items('Read').length);
		expect(copies.length).toBeGreaterThan(0);
		for (const { id, name } of copies) expect(answersIn(id)).toEqual(answersIn(name));
	},
);

it('Get finds the inspection that Create created by its unique key', async () => {
	const templateId = templateBy('SITE-SAFETY');
	const set = (name: string, value: string) => ({ name, value, type: 'string' });
	const answers = { 'Site name': 'Quay 7', Date: '2026-06-02', Result: 'Pass', key: 'K-7' };
	const assignments = Object.entries(answers).map(([name, value]) => set(name, value));
	const fields = { assignments: { assignments } };
	const [found] = await outputOf([
		n8nNode('set', 3.4, fields),
		actionNode(credential, createParameters(templateId, { uniqueKey: '={{ $json.key }}' }), 'Make'),
		actionNode(credential, {
			resource: 'inspection',
			operation: 'get',
			inspectionId: { __rl: true, mode: 'uniqueKey', value: 'K-7' },
			output: 'row',
		}),
	]);
	expect(found?.['Site name']).toBe('Quay 7');
});

it('the trigger starts with the reports of flagged inspections only', async () => {
	const [result, site] = ['Result', 'Site name'];
	const parameters = { event: 'completed', output: 'report', filters: { flaggedItemsOnly: true } };
	const workflow = chain('Flagged', [
		triggerNode(credential, parameters),
		n8nNode('noOp', 1, {}, 'Keep'),
	]);
	const { id } = await n8n.client.createWorkflow(workflow);
	await n8n.client.activate(id);
	for (const [name, flagged] of [
		['Plain', false],
		['Flagged', true],
	] as const) {
		sandbox.store.addInspection({
			template: 'SITE-SAFETY',
			name,
			status: 'completed',
			answers: [
				{ control: site, value: name },
				{ control: result, value: 'Fail', flagged },
			],
		});
	}
	const execution = await untilFound(async () => (await n8n.client.executions(id))[0]);
	await n8n.client.deactivate(id);
	const items = execution.items('Keep');
	expect(items.map(({ json }) => json['name'])).toEqual(['Flagged']);
	expect(items[0]?.binary?.['data']).toMatchObject({ fileName: 'Flagged.html' });
});

/** Names of columns that n8n's node Extract from File renames, so their answers can't be compared. */
const LOST_IN_SHEETS = new Set(['__proto__', 'constructor']);

/**
 * Returns the answers of an inspection. Replaces a list of one choice by that choice, because the service accepts
 * either for a dropdown (Response in docs/service.openapi.yaml).
 */
function answersIn(id: unknown): Record<string, unknown> {
	const answers = Object.entries(storedAnswers(sandbox, id, 'fieldId'));
	const kept = answers.filter(([field]) => !LOST_IN_SHEETS.has(field));
	return Object.fromEntries(
		kept.map(([field, value]) => [
			field,
			Array.isArray(value) && value.length === 1 ? value[0] : value,
		]),
	);
}
