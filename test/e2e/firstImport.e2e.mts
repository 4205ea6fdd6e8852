/**
 * A sheet as offices keep it, from the Excel file to the inspections, in as few runs as possible: each error has to say
 * everything that the next run needs. Pictures of the panel land in SCREENSHOTS (default .local/first-import).
 */
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';

import type { JsonRecord } from '#connector/domain/json.ts';
import { text } from '#harness/controls.mts';
import { createParameters, MAP_AUTOMATICALLY, templateBy } from '#harness/nodeParameters.mts';
import { LOCAL } from '#scripts/projectPaths.mts';
import { connectedN8n } from './connectedN8n.mts';
import { actionNode, chain, START } from './connectorWorkflow.mts';
import { Editor, hasChromium } from './editorPage.mts';
import { storedAnswers } from './storedAnswers.mts';

type Cell = string | number | boolean | null;

const WALKS = 24;
const HEADER = [
	...['Nr.', 'Area', 'Date of\nvisit', 'Helmets worn', 'Costs', 'Done', 'Remark', 'Remark'],
	...['Finding', 'Severity'],
];

/** The two lines of a walk, and an empty one behind every sixth walk. */
function linesOf(nr: number): Cell[][] {
	const day = String((nr % 28) + 1).padStart(2, '0');
	const worn = [true, 'x', false, 'WAHR'][nr % 4] ?? '';
	const costs = nr % 2 === 0 ? '1.250,00 €' : '99,5';
	const first = [nr, `Hall ${String(nr)}`, `${day}.05.2026`, worn, costs, '12 %', 'seen', 'by Ann'];
	const nothing = Array.from({ length: 7 }, () => null);
	const lines: Cell[][] = [
		[...first, `Loose cable ${String(nr)}`, 'Low'],
		[nr, ...nothing, `Wet floor ${String(nr)}`, nr === 20 ? 'Hgih' : 'High'],
	];
	return nr % 6 === 0 ? [...lines, Array.from(HEADER, () => null)] : lines;
}

const LINES = Array.from({ length: WALKS }, (_, index) => linesOf(index + 1)).flat();
const TOTAL: Cell[] = ['Total', null, null, null, '16.194,00 €'];
const MESSY = [['Safety walks, May 2026'], HEADER, ...LINES, TOTAL];
/** As the errors ask for it: the header in the first line, the choice spelt right, no line with the total. */
const CORRECTED = [
	HEADER,
	...LINES.map((line) => line.map((cell) => (cell === 'Hgih' ? 'High' : cell))),
];
/** As the errors ask for it. */
const OPTIONS = {
	...{ groupRowsBy: 'Nr.', dateFormat: 'dd.MM.yyyy', decimalSeparator: 'comma' },
	...{ yesIs: 'x, WAHR, true', noIs: 'false' },
};

const { sandbox, n8n, credential } = await connectedN8n('firstImport', { data: 'empty' });
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
		{
			type: 'section',
			label: 'Findings',
			fieldId: 'findings',
			is_repeatable: true,
			children: [
				text('Finding', 'finding'),
				{ type: 'dropdown', label: 'Severity', fieldId: 'severity', choices: ['Low', 'High'] },
			],
		},
	],
});

let runs = 0;

/** The workflow that reads a sheet and creates; saved under a name of its own. */
async function workflowFor(sheet: readonly (readonly Cell[])[], reading: JsonRecord, options = {}) {
	const file = join(n8n.filesFolder, `walks-${String((runs += 1))}.xlsx`);
	await writeExcelFile(
		sheet.map((line) => line.map((value) => (value === null ? null : { value }))),
	).toFile(file);
	const create = createParameters(templateBy('WALK'), { responses: MAP_AUTOMATICALLY, options });
	const nodes = [
		START,
		{
			name: 'Read the file',
			type: 'n8n-nodes-base.readWriteFile',
			typeVersion: 1,
			parameters: { operation: 'read', fileSelector: file, options: {} },
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.extractFromFile',
			typeVersion: 1,
			parameters: { operation: 'xlsx', options: reading },
		},
		actionNode(credential, create, 'Create'),
	];
	return (await n8n.client.createWorkflow(chain(`Walks ${String(runs)}`, nodes))).id;
}

async function runOf(id: string) {
	const execution = await n8n.client.run(id, START.name);
	const { message = '', description } = execution.error ?? {};
	const lines = [...(description ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, line = '']) => line);
	const told = [message, ...lines];
	console.info(`first import, run ${String(runs)}:\n${told.join('\n')}\n`);
	return { told, items: execution.items('Create').map(({ json }) => json) };
}

const made = () => sandbox.store.inspections().length;

describe('the first import', () => {
	let editor: Editor | undefined;

	beforeAll(async () => {
		if (!hasChromium()) return;
		const folder = process.env['SCREENSHOTS'] ?? join(LOCAL, 'first-import');
		editor = await Editor.open(n8n.url, folder);
	});

	afterAll(async () => {
		await editor?.close();
	});

	/** What a person sees of a run in the editor. */
	const picture = async (id: string, words: RegExp, name: string) => {
		if (editor === undefined) return;
		await editor.openWorkflow(id);
		await editor.openNode('Create');
		await editor.execute();
		await editor.output.getByText(words).first().waitFor();
		await editor.screenshot(name);
		await editor.closeNode();
	};

	test('run 1: the title above the header', async () => {
		const id = await workflowFor(MESSY, {});
		const { told } = await runOf(id);
		expect(told.join('\n')).toContain('Some columns have no header');
		expect(told.join('\n')).toContain('Range');
		expect(made()).toBe(0);
		await picture(id, /Some columns have no header/, 'first-import-1-title');
	});

	test('run 2: everything else, each question and kind in one line', async () => {
		const id = await workflowFor(MESSY, { range: '1' });
		const { told } = await runOf(id);
		const all = told.join('\n');
		expect(told.length).toBeLessThanOrEqual(12);
		for (const words of [
			'Nothing was sent.',
			'set the option Group Rows By to "Nr.".',
			'set the option Date Format to dd.MM.yyyy',
			'set the option Decimal Separator to Comma',
			'Yes Is',
			'"Severity", row 40: "Hgih" (did you mean "High"?)',
			'n8n’s name for a second column "Remark"',
		]) {
			expect(all).toContain(words);
		}
		expect(all).not.toMatch(/\[item/);
		expect(made()).toBe(0);
		await picture(id, /Group Rows By/, 'first-import-2-problems');
	});

	test('the same with the options: what is left are the cells to correct', async () => {
		const id = await workflowFor(MESSY, { range: '1' }, OPTIONS);
		const { told } = await runOf(id);
		expect(told.join('\n')).toContain('"Severity", row 40 ("Nr." 20): "Hgih"');
		expect(told.join('\n')).toContain('row 49 ("Nr." Total)');
		expect(made()).toBe(0);
		await picture(id, /Hgih/, 'first-import-3-cells');
	});

	test('run 3: all inspections, with all answers', async () => {
		const id = await workflowFor(CORRECTED, {}, OPTIONS);
		const { items } = await runOf(id);
		expect(items).toHaveLength(WALKS);
		expect(made()).toBe(WALKS);
		expect(storedAnswers(sandbox, items[1]?.['id'])).toEqual({
			...{ Area: 'Hall 2', 'Date of visit': '2026-05-03T00:00:00.000Z', 'Helmets worn': 'Nein' },
			...{ Costs: 1250, Done: 12, Remark: 'seen' },
			...{ Finding: 'Loose cable 2', Severity: 'Low' },
			...{ 'Finding:2': 'Wet floor 2', 'Severity:2': 'High' },
		});
		await picture(id, /already_existed/, 'first-import-4-made');
	});
});
