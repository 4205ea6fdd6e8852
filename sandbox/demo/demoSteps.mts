/** What the demo shows, one step after the other; each yields what happened, or throws where it did not. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type JsonRecord, textOf } from '../../nodes/InspectionService/domain/json.ts';
import samples from '../service/sampleFiles.json' with { type: 'json' };
import { count, readRows, succeeded } from './demoCheck.mts';
import { formUrl, POLL_SECONDS, type PreparedDemo } from './demoStage.mts';
import { EXAMPLE_NODES, EXAMPLE_SHEETS } from './exampleWorkflow.mts';
import type { OutputItem } from './n8nClient.mts';
import { sendForm } from './n8nForm.mts';
import { untilFound } from './waiting.mts';

/** Three polls, and time for a busy machine. */
const TRIGGER_TIMEOUT_MS = 60_000;
const MAIL_TIMEOUT_MS = 30_000;
const TEMPLATE = 'SITE-SAFETY';
const SAMPLE_IMAGE = Buffer.from(samples.image, 'base64');

/** A small PNG with a name of its own. */
export function samplePhoto(name: string): File {
	return new File([SAMPLE_IMAGE], name, { type: 'image/png' });
}

/** What has just been seen to hold, in words. */
type Steps<Result = void> = AsyncGenerator<string, Result>;

/** Everything, in the order in which a user would meet it. */
export async function* playDemo(demo: PreparedDemo): Steps {
	const [first = ''] = yield* createFromSheet(demo);
	yield* createFromFindings(demo);
	yield* finishOne(demo, first);
	yield* reportByForm(demo);
	yield* readAll(demo);
	yield* keepAnswers(demo);
}

/** Rows become inspections. Gives the ids of what was made. */
async function* createFromSheet(demo: PreparedDemo): Steps<string[]> {
	const { n8n, sandbox, workflows } = demo;
	const before = inspectionCount(demo);
	const execution = succeeded(await n8n.client.run(workflows.create, EXAMPLE_NODES.start));
	const rows = execution.items(EXAMPLE_NODES.rows);
	assert(rows.length > 0, `no rows were read from ${EXAMPLE_SHEETS.input}`);
	yield `${count(rows, 'row')} read from ${EXAMPLE_SHEETS.input}`;

	const results = execution.items(EXAMPLE_NODES.create).map(({ json }) => json);
	const refused = results.flatMap((result) => textOf(result['error']) ?? []);
	assert(refused.length === 0, `rows were refused: ${refused.join(' | ')}`);
	const ids = results.flatMap((result) => textOf(result['id']) ?? []);
	const made = ids.filter((id) => sandbox.store.find(id) !== undefined);
	const grown = inspectionCount(demo) - before;
	assert(
		made.length === rows.length && grown === rows.length,
		`${String(rows.length)} rows, but the service has ${String(grown)} more inspections`,
	);
	demandAllStored(results);
	yield `${count(made, 'inspection')} made, every answer found in what the service stored`;

	const sheet = await readRows(n8n, EXAMPLE_SHEETS.made);
	assert(sheet.length === made.length, `${EXAMPLE_SHEETS.made} has ${count(sheet, 'row')}`);
	yield `${count(sheet, 'row')} written to ${EXAMPLE_SHEETS.made}`;
	return made;
}

/** Several rows become one inspection. */
async function* createFromFindings(demo: PreparedDemo): Steps {
	const { n8n, workflows } = demo;
	const before = inspectionCount(demo);
	const execution = succeeded(await n8n.client.run(workflows.findings, EXAMPLE_NODES.start));
	const rows = execution.items(EXAMPLE_NODES.rows);
	const walks = new Set(rows.map(({ json }) => json['Walk']));
	const results = execution.items(EXAMPLE_NODES.create).map(({ json }) => json);
	assert(
		results.length === walks.size && inspectionCount(demo) - before === walks.size,
		`${String(walks.size)} walks, but ${count(results, 'inspection')} came`,
	);
	demandAllStored(results);
	yield `${count(rows, 'row')} of ${EXAMPLE_SHEETS.findings} became ${count(results, 'inspection')}, one for each walk`;
}

/** Finishes one inspection in the service, as its users do, and waits for what the trigger makes of it. */
async function* finishOne(demo: PreparedDemo, id: string): Steps {
	const { sandbox, chat, n8n, workflows } = demo;
	await n8n.client.activate(workflows.trigger);
	const name = sandbox.store.find(id)?.name ?? '';
	const finishedAt = Date.now();
	sandbox.store.updateInspection(id, { status: 'completed' });
	yield `1 inspection finished in the service: ${name}`;

	const message = await chat.inbox.messageWith(name, TRIGGER_TIMEOUT_MS);
	const seconds = String(Math.round((Date.now() - finishedAt) / 1000));
	const emitted = await emittedByTrigger(demo);
	assert(
		emitted.length === 1 && emitted[0]?.json['id'] === id,
		`the trigger emitted ${count(emitted, 'item')}: ${emitted.map((item) => String(item.json['name'])).join(', ')}`,
	);
	yield `1 inspection emitted by the trigger, ${seconds} s later (it polls every ${String(POLL_SECONDS)} s)`;
	assert(
		chat.inbox.messages.length === 1,
		`${count(chat.inbox.messages, 'message')} came instead of one`,
	);
	yield `1 message sent to the chat: ${message}`;

	const text = await readFile(join(demo.n8n.filesFolder, EXAMPLE_SHEETS.finished), 'utf8');
	const [, ...lines] = text.trim().split('\n');
	assert(lines.length === 1 && lines[0]?.includes(id) === true, `wrong lines: ${lines.join(' ')}`);
	yield `1 row appended to ${EXAMPLE_SHEETS.finished}`;
}

/** Somebody fills in the form, with a photo. */
async function* reportByForm(demo: PreparedDemo): Steps {
	const { n8n, mail, workflows } = demo;
	await n8n.client.activate(workflows.form);
	const before = inspectionCount(demo);
	const walk = ['Canal Bridge', '2026-06-02', '9', 'Fail', ['Helmet', 'Gloves']] as const;
	await sendForm(formUrl(demo), [
		...walk,
		'Trench without a ladder',
		'High',
		[samplePhoto('trench.png')],
	]);
	assert(inspectionCount(demo) === before + 1, 'the form made no inspection');
	yield '1 form filled in, with a photo: 1 inspection made';

	const { subject, to, attachments } = await mail.inbox.messageWith(
		'Canal Bridge',
		MAIL_TIMEOUT_MS,
	);
	const [attached] = attachments;
	assert(attached?.content.equals(SAMPLE_IMAGE) === true, 'the photo is not in the mail');
	yield `1 mail to ${to.join(', ')}: ${subject} (with ${attached?.fileName ?? ''})`;
}

/** Reads the template's inspections back as rows of a spreadsheet. */
async function* readAll(demo: PreparedDemo): Steps {
	const { n8n, sandbox, workflows } = demo;
	const template = sandbox.store.findTemplate(null, TEMPLATE)?.id;
	const held = sandbox.store.inspections().filter(({ templateId }) => templateId === template);
	const execution = succeeded(await n8n.client.run(workflows.getMany, EXAMPLE_NODES.start));
	const rows = execution.items(EXAMPLE_NODES.getMany);
	const sheet = await readRows(n8n, EXAMPLE_SHEETS.all);
	const ids = new Set(sheet.map(([id]) => id));
	assert(
		rows.length === held.length && held.every(({ id }) => ids.has(id)),
		`the service holds ${count(held, 'inspection')}, ${count(rows, 'row')} came, the sheet has ${count(sheet, 'row')}`,
	);
	yield `${count(sheet, 'inspection')} read back into ${EXAMPLE_SHEETS.all}`;
}

/** Puts every answer into a data table of n8n. */
async function* keepAnswers(demo: PreparedDemo): Steps {
	const { n8n, workflows } = demo;
	const execution = succeeded(await n8n.client.run(workflows.dataTable, EXAMPLE_NODES.start));
	const answers = execution.items(EXAMPLE_NODES.answers);
	const rows = new Set(execution.items(EXAMPLE_NODES.table).map(({ json }) => json['id']));
	assert(
		answers.length > 0 && rows.size === answers.length,
		`${count(answers, 'answer')}, but the table has ${String(rows.size)} rows of them`,
	);
	yield `${count(answers, 'answer')} kept in a data table, one row for each`;
}

function inspectionCount({ sandbox }: PreparedDemo): number {
	return sandbox.store.inspections().length;
}

function demandAllStored(results: readonly JsonRecord[]): void {
	const incomplete = results.filter(
		({ unstored_responses: unstored }) => !Array.isArray(unstored) || unstored.length > 0,
	);
	assert(incomplete.length === 0, `answers of ${count(incomplete, 'inspection')} were not stored`);
}

/** What the trigger handed to executions, once the one that told the chat is over. */
async function emittedByTrigger({ n8n, workflows }: PreparedDemo): Promise<OutputItem[]> {
	return await untilFound(async () => {
		const executions = await n8n.client.executions(workflows.trigger);
		const items = executions.flatMap((one) => succeeded(one).items(EXAMPLE_NODES.trigger));
		return executions.length > 0 ? items : undefined;
	}, TRIGGER_TIMEOUT_MS);
}
