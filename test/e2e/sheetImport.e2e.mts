/** A sheet as offices keep them, from the file on: the error has to say all that the next run needs. */
import { join } from 'node:path';

import { expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';

import { repeatable, text } from '#harness/controls.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { connectedN8n, toldBy } from './connectedN8n.mts';
import { actionNode, fromSheet, n8nNode } from './connectorWorkflow.mts';

type Cell = string | number | boolean | Date | null;

const TITLE: Cell[] = ['Safety walks, May 2026'];
const HEADER: Cell[] = [
	...['Nr.', 'Area', 'Date of\nvisit', 'Helmets worn', 'Costs', 'Done', 'Remark', 'Remark'],
	...['Finding', 'Severity'],
];
const BLANK = HEADER.map(() => ' ');
const TOTAL: Cell[] = ['Total', null, null, null, '2.699,00 €'];

/** The two lines of a walk, of which the second has nothing but its number and another finding. */
const walk = (nr: number, day: Cell[], severity = 'High'): Cell[][] => [
	[nr, `Hall ${nr}`, ...day, '12 %', 'seen', 'by Ann', 'Loose cable', 'low'],
	[`${nr} `, ...Array<null>(7).fill(null), 'Wet floor', severity],
];
/** The last two have a real number, and the third has a real date. */
const MESSY = [
	...[TITLE, HEADER],
	...walk(1, ['02.05.2026', 'x', '1.250,00 €']),
	...walk(2, ['03.05.2026', false, '1.250,00 €'], 'Hgih'),
	BLANK,
	...walk(3, [new Date(Date.UTC(2026, 4, 4)), 'WAHR', 99.5]),
	...walk(4, ['05.05.2026', true, 99.5]),
	TOTAL,
];

const { sandbox, n8n, credential, run } = await connectedN8n({ data: 'demo' });
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Safety walk',
	controls: [
		{ ...text('Area', 'area'), is_required: true },
		{ type: 'date', label: 'Date of visit', fieldId: 'day', is_required: true },
		{ type: 'radio', label: 'Helmets worn', fieldId: 'helmets', choices: ['Ja', 'Nein'] },
		{ type: 'number', label: 'Costs', fieldId: 'costs' },
		{ type: 'number', label: 'Done', fieldId: 'done' },
		text('Remark', 'remark'),
		repeatable('Findings', 'findings', [
			text('Finding', 'finding'),
			{ type: 'dropdown', label: 'Severity', fieldId: 'severity', choices: ['Low', 'High'] },
		]),
	],
});

it('nothing is sent, and one message says what would be right, each question and kind in one line', async () => {
	const file = join(n8n.filesFolder, 'walks.xlsx');
	const cellOf = (value: Cell) =>
		value instanceof Date ? { value, type: Date, format: 'dd.mm.yyyy' } : value && { value };
	await writeExcelFile(MESSY.map((line) => line.map(cellOf))).toFile(file);
	const read = n8nNode('readWriteFile', 1, { operation: 'read', fileSelector: file });
	const create = actionNode(credential, createParameters(templateBy('WALK')));
	const before = sandbox.store.inspections().length;
	const execution = await run([read, fromSheet({ range: '1' }), create]);
	const told = toldBy(execution);
	for (const said of [
		'Nothing was sent.',
		'set the option Group Rows By to "Nr."',
		'set the option Date Format to dd.MM.yyyy',
		'set the option Decimal Separator to Comma',
		'Yes Words',
		'"Severity", row 4 (',
		'"Hgih" (did you mean "High"?)',
		'n8n’s name for a second column "Remark"',
	]) {
		expect(told).toContain(said);
	}
	expect(told).not.toMatch(/\[item/);
	expect(execution.error?.description?.match(/<li>/g)?.length).toBeLessThanOrEqual(11);
	expect(sandbox.store.inspections()).toHaveLength(before);
});
