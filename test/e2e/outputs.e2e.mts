/** Writes rows of Get Many to a file with n8n's own nodes, and creates inspections from that file. */
import { expect, it } from 'vitest';

import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { connectedN8n } from './connectedN8n.mts';
import { actionNode, fromSheet, n8nNode } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, credential, run } = await connectedN8n({ data: 'demo' });

it.each(['SITE-SAFETY', 'EVERY-TYPE', 'DEEP-NEST', 'DUPLICATES', 'ÄÖÜ/1: "x"'])(
	'rows written to a sheet, read back, and created again have the same answers: %s',
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
