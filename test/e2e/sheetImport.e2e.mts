/**
 * Imports a messy sheet, as real offices have them, in a real n8n. The error has to explain everything that the next
 * run needs.
 */
import { join } from 'node:path';

import { expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';

import { repeatable, text } from '#harness/controls.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { connectedN8n, errorTextOf } from './connectedN8n.mts';
import { actionNode, fromSheet, n8nNode } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

type Cell = string | number | boolean | Date | null;

const TITLE: Cell[] = ['Safety walks, May 2026'];
const HEADER: Cell[] = [
	'Nr.',
	'Area',
	'Date of\nvisit',
	'Helmets worn',
	'Costs',
	'Done',
	'Remark',
	'Remark',
	'Finding',
	'Severity',
];
const BLANK = HEADER.map(() => ' ');
const TOTAL: Cell[] = ['Total', null, null, null, '2.699,00 €'];

/**
 * Returns the two lines of a site walk, which become one inspection. The second line has only the walk's number and a
 * different finding.
 */
const walk = (nr: number, day: Cell[], severity = 'High'): Cell[][] => [
	[nr, `Hall ${nr}`, ...day, '12 %', 'seen', 'by Ann', 'Loose cable', 'low'],
	[`${nr} `, ...Array<null>(7).fill(null), 'Wet floor', severity],
];
/**
 * The lines of four site walks. Walks 3 and 4 have their costs as a number, and walk 3 has its date as a date, not as
 * text.
 */
const walks = (severity: string) => [
	...walk(1, ['02.05.2026', 'x', '1.250,00 €']),
	...walk(2, ['03.05.2026', false, '1.250,00 €'], severity),
	BLANK,
	...walk(3, [new Date(Date.UTC(2026, 4, 4)), 'WAHR', 99.5]),
	...walk(4, ['05.05.2026', true, 99.5]),
];
const MESSY = [TITLE, HEADER, ...walks('Hgih'), TOTAL];
/**
 * The sheet, corrected as the error suggests: the header is in the first line, the choice is spelled correctly, and the
 * total is gone.
 */
const CORRECTED = [HEADER, ...walks('High')];
/** The options that the error suggests to set. */
const OPTIONS = {
	groupRowsBy: 'Nr.',
	dateFormat: 'dd.MM.yyyy',
	decimalSeparator: 'comma',
	yesIs: 'x, WAHR, true',
	noIs: 'false',
};

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

/**
 * Writes an Excel file and creates inspections from its rows. `problems` counts the error's list entries, and `sent`
 * the new inspections.
 */
async function importSheet(sheet: readonly (readonly Cell[])[], reading = {}, options = {}) {
	const file = join(n8n.filesFolder, 'walks.xlsx');
	const cellOf = (value: Cell) =>
		value instanceof Date ? { value, type: Date, format: 'dd.mm.yyyy' } : value && { value };
	await writeExcelFile(sheet.map((line) => line.map(cellOf))).toFile(file);
	const create = actionNode(credential, createParameters(templateBy('WALK'), { options }));
	const before = sandbox.store.inspections().length;
	const read = n8nNode('readWriteFile', 1, { operation: 'read', fileSelector: file });
	const execution = await run([read, fromSheet(reading), create]);
	return {
		told: errorTextOf(execution),
		problems: execution.error?.description?.match(/<li>/g)?.length ?? 0,
		made: execution.items(create.name).map(({ json }) => json),
		sent: sandbox.store.inspections().length - before,
	};
}

it('one message has a line with the fix for each kind of problem of a question', async () => {
	const { told, problems, sent } = await importSheet(MESSY, { range: '1' });
	for (const said of [
		'Nothing was sent: ',
		'set the option \'Group Rows By\' to "Nr."',
		'Set the option \'Date Format\' to "dd.MM.yyyy"',
		"Set the option 'Decimal Separator' to 'Comma'",
		'Words for Yes',
		'"Severity", row 4 (',
		'"Hgih" (did you mean "High"?)',
		'"Remark_1" (did you mean "Remark"?)',
	]) {
		expect(told).toContain(said);
	}
	expect(told).not.toMatch(/\[item/);
	// The list has at most eleven problems of cells, and three entries about rows and the next run.
	expect(problems).toBeLessThanOrEqual(14);
	expect(sent).toBe(0);
});

it('the corrected sheet creates all inspections with all answers', async () => {
	const { made, sent, told } = await importSheet(CORRECTED, {}, OPTIONS);
	expect(told.trim()).toBe('');
	expect([made.length, sent]).toEqual([4, 4]);
	const answersOf = (walk: number) => storedAnswers(sandbox, made[walk - 1]?.['id']);
	expect(answersOf(2)).toEqual({
		Area: 'Hall 2',
		'Date of visit': '2026-05-03T00:00:00.000Z',
		'Helmets worn': 'Nein',
		Costs: 1250,
		Done: 12,
		Remark: 'seen',
		Finding: 'Loose cable',
		Severity: 'Low',
		'Finding:2': 'Wet floor',
		'Severity:2': 'High',
	});
	expect(answersOf(3)).toMatchObject({
		'Date of visit': '2026-05-04T00:00:00.000Z',
		'Helmets worn': 'Ja',
		Costs: 99.5,
	});
});
