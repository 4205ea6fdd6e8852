/** The workflows of examples/ in a real n8n, as a user imports them; what the service and the files hold afterwards. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type DemoStage, setStage } from '#sandbox/demo/demoStage.mts';
import { samplePhoto } from '#sandbox/demo/demoSteps.mts';
import { EXAMPLE_NODES, EXAMPLE_SHEETS } from '#sandbox/demo/exampleWorkflow.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { sendForm } from '#sandbox/demo/n8nForm.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { storedAnswers } from './storedAnswers.mts';

const CHAT_PATIENCE_MS = 60_000;
const MAIL_PATIENCE_MS = 30_000;

describe('the examples', () => {
	const stack = new AsyncDisposableStack();
	let demo: DemoStage;
	let created: Execution;

	beforeAll(async () => {
		const folder = join(RUNS, 'e2e', 'examples');
		const { path: tarball } = await packConnector(folder);
		demo = await setStage({ userFolder: join(folder, 'n8n'), fresh: true, tarball }, stack);
		created = await demo.n8n.client.run(demo.workflows.create, EXAMPLE_NODES.start);
	});

	afterAll(() => stack.disposeAsync());

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

		const message = await chat.inbox.first((text) => text.includes('WALK-002'), CHAT_PATIENCE_MS);
		await n8n.client.deactivate(workflows.trigger);

		expect(message).toContain('Mill Road 12 is completed: Fail at Mill Road 12');
		expect(chat.inbox.messages).toHaveLength(1);
		// The message is sent before the row is appended.
		const execution = await untilFound(
			async () => (await n8n.client.executions(workflows.trigger))[0],
		);
		expect(execution.items(EXAMPLE_NODES.trigger).map(({ json }) => json['id'])).toEqual([second]);
		const text = await readFile(join(n8n.filesFolder, EXAMPLE_SHEETS.finished), 'utf8');
		expect(text.trim().split('\n')).toEqual([
			'"id","name","status","Site name","Date","Result","updated_at","updated_by"',
			expect.stringMatching(`^"${second ?? ''}","WALK-002 Mill Road 12","completed",`),
		]);
	});

	it('make one inspection of a form that somebody filled in, and mail it with the photos', async () => {
		const { sandbox, n8n, workflows } = demo;
		await n8n.client.activate(workflows.form);
		const page = await (await fetch(demo.formUrl)).text();
		for (const field of ['Site name', 'Date', 'Result', 'Hi-vis vest', 'Photos']) {
			expect(page).toContain(field);
		}
		const [photo, plan] = [samplePhoto('trench.png'), samplePhoto('Plan (2).png')];
		const hazard = ['Trench without a ladder\nEast side', 'High'];
		const walk = ['Canal Bridge', '2026-06-02', '9', 'Fail'];
		await sendForm(demo.formUrl, [...walk, ['Helmet', 'Hi-vis vest'], ...hazard], [photo, plan]);

		const sent = await mailAbout('Canal Bridge');
		const [made] = (await n8n.client.executions(workflows.form)).flatMap((execution) =>
			execution.items(EXAMPLE_NODES.createOne),
		);
		expect(storedAnswers(sandbox, made?.json['id'])).toEqual({
			'Site name': 'Canal Bridge',
			Date: '2026-06-02T00:00:00.000Z',
			'Number of workers': 9,
			Result: 'Fail',
			PPE: ['Helmet', 'Hi-vis vest'],
			// Browsers send line breaks so.
			Description: 'Trench without a ladder\r\nEast side',
			Severity: 'High',
		});
		expect(sent).toEqual({
			to: ['safety@example.com'],
			subject: 'Canal Bridge, 2026-06-02: Fail',
			text: [
				'Site: Canal Bridge',
				'Date: 2026-06-02',
				'Result: Fail',
				'Hazard: Trench without a ladder',
				'East side',
				'Severity: High',
				`Inspection ID: ${String(made?.json['id'])}`,
			].join('\n'),
			attachments: await Promise.all(
				[photo, plan].map(async (file) => ({
					fileName: file.name,
					mediaType: 'image/png',
					content: Buffer.from(await file.arrayBuffer()),
				})),
			),
		});
	});

	it('make an inspection of a form without hazard and photo', async () => {
		const { sandbox } = demo;
		const noChoice: string[] = [];
		await sendForm(demo.formUrl, ['Quay 7', '2026-06-03', '', 'Pass', noChoice, '', ''], []);
		const sent = await mailAbout('Quay 7');
		expect(sent.text.split('\n')).toEqual([
			...['Site: Quay 7', 'Date: 2026-06-03', 'Result: Pass'],
			expect.stringMatching(/^Inspection ID: /),
		]);
		expect(sent.attachments).toEqual([]);
		const made = sandbox.store.inspections().find(({ name }) => name === 'Quay 7, 2026-06-03');
		expect(storedAnswers(sandbox, made?.id)).toEqual({
			'Site name': 'Quay 7',
			Date: '2026-06-03T00:00:00.000Z',
			Result: 'Pass',
		});
	});

	it('tell whoever sends the form that no inspection was made', async () => {
		const { mail } = demo;
		const mails = mail.inbox.messages.length;
		const sent = sendForm(demo.formUrl, ['Quay 8', 'soon', '', 'Pass', [], '', ''], []);
		await expect(sent).rejects.toThrow('500');
		expect(mail.inbox.messages).toHaveLength(mails);
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

	async function mailAbout(site: string) {
		return await demo.mail.inbox.first(({ subject }) => subject.includes(site), MAIL_PATIENCE_MS);
	}

	async function sheet(file: string) {
		return await readSheet(join(demo.n8n.filesFolder, file));
	}
});
