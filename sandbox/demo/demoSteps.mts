/** What the demo shows, one step after the other; each says what happened, or throws where it did not. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { readSheet } from 'read-excel-file/node';

import { textOf } from '../../nodes/InspectionService/domain/json.ts';
import type { Sandbox } from '../service/sandbox.mts';
import type { ChatSink } from './chatSink.mts';
import {
	copyExampleSheets,
	EXAMPLE_NODES,
	EXAMPLE_SHEETS,
	type ExampleName,
	loadExample,
} from './exampleWorkflow.mts';
import type { Execution, OutputItem } from './n8nClient.mts';
import type { N8nServer } from './n8nServer.mts';

/** Everything that runs for the demo. */
export interface DemoStage {
	sandbox: Sandbox;
	n8n: N8nServer;
	chat: ChatSink;
}

/** The demo on its stage, with what n8n holds. */
export interface PreparedDemo extends DemoStage {
	/** Workflow ids. */
	workflows: Record<ExampleName, string>;
}

/** n8n polls at most once a minute by its own schedules; the demo does not let people wait for it. */
const POLL_SECONDS = 10;
/** Three polls, and time for a busy machine. */
const TRIGGER_TIMEOUT_MS = 60_000;
const TEMPLATE = 'SITE-SAFETY';

/** Credential, sheets and the example workflows in n8n. */
export async function prepareDemo(stage: DemoStage): Promise<PreparedDemo> {
	const { sandbox, n8n, chat } = stage;
	await copyExampleSheets(n8n.filesFolder);
	const credential = await n8n.client.createCredential(
		'Local Inspection Service',
		'inspectionServiceApi',
		{
			baseUrl: sandbox.apiUrl,
			apiKey: sandbox.keys.north,
		},
	);
	const imported = async (name: ExampleName) => {
		const workflow = await loadExample(name, {
			credential,
			filesFolder: n8n.filesFolder,
			chatUrl: chat.url,
			pollSeconds: POLL_SECONDS,
		});
		return (await n8n.client.createWorkflow(workflow)).id;
	};
	const workflows = {
		create: await imported('create'),
		findings: await imported('findings'),
		trigger: await imported('trigger'),
		getMany: await imported('getMany'),
	};
	return { ...stage, workflows };
}

/** Runs the main workflow. Answers the ids of what it made. */
export async function createFromSheet(demo: PreparedDemo, say: Say): Promise<string[]> {
	const { n8n, sandbox, workflows } = demo;
	const before = sandbox.store.inspections().length;
	const execution = succeeded(await n8n.client.run(workflows.create, EXAMPLE_NODES.start));
	const rows = execution.items(EXAMPLE_NODES.rows);
	demand(rows.length > 0, `no rows were read from ${EXAMPLE_SHEETS.input}`);
	say(`${count(rows, 'row')} read from ${EXAMPLE_SHEETS.input}`);

	const results = execution.items(EXAMPLE_NODES.create).map(({ json }) => json);
	const refused = results.flatMap((result) => textOf(result['error']) ?? []);
	demand(refused.length === 0, `rows were refused: ${refused.join(' | ')}`);
	const ids = results.flatMap((result) => textOf(result['id']) ?? []);
	const made = ids.filter((id) => sandbox.store.find(id) !== undefined);
	const grown = sandbox.store.inspections().length - before;
	demand(
		made.length === rows.length && grown === rows.length,
		`${String(rows.length)} rows, but the service has ${String(grown)} more inspections`,
	);
	const incomplete = results.filter(
		({ unstored_responses: unstored }) => !Array.isArray(unstored) || unstored.length > 0,
	);
	demand(incomplete.length === 0, `answers of ${count(incomplete, 'inspection')} were not stored`);
	say(`${count(made, 'inspection')} made, every answer found in what the service stored`);

	const sheet = await readRows(n8n, EXAMPLE_SHEETS.made);
	demand(sheet.length === made.length, `${EXAMPLE_SHEETS.made} has ${count(sheet, 'row')}`);
	say(`${count(sheet, 'row')} written to ${EXAMPLE_SHEETS.made}`);
	return made;
}

/** Finishes one inspection in the service, as its users do, and waits for what the trigger makes of it. */
export async function finishOne(demo: PreparedDemo, id: string, say: Say): Promise<void> {
	const { sandbox, chat, n8n, workflows } = demo;
	await n8n.client.activate(workflows.trigger);
	const name = sandbox.store.find(id)?.name ?? '';
	const finishedAt = Date.now();
	sandbox.store.updateInspection(id, { status: 'completed' });
	say(`1 inspection finished in the service: ${name}`);

	const message = await chat.messageWith(name, TRIGGER_TIMEOUT_MS);
	const seconds = String(Math.round((Date.now() - finishedAt) / 1000));
	const emitted = await emittedByTrigger(demo);
	demand(
		emitted.length === 1 && emitted[0]?.json['id'] === id,
		`the trigger emitted ${count(emitted, 'item')}: ${emitted.map((item) => String(item.json['name'])).join(', ')}`,
	);
	say(
		`1 inspection emitted by the trigger, ${seconds} s later (it polls every ${String(POLL_SECONDS)} s)`,
	);
	demand(chat.messages.length === 1, `${count(chat.messages, 'message')} came instead of one`);
	say(`1 message sent to the chat: ${message}`);

	const text = await readFile(join(demo.n8n.filesFolder, EXAMPLE_SHEETS.finished), 'utf8');
	const [, ...lines] = text.trim().split('\n');
	demand(lines.length === 1 && lines[0]?.includes(id) === true, `wrong lines: ${lines.join(' ')}`);
	say(`1 row appended to ${EXAMPLE_SHEETS.finished}`);
}

/** Reads the template's inspections back as rows of a spreadsheet. */
export async function readAll(demo: PreparedDemo, say: Say): Promise<void> {
	const { n8n, sandbox, workflows } = demo;
	const template = sandbox.store.findTemplate(null, TEMPLATE)?.id;
	const held = sandbox.store.inspections().filter(({ templateId }) => templateId === template);
	const execution = succeeded(await n8n.client.run(workflows.getMany, EXAMPLE_NODES.start));
	const rows = execution.items(EXAMPLE_NODES.getMany);
	const sheet = await readRows(n8n, EXAMPLE_SHEETS.all);
	const ids = new Set(sheet.map(([id]) => id));
	demand(
		rows.length === held.length && held.every(({ id }) => ids.has(id)),
		`the service holds ${count(held, 'inspection')}, ${count(rows, 'row')} came, the sheet has ${count(sheet, 'row')}`,
	);
	say(`${count(sheet, 'inspection')} read back into ${EXAMPLE_SHEETS.all}`);
}

/** Takes what has just been seen to hold, in words. */
export type Say = (what: string) => void;

function demand(holds: boolean, otherwise: string): void {
	if (!holds) throw new Error(otherwise);
}

function succeeded(execution: Execution): Execution {
	const { status, error } = execution;
	const reason = error === undefined ? '' : `: ${error.node ?? ''}: ${error.message}`;
	demand(status === 'success', `the workflow ended with "${status}"${reason}`);
	return execution;
}

/** What the trigger handed to executions, once the one that told the chat is over. */
async function emittedByTrigger({ n8n, workflows }: PreparedDemo): Promise<OutputItem[]> {
	const deadline = Date.now() + TRIGGER_TIMEOUT_MS;
	for (;;) {
		const executions = await n8n.client.executions(workflows.trigger);
		if (executions.length > 0) {
			return executions.flatMap((execution) => succeeded(execution).items(EXAMPLE_NODES.trigger));
		}
		demand(Date.now() < deadline, 'the execution that told the chat does not end');
		await pause(200);
	}
}

/** A sheet's rows below its header. */
async function readRows({ filesFolder }: N8nServer, file: string) {
	const [, ...rows] = await readSheet(join(filesFolder, file));
	return rows;
}

function count(things: readonly unknown[], noun: string): string {
	return `${String(things.length)} ${noun}${things.length === 1 ? '' : 's'}`;
}
