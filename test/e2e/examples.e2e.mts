/** Imports the workflows of examples/ into a real n8n, runs them, and checks the resulting inspections and files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { afterAll, describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';

import { samplePhoto } from '#sandbox/demo/demoSteps.mts';
import {
	copyExampleSheets,
	EXAMPLE_NODES,
	EXAMPLE_SHEETS,
} from '#sandbox/demo/exampleWorkflow.mts';
import { startChat } from '#sandbox/demo/inboxes.mts';
import { sendForm } from '#sandbox/demo/n8nForm.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { connectedMail, connectedN8n, errorTextOf } from './connectedN8n.mts';
import { publishSheetForm, type SheetForm } from './sheetForm.mts';
import { storedAnswers } from './storedAnswers.mts';

const PATIENCE_MS = 60_000;

const { sandbox, n8n, credential, imported, runSaved } = await connectedN8n({ data: 'demo' });
const { client, filesFolder } = n8n;
const chat = await startChat();
afterAll(() => chat.close());
const { mail, mailAccount } = await connectedMail(n8n);
await copyExampleSheets(filesFolder);

const sheet = async (file: string) => await readSheet(join(filesFolder, file));
const storedInspections = () => sandbox.store.inspections();

it('spreadsheet to inspections: reports the result or the problem of each row', async () => {
	sandbox.faults.add({
		on: { operation: 'createInspection', where: ({ body }) => body.includes('WALK-001') },
		do: { kind: 'status', status: 403 },
	});
	const created = await runSaved(await imported('spreadsheet-to-inspections'));
	sandbox.faults.clear();
	expect(created.error).toBeUndefined();
	const read = created.items(EXAMPLE_NODES.rows).map(({ json }) => json['Reference']);
	expect(read).toHaveLength(10);

	const [header, refused = [], ...rows] = await sheet(EXAMPLE_SHEETS.made);
	expect(header).toEqual([
		'Reference',
		'Inspection ID',
		'Inspection',
		'Status',
		'Not stored',
		'Warnings',
		'Problem',
	]);
	expect(refused).toEqual([
		read[0],
		null,
		null,
		null,
		null,
		null,
		expect.stringContaining('403') as string,
	]);
	expect(rows.map(([reference]) => reference)).toEqual(read.slice(1));
	for (const [, id, name, ...others] of rows) {
		expect(sandbox.store.find(String(id))?.name).toBe(name);
		expect(others).toEqual(['new', null, null, null]);
	}
	expect(storedAnswers(sandbox, idOf('WALK-002 Mill Road 12'), 'fieldId')).toEqual({
		site_name: 'Mill Road 12',
		walk_date: '2026-05-04T00:00:00.000Z',
		workers: 17,
		result: 'Fail',
		ppe: ['Helmet', 'Gloves', 'Goggles'],
		area: 'Excavation',
		location: '12 Mill Road, Springfield',
		comments: 'Trench box ordered',
		hazard_description: 'Trench edge without a guard rail',
		hazard_severity: 'High',
		'hazard_description:2': 'Ladder too short by a metre',
		'hazard_severity:2': 'Medium',
	});
});

it('completed inspections to chat: each becomes one message and one row', async () => {
	// A spreadsheet program treats cells that begin like these as formulas, even if the cells are quoted.
	const formulas = ['=1+1', '+49 (30)', '-2+3', '@SUM(1)', '\t=1', '＝1+1', '＠SUM(1)'];
	const others = ['-5', '-1,5', '+3.25', '-'];
	const second = idOf('WALK-002 Mill Road 12');
	const workflow = await imported('completed-inspections-to-chat', { chatUrl: chat.url });
	await client.activate(workflow);
	const odd = [...formulas, ...others].map((name) =>
		sandbox.store.addInspection({ template: 'SITE-SAFETY', name, status: 'in_progress' }),
	);
	sandbox.store.updateInspection(idOf('WALK-003'), { status: 'in_progress' });
	for (const id of [second, ...odd.map((one) => one.id)]) {
		sandbox.store.updateInspection(id, { status: 'completed' });
	}

	const message = await chat.inbox.first((text) => text.includes('WALK-002'), PATIENCE_MS);
	// The workflow sends the message before it appends the row to the file, so wait for the end of the execution.
	const execution = await untilFound(async () => (await client.executions(workflow))[0]);
	await client.deactivate(workflow);

	const owner = sandbox.tenants.north.owner;
	expect(message).toContain(`Mill Road 12 is completed: Fail at Mill Road 12 (${owner.name})`);
	expect(chat.inbox.messages).toHaveLength(1 + odd.length);
	expect(chat.inbox.messages.at(-1)).toContain('(no answer to Result) at (no answer to Site name)');
	expect(execution.items(EXAMPLE_NODES.trigger).map(({ json }) => json['id'])).toEqual([
		second,
		...odd.map(({ id }) => id),
	]);
	const text = await readFile(join(filesFolder, EXAMPLE_SHEETS.completed), 'utf8');
	const [header, first, ...lines] = text.trim().split('\n');
	expect(header).toBe('"id","name","status","Site name","Date","Result","updated_at","updated_by"');
	expect(first).toMatch(new RegExp(`^"${second}","WALK-002 Mill Road 12","completed",`));
	const cells = [...formulas.map((name) => `'${name}`), ...others];
	expect(lines.map((line) => line.split('"')[3])).toEqual(cells);
});

describe('form to inspection', () => {
	const formUrl = `${n8n.url}/form/site-safety-walk`;
	const mailAbout = async (site: string) =>
		await mail.inbox.first(({ subject }) => subject.includes(site), PATIENCE_MS);

	it('creates one inspection from a submitted form, then mails it with the photos', async () => {
		await client.activate(await imported('form-to-inspection', { mailAccount }));
		const page = await (await fetch(formUrl)).text();
		for (const field of ['Site name', 'Date', 'Result', 'Hi-vis vest', 'Photos']) {
			expect(page).toContain(field);
		}
		const photos = [samplePhoto('trench.png'), samplePhoto('Plan (2).png')];
		const hazard = ['Trench without a ladder\nEast side', 'High'];
		const walk = ['Canal Bridge', '2026-06-02', '9', 'Fail'];
		await sendForm(formUrl, [...walk, ['Helmet', 'Hi-vis vest'], ...hazard], photos);

		const sent = await mailAbout('Canal Bridge');
		const id = idOf('Canal Bridge');
		expect(sent.attachments).toHaveLength(photos.length);
		expect(storedAnswers(sandbox, id)).toEqual({
			'Site name': 'Canal Bridge',
			Date: '2026-06-02T00:00:00.000Z',
			Result: 'Fail',
			'Number of workers': 9,
			PPE: ['Helmet', 'Hi-vis vest'],
			// Browsers send line breaks in forms as `\r\n`.
			Description: 'Trench without a ladder\r\nEast side',
			Severity: 'High',
		});
		// n8n stores the files of a form concurrently, so their order is random.
		const named = (name: string) => sent.attachments.find(({ fileName }) => fileName === name);
		expect({ ...sent, attachments: photos.map(({ name }) => named(name)) }).toEqual({
			to: ['safety@example.com'],
			subject: 'Canal Bridge, 2026-06-02: Fail',
			text: [
				'Site: Canal Bridge',
				'Date: 2026-06-02',
				'Result: Fail',
				'Hazard: Trench without a ladder',
				'East side',
				'Severity: High',
				`Inspection ID: ${id}`,
			].join('\n'),
			attachments: await Promise.all(
				photos.map(async (file) => ({
					fileName: file.name,
					mediaType: 'image/png',
					content: Buffer.from(await file.arrayBuffer()),
				})),
			),
		});
	});

	it('creates one inspection even if the form has neither finding nor photo', async () => {
		await sendForm(formUrl, ['Quay 7', '2026-06-03', '', 'Pass', [], '', ''], []);
		const { text, attachments } = await mailAbout('Quay 7');
		expect(text).toBe(
			`Site: Quay 7\nDate: 2026-06-03\nResult: Pass\nInspection ID: ${idOf('Quay 7')}`,
		);
		expect(attachments).toEqual([]);
		expect(storedAnswers(sandbox, idOf('Quay 7'))).toEqual({
			'Site name': 'Quay 7',
			Date: '2026-06-03T00:00:00.000Z',
			Result: 'Pass',
		});
	});

	it('shows the person who sends it that no inspection was created', async () => {
		const mails = mail.inbox.messages.length;
		const sent = sendForm(formUrl, ['Quay 8', 'soon', '', 'Pass', [], '', ''], []);
		await expect(sent).rejects.toThrow('500');
		expect(mail.inbox.messages).toHaveLength(mails);
	});
});

it('findings to inspections: creates each walk once, with the dates and numbers of its rows in local notation', async () => {
	const workflow = await imported('findings-to-inspections');
	const execution = await runSaved(workflow);
	expect(execution.error).toBeUndefined();
	const made = execution.items(EXAMPLE_NODES.create);
	expect(made.map(({ json, pairedItem }) => [json['name'], pairedItem])).toEqual([
		['F-001', { item: 0 }],
		['F-002', { item: 2 }],
		['F-003', { item: 4 }],
	]);
	expect(storedAnswers(sandbox, idOf('F-001'))).toEqual({
		'Site name': 'Harbour Gate 4',
		Date: '2026-05-04T00:00:00.000Z',
		Result: 'Fail',
		'Number of workers': 14,
		PPE: ['Helmet', 'Gloves'],
		Area: 'Gate',
		Comments: 'Weekly walk',
		Description: 'Loose cable at the gate',
		Severity: 'Medium',
		'Description:2': 'Fire extinguisher is blocked',
		'Severity:2': 'High',
		'Description:3': 'No light on the stairs',
		'Severity:3': 'Low',
	});
	expect(storedAnswers(sandbox, idOf('F-002'))).toMatchObject({ 'Number of workers': 1200 });
	expect(await sheet(EXAMPLE_SHEETS.findingsMade)).toEqual([
		['Walk', 'Inspection ID', 'Status', 'Not stored', 'Warnings'],
		...made.map(({ json }) => [json['name'], json['id'], 'new', null, null]),
	]);
	const before = storedInspections().length;
	expect((await runSaved(workflow)).error).toBeUndefined();
	expect(storedInspections()).toHaveLength(before);
});

it('European sheet to inspections: creates each visit once despite title, semicolons, commas, or merged cells', async () => {
	const workflow = await imported('european-sheet-to-inspections');
	const execution = await runSaved(workflow);
	expect(errorTextOf(execution).trim()).toBe('');
	const made = execution.items(EXAMPLE_NODES.create).map(({ json }) => json);
	expect(made.map(({ name }) => name)).toEqual(['V-101', 'V-102', 'V-103']);
	expect(made.map(({ id }) => storedAnswers(sandbox, id))).toEqual([
		{
			Chantier: 'Port, quai 4',
			'Date visite': '2026-05-04T00:00:00.000Z',
			Éclairage: 'Conforme',
			Température: 12.5,
			Constat: 'Câble apparent',
			Gravité: 'Moyenne',
			'Constat:2': 'Extincteur bloqué',
			'Gravité:2': 'Élevée',
			'Constat:3': 'Escalier sans lumière',
			'Gravité:3': 'Faible',
		},
		{
			Chantier: 'Rue du Moulin 12',
			'Date visite': '2026-05-11T00:00:00.000Z',
			Éclairage: 'Conforme',
			Température: -2.5,
		},
		{
			Chantier: 'Tour Nord',
			'Date visite': '2026-05-12T00:00:00.000Z',
			Éclairage: 'Non conforme',
			Température: 21.75,
			Constat: 'Garde-corps sans plinthe',
			Gravité: 'Élevée',
			'Constat:2': 'Ancrage non marqué',
			'Gravité:2': 'Moyenne',
		},
	]);

	const before = storedInspections().length;
	expect((await runSaved(workflow)).error).toBeUndefined();
	expect(storedInspections()).toHaveLength(before);
	const [, ...rows] = await sheet(EXAMPLE_SHEETS.europeanMade);
	expect(rows.map(([visit, , existed]) => [visit, existed])).toEqual(
		['V-101', 'V-102', 'V-103'].map((visit) => [visit, 'yes']),
	);
});

it('inspections to spreadsheet: exports all inspections of the template', async () => {
	const { error } = await runSaved(await imported('inspections-to-spreadsheet'));
	expect(error).toBeUndefined();

	const [header = [], ...lines] = await sheet(EXAMPLE_SHEETS.all);
	const template = sandbox.store.findTemplate(null, 'SITE-SAFETY')?.id;
	const ids = storedInspections().flatMap(({ id, templateId }) =>
		templateId === template ? [id] : [],
	);
	expect(lines.map(([id]) => id).toSorted()).toEqual(ids.toSorted());
	const line = lines.find((cells) => cells.includes('WALK-002 Mill Road 12')) ?? [];
	const row = Object.fromEntries(header.map((key, index) => [String(key), line[index]]));
	expect(row).toMatchObject({
		status: 'completed',
		'Number of workers': 17,
		'Severity:2': 'Medium',
		PPE: 'Helmet, Gloves, Goggles',
	});
});

/** The published form, for all tests of it: n8n allows its address only once. */
let sheetForm: Promise<SheetForm> | undefined;

it('sheet form to inspections: shows problems next to their rows, so that the sheet can be sent again without duplicates', async () => {
	const sheetOf = async (rows: readonly (readonly unknown[])[]) =>
		await writeXlsxFile(
			rows.map((row) => row.map((value) => ({ value: value === null ? '' : String(value) }))),
		).toBuffer();
	const walks = [
		['Reference', 'Site name', 'Date', 'Result', 'Problem'],
		['F-1', 'Gate 4', '2026-05-31', 'Pass', 'mine'],
		['F-2', 'Gate 5', '2026-05-31', 'Maybe', 'mine'],
	];
	const { url, upload } = await (sheetForm ??= publishSheetForm({ n8n, credential }));
	const anonymous = await fetch(url);
	expect([401, 403]).toContain(anonymous.status);
	const before = storedInspections().length;
	const first = await upload(await sheetOf(walks));
	expect(first.page).toContain('1 of 2 rows are new inspections');
	expect(first.page).toMatch(
		/match no question, so their values weren.{1,6}t sent: .{1,6}Problem.{1,6}\./,
	);
	expect(storedInspections().length).toBe(before + 1);
	expect(first.rows).toEqual([
		[
			'Upload: Inspection ID',
			'Upload: Not stored',
			'Upload: Problem',
			'Reference',
			'Site name',
			'Date',
			'Result',
			'Problem',
		],
		[expect.any(String), null, null, 'F-1', 'Gate 4', '2026-05-31', 'Pass', 'mine'],
		[
			null,
			null,
			expect.stringMatching(/^"Result": "Maybe" isn't one of its choices/),
			'F-2',
			'Gate 5',
			'2026-05-31',
			'Maybe',
			'mine',
		],
	]);
	expect(storedAnswers(sandbox, first.rows[1]?.[0])).toMatchObject({ 'Site name': 'Gate 4' });
	// The colleague corrects the returned sheet, and sends that.
	const corrected = first.rows.map((row) => row.map((cell) => (cell === 'Maybe' ? 'Fail' : cell)));
	const second = await upload(await sheetOf(corrected));
	expect(second.page).toContain('1 of 2 rows are new inspections');
	expect(second.page).toContain('All other rows were already stored');
	const reports = second.rows.slice(1).map((row) => row.slice(0, 3));
	expect(reports).toEqual([
		[first.rows[1]?.[0], null, 'This row was already stored.'],
		[expect.any(String), null, null],
	]);
	expect(storedAnswers(sandbox, reports[1]?.[0])).toMatchObject({ Result: 'Fail' });
	expect(storedInspections().length).toBe(before + 2);
	const [header = [], one = [], other = []] = walks;
	const result = header.indexOf('Result');
	const changed = [header, one, other.with(result, 'Pass')];
	const third = await upload(await sheetOf(changed));
	expect(third.page).toContain('0 of 2 rows are new inspections');
	expect(third.rows.slice(1).map((row) => row[2])).toEqual([
		'This row was already stored.',
		expect.stringMatching(
			/^This inspection exists with other answers: "Result": "Fail" → "Pass"\./,
		),
	]);
	expect(storedInspections().length).toBe(before + 2);
});

it('sheet form to inspections: sends no row of a visit whose Reference is only in its first row', async () => {
	const { upload } = await (sheetForm ??= publishSheetForm({ n8n, credential }));
	const rows = [
		['Reference', 'Site name', 'Date', 'Result', 'Hazards/Description'],
		['M-1', 'Gate 4', '2026-05-31', 'Fail', 'Loose cable'],
		['', '', '', '', 'Broken lamp'],
		['M-2', 'Gate 5', '2026-05-31', 'Pass', ''],
	];
	const cells = rows.map((row) => row.map((value) => ({ value })));
	const sheet = await writeXlsxFile(cells).toBuffer();
	const before = storedInspections().length;
	const { page, rows: returned } = await upload(sheet);
	expect(page).toContain('1 of 3 rows are new inspections');
	const advice = expect.stringContaining('Fill Empty Cells From Above') as unknown;
	expect(returned.slice(1).map((row) => row[2])).toEqual([advice, advice, null]);
	expect(storedInspections().length).toBe(before + 1);
	// The returned sheet's own columns aren't columns that the template lacks.
	const back = returned.map((row) => row.map((value) => ({ value: String(value ?? '') })));
	const again = await upload(await writeXlsxFile(back).toBuffer());
	expect(again.rows[1]?.[2]).toEqual(advice);
	expect(again.rows[1]?.[2]).not.toContain('Upload:');
});

/** Returns the ID of the inspection whose name begins with `name`. */
function idOf(name: string): string {
	return storedInspections().find((inspection) => inspection.name.startsWith(name))?.id ?? '';
}
