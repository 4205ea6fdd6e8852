/**
 * Takes the sheet of a safety manager in Italy through the form of the example and through a workflow of the manager's
 * own, as the messages suggest. No run may create an inspection with wrong answers, because no further run can change
 * them.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import {
	excelOf,
	ITALIAN_ANSWERS,
	ITALIAN_SHEET,
	ITALIAN_TEMPLATE,
	type ItalianSheet,
} from '#harness/italianSheet.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { connectedN8n, errorTextOf } from './connectedN8n.mts';
import { actionNode, fromSheet, n8nNode } from './connectorWorkflow.mts';
import { publishSheetForm, withParameters } from './sheetForm.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, n8n, credential, run } = await connectedN8n({ data: 'demo' });
const template = sandbox.store.addTemplate(ITALIAN_TEMPLATE);
const templateId = templateBy(ITALIAN_TEMPLATE.identifier);

const formFor = async (path: string, options = {}) =>
	await publishSheetForm({ n8n, credential }, path, (workflow) =>
		withParameters(workflow, 'Create inspections', { templateId, options }),
	);
const visits = () =>
	sandbox.store.inspections().filter((inspection) => inspection.templateId === template.id);
/** Returns the answers of all visits by their dates, because several are sent at the same time. */
const stored = () =>
	visits()
		.map(({ id }) => storedAnswers(sandbox, id))
		.toSorted((a, b) => String(a['Data visita']).localeCompare(String(b['Data visita'])));
/** Returns the distinct problems of the returned sheet. */
const problemsIn = (rows: readonly (readonly unknown[])[]) => {
	const column = rows[0]?.indexOf('Upload: Problem') ?? -1;
	return [...new Set(rows.slice(1).map((row) => String(row[column] ?? '')))].filter(Boolean);
};
/** The options that the messages of the second upload suggest. */
const SUGGESTED = {
	fillDown: 'Reference',
	groupRowsBy: 'Reference',
	decimalSeparator: 'comma',
};

const [TITLE = [], ...WITHOUT_TITLE] = ITALIAN_SHEET;
const RENAMED: ItalianSheet = WITHOUT_TITLE.map((line) =>
	line.map((cell) => (cell === 'Temperatura' ? 'Temperatura (°C)' : cell)),
);
/** What the messages say about the sheet if its header row is read as such. */
const ADVICE = [
	`Rename the column to "Temperatura (°C)"`,
	`'Fill Empty Cells From Above' to "Reference"`,
	`'Group Rows By' to "Reference"`,
	`'Decimal Separator' to 'Comma'`,
	'Ignored: "Responsabile" matches no question.',
];
const UNUSED_COLUMN =
	/match no question, so their values weren.{1,6}t sent: .{1,6}Responsabile.{1,6}\./;

it('the Italian sheet becomes right within three uploads, without any wrong inspection', async () => {
	const asShipped = await formFor('visite');
	const first = await asShipped.upload(await excelOf(ITALIAN_SHEET));
	expect(first.page).toContain('0 of 14 rows are new inspections');
	expect(problemsIn(first.rows)[0]).toMatch(
		/^The header row must be in the first line .*"Reference"/,
	);
	expect(stored()).toEqual([]);

	const second = await asShipped.upload(await excelOf(WITHOUT_TITLE));
	expect(second.page).toContain('0 of 13 rows are new inspections');
	expect(second.page).toMatch(UNUSED_COLUMN);
	const told = problemsIn(second.rows).join('\n');
	for (const advice of ADVICE) expect(told).toContain(advice);
	expect(told).not.toMatch(/Casco|Guanti|Imbracatura/);
	expect(stored()).toEqual([]);

	const asSuggested = await formFor('visite-per-gruppo', SUGGESTED);
	const third = await asSuggested.upload(await excelOf(RENAMED));
	expect(third.page).toContain('6 of 6 rows are new inspections');
	expect(third.page).toMatch(UNUSED_COLUMN);
	expect(problemsIn(third.rows)).toEqual([]);
	expect(stored()).toEqual(ITALIAN_ANSWERS);
});

it("the sheet's form shows a cost that was corrected after its visit had been sent", async () => {
	const form = await formFor('visite-corrette', SUGGESTED);
	const corrected: ItalianSheet = RENAMED.map((line) =>
		line.map((cell) => (cell === '350,00 €' ? '400,00 €' : cell)),
	);
	const { page, rows: returned } = await form.upload(await excelOf(corrected));
	expect(page).toContain('0 of 6 rows are new inspections');
	expect(problemsIn(returned)).toEqual([
		'This row was already stored.',
		expect.stringMatching(/^This inspection exists with other answers: "Costo": 350 → 400\. .*/),
	]);
	expect(stored()).toEqual(ITALIAN_ANSWERS);
});

it('the Italian sheet becomes right within three runs of an own workflow, with a task for each visit with a serious finding', async () => {
	for (const { id } of visits()) sandbox.store.removeInspection(id);
	const file = join(n8n.filesFolder, 'visite.xlsx');
	const runWith = async (sheet: ItalianSheet, readOptions = {}, options = {}) => {
		await writeFile(file, await excelOf(sheet));
		const create = createParameters(templateId, {
			uniqueKey: '={{ $json.Reference }}',
			createTask: "={{ $json['Priorità'] === 'Alta' }}",
			task: { title: '=Rilievi gravi: {{ $json.Reference }}' },
			options,
		});
		const execution = await run([
			n8nNode('readWriteFile', 1, { operation: 'read', fileSelector: file }),
			fromSheet(readOptions),
			actionNode(credential, create),
		]);
		return errorTextOf(execution);
	};

	const first = await runWith(ITALIAN_SHEET);
	expect(first).toContain('Nothing was sent: 14 of 14 rows need a correction');
	expect(first).toContain("set the option 'Range'");
	expect(stored()).toEqual([]);

	const withoutTitle = { range: '1' };
	const second = await runWith(ITALIAN_SHEET, withoutTitle);
	for (const advice of ADVICE) expect(second).toContain(advice);
	expect(stored()).toEqual([]);

	expect(await runWith([TITLE, ...RENAMED], withoutTitle, SUGGESTED)).toBe(' ');
	expect(stored()).toEqual(ITALIAN_ANSWERS);
	const titles = sandbox.store.tasks.map(({ title }) => title).toSorted();
	expect(titles).toEqual(['Rilievi gravi: V-201', 'Rilievi gravi: V-205']);
});
