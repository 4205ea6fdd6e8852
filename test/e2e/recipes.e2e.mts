/**
 * Tests the examples that track the service's inspections: they mark deleted inspections, store files, and email
 * reports.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectedMail, connectedN8n } from './connectedN8n.mts';
import { dataTableNode } from './connectorWorkflow.mts';

const { sandbox, n8n, imported, runSaved, outputOf } = await connectedN8n({
	data: 'demo',
	demoInspections: 20,
});
const { store } = sandbox;

const ownInspections = () =>
	store.inspections(sandbox.tenants.north.organization.id).map(({ id }) => id);
/** Runs a saved workflow. Fails if the execution fails. */
const succeed = async (workflow: string) => {
	expect((await runSaved(workflow)).error).toBeUndefined();
};

describe('deleted inspections', async () => {
	const workflow = await imported('deleted-inspections');
	/** Runs the workflow. Returns the rows of its table by inspection ID. */
	const rowsAfterRun = async () => {
		await succeed(workflow);
		const rows = await outputOf([dataTableNode('Inspections')]);
		return new Map(rows.map((row) => [row['inspection_id'], row]));
	};
	const goneOf = (rows: Awaited<ReturnType<typeof rowsAfterRun>>) =>
		[...rows].flatMap(([id, row]) => (row['gone_since'] === null ? [] : [id]));

	it('are marked in the table, unlike all others, until they return', async () => {
		const all = await rowsAfterRun();
		expect([...all.keys()].toSorted()).toEqual(ownInspections().toSorted());
		expect(goneOf(all)).toEqual([]);

		const [first = '', second = ''] = ownInspections();
		const name = store.find(first)?.name;
		store.removeInspection(first);
		store.updateInspection(second, { name: 'Renamed' });
		const marked = await rowsAfterRun();
		expect(goneOf(marked)).toEqual([first]);
		expect(marked.get(first)).toMatchObject({ name });
		expect(marked.get(second)).toMatchObject({ name: 'Renamed' });
		const again = await rowsAfterRun();
		expect(again.get(first)?.['gone_since']).toBe(marked.get(first)?.['gone_since']);

		store.addInspection({ id: first, template: 'SITE-SAFETY', name: 'Back again' });
		expect(goneOf(await rowsAfterRun())).toEqual([]);
	});

	it("aren't marked if there are suspiciously many", async () => {
		for (const id of ownInspections().slice(0, 12)) store.removeInspection(id);
		const { error } = await runSaved(workflow);
		expect(error?.message).toContain("12 inspections of the table aren't in the service's list");
		const rows = await outputOf([dataTableNode('Inspections')]);
		expect(rows.filter((row) => row['gone_since'] !== null)).toEqual([]);
	});
});

const image = (name: string) => ({ kind: 'image', name }) as const;
const signature = { kind: 'signature', name: 'signature.png' } as const;

it('files of completed inspections are stored once under unique names, even after a failure', async () => {
	const [one, two] = [1, 2].map(() =>
		store.addInspection({
			template: 'SITE-SAFETY',
			name: 'Mill Road - 12: "North"',
			status: 'completed',
			files: [image('trench.png'), image('trench.png'), signature],
		}),
	);
	const long = store.addInspection({
		template: 'SITE-SAFETY',
		name: '検'.repeat(80),
		status: 'completed',
		files: [image(`${'ж'.repeat(80)}.png`)],
	});
	const open = { template: 'SITE-SAFETY', name: 'Open', files: [image('open.png')] };
	store.addInspection({ ...open, status: 'new' });
	const names = async () =>
		(await readdir(n8n.filesFolder)).filter((name) => /^Mill Road|^Open/.test(name)).toSorted();
	const longNames = async () =>
		(await readdir(n8n.filesFolder)).filter((name) => name.startsWith('検'));
	const workflow = await imported('files-of-completed-inspections');
	const fault = sandbox.faults.add({
		on: { operation: 'getFileUrl', urlIncludes: two?.files[0]?.id ?? '' },
		do: { kind: 'status', status: 403 },
	});
	await succeed(workflow);
	expect(await names()).toHaveLength(5);
	const [longName = '', ...others] = await longNames();
	expect(others).toEqual([]);
	expect(longName).toMatch(/^検{26} .{8} - ж{40} .{8}\.png$/u);
	expect(longName).toContain(long.id.slice(0, 8));
	fault.remove();

	sandbox.requests.clear();
	await succeed(workflow);
	expect(sandbox.requests.count('getFileUrl')).toBe(1);
	const stored = await names();
	const expected = [one, two].flatMap((walk) =>
		(walk?.files ?? []).map(
			({ id, name }) =>
				`Mill Road - 12- -North- ${walk?.id.slice(0, 8)} - ${name.replace('.png', '')} ${id.slice(0, 8)}.png`,
		),
	);
	expect(stored).toEqual(expected.toSorted());
	const files = stored.map(async (name) => await readFile(join(n8n.filesFolder, name)));
	for (const file of await Promise.all(files)) expect(file.length).toBeGreaterThan(0);

	sandbox.requests.clear();
	await succeed(workflow);
	expect(sandbox.requests.count('getFileUrl')).toBe(0);
	expect(await names()).toEqual(stored);
});

const { mail, mailAccount } = await connectedMail(n8n);

it('a report by email has the answers and photos of each completed inspection, ready to print', async () => {
	const workflow = await imported('report-by-mail', { mailAccount });
	const walk = store.addInspection({
		template: 'SITE-SAFETY',
		name: 'Canal Bridge <east> & $1',
		status: 'in_progress',
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
	const quay = { template: 'SITE-SAFETY', name: 'Quay 7', status: 'in_progress' } as const;
	const bare = store.addInspection(quay);
	/** The beginning of a HEIC file, by which the connector knows it. */
	const HEIC = Buffer.from('\0\0\0\x18ftypheic').toString('base64');
	const odd = store.addInspection({
		...quay,
		name: 'Odd Lane',
		answers: [
			{ control: 'Site name', value: 'Odd Lane' },
			{ control: 'Date', value: 'next Tuesday' },
		],
		files: [
			image('lost.png'),
			{
				...image('phone.heic'),
				contentType: 'image/heic',
				content: { form: 'bytes', base64: HEIC },
			},
		],
	});
	sandbox.faults.add({
		on: { operation: 'getFileUrl', urlIncludes: odd.files[0]?.id ?? '' },
		do: { kind: 'status', status: 403 },
	});
	await n8n.client.activate(workflow);
	for (const { id } of [walk, bare, odd]) store.updateInspection(id, { status: 'completed' });
	const reportOf = async (name: string) => {
		const sent = await mail.inbox.first(({ subject }) => subject.includes(name), 60_000);
		expect(sent.to).toEqual(['safety@example.com']);
		const [page, ...others] = sent.attachments;
		expect(others).toEqual([]);
		expect(page?.fileName).toMatch(/^(?:Canal Bridge _east_ & \$1|Quay 7|Odd Lane)\.html$/);
		expect(page?.mediaType).toBe('text/html');
		return page?.content.toString('utf8') ?? '';
	};
	const [report, empty] = [await reportOf('Canal Bridge'), await reportOf('Quay 7')];
	const unusual = await reportOf('Odd Lane');
	await n8n.client.deactivate(workflow);
	expect(report).toContain('<h1><bdi>Canal Bridge &lt;east&gt; &amp; $1</bdi></h1>');
	expect(report).toContain('<bdi>Canal Bridge &lt;b&gt;east&lt;/b&gt; costs $&amp; more</bdi>');
	expect(report).toContain('<bdi>June 2, 2026</bdi>');
	expect(report).toContain('<bdi>Helmet, Gloves</bdi>');
	expect(report.match(/<bdi>Hazards \d/g)).toEqual(['<bdi>Hazards 1', '<bdi>Hazards 2']);
	expect(report.match(/<img src="data:image\/png;base64,[A-Za-z0-9+/=]+"/g)).toHaveLength(2);
	expect(report).toContain('<figcaption><bdi>trench.png</bdi></figcaption>');
	expect(report).toContain('<li><bdi>note.mp3 (audio)</bdi></li>');
	expect(empty).toContain('<h1><bdi>Quay 7</bdi></h1>');
	expect(empty).not.toMatch(/<img|Canal|Photos and files/);
	expect(unusual).toMatch(/<bdi>lost\.png<\/bdi>: <bdi>not downloaded\. .*403/);
	expect(unusual).toContain("browsers can't show image/heic");
	expect(unusual).toContain('<bdi>next Tuesday</bdi>');
	for (const html of [report, empty, unusual]) {
		expect(html).not.toMatch(/undefined|\[object|<script|Invalid/);
	}
});
