/** The example in which somebody sends a sheet by a form and gets it back with what was made of each row. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { beforeAll, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';

import { recordsOf } from '#connector/domain/json.ts';
import { loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import { connectedN8n } from './connectedN8n.mts';

const { sandbox, n8n, credential } = await connectedN8n('sheetForm', { data: 'demo' });

beforeAll(async () => {
	const example = await loadExample('sheet-form-to-inspections', {
		credential,
		filesFolder: n8n.filesFolder,
	});
	const { id } = await n8n.client.createWorkflow(example);
	await n8n.client.activate(id);
});

/** Sends a sheet as the form's page does, and takes the file from the page that comes in the end. */
async function send(content: Buffer): Promise<{ page: string; sheet: unknown[][] }> {
	const body = new FormData();
	body.append('field-0', new File([new Uint8Array(content)], 'walks.xlsx'));
	const sent = await fetch(`${n8n.url}/form/site-safety-sheet`, { method: 'POST', body });
	const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	// n8n holds back the answer to a page that is asked for before the execution waits.
	await untilFound(async () => {
		const response = await fetch(status);
		return (await response.text()).includes('form-waiting') ? true : undefined;
	}, 60_000);
	const page = await (await fetch(formWaitingUrl)).text();
	const [, files = ''] = /"((?:%5B)?%7B%22data%22[^"]*)"/.exec(page) ?? [];
	const parsed: unknown = JSON.parse(decodeURIComponent(files));
	// n8n 1.x gives one file, and its bytes as the characters of a text.
	const [file] = recordsOf(Array.isArray(parsed) ? parsed : [parsed]);
	const bytes = file?.['data'];
	const sheet =
		typeof bytes === 'string'
			? Buffer.from(bytes, 'latin1')
			: Buffer.from((bytes as { data: number[] }).data);
	return { page, sheet: await readSheet(sheet) };
}

const made = () => sandbox.store.inspections().length;

it('makes the rows of the sheet inspections, and gives the sheet back with their IDs', async () => {
	const before = made();
	const { page, sheet } = await send(await readFile(join(PROJECT, 'examples', 'site-safety.xlsx')));
	expect(page).toContain('10 of 10 rows are inspections');
	expect(made()).toBe(before + 10);
	const [header = [], ...rows] = sheet;
	expect(header.slice(0, 5)).toEqual([
		'Inspection ID',
		'Not stored',
		'Problem',
		'Reference',
		'Site name',
	]);
	const ids = new Set(sandbox.store.inspections().map(({ id }) => id));
	expect(rows.filter((row) => ids.has(String(row[0])))).toHaveLength(10);
});

it('says what is wrong beside a wrong row, and makes nothing twice when the sheet comes again', async () => {
	const sheet = async (result: string) =>
		await writeXlsxFile([
			['Reference', 'Site name', 'Date', 'Result'].map((value) => ({ value })),
			['F-1', 'Gate 4', '2026-05-31', 'Pass'].map((value) => ({ value })),
			['F-2', 'Gate 5', '2026-05-31', result].map((value) => ({ value })),
		]).toBuffer();
	const before = made();
	const first = await send(await sheet('Maybe'));
	expect(first.page).toContain('1 of 2 rows are inspections');
	expect(made()).toBe(before + 1);
	const [id, , problem, reference] = first.sheet[2] ?? [];
	expect([id, reference]).toEqual([null, 'F-2']);
	expect(problem).toMatch(/^"Result": "Maybe" is not among its choices/);
	const second = await send(await sheet('Fail'));
	expect(second.page).toContain('2 of 2 rows are inspections');
	expect(made()).toBe(before + 2);
});
