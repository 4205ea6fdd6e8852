/**
 * Takes the sheet of a safety manager in Italy through the form of the example, as its message suggests. No upload may
 * create an inspection with wrong answers, because no further upload can change them.
 */
import { expect, it } from 'vitest';

import {
	excelOf,
	ITALIAN_ANSWERS,
	ITALIAN_SHEET,
	ITALIAN_TEMPLATE,
	type ItalianSheet,
} from '#harness/italianSheet.mts';
import { connectedN8n } from './connectedN8n.mts';
import { publishSheetForm, withParameters } from './sheetForm.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, n8n, credential } = await connectedN8n({ data: 'demo' });
const template = sandbox.store.addTemplate(ITALIAN_TEMPLATE);
const templateId = { __rl: true, mode: 'identifier', value: ITALIAN_TEMPLATE.identifier };

const formFor = async (path: string, options = {}) =>
	await publishSheetForm({ n8n, credential }, path, (workflow) =>
		withParameters(workflow, 'Create inspections', { templateId, options }),
	);
/** Returns the answers of all visits by their dates, because several are sent at the same time. */
const stored = () =>
	sandbox.store
		.inspections()
		.filter((inspection) => inspection.templateId === template.id)
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

it('the Italian sheet becomes right within three uploads, without any wrong inspection', async () => {
	const asShipped = await formFor('visite');
	const first = await asShipped.upload(await excelOf(ITALIAN_SHEET));
	expect(first.page).toContain('0 of 14 rows are new inspections');
	expect(problemsIn(first.rows)[0]).toMatch(
		/^The header row must be in the first line .*"Reference"/,
	);
	expect(stored()).toEqual([]);

	const [, ...withoutTitle] = ITALIAN_SHEET;
	const second = await asShipped.upload(await excelOf(withoutTitle));
	expect(second.page).toContain('0 of 13 rows are new inspections');
	const told = problemsIn(second.rows).join('\n');
	for (const advice of [
		`Rename the column to "Temperatura (°C)"`,
		`'Fill Empty Cells From Above' to "Reference"`,
		`'Group Rows By' to "Reference"`,
		`'Decimal Separator' to 'Comma'`,
		'Ignored: "Responsabile" matches no question.',
	]) {
		expect(told).toContain(advice);
	}
	expect(told).not.toMatch(/Casco|Guanti|Imbracatura/);
	expect(stored()).toEqual([]);

	const renamed: ItalianSheet = withoutTitle.map((line) =>
		line.map((cell) => (cell === 'Temperatura' ? 'Temperatura (°C)' : cell)),
	);
	const asSuggested = await formFor('visite-per-gruppo', SUGGESTED);
	const third = await asSuggested.upload(await excelOf(renamed));
	expect(third.page).toContain('6 of 6 rows are new inspections');
	expect(third.page).toMatch(
		/match no question, so their values weren.{1,6}t sent: .{1,6}Responsabile.{1,6}\./,
	);
	expect(problemsIn(third.rows)).toEqual([]);
	expect(stored()).toEqual(ITALIAN_ANSWERS);
});

it("the sheet's form shows a cost that was corrected after its visit had been sent", async () => {
	const form = await formFor('visite-corrette', SUGGESTED);
	const [, ...rows] = ITALIAN_SHEET;
	const corrected: ItalianSheet = rows.map((line) =>
		line.map((cell) => {
			if (cell === 'Temperatura') return 'Temperatura (°C)';
			return cell === '350,00 €' ? '400,00 €' : cell;
		}),
	);
	const { page, rows: returned } = await form.upload(await excelOf(corrected));
	expect(page).toContain('0 of 6 rows are new inspections');
	expect(problemsIn(returned)).toEqual([
		'This row was already stored.',
		expect.stringMatching(/^This inspection exists with other answers: "Costo": 350 → 400\. .*/),
	]);
	expect(stored()).toEqual(ITALIAN_ANSWERS);
});
