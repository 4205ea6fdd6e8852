/** The recipes of examples/ that watch over what the service has: what was deleted, files kept, a report by mail. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { EXAMPLE_NODES, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import { startMailServer } from '#sandbox/demo/inboxes.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { connectedN8n } from './connectedN8n.mts';
import { chain, type PlainNode, START } from './connectorWorkflow.mts';

const MAIL_PATIENCE_MS = 60_000;

const { sandbox, n8n, credential } = await connectedN8n('recipes', {
	data: 'demo',
	demoInspections: 30,
});
const mail = await startMailServer();
afterAll(() => mail.close());

/** Imports an example as a user does; its id. */
async function imported(name: string): Promise<string> {
	const mailAccount = await n8n.client.createCredential('Local mail', 'smtp', {
		...{ host: '127.0.0.1', port: mail.port, secure: false },
	});
	const input = { credential, mailAccount, filesFolder: n8n.filesFolder };
	return (await n8n.client.createWorkflow(await loadExample(name, input))).id;
}

/** All rows of a data table of n8n. */
async function rowsOf(table: string): Promise<JsonRecord[]> {
	const read: PlainNode = {
		name: 'Read',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: {
			...{ resource: 'row', operation: 'get', returnAll: true },
			dataTableId: { __rl: true, mode: 'name', value: table },
		},
	};
	const { id } = await n8n.client.createWorkflow(chain('Read', [START, read]));
	const execution = await n8n.client.run(id, START.name);
	expect(execution.error).toBeUndefined();
	return execution.items(read.name).map(({ json }) => json);
}

const ownInspections = () =>
	sandbox.store.inspections(sandbox.tenants.north.organization.id).map(({ id }) => id);

describe('what was deleted', () => {
	let workflow: string;
	const run = async () => await n8n.client.run(workflow, EXAMPLE_NODES.start);
	const goneIds = async () =>
		(await rowsOf('Inspections'))
			.filter((row) => row['gone_since'] !== null)
			.map((row) => row['inspection_id']);

	beforeAll(async () => {
		workflow = await imported('deleted-inspections');
	});

	it('is marked in the table, and nothing else', async () => {
		expect((await run()).error).toBeUndefined();
		expect((await rowsOf('Inspections')).map((row) => row['inspection_id']).toSorted()).toEqual(
			ownInspections().toSorted(),
		);
		expect(await goneIds()).toEqual([]);

		const [first = '', second = ''] = ownInspections();
		const deleted = sandbox.store.find(first);
		sandbox.store.removeInspection(first);
		sandbox.store.updateInspection(second, { name: 'Renamed' });
		expect((await run()).error).toBeUndefined();
		expect(await goneIds()).toEqual([first]);
		const rows = await rowsOf('Inspections');
		expect(rows.find((row) => row['inspection_id'] === first)).toMatchObject({
			name: deleted?.name,
		});
		expect(rows.find((row) => row['inspection_id'] === second)).toMatchObject({ name: 'Renamed' });
		const [since] = rows.flatMap((row) => row['gone_since'] ?? []);

		// A further run leaves the time as it is, and one that comes back loses the mark.
		expect((await run()).error).toBeUndefined();
		expect((await rowsOf('Inspections')).flatMap((row) => row['gone_since'] ?? [])).toEqual([
			since,
		]);
		sandbox.store.addInspection({ id: first, template: 'SITE-SAFETY', name: 'Back again' });
		expect((await run()).error).toBeUndefined();
		expect(await goneIds()).toEqual([]);
	});

	it('is not believed where much would be marked at once', async () => {
		const gone = ownInspections().slice(0, 12);
		for (const id of gone) sandbox.store.removeInspection(id);
		const { error } = await run();
		expect(error?.message).toContain("12 inspections of the table are not in the service's list");
		expect(await goneIds()).toEqual([]);
	});
});

describe('files of finished inspections', () => {
	const walk = () =>
		sandbox.store.addInspection({
			...{ template: 'SITE-SAFETY', name: 'Mill Road - 12: "North"', status: 'completed' },
			files: [
				{ kind: 'image', name: 'trench.png' },
				{ kind: 'image', name: 'trench.png' },
				{ kind: 'signature', name: 'signature.png' },
			],
		});
	const [one, two] = [walk(), walk()];
	const open = sandbox.store.addInspection({
		...{ template: 'SITE-SAFETY', name: 'Open', status: 'new' },
		files: [{ kind: 'image', name: 'open.png' }],
	});
	const names = async () =>
		(await readdir(n8n.filesFolder)).filter((name) => name.startsWith('Mill Road')).toSorted();

	it('are stored once, each under a name of its own, and what failed is stored by the next run', async () => {
		const workflow = await imported('files-of-finished-inspections');
		const run = async () => await n8n.client.run(workflow, EXAMPLE_NODES.start);
		const [broken] = two.files;
		const fault = sandbox.faults.add({
			on: { operation: 'getFileUrl', urlIncludes: broken?.id ?? '' },
			do: { kind: 'status', status: 403 },
		});
		expect((await run()).error).toBeUndefined();
		expect(await names()).toHaveLength(5);
		fault.remove();

		sandbox.requests.clear();
		expect((await run()).error).toBeUndefined();
		expect(sandbox.requests.count('getFileUrl')).toBe(1);
		const stored = await names();
		const expected = [one, two].flatMap(({ id, files }) =>
			files.map(
				(file) =>
					`Mill Road - 12- -North- ${id.slice(0, 8)} - ${file.name.replace('.png', '')} ${file.id.slice(0, 8)}.png`,
			),
		);
		expect(stored).toEqual(expected.toSorted());
		const bytes = await Promise.all(
			stored.map(async (name) => (await readFile(join(n8n.filesFolder, name))).length),
		);
		expect(Math.min(...bytes)).toBeGreaterThan(0);

		sandbox.requests.clear();
		expect((await run()).error).toBeUndefined();
		expect(sandbox.requests.count('getFileUrl')).toBe(0);
		expect(await names()).toEqual(stored);
		const kept = (await rowsOf('Stored files')).map((row) => row['file_id']);
		expect(kept.filter((id) => open.files.some((file) => file.id === id))).toEqual([]);
	});
});

describe('a report by mail', () => {
	it('has the answers and photos of each finished inspection, and prints', async () => {
		const workflow = await imported('report-by-mail');
		const walk = sandbox.store.addInspection({
			...{ template: 'SITE-SAFETY', name: 'Canal Bridge <east> & $1', status: 'in_progress' },
			answers: [
				{ control: 'Site name', value: 'Canal Bridge <b>east</b> costs $& more' },
				{ control: 'Date', value: '2026-06-02T00:00:00.000Z' },
				{ control: 'Number of workers', value: 17.5 },
				{ control: 'Result', value: 'Fail' },
				{ control: 'PPE', value: ['Helmet', 'Gloves'] },
				{ control: 'Description', value: 'Trench without a ladder\nEast side' },
				{ control: 'Severity', value: 'High' },
				{ control: 'Description', value: 'Loose board', order: 2 },
				{ control: 'Severity', value: 'Low', order: 2 },
			],
			files: [
				{ kind: 'image', name: 'trench.png' },
				{ kind: 'image', name: 'board.png' },
				{ kind: 'audio', name: 'note.mp3' },
			],
		});
		const bare = sandbox.store.addInspection({
			...{ template: 'SITE-SAFETY', name: 'Quay 7', status: 'in_progress' },
		});
		await n8n.client.activate(workflow);
		for (const { id } of [walk, bare]) {
			sandbox.store.updateInspection(id, { status: 'completed' });
		}
		const reportOf = async (name: string) => {
			const sent = await mail.inbox.first(
				({ subject }) => subject.includes(name),
				MAIL_PATIENCE_MS,
			);
			expect(sent.to).toEqual(['safety@example.com']);
			const [page, ...others] = sent.attachments;
			expect(others).toEqual([]);
			expect([page?.fileName, page?.mediaType]).toEqual(['index.html', 'text/html']);
			return page?.content.toString('utf8') ?? '';
		};
		const [report, empty] = [await reportOf('Canal Bridge'), await reportOf('Quay 7')];
		await n8n.client.deactivate(workflow);
		// For the eye: docs/screenshots/report-by-mail.png shows such a page.
		await writeFile(join(RUNS, 'e2e', 'recipes', 'report.html'), report);

		expect(report).toContain('<h1>Canal Bridge &#60;east&#62; &#38; &#36;1</h1>');
		expect(report).toContain(
			'<th>Site name</th><td>Canal Bridge &#60;b&#62;east&#60;/b&#62; costs &#36;&#38; more</td>',
		);
		expect(report).toContain('<th>Date</th><td>2 June 2026</td>');
		expect(report).toContain('<th>PPE</th><td>Helmet, Gloves</td>');
		expect(report.match(/class='section'><td colspan='2'>Hazards \d/g)).toEqual([
			`class='section'><td colspan='2'>Hazards 1`,
			`class='section'><td colspan='2'>Hazards 2`,
		]);
		expect(report.match(/<img src='data:image\/png;base64,[A-Za-z0-9+/=]+'>/g)).toHaveLength(2);
		expect(report).toContain('<figcaption>trench.png</figcaption>');
		expect(report).toContain(`<p class='file'>note.mp3 (`);
		expect(report).not.toMatch(/\{\{|undefined|<b>east/);
		expect(empty).toContain('<h1>Quay 7</h1>');
		expect(empty).toContain('None.');
		expect(empty).not.toMatch(/<img|Canal|undefined/);
	});
});
