/**
 * The steps of the demo. Each step yields sentences about its results, or throws if a result is wrong.
 * test/e2e/examples checks the results in more detail.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';

import { textOf } from '#sandbox/json.mts';
import { photo } from '../service/fileBytes.mts';
import type { DemoStage } from './demoStage.mts';
import { EXAMPLE_NODES, EXAMPLE_SHEETS, POLL_SECONDS } from './exampleWorkflow.mts';
import { sendForm } from './n8nForm.mts';
import { untilFound } from './waiting.mts';

/** Enough time for three polls, doubled in case the machine is busy. */
const TRIGGER_TIMEOUT_MS = 60_000;
const MAIL_TIMEOUT_MS = 30_000;

/** Returns a PNG photo with this file name. */
export function samplePhoto(name: string): File {
	return new File([new Uint8Array(photo(name))], name, { type: 'image/png' });
}

/** A step of the demo. It yields a sentence for each result that it has checked. */
type Steps<Result = void> = AsyncGenerator<string, Result>;

/** Runs all steps in the order in which a user would try them. */
export async function* playDemo(demo: DemoStage): Steps {
	const [first = ''] = yield* createFromSheet(demo);
	yield* createFromFindings(demo);
	yield* finishOne(demo, first);
	yield* reportByForm(demo);
	yield* readAll(demo);
	yield* keepAnswers(demo);
}

/** Creates an inspection from each row of a sheet. Returns the new inspections' IDs. */
async function* createFromSheet(demo: DemoStage): Steps<string[]> {
	const { rows, made } = await create(demo, 'create');
	assert.equal(made.length, rows.length, 'not every row became an inspection');
	yield `${count(rows, 'row')} read from ${EXAMPLE_SHEETS.input}`;
	yield `${count(made, 'inspection')} created, and the service stored every answer`;
	const written = await readRows(demo, EXAMPLE_SHEETS.made);
	assert.equal(written.length, made.length, "the sheet doesn't have one row per inspection");
	yield `${count(written, 'row')} written to ${EXAMPLE_SHEETS.made}`;
	return made;
}

/** Creates one inspection from several rows. */
async function* createFromFindings(demo: DemoStage): Steps {
	const { rows, made } = await create(demo, 'findings');
	const walks = new Set(rows.map(({ json }) => json['Walk']));
	assert.equal(made.length, walks.size, 'not every walk became an inspection');
	yield `${count(rows, 'row')} of ${EXAMPLE_SHEETS.findings} became ${count(made, 'inspection')}, one per walk`;
}

/** Completes one inspection in the service, as an inspector would, and waits until the trigger has reported it. */
async function* finishOne({ sandbox, chat, n8n, workflows }: DemoStage, id: string): Steps {
	await n8n.client.activate(workflows.trigger);
	const name = sandbox.store.find(id)?.name ?? '';
	const completedAt = Date.now();
	sandbox.store.updateInspection(id, { status: 'completed' });
	yield `1 inspection completed in the service: ${name}`;

	const message = await chat.inbox.first((text) => text.includes(name), TRIGGER_TIMEOUT_MS);
	const seconds = String(Math.round((Date.now() - completedAt) / 1000));
	yield `1 inspection emitted by the trigger, ${seconds} s later (it polls every ${String(POLL_SECONDS)} s)`;
	assert.equal(chat.inbox.messages.length, 1, 'the chat got other inspections, too');
	yield `1 message sent to the chat: ${message}`;

	// The workflow sends the message first, then appends a row to the file. So the file is complete only after the
	// execution has ended.
	await untilFound(async () => (await n8n.client.executions(workflows.trigger))[0]);
	const text = await readFile(join(n8n.filesFolder, EXAMPLE_SHEETS.completed), 'utf8');
	const [, ...lines] = text.trim().split('\n');
	assert(
		lines.length === 1 && lines[0]?.includes(id) === true,
		`unexpected lines: ${lines.join(' ')}`,
	);
	yield `1 row appended to ${EXAMPLE_SHEETS.completed}`;
}

/** Submits the form with a photo, and checks the new inspection and the email about it. */
async function* reportByForm({ sandbox, n8n, mail, workflows, formUrl }: DemoStage): Steps {
	await n8n.client.activate(workflows.form);
	const site = 'Canal Bridge';
	const walk = [site, '2026-06-02', '9', 'Fail', ['Helmet', 'Gloves']] as const;
	const hazard = ['Trench without a ladder', 'High'];
	await sendForm(formUrl, [...walk, ...hazard], [samplePhoto('trench.png')]);
	const made = sandbox.store.inspections().filter(({ name }) => name.startsWith(site));
	assert.equal(made.length, 1, 'the form created no inspection');
	yield '1 form filled in, with a photo: 1 inspection created';

	const sent = await mail.inbox.first(({ subject }) => subject.includes(site), MAIL_TIMEOUT_MS);
	const [attached] = sent.attachments;
	assert(
		attached?.content.equals(photo('trench.png')) === true,
		"the email doesn't have the photo",
	);
	yield `1 email to ${sent.to.join(', ')}: ${sent.subject} (with ${attached.fileName})`;
}

/** Writes all inspections of the template into a spreadsheet, one row each. */
async function* readAll(demo: DemoStage): Steps {
	const { store } = demo.sandbox;
	const template = store.findTemplate(null, 'SITE-SAFETY')?.id;
	const held = store.inspections().filter(({ templateId }) => templateId === template);
	await run(demo, 'getMany');
	const sheet = await readRows(demo, EXAMPLE_SHEETS.all);
	assert.equal(
		sheet.length,
		held.length,
		"the sheet doesn't have exactly the template's inspections",
	);
	yield `${count(sheet, 'inspection')} read back into ${EXAMPLE_SHEETS.all}`;
}

/** Saves every answer in an n8n data table. */
async function* keepAnswers(demo: DemoStage): Steps {
	const execution = await run(demo, 'dataTable');
	const answers = execution.items(EXAMPLE_NODES.answers);
	const rows = new Set(execution.items(EXAMPLE_NODES.table).map(({ json }) => json['id']));
	assert.equal(rows.size, answers.length, "the table doesn't have one row per answer");
	yield `${count(answers, 'answer')} saved in a data table, one row each`;
}

/** Formats a count with its noun: "1 row", "2 rows". */
function count(things: readonly unknown[], noun: string): string {
	return `${String(things.length)} ${noun}${things.length === 1 ? '' : 's'}`;
}

/** Reads a sheet in n8n's files folder. Returns its rows without the header. */
async function readRows({ n8n }: DemoStage, file: string) {
	return (await readSheet(join(n8n.filesFolder, file))).slice(1);
}

/** Executes a workflow, like the editor's button "Execute workflow". @throws if the execution ends with an error */
async function run({ n8n, workflows }: DemoStage, workflow: keyof DemoStage['workflows']) {
	const execution = await n8n.client.run(workflows[workflow], EXAMPLE_NODES.start);
	const { status, error } = execution;
	assert.equal(status, 'success', `${workflow}: ${error?.node ?? ''}: ${error?.message ?? status}`);
	return execution;
}

/** Executes a workflow that creates inspections. Returns the sheet's rows and the new inspections' IDs. */
async function create(demo: DemoStage, workflow: 'create' | 'findings') {
	const execution = await run(demo, workflow);
	const results = execution.items(EXAMPLE_NODES.create).map(({ json }) => json);
	const refused = results.flatMap((result) => textOf(result['error']) ?? []);
	assert(refused.length === 0, `rows were rejected: ${refused.join(' | ')}`);
	const unstored = results.flatMap((result) => textOf(result['unstored_responses']) ?? []);
	assert.deepEqual(unstored, [], "the service didn't store these answers");
	const ids = results.flatMap((result) => textOf(result['id']) ?? []);
	const made = ids.filter((id) => demo.sandbox.store.find(id) !== undefined);
	assert(made.length > 0, 'the service has no new inspection');
	return { rows: execution.items(EXAMPLE_NODES.rows), made };
}
