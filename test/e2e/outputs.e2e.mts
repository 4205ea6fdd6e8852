/** Rows of Get Many through n8n's own file nodes, and what Create makes of them. */
import { expect, it } from 'vitest';

import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { connectedN8n } from './connectedN8n.mts';
import { actionNode, AS_SHEET, chain, fromSheet, START } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, credential, run } = await connectedN8n({ data: 'demo' });

/** Inspections of a template, oldest first, as rows. */
const readRows = (template: string, datesAs: string) =>
	actionNode(
		credential,
		getManyParameters({
			...{ returnAll: true, filters: { templateId: templateBy(template) }, output: 'row' },
			options: { sortBy: 'created_at', sortOrder: 'asc', datesAs },
		}),
		'Read',
	);

sandbox.store.addTemplate({
	identifier: 'SHIFT',
	name: 'Shift',
	controls: [
		{ type: 'date', label: 'Day', fieldId: 'day' },
		{ type: 'date', label: 'Begin', fieldId: 'begin', show_time: true },
	],
});
// In New York the last two are the same time on the clock.
for (const begin of ['05-24T06:30', '11-01T05:30', '11-01T06:30']) {
	sandbox.store.addInspection({
		template: 'SHIFT',
		answers: [
			{ control: 'day', value: '2026-05-24T00:00:00.000Z' },
			{ control: 'begin', value: `2026-${begin}:00.000Z` },
		],
	});
}

it.each([
	...['SITE-SAFETY', 'EVERY-TYPE', 'DEEP-NEST', 'DUPLICATES', 'ÄÖÜ/1: "x"'].map((template) => [
		template,
		'utc',
	]),
	['SHIFT', 'local'],
])(
	'rows read into a sheet, read from it and created again have the same answers: %s, dates %s',
	async (template, datesAs) => {
		const parameters = createParameters(templateBy(template), {
			additionalFields: { name: '={{ $json.id }}' },
		});
		const create = actionNode(credential, parameters, 'Copy');
		const nodes = [START, readRows(template, datesAs), AS_SHEET, fromSheet(), create];
		const settings = { executionOrder: 'v1', timezone: 'America/New_York' };
		const { error, items } = await run({ ...chain('Copies', nodes), settings });

		expect(error).toBeUndefined();
		const copies = items('Copy').map(({ json }) => json);
		expect(copies.length).toBe(items('Read').length);
		expect(copies.length).toBeGreaterThan(0);
		for (const { id, name } of copies) expect(answersIn(id)).toEqual(answersIn(name));
	},
);

/** n8n's Extract from File gives columns with these headings another name. */
const LOST_IN_SHEETS = new Set(['__proto__', 'constructor']);

/** One choice of a dropdown may be given as it is or as a list (Response of docs/service.openapi.yaml). */
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
