/** Tests the examples that run on a schedule: recurring inspections, follow-ups, and the watchdog. */
import { describe, expect, it } from 'vitest';

import { loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { connectedMail, connectedN8n } from './connectedN8n.mts';
import { dataTableNode, n8nNode } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const DAY_MS = 86_400_000;
const PATIENCE_MS = 60_000;

const { sandbox, n8n, credential, imported, runSaved, outputOf } = await connectedN8n({
	data: 'demo',
	demoInspections: 5,
});
const { mail, mailAccount } = await connectedMail(n8n);
const { store } = sandbox;
const { client } = n8n;
const named = (start: string) => store.inspections().filter(({ name }) => name.startsWith(start));
const succeed = async (workflow: string) => {
	expect((await runSaved(workflow)).error).toBeUndefined();
};

describe('the workflow of recurring inspections', () => {
	it('creates one inspection per site and week, with a mail about those not started', async () => {
		const workflow = await imported('recurring-inspections', { mailAccount });
		await succeed(workflow);
		expect(named('Harbor')).toEqual([]);

		const inspector = sandbox.tenants.north.owner.email;
		const columns = {
			mappingMode: 'defineBelow',
			value: { site: 'Harbor', inspector },
			matchingColumns: [],
			schema: ['site', 'inspector'].map((id) => ({ id, displayName: id, type: 'string' })),
		};
		const dataTableId = { __rl: true, mode: 'name', value: 'Sites' };
		const parameters = { resource: 'row', operation: 'insert', dataTableId, columns, options: {} };
		await outputOf([n8nNode('dataTable', 1.1, parameters)]);
		await succeed(workflow);
		await succeed(workflow);
		const made = named('Harbor');
		expect(made.map(({ name }) => name)).toEqual([
			expect.stringMatching(/^Harbor, week \d{4}-W\d{2}$/),
		]);
		expect(storedAnswers(sandbox, made[0]?.id)).toEqual({ 'Site name': 'Harbor' });

		const old = { template: 'SITE-SAFETY', name: 'Forgotten walk', status: 'new' } as const;
		store.addInspection({ ...old, createdAt: new Date(Date.now() - 5 * DAY_MS).toISOString() });
		await succeed(workflow);
		const { text } = await mail.inbox.first(
			(one) => one.text.includes('Forgotten walk'),
			PATIENCE_MS,
		);
		expect(text).not.toContain('Harbor');
	});
});

it('finding to follow-up: creates exactly one inspection per serious finding', async () => {
	const walk = store.addInspection({
		template: 'SITE-SAFETY',
		name: 'Canal walk',
		status: 'in_progress',
		answers: [
			{ control: 'Site name', value: 'Canal' },
			{ control: 'Description', value: 'Open trench' },
			{ control: 'Severity', value: 'High' },
			{ control: 'Description', value: 'Loose board', order: 2 },
			{ control: 'Severity', value: 'Low', order: 2 },
			{ control: 'Description', value: 'No railing', order: 3 },
			{ control: 'Severity', value: 'High', order: 3 },
		],
	});
	const followUps = () =>
		named('Follow-up: ')
			.map(({ name }) => name)
			.toSorted();
	for (const expected of ['false,false', 'true,true']) {
		const workflow = await imported('finding-to-follow-up');
		await client.activate(workflow);
		store.updateInspection(walk.id, { status: 'in_progress' });
		store.updateInspection(walk.id, { status: 'completed' });
		const execution = await untilFound(
			async () => (await client.executions(workflow))[0],
			PATIENCE_MS,
		);
		await client.deactivate(workflow);
		const created = execution.items('Create the follow-up').map(({ json }) => json);
		expect(created.map((json) => json['already_existed']).join()).toBe(expected);
		expect(followUps()).toEqual(['Follow-up: Canal, No railing', 'Follow-up: Canal, Open trench']);
	}
	const [first] = named('Follow-up: Canal, Open trench');
	expect(storedAnswers(sandbox, first?.id)).toEqual({
		'Site name': 'Canal',
		Comments: 'Follow-up of "Canal walk": Open trench',
	});
});

describe('the watchdog', async () => {
	const workflow = await imported('watchdog', { mailAccount });
	const handled = async () => {
		const rows = await outputOf([dataTableNode('Handled inspections')]);
		return rows.map((row) => row['name']);
	};

	it('reports once per version what it handled because the trigger missed it', async () => {
		await succeed(workflow);
		const done = { template: 'SITE-SAFETY', status: 'completed' } as const;
		store.addInspection({ ...done, name: 'Missed 1' });
		const { id } = store.addInspection({ ...done, name: 'Missed 2' });
		await succeed(workflow);
		const first = await mail.inbox.first(({ text }) => text.includes('Missed 2'), PATIENCE_MS);
		expect(first.subject).toContain('inspections were handled late');
		expect(await handled()).toEqual(expect.arrayContaining(['Missed 1', 'Missed 2']));

		const mails = mail.inbox.messages.length;
		await succeed(workflow);
		expect(mail.inbox.messages).toHaveLength(mails);

		store.updateInspection(id, { name: 'Missed 2, corrected' });
		await succeed(workflow);
		const { text } = await mail.inbox.first(
			(mailed) => mailed.text.includes('corrected'),
			PATIENCE_MS,
		);
		expect(text).not.toContain('Missed 1');
		expect(await handled()).not.toContain('Missed 2');
	});

	it('reports a trigger that has been silent for longer than the settings allow', async () => {
		const file = await loadExample('watchdog', {
			credential,
			filesFolder: n8n.filesFolder,
			mailAccount,
		});
		const text = JSON.stringify(file).replace('={{ 72 }}', '={{ 0 }}');
		const { id } = await client.createWorkflow(JSON.parse(text) as typeof file);
		await succeed(id);
		const { text: told } = await mail.inbox.first(
			({ subject }) => subject === 'The trigger has been silent',
			PATIENCE_MS,
		);
		expect(told).toContain('Missed 2, corrected');
	});
});
