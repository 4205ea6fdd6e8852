/**
 * Tests the examples that copy answers into a table in a real n8n, cell by cell. The table is in PostgreSQL, or one of
 * n8n's data tables.
 */
import { afterEach, expect, it, onTestFinished } from 'vitest';

import type { JsonRecord } from '#sandbox/json.mts';
import { isPostgresHere, openPostgres } from './backingServices.mts';
import { connectedN8n } from './connectedN8n.mts';
import { dataTableNode, n8nNode } from './connectorWorkflow.mts';

const WALK = 'Walk along the quay';
const DAY = '2026-06-02T00:00:00.000Z';
/** The values that most rows of the inspection `WALK` have in common. */
const TEXT = {
	inspection: WALK,
	status: 'in_progress',
	template: 'Site safety walk',
	type: 'text',
	section: null,
	instance: 1,
	answer_number: null,
	answer_date: null,
};

const { sandbox, n8n, imported, runSaved, outputOf } = await connectedN8n({
	data: 'demo',
	demoInspections: 30,
});
const { store } = sandbox;
/** IDs of the demo's own inspections. The examples ignore these, because they only read the last week. */
const old = new Set(store.inspections().map(({ id }) => id));
const added = () => store.inspections().filter(({ id }) => !old.has(id));
afterEach(() => {
	for (const { id } of added()) store.removeInspection(id);
});

it('an n8n data table has one row for each answer, even after a second run', async () => {
	const rowsOf = async () => await outputOf([dataTableNode('Inspection answers')]);
	const keep = await imported('answers-to-data-table');
	await expectKept(keep, rowsOf);
	await expectRemovedGone(keep, rowsOf);
	await expectOddKept(keep, rowsOf);
});

if (!isPostgresHere())
	console.warn('A table of PostgreSQL is not tested here: install postgresql.');

it.skipIf(!isPostgresHere())(
	'a PostgreSQL table has one row for each answer, even after a second run',
	async () => {
		const { account, stop } = await openPostgres();
		onTestFinished(stop);
		const postgres = await n8n.client.createCredential('Answers', 'postgres', {
			...account,
			ssl: 'disable',
		});
		const query = async (sql: string) => {
			const parameters = { operation: 'executeQuery', query: sql, options: {} };
			return await outputOf([
				{ ...n8nNode('postgres', 2.6, parameters), credentials: { postgres } },
			]);
		};
		const keep = await imported('answers-to-postgres', { database: postgres });
		const rowsOf = async () => await query('SELECT * FROM inspection_answers');
		await expectKept(keep, rowsOf);
		await expectRemovedGone(keep, rowsOf);
		await expectOddKept(keep, rowsOf);
		const [sums] = await query(
			`SELECT sum(answer_number) AS workers, min(answer_date)::text AS first
			FROM inspection_answers WHERE inspection = '${WALK}'`,
		);
		expect(sums).toEqual({ workers: 17.5, first: '2026-06-02 00:00:00+00' });
	},
);

/** Adds and changes inspections, and runs the example after each step. Checks the table's rows. */
async function expectKept(keep: string, rowsOf: () => Promise<JsonRecord[]>): Promise<void> {
	/** Runs the example. Checks that the table has exactly one row for each current answer, and returns the rows. */
	const run = async () => {
		expect((await runSaved(keep)).error).toBeUndefined();
		const rows = await rowsOf();
		const stored = added().flatMap(({ id, answers }) =>
			answers.map(({ controlId, order }) => [id, controlId, order].join()),
		);
		const kept = rows.map(({ inspection_id: inspection, template_control_id: control, instance }) =>
			[inspection, control, instance].join(),
		);
		expect(kept.toSorted()).toEqual(stored.toSorted());
		return rows;
	};
	for (const order of [1, 2, 3]) {
		const answers = [{ control: 'Severity', value: 'Low', order }];
		store.addInspection({ template: 'SITE-SAFETY', answers });
	}
	await run();

	const answers = [
		{ control: 'Site name', value: 'Quay "7", Süd' },
		{ control: 'Date', value: DAY },
		{ control: 'Number of workers', value: 17.5 },
		{ control: 'PPE', value: ['Helmet', 'Gloves'] },
		{ control: 'Description', value: 'Rope' },
		{ control: 'Description', value: 'Ladder', order: 2 },
	];
	const walk = store.addInspection({
		template: 'SITE-SAFETY',
		name: WALK,
		status: 'in_progress',
		answers,
	});
	await run();
	const rows = await run();
	const number = { type: 'number', answer: '17.5', answer_number: 17.5 };
	expect(answersOf(rows, walk.id)).toEqual([
		{ ...TEXT, question: 'Date', type: 'date', answer: DAY.slice(0, 10), answer_date: DAY },
		{ ...TEXT, question: 'Description', section: 'Hazards', answer: 'Rope' },
		{ ...TEXT, question: 'Description', section: 'Hazards', answer: 'Ladder', instance: 2 },
		{ ...TEXT, question: 'Number of workers', ...number },
		{ ...TEXT, question: 'PPE', type: 'checkbox', answer: 'Helmet, Gloves' },
		{ ...TEXT, question: 'Site name', answer: 'Quay "7", Süd' },
	]);

	store.updateInspection(walk.id, {
		status: 'completed',
		answers: answers.with(0, { control: 'Site name', value: 'Quay 8' }),
	});
	const later = await run();
	const changed = { question: 'Site name', answer: 'Quay 8', status: 'completed' };
	expect(answersOf(later, walk.id)).toContainEqual({ ...TEXT, ...changed });
}

/**
 * Removes instances and answers of an inspection in the ways in which a service can. Checks each time that the table has
 * the same answers as the service.
 */
async function expectRemovedGone(keep: string, rowsOf: () => Promise<JsonRecord[]>): Promise<void> {
	const findings = (...texts: readonly [string, number][]) =>
		texts.map(([value, order]) => ({ control: 'Description', value, order }));
	const { id } = store.addInspection({
		template: 'SITE-SAFETY',
		answers: findings(['A', 1], ['B', 2], ['C', 3]),
	});
	const neighbor = store.addInspection({ template: 'SITE-SAFETY', answers: findings(['N', 1]) });
	const kept = async (inspection: string) => {
		expect((await runSaved(keep)).error).toBeUndefined();
		const rows = (await rowsOf()).filter((row) => row['inspection_id'] === inspection);
		return rows.map(({ instance, answer }) => [instance, answer].join()).toSorted();
	};
	expect(await kept(id)).toEqual(['1,A', '2,B', '3,C']);
	store.updateInspection(id, { answers: findings(['A', 1], ['C', 2]) });
	expect(await kept(id)).toEqual(['1,A', '2,C']);
	store.updateInspection(id, { answers: findings(['A', 1], ['B', 2], ['C', 3]) });
	expect(await kept(id)).toEqual(['1,A', '2,B', '3,C']);
	store.updateInspection(id, { answers: findings(['A', 1], ['C', 3]) });
	expect(await kept(id)).toEqual(['1,A', '3,C']);
	store.updateInspection(id, { answers: [] });
	expect(await kept(id)).toEqual([]);
	expect(await kept(neighbor.id)).toEqual(['1,N']);
}

/**
 * Returns an answer as the service sends it after its question was deleted: without `template_control_id` and label.
 */
const oddItem = (field_id: string, value: unknown, more: object = {}) => ({
	field_id,
	response: { value },
	repeat_section_order: 1,
	...more,
});

/**
 * An inspection with unusual answers. Two have only a field ID, and others have values that don't fit a number or date
 * column.
 */
const ODD = {
	id: '00000000-0000-4000-8000-00000000f00d',
	name: 'Odd\u0000 walk',
	status: 'completed',
	data: {
		item_type: 'question_response',
		items: [
			oddItem('gone_1', 'first'),
			oddItem('gone_2', 'second'),
			oddItem('workers', '12,5'),
			oddItem('comments', 'a\u0000b'),
			oddItem('d1', '31.05.2026', { type: 'date' }),
			oddItem('d2', 'next Tuesday', { type: 'date' }),
			oddItem('d3', '05/04/2026', { type: 'date' }),
			oddItem('d4', '2026-05-31', { type: 'date' }),
		],
	},
};

/** Runs the example twice on the inspection `ODD`. Checks that each answer has one row. */
async function expectOddKept(keep: string, rowsOf: () => Promise<JsonRecord[]>): Promise<void> {
	const template = sandbox.store.findTemplate(null, 'SITE-SAFETY');
	const now = new Date().toISOString();
	const times = { created_at: now, updated_at: now };
	const inspection = { ...ODD, ...times, template: { id: template?.id, name: template?.name } };
	const body = { data: [inspection], has_more: false };
	sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
	for (let time = 0; time < 2; time++) expect((await runSaved(keep)).error).toBeUndefined();
	sandbox.faults.clear();
	const rows = (await rowsOf()).filter((row) => row['inspection_id'] === ODD.id);
	const kept = rows.map((row) => [
		String(row['row_key']).split('|')[1],
		row['answer'],
		row['answer_number'],
		row['answer_date'],
	]);
	expect(kept.toSorted()).toEqual([
		['comments', 'ab', null, null],
		['d1', '31.05.2026', null, null],
		['d2', 'next Tuesday', null, null],
		['d3', '05/04/2026', null, null],
		['d4', '2026-05-31', null, '2026-05-31T00:00:00.000Z'],
		['gone_1', 'first', null, null],
		['gone_2', 'second', null, null],
		['workers', '12,5', null, null],
	]);
}

/** Returns the rows of one inspection, sorted by question, without the service's IDs and times. */
function answersOf(rows: readonly JsonRecord[], inspectionId: string): JsonRecord[] {
	const order = ({ question, instance }: JsonRecord) => `${String(question)} ${String(instance)}`;
	const names = ['question', 'answer', ...Object.keys(TEXT)];
	return rows
		.filter((row) => row['inspection_id'] === inspectionId)
		.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))
		.toSorted((a, b) => order(a).localeCompare(order(b)));
}
