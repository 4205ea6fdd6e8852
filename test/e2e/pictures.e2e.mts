/** Takes the pictures for the animation in the README and for the pages in `docs/`. `npm run pictures` uses them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EXAMPLE_NODES, EXAMPLE_SHEETS } from '#sandbox/demo/exampleWorkflow.mts';
import { SCREENSHOTS } from '#scripts/projectPaths.mts';
import { connectedMail, connectedN8n } from './connectedN8n.mts';
import { Editor, hasChromium } from './editorPage.mts';
import { addFilledWalks, csv, findings, findingsExample, SEVERITY_CELL } from './filledWalks.mts';
import { sheetPage } from './sheetPage.mts';

/** The size of the animation, in which text is readable at the width of the README. */
const FRAME = { width: 1000, height: 600 };

/** The columns of a row that come before the questions. */
const OWN_COLUMNS =
	'id name status template template_id team created_at created_by updated_at updated_by'.split(' ');

describe.skipIf(!hasChromium())('the pictures show', async () => {
	const { sandbox, n8n, credential, imported, runSaved } = await connectedN8n({ data: 'demo' });
	const { client, filesFolder } = n8n;
	const { mail, mailAccount } = await connectedMail(n8n);
	let editor: Editor;
	beforeAll(async () => {
		editor = await Editor.open(n8n.url, SCREENSHOTS, FRAME);
	});
	afterAll(async () => {
		await editor?.close();
	});

	test('a sheet with a typo that becomes inspections in two runs, because Check Only explains the typo', async () => {
		const { page, output } = editor;
		const title = EXAMPLE_SHEETS.findings;
		const nameOf = (number: number) => `first-run-${String(number)}`;
		const frame = async (number: number, caption: string) => {
			await editor.frame(nameOf(number), caption);
		};
		const sheetFrame = async (number: number, caption: string, severity: string) => {
			const rows = findings(severity);
			await writeFile(join(filesFolder, title), csv(rows));
			const as = severity === 'High' ? 'fixed' : 'wrong';
			const sheet = sheetPage(title, rows, { mark: { ...SEVERITY_CELL, as } });
			await editor.pictureOf(sheet, nameOf(number), caption);
		};
		await sheetFrame(1, 'A sheet of findings, with a typo: six rows of three safety walks', 'Hgih');

		const changes = { uniqueKey: '={{ $json.Walk }}', options: { checkOnly: true } };
		const example = await findingsExample({ credential, filesFolder }, changes);
		const { id } = await client.createWorkflow(example);
		await editor.openWorkflow(id);
		await frame(2, 'Import the example, and choose your credential and template');

		const before = sandbox.store.inspections().length;
		await editor.openNode(EXAMPLE_NODES.create);
		await page.getByTestId('execute-previous-node').click();
		await editor.showInputAsTable();
		await editor.parameter('checkOnly').scrollIntoViewIfNeeded();
		await frame(3, "Turn on Check Only and select 'Execute step': nothing is sent");
		await editor.execute();
		await output.getByText(/"Hgih" \(did you mean "High"\?\)/).waitFor();
		await editor.movePanels(-180);
		await frame(4, 'The row, the question, the value, and the fix');
		await editor.movePanels(130);
		expect(sandbox.store.inspections()).toHaveLength(before);

		await sheetFrame(5, 'Correct the cell', 'High');
		await editor.parameter('checkOnly').locator('.el-switch').click();
		await editor.closeNode();
		await page.getByTestId('execute-workflow-button').click();
		await page.getByText('Workflow executed successfully').first().waitFor();
		await frame(6, 'Turn Check Only off and execute the workflow');
		await editor.openNode(EXAMPLE_NODES.create);
		await editor.showInputAsTable();
		await output.getByText('F-003').first().waitFor();
		await frame(7, 'Six rows have become three inspections');
		expect(sandbox.store.inspections()).toHaveLength(before + 3);
	});

	test('the sheet of all inspections with the columns of its example', async () => {
		addFilledWalks(sandbox);
		await runSaved(await imported('inspections-to-spreadsheet'));
		const cells = await readSheet(join(filesFolder, EXAMPLE_SHEETS.all));
		const rows = cells.map((row) => row.map((cell) => String(cell ?? '')));
		expect(rows[0]).toEqual(expect.arrayContaining([...OWN_COLUMNS, 'Site name', 'Severity:2']));
		await editor.pictureOf(
			sheetPage(EXAMPLE_SHEETS.all, rows.slice(0, 5), { breakAfter: OWN_COLUMNS.length }),
			'opened-xlsx',
		);
	});

	test('the report of a completed inspection with its answers and photos', async () => {
		const walk = sandbox.store.addInspection({
			template: 'SITE-SAFETY',
			name: 'Canal Bridge, east side',
			status: 'in_progress',
			answers: [
				{ control: 'Site name', value: 'Canal Bridge' },
				{ control: 'Date', value: '2026-06-02T00:00:00.000Z' },
				{ control: 'Number of workers', value: 17 },
				{ control: 'Result', value: 'Fail' },
				{ control: 'PPE', value: ['Helmet', 'Gloves'] },
				{ control: 'Description', value: 'Trench without a ladder\nEast side' },
				{ control: 'Severity', value: 'High' },
				{ control: 'Description', value: 'Loose board', order: 2 },
				{ control: 'Severity', value: 'Low', order: 2 },
			],
			files: [
				{ kind: 'image', name: 'trench.png' },
				{ kind: 'image', name: 'board.png' },
			],
		});
		const workflow = await imported('report-by-mail', { mailAccount });
		await client.activate(workflow);
		sandbox.store.updateInspection(walk.id, { status: 'completed' });
		const sent = await mail.inbox.first(({ subject }) => subject.includes(walk.name), 60_000);
		await client.deactivate(workflow);
		const report = sent.attachments[0]?.content.toString('utf8') ?? '';
		expect(report).toContain('board.png');
		await editor.pictureOf(report, 'report-by-mail');
	});
});
