/** The workflows of examples/ in a real n8n, as a user imports them; what the service and the files hold afterwards. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startChatSink } from '../../sandbox/demo/chatSink.mts';
import { type PreparedDemo, prepareDemo } from '../../sandbox/demo/demoSteps.mts';
import { EXAMPLE_NODES, EXAMPLE_SHEETS } from '../../sandbox/demo/exampleWorkflow.mts';
import type { Execution } from '../../sandbox/demo/n8nClient.mts';
import { startN8n } from '../../sandbox/demo/n8nServer.mts';
import { packConnector } from '../../sandbox/demo/packedConnector.mts';
import { RUNS } from '../../sandbox/demo/projectPaths.mts';
import { startSandbox } from '../../sandbox/service/sandbox.mts';
import { storedAnswers } from './storedAnswers.mts';

const CHAT_PATIENCE_MS = 60_000;

describe('the examples', () => {
	const started: { stop(): Promise<void> }[] = [];
	let demo: PreparedDemo;
	let created: Execution;

	beforeAll(async () => {
		const folder = join(RUNS, 'e2e', 'examples');
		const sandbox = await startSandbox({ data: 'demo' });
		started.push({ stop: () => sandbox.close() });
		const chat = await startChatSink();
		started.push({ stop: () => chat.close() });
		const { path: tarball } = await packConnector(folder);
		const n8n = await startN8n({ userFolder: join(folder, 'n8n'), fresh: true, tarball });
		started.push(n8n);
		demo = await prepareDemo({ sandbox, chat, n8n });
		created = await n8n.client.run(demo.workflows.create, EXAMPLE_NODES.start);
	});

	afterAll(async () => {
		for (const part of started.reverse()) await part.stop();
	});

	it('make one inspection per row of the spreadsheet, with its answers', () => {
		expect(created.error).toBeUndefined();
		const rows = created.items(EXAMPLE_NODES.rows);
		const made = created.items(EXAMPLE_NODES.create);
		expect(rows).toHaveLength(10);
		expect(made.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		expect(made[1]?.json['name']).toBe('WALK-002 Mill Road 12');
		expect(storedAnswers(demo.sandbox, made[1]?.json['id'], 'fieldId')).toEqual({
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

	it('write down what was made', async () => {
		const [header, ...lines] = await sheet(EXAMPLE_SHEETS.made);
		const made = created.items(EXAMPLE_NODES.create);
		expect(header?.slice(0, 2)).toEqual(['Reference', 'Inspection ID']);
		expect(lines.map(([reference, id]) => [reference, id])).toEqual(
			created
				.items(EXAMPLE_NODES.rows)
				.map(({ json }, index) => [json['Reference'], made[index]?.json['id']]),
		);
	});

	it('tell the chat of a finished inspection and append its row, once', async () => {
		const { sandbox, chat, n8n, workflows } = demo;
		const [first, second] = created
			.items(EXAMPLE_NODES.create)
			.map(({ json }) => String(json['id']));
		await n8n.client.activate(workflows.trigger);
		sandbox.store.updateInspection(first ?? '', { status: 'in_progress' });
		sandbox.store.updateInspection(second ?? '', { status: 'completed' });

		const message = await chat.messageWith('WALK-002', CHAT_PATIENCE_MS);
		await n8n.client.deactivate(workflows.trigger);

		expect(message).toContain('Mill Road 12 is completed: Fail at Mill Road 12');
		expect(chat.messages).toHaveLength(1);
		const [execution] = await n8n.client.executions(workflows.trigger);
		expect(execution?.items(EXAMPLE_NODES.trigger).map(({ json }) => json['id'])).toEqual([second]);
		const text = await readFile(join(n8n.filesFolder, EXAMPLE_SHEETS.finished), 'utf8');
		expect(text.trim().split('\n')).toEqual([
			'"id","name","status","Site name","Date","Result","updated_at","updated_by"',
			expect.stringMatching(`^"${second ?? ''}","WALK-002 Mill Road 12","completed",`),
		]);
	});

	it('read all inspections of the template into a spreadsheet', async () => {
		const { sandbox, n8n, workflows } = demo;
		const read = await n8n.client.run(workflows.getMany, EXAMPLE_NODES.start);
		expect(read.error).toBeUndefined();

		const [header = [], ...lines] = await sheet(EXAMPLE_SHEETS.all);
		const template = sandbox.store.findTemplate(null, 'SITE-SAFETY')?.id;
		const held = sandbox.store.inspections().filter(({ templateId }) => templateId === template);
		expect(lines.map(([id]) => id).toSorted()).toEqual(held.map(({ id }) => id).toSorted());

		const line = lines.find((cells) => cells.includes('WALK-002 Mill Road 12')) ?? [];
		const row = Object.fromEntries(header.map((key, index) => [String(key), line[index]]));
		expect(row).toMatchObject({
			status: 'completed',
			'Number of workers': 17,
			PPE: 'Helmet, Gloves, Goggles',
			'Severity:2': 'Medium',
		});
	});

	async function sheet(file: string) {
		return await readSheet(join(demo.n8n.filesFolder, file));
	}
});
