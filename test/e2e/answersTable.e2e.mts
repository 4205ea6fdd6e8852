/** The examples that keep answers in a table, in a real n8n: PostgreSQL and n8n's own data tables, cell by cell. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { type BackingService, isPostgresHere, openPostgres } from './backingServices.mts';
import { type ConnectedN8n, connectedN8n } from './connectedN8n.mts';
import { dataTableNode, n8nNode, type SavedCredential } from './connectorWorkflow.mts';

const WALK = 'Walk along the quay';
const DAY = '2026-06-02T00:00:00.000Z';
/** What the rows of the walk have in common. */
const TEXT = {
	...{ inspection: WALK, status: 'in_progress', template: 'Site safety walk', type: 'text' },
	...{ section: null, instance: 1, answer_number: null, answer_date: null },
};
/** The demo's own are older than the week that the examples look back. */
const SERVICE = { data: 'demo', demoInspections: 30 } as const;

describe('a data table of n8n', async () => {
	const n8n = await connectedN8n(SERVICE);

	it('has a row for each answer, and the same rows after a second run', async () => {
		const keep = await n8n.imported('answers-to-data-table');
		await expectKept(
			n8n,
			keep,
			async () => await n8n.outputOf([dataTableNode('Inspection answers')]),
		);
	});
});

const isHere = await isPostgresHere();
if (!isHere) console.warn('A table of PostgreSQL is not tested here: install postgresql.');

describe.skipIf(!isHere)('a table of PostgreSQL', async () => {
	const n8n = await connectedN8n(SERVICE);
	let postgres: BackingService | undefined;
	let database: SavedCredential;
	const query = async (sql: string) => {
		const parameters = { operation: 'executeQuery', query: sql, options: {} };
		const node = n8nNode('postgres', 2.6, parameters);
		return await n8n.outputOf([{ ...node, credentials: { postgres: database } }]);
	};

	beforeAll(async () => {
		postgres = await openPostgres();
		database = await n8n.n8n.client.createCredential('Answers', 'postgres', {
			...{ host: '127.0.0.1', port: postgres.port, database: 'n8n', ssl: 'disable' },
			...{ user: 'n8n', password: '' },
		});
	});
	afterAll(async () => await postgres?.stop());

	it('has a row for each answer, and the same rows after a second run', async () => {
		const keep = await n8n.imported('answers-to-postgres', { database });
		await expectKept(n8n, keep, async () => await query('SELECT * FROM inspection_answers'));
		const [sums] = await query(
			`SELECT sum(answer_number) AS workers, min(answer_date)::text AS first
				FROM inspection_answers WHERE inspection = '${WALK}'`,
		);
		expect(sums).toEqual({ workers: 17.5, first: '2026-06-02 00:00:00+00' });
	});
});

/** Runs the example over inspections that come and change, and reads what is in the table each time. */
async function expectKept(
	{ sandbox: { store }, runSaved }: ConnectedN8n,
	keep: string,
	rowsOf: () => Promise<JsonRecord[]>,
): Promise<void> {
	const run = async () => {
		expect((await runSaved(keep)).error).toBeUndefined();
		return await rowsOf();
	};
	/** Keys of all answers that the service holds of these inspections. */
	const storedKeys = (inspections: readonly { id: string }[]) =>
		inspections
			.flatMap(({ id }) =>
				(store.find(id)?.answers ?? []).map(
					({ controlId, order }) => `${id} ${controlId} ${order}`,
				),
			)
			.toSorted();
	const others = Array.from({ length: 6 }, (_, walk) =>
		store.addInspection({
			template: 'SITE-SAFETY',
			answers: [
				{ control: 'Site name', value: `Site ${String(walk)}` },
				{ control: 'Severity', value: 'Low', order: 1 + (walk % 3) },
			],
		}),
	);
	expect(keysOf(await run())).toEqual(storedKeys(others));

	const walk = store.addInspection({
		...{ template: 'SITE-SAFETY', name: WALK, status: 'in_progress' },
		answers: [
			{ control: 'Site name', value: 'Quay "7", Süd' },
			{ control: 'Date', value: DAY },
			{ control: 'Number of workers', value: 17.5 },
			{ control: 'PPE', value: ['Helmet', 'Gloves'] },
			{ control: 'Description', value: 'Rope' },
			{ control: 'Description', value: 'Ladder', order: 2 },
		],
	});
	await run();
	const rows = await run();
	expect(keysOf(rows)).toEqual(storedKeys([...others, walk]));
	const number = { type: 'number', answer: '17.5', answer_number: 17.5 };
	expect(answersOf(rows, walk.id)).toEqual([
		{ ...TEXT, question: 'Date', type: 'date', answer: DAY, answer_date: DAY },
		{ ...TEXT, question: 'Description', section: 'Hazards', answer: 'Rope' },
		{ ...TEXT, question: 'Description', section: 'Hazards', answer: 'Ladder', instance: 2 },
		{ ...TEXT, question: 'Number of workers', ...number },
		{ ...TEXT, question: 'PPE', type: 'checkbox', answer: 'Helmet, Gloves' },
		{ ...TEXT, question: 'Site name', answer: 'Quay "7", Süd' },
	]);

	const answers = [{ control: 'Site name', value: 'Quay 8' }];
	store.updateInspection(walk.id, { status: 'completed', answers });
	const later = await run();
	expect(later).toHaveLength(rows.length);
	const changed = { question: 'Site name', answer: 'Quay 8', status: 'completed' };
	expect(answersOf(later, walk.id)).toContainEqual({ ...TEXT, ...changed });
}

/** The rows of one inspection by question, without ids and times that the service gave. */
function answersOf(rows: readonly JsonRecord[], inspectionId: string): JsonRecord[] {
	const order = ({ question, instance }: JsonRecord) => `${String(question)} ${String(instance)}`;
	const names = ['question', 'answer', ...Object.keys(TEXT)];
	return rows
		.filter((row) => row['inspection_id'] === inspectionId)
		.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))
		.toSorted((a, b) => order(a).localeCompare(order(b)));
}

function keysOf(rows: readonly JsonRecord[]): string[] {
	return rows
		.map(({ inspection_id: inspection, template_control_id: control, instance }) =>
			[inspection, control, instance].join(' '),
		)
		.toSorted();
}
