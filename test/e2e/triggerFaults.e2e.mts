/**
 * Tests in a real n8n what the trigger does if a template fails, a record is wrong, or the saved state is that of
 * another version. All workflows run in one n8n, each with a service of its own.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, expect, test } from 'vitest';

import { repeatable, text } from '#harness/controls.mts';
import { templateBy, templateById } from '#harness/nodeParameters.mts';
import { recordIn } from '#sandbox/demo/n8nExecution.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import type { JsonRecord } from '#sandbox/json.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { freshN8n, saveCredential } from './connectedN8n.mts';
import { chain, KEEP, triggerNode } from './connectorWorkflow.mts';

const POLL_SECONDS = 5;
const MINUTES = 60_000;
/** Longer than two polls and the wait for n8n's saving. */
const SOME_POLLS_MS = 17_000;

let n8n: N8nServer = await freshN8n('trigger-faults');
afterAll(async () => await n8n.kill());

/** An active workflow with a trigger, and the service that it polls. */
async function watched(parameters: JsonRecord, name: string) {
	const sandbox = await startSandbox({ data: 'empty' });
	const template = sandbox.store.addTemplate({
		identifier: 'DOORS',
		name: 'Fire doors',
		controls: [repeatable('Defects', 'defects', [text('Wall', 'wall')])],
	});
	const id = await activated(sandbox, parameters, name);
	return { sandbox, template, id, add: adder(sandbox, template.id) };
}

/** Activates a workflow with a trigger. Returns the workflow's ID. */
async function activated(sandbox: Sandbox, parameters: JsonRecord, name: string) {
	const credential = await saveCredential(n8n.client, sandbox);
	const trigger = triggerNode(credential, parameters, POLL_SECONDS);
	const { id } = await n8n.client.createWorkflow(chain(name, [trigger, KEEP]));
	await n8n.client.activate(id);
	return id;
}

function adder(sandbox: Sandbox, templateId: string) {
	return (count: number, others = {}) =>
		Array.from(
			{ length: count },
			() => sandbox.store.addInspection({ template: templateId, ...others }).id,
		);
}

async function received(workflowId: string) {
	const executions = await n8n.client.executions(workflowId);
	const items = executions.flatMap((execution) => execution.items(KEEP.name));
	const failed = executions.filter(({ status }) => status === 'error');
	return {
		executions: executions.length - failed.length,
		failed: failed.length,
		messages: failed.map(({ error }) => error?.message ?? '').join(' '),
		rows: items.map(({ json }) => recordIn(json)),
		ids: items.map(({ json }) => String(recordIn(json)['id'])).toSorted(),
	};
}

/** Waits until the workflow has received this many items, and two polls longer. */
async function settled(workflowId: string, count: number) {
	await untilFound(
		async () => (await received(workflowId)).rows.length >= count || undefined,
		MINUTES,
	).catch(() => undefined);
	await pause(SOME_POLLS_MS);
	return await received(workflowId);
}

/** Returns what n8n has saved for a workflow, and replaces it with the result of `change`. n8n must be stopped. */
function changeStaticData(workflowId: string, change: (text: string) => string): string {
	const database = new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'));
	try {
		const row = database
			.prepare('SELECT staticData FROM workflow_entity WHERE id = ?')
			.get(workflowId);
		const saved = String(row?.['staticData'] ?? '');
		database
			.prepare('UPDATE workflow_entity SET staticData = ? WHERE id = ?')
			.run(change(saved), workflowId);
		return saved;
	} finally {
		database.close();
	}
}

test.concurrent(
	'a filter’s template that fails for half a minute loses no change',
	{ timeout: 4 * MINUTES },
	async () => {
		const filters = { templateId: templateBy('DOORS') };
		// Without Lookback, no later poll reads the changes again.
		const parameters = { output: 'raw', filters, options: { lookback: 0 } };
		const { sandbox, id, add } = await watched(parameters, 'Filter');
		const ids = add(3);
		await settled(id, 3);
		sandbox.faults.add({
			on: { operation: 'getTemplate' },
			times: 1_000,
			do: { kind: 'status', status: 500 },
		});
		for (let changes = 0; changes < 10; changes++) {
			ids.push(...add(1));
			await pause(3_000);
		}
		sandbox.faults.clear();
		ids.push(...add(1));
		const got = await settled(id, ids.length);
		expect(got.ids).toEqual(ids.toSorted());
		expect(got.failed).toBeGreaterThan(0);
		expect(got.messages).toContain("filter 'Template' can't be applied");
	},
);

test.concurrent(
	'a filter by ID whose template can’t be read waits with inspections that carry only a name',
	{ timeout: 4 * MINUTES },
	async () => {
		const sandbox = await startSandbox({ data: 'empty', settings: { templateShape: 'name' } });
		const { id: templateId } = sandbox.store.addTemplate({ name: 'Fire doors', controls: [] });
		const filters = { templateId: templateById(templateId) };
		// Without Lookback, no later poll reads the changes again.
		const parameters = { output: 'raw', filters, options: { lookback: 0 } };
		const id = await activated(sandbox, parameters, 'Only names');
		sandbox.faults.add({
			on: { operation: 'getTemplate' },
			times: 1_000,
			do: { kind: 'status', status: 403 },
		});
		const ids = adder(sandbox, templateId)(3);
		await untilFound(async () => (await received(id)).failed > 1 || undefined, MINUTES).catch(
			() => undefined,
		);
		sandbox.faults.clear();
		const got = await settled(id, 3);
		expect(got.messages).toContain("filter 'Template' can't be applied");
		expect(got.ids).toEqual(ids.toSorted());
	},
);

test.concurrent('150 rows of one poll have one header row', { timeout: 4 * MINUTES }, async () => {
	const { id, add } = await watched({ output: 'row' }, 'Rows');
	const answers = (count: number) =>
		Array.from({ length: count }, (_, order) => ({
			control: 'wall',
			value: `W${String(order)}`,
			order,
		}));
	add(149, { answers: answers(1) });
	add(1, { answers: answers(3) });
	const { rows, executions } = await settled(id, 150);
	expect([rows.length, executions]).toEqual([150, 1]);
	expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
});

test.concurrent(
	'neither a broken template nor an inspection without ID stops the trigger',
	{ timeout: 4 * MINUTES },
	async () => {
		const { sandbox, template, id, add } = await watched({ output: 'row' }, 'Bad records');
		const other = sandbox.store.addTemplate({ name: 'Other', controls: [] });
		sandbox.faults.add({
			on: { operation: 'getTemplate', urlIncludes: template.id },
			times: 1_000,
			do: { kind: 'body', body: [] },
		});
		const ids = [...add(2), ...adder(sandbox, other.id)(2)];
		expect((await settled(id, 4)).ids).toEqual(ids.toSorted());
		const updated_at = sandbox.clock.date().toISOString();
		sandbox.faults.add({
			on: { operation: 'listInspections' },
			times: 4,
			do: { kind: 'body', body: { data: [{ name: 'without ID', updated_at }], has_more: false } },
		});
		await pause(SOME_POLLS_MS);
		ids.push(...add(1));
		const got = await settled(id, 5);
		expect([got.ids, got.failed]).toEqual([ids.toSorted(), 0]);
	},
);

test.concurrent(
	'a template that fails is named in the failed executions, without losing inspections',
	{ timeout: 4 * MINUTES },
	async () => {
		const { sandbox, id, add } = await watched({ output: 'row' }, 'Failing template');
		sandbox.faults.add({
			on: { operation: 'getTemplate' },
			times: 1_000,
			do: { kind: 'status', status: 400 },
		});
		const ids = add(3);
		await untilFound(async () => (await received(id)).failed > 1 || undefined, MINUTES);
		sandbox.faults.clear();
		const got = await settled(id, 3);
		expect(got.ids).toEqual(ids.toSorted());
		expect(got.messages).toContain('The template "Fire doors"');
	},
);

test(
	'the state of another version continues, but that of deleted nodes is removed',
	{ timeout: 6 * MINUTES },
	async () => {
		const { id, add } = await watched({ output: 'raw' }, 'Versions');
		const lost = await watched({ output: 'raw' }, 'Lost state');
		const ids = add(3);
		lost.add(1);
		await settled(id, 3);
		await settled(lost.id, 1);
		await n8n.kill();
		ids.push(...add(2));
		changeStaticData(id, (saved) => {
			const data = recordIn(JSON.parse(saved));
			const raised = JSON.stringify(data).replaceAll(
				'"watermark"',
				'"version":99,"later":"x","watermark"',
			);
			const gone = recordIn(JSON.parse(raised));
			const record = recordIn(gone['node:Inspection Service Trigger']);
			gone['node:Gone'] = {
				checkpoint: { ...recordIn(record['checkpoint']), source: { nodeId: 'gone' } },
			};
			gone['global'] = { ...recordIn(gone['global']), 'inspectionServiceTrigger:gone': record };
			return JSON.stringify(gone);
		});
		changeStaticData(lost.id, (saved) => saved.replaceAll('"watermark"', '"mark"'));
		n8n = await startN8n({ userFolder: n8n.userFolder });
		const got = await settled(id, 5);
		expect(got.ids).toEqual(ids.toSorted());
		// The first scheduled poll after the restart fails.
		const later = lost.add(1);
		const restarted = await settled(lost.id, 2);
		expect(restarted.ids).toEqual(expect.arrayContaining(later));
		const log = [restarted.failed, restarted.messages];
		await n8n.kill();
		const saved = changeStaticData(id, (data) => data);
		expect(saved).not.toContain('gone');
		expect(saved.match(/"later":"x"/g)).toHaveLength(2);
		expect(log).toEqual([1, expect.stringContaining('starts over from now')]);
	},
);
