/** What the demo shows, one step after the other; each yields what happened, or throws where it did not. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';

import { textOf } from '../../nodes/InspectionService/domain/json.ts';
import samples from '../service/sampleFiles.json' with { type: 'json' };
import type { DemoStage } from './demoStage.mts';
import { EXAMPLE_NODES, EXAMPLE_SHEETS, POLL_SECONDS } from './exampleWorkflow.mts';
import type { Execution, OutputItem } from './n8nClient.mts';
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
export async function* playDemo(demo: DemoStage): Steps {
	const [first = ''] = yield* createFromSheet(demo);
	yield* createFromFindings(demo);
	yield* finishOne(demo, first);
	yield* reportByForm(demo);
	yield* readAll(demo);
	yield* keepAnswers(demo);
}

/** Rows become inspections. Gives the ids of what was made. */
async function* createFromSheet(demo: DemoStage): Steps<string[]> {
	const { rows, made } = await create(demo, 'create');
	yield `${count(rows, 'row')} read from ${EXAMPLE_SHEETS.input}`;
	const became = `${count(made, 'inspection')} made`;
	assert(made.length === rows.length, `${became} of ${count(rows, 'row')}`);
	yield `${became}, every answer found in what the service stored`;

	const sheet = await readRows(demo, EXAMPLE_SHEETS.made);
	assert(sheet.length === made.length, `${EXAMPLE_SHEETS.made} has ${count(sheet, 'row')}`);
	yield `${count(sheet, 'row')} written to ${EXAMPLE_SHEETS.made}`;
	return made;
}

/** Several rows become one inspection. */
async function* createFromFindings(demo: DemoStage): Steps {
	const { rows, made } = await create(demo, 'findings');
	const walks = new Set(rows.map(({ json }) => json['Walk']));
	const became = `became ${count(made, 'inspection')}, one for each walk`;
	assert(made.length === walks.size, `${String(walks.size)} walks ${became}`);
	yield `${count(rows, 'row')} of ${EXAMPLE_SHEETS.findings} ${became}`;
}

/** Finishes one inspection in the service, as its users do, and waits for what the trigger makes of it. */
async function* finishOne(demo: DemoStage, id: string): Steps {
	const { sandbox, chat, n8n, workflows } = demo;
	await n8n.client.activate(workflows.trigger);
	const name = sandbox.store.find(id)?.name ?? '';
	const finishedAt = Date.now();
	sandbox.store.updateInspection(id, { status: 'completed' });
	yield `1 inspection finished in the service: ${name}`;

	const message = await chat.inbox.messageWith(name, TRIGGER_TIMEOUT_MS);
	const seconds = String(Math.round((Date.now() - finishedAt) / 1000));
	const emitted = await emittedByTrigger(demo);
	const names = emitted.map(({ json }) => String(json['name'])).join(', ');
	assert(
		emitted.length === 1 && emitted[0]?.json['id'] === id,
		`the trigger emitted ${count(emitted, 'item')}: ${names}`,
	);
	yield `1 inspection emitted by the trigger, ${seconds} s later (it polls every ${String(POLL_SECONDS)} s)`;
	const { messages } = chat.inbox;
	assert(messages.length === 1, `${count(messages, 'message')} came instead of one`);
	yield `1 message sent to the chat: ${message}`;

	const text = await readFile(join(n8n.filesFolder, EXAMPLE_SHEETS.finished), 'utf8');
	const [, ...lines] = text.trim().split('\n');
	assert(lines.length === 1 && lines[0]?.includes(id) === true, `wrong lines: ${lines.join(' ')}`);
	yield `1 row appended to ${EXAMPLE_SHEETS.finished}`;
}

/** Somebody fills in the form, with a photo. */
async function* reportByForm(demo: DemoStage): Steps {
	const { n8n, mail, workflows, formUrl } = demo;
	await n8n.client.activate(workflows.form);
	const before = inspectionCount(demo);
	const site = 'Canal Bridge';
	const walk = [site, '2026-06-02', '9', 'Fail', ['Helmet', 'Gloves']] as const;
	const hazard = ['Trench without a ladder', 'High'];
	await sendForm(formUrl, [...walk, ...hazard, [samplePhoto('trench.png')]]);
	assert(inspectionCount(demo) === before + 1, 'the form made no inspection');
	yield '1 form filled in, with a photo: 1 inspection made';

	const { subject, to, attachments } = await mail.inbox.messageWith(site, MAIL_TIMEOUT_MS);
	const [attached] = attachments;
	assert(attached?.content.equals(SAMPLE_IMAGE) === true, 'the photo is not in the mail');
	yield `1 mail to ${to.join(', ')}: ${subject} (with ${attached.fileName})`;
}

/** Reads the template's inspections back as rows of a spreadsheet. */
async function* readAll(demo: DemoStage): Steps {
	const { store } = demo.sandbox;
	const template = store.findTemplate(null, TEMPLATE)?.id;
	const held = store.inspections().filter(({ templateId }) => templateId === template);
	const rows = (await run(demo, 'getMany')).items(EXAMPLE_NODES.getMany);
	const sheet = await readRows(demo, EXAMPLE_SHEETS.all);
	const ids = new Set(sheet.map(([id]) => id));
	assert(
		rows.length === held.length && held.every(({ id }) => ids.has(id)),
		`the service holds ${count(held, 'inspection')}, ${count(rows, 'row')} came, the sheet has ${count(sheet, 'row')}`,
	);
	yield `${count(sheet, 'inspection')} read back into ${EXAMPLE_SHEETS.all}`;
}

/** Puts every answer into a data table of n8n. */
async function* keepAnswers(demo: DemoStage): Steps {
	const execution = await run(demo, 'dataTable');
	const answers = execution.items(EXAMPLE_NODES.answers);
	const rows = new Set(execution.items(EXAMPLE_NODES.table).map(({ json }) => json['id']));
	assert(
		answers.length > 0 && rows.size === answers.length,
		`${count(answers, 'answer')}, but the table has ${String(rows.size)} rows of them`,
	);
	yield `${count(answers, 'answer')} kept in a data table, one row for each`;
}

function inspectionCount({ sandbox }: DemoStage): number {
	return sandbox.store.inspections().length;
}

/** "1 row", "2 rows" */
function count(things: readonly unknown[], noun: string): string {
	return `${String(things.length)} ${noun}${things.length === 1 ? '' : 's'}`;
}

/** A sheet's rows below its header, in n8n's files folder. */
async function readRows({ n8n }: DemoStage, file: string) {
	const [, ...rows] = await readSheet(join(n8n.filesFolder, file));
	return rows;
}

function succeeded(execution: Execution): Execution {
	const { status, error } = execution;
	const reason = error === undefined ? '' : `: ${error.node ?? ''}: ${error.message}`;
	assert(status === 'success', `the workflow ended with "${status}"${reason}`);
	return execution;
}

/** Executes a workflow, as the editor's button does. */
async function run({ n8n, workflows }: DemoStage, workflow: keyof DemoStage['workflows']) {
	return succeeded(await n8n.client.run(workflows[workflow], EXAMPLE_NODES.start));
}

/** Executes a workflow that makes inspections: the rows that it read, and the ids of what the service has now. */
async function create(demo: DemoStage, workflow: 'create' | 'findings') {
	const before = inspectionCount(demo);
	const execution = await run(demo, workflow);
	const results = execution.items(EXAMPLE_NODES.create).map(({ json }) => json);
	const refused = results.flatMap((result) => textOf(result['error']) ?? []);
	assert(refused.length === 0, `rows were refused: ${refused.join(' | ')}`);
	const made = results.flatMap((result) => textOf(result['id']) ?? []);
	const grown = inspectionCount(demo) - before;
	assert(
		made.length > 0 && made.length === grown && made.every((id) => demo.sandbox.store.find(id)),
		`${count(made, 'inspection')} made, but the service has ${String(grown)} more`,
	);
	const incomplete = results.filter(
		({ unstored_responses: unstored }) => !Array.isArray(unstored) || unstored.length > 0,
	);
	assert(incomplete.length === 0, `answers of ${count(incomplete, 'inspection')} were not stored`);
	return { rows: execution.items(EXAMPLE_NODES.rows), made };
}

/** What the trigger handed to executions, once the one that told the chat is over. */
async function emittedByTrigger({ n8n, workflows }: DemoStage): Promise<OutputItem[]> {
	return await untilFound(async () => {
		const executions = await n8n.client.executions(workflows.trigger);
		const items = executions.flatMap((one) => succeeded(one).items(EXAMPLE_NODES.trigger));
		return executions.length > 0 ? items : undefined;
	}, TRIGGER_TIMEOUT_MS);
}
