/** The examples that keep answers in a table, in a real n8n: PostgreSQL and n8n's own data tables, cell by cell. */
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { EXAMPLE_NODES, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { type Database, isPostgresHere, openPostgres } from './backingServices.mts';
import {
	chain,
	CREDENTIAL_TYPE,
	type PlainNode,
	type SavedCredential,
	START,
} from './connectorWorkflow.mts';

/** What this suite asks a table for: the example that fills it, and the node that reads all of its rows. */
interface AnswerTable {
	example: 'answers-to-data-table' | 'answers-to-postgres';
	read: PlainNode;
	/** The credential of the node that fills it, where it needs one. */
	database?: SavedCredential;
}

let sandbox: Sandbox;
let n8n: N8nServer;
let credential: SavedCredential;

beforeAll(async () => {
	const folder = join(RUNS, 'e2e', 'answers-table');
	const { path: tarball } = await packConnector(folder);
	n8n = await startN8n({ userFolder: join(folder, 'n8n'), fresh: true, tarball });
});

afterAll(async () => {
	await n8n?.stop();
});

const WALK = 'Walk along the quay';

async function startService(): Promise<void> {
	sandbox = await startSandbox({ data: 'demo', demoInspections: 30 });
	credential = await n8n.client.createCredential('North', CREDENTIAL_TYPE, {
		baseUrl: sandbox.apiUrl,
		apiKey: sandbox.keys.north,
	});
}

describe('a data table of n8n', () => {
	const read: PlainNode = {
		name: 'Read',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: {
			resource: 'row',
			operation: 'get',
			dataTableId: { __rl: true, mode: 'name', value: 'Inspection answers' },
			returnAll: true,
		},
	};

	beforeAll(startService);
	afterAll(() => sandbox.close());

	it('has a row for each answer, and the same rows after a second run', async () => {
		await expectKept({ example: 'answers-to-data-table', read });
	});
});

const isHere = await isPostgresHere();
if (!isHere) console.warn('A table of PostgreSQL is not tested here: install postgresql.');

describe.skipIf(!isHere)('a table of PostgreSQL', () => {
	let postgres: Database;
	let database: SavedCredential;
	const query = (sql: string): PlainNode => ({
		name: 'Read',
		type: 'n8n-nodes-base.postgres',
		typeVersion: 2.6,
		parameters: { operation: 'executeQuery', query: sql, options: {} },
		credentials: { postgres: database },
	});

	beforeAll(async () => {
		await startService();
		postgres = await openPostgres();
		const { hostname, port, username, password, pathname } = postgres.url;
		database = await n8n.client.createCredential('Answers', 'postgres', {
			host: hostname,
			port: Number(port),
			database: pathname.slice(1),
			user: decodeURIComponent(username),
			password: decodeURIComponent(password),
			ssl: 'disable',
		});
		await rowsOf(query('DROP TABLE IF EXISTS inspection_answers'));
	});

	afterAll(async () => {
		await postgres?.stop();
		await sandbox?.close();
	});

	it('has a row for each answer, and the same rows after a second run', async () => {
		await expectKept({
			example: 'answers-to-postgres',
			read: query('SELECT * FROM inspection_answers'),
			database,
		});
	});

	it('can be asked for sums and times', async () => {
		const [sums] = await rowsOf(
			query(`SELECT sum(answer_number) AS workers, min(answer_date)::text AS first
				FROM inspection_answers WHERE inspection = '${WALK}'`),
		);
		expect(sums).toEqual({ workers: 17.5, first: '2026-06-02 00:00:00+00' });
	});
});

/** Runs the example over inspections that come and change, and reads what is in the table each time. */
async function expectKept({ example, read, database }: AnswerTable): Promise<void> {
	const keep = await loadExample(example, {
		credential,
		filesFolder: n8n.filesFolder,
		...(database === undefined ? {} : { database }),
	});
	const { id: workflow } = await n8n.client.createWorkflow(keep);
	const run = async () => {
		const { error } = await n8n.client.run(workflow, EXAMPLE_NODES.start);
		expect(error).toBeUndefined();
		return await rowsOf(read);
	};
	const others = Array.from({ length: 20 }, (_, walk) =>
		sandbox.store.addInspection({
			template: 'SITE-SAFETY',
			answers: [
				{ control: 'Site name', value: `Site ${String(walk)}` },
				{ control: 'Severity', value: 'Low', order: 1 + (walk % 3) },
			],
		}),
	);
	expect(keysOf(await run())).toEqual(storedKeys(others));

	const walk = sandbox.store.addInspection({
		template: 'SITE-SAFETY',
		name: WALK,
		status: 'in_progress',
		answers: [
			{ control: 'Site name', value: 'Quay "7", Süd' },
			{ control: 'Date', value: '2026-06-02T00:00:00.000Z' },
			{ control: 'Number of workers', value: 17.5 },
			{ control: 'PPE', value: ['Helmet', 'Gloves'] },
			{ control: 'Description', value: 'Rope' },
			{ control: 'Description', value: 'Ladder', order: 2 },
		],
	});
	await run();
	const rows = await run();
	expect(keysOf(rows)).toEqual(storedKeys([...others, walk]));
	expect(answersOf(rows, walk.id)).toEqual([
		{ ...TEXT, question: 'Date', type: 'date', answer: DAY, answer_date: DAY },
		{ ...TEXT, question: 'Description', section: 'Hazards', answer: 'Rope' },
		{ ...TEXT, question: 'Description', section: 'Hazards', answer: 'Ladder', instance: 2 },
		{
			...{ ...TEXT, question: 'Number of workers', type: 'number' },
			...{ answer: '17.5', answer_number: 17.5 },
		},
		{ ...TEXT, question: 'PPE', type: 'checkbox', answer: 'Helmet, Gloves' },
		{ ...TEXT, question: 'Site name', answer: 'Quay "7", Süd' },
	]);

	sandbox.store.updateInspection(walk.id, {
		status: 'completed',
		answers: [{ control: 'Site name', value: 'Quay 8' }],
	});
	const later = await run();
	expect(later).toHaveLength(rows.length);
	expect(answersOf(later, walk.id)).toContainEqual({
		...{ ...TEXT, question: 'Site name', answer: 'Quay 8', status: 'completed' },
	});
}

const DAY = '2026-06-02T00:00:00.000Z';
/** What the rows of the walk have in common. */
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

/** The rows of one inspection by question, without ids and times that the service gave. */
function answersOf(rows: readonly JsonRecord[], inspectionId: string): JsonRecord[] {
	return rows
		.filter((row) => row['inspection_id'] === inspectionId)
		.map(({ question, answer, ...row }) => ({
			question,
			answer,
			...Object.fromEntries(Object.keys(TEXT).map((name) => [name, row[name]])),
		}))
		.toSorted((a, b) => orderKey(a).localeCompare(orderKey(b)));
}

const orderKey = ({ question, instance }: JsonRecord) => `${String(question)} ${String(instance)}`;

function keysOf(rows: readonly JsonRecord[]): string[] {
	return rows
		.map(({ inspection_id: inspection, template_control_id: control, instance }) =>
			[inspection, control, instance].join(' '),
		)
		.toSorted();
}

/** Keys of all answers that the service holds of some inspections; those of the demo are older than a week. */
function storedKeys(inspections: readonly { id: string }[]): string[] {
	return inspections
		.flatMap(({ id }) =>
			(sandbox.store.find(id)?.answers ?? []).map(({ controlId, order }) =>
				[id, controlId, order].join(' '),
			),
		)
		.toSorted();
}

async function rowsOf(read: PlainNode): Promise<JsonRecord[]> {
	const { id } = await n8n.client.createWorkflow(chain('Read', [START, read]));
	const execution = await n8n.client.run(id, START.name);
	expect(execution.error).toBeUndefined();
	return execution.items(read.name).map(({ json }) => json);
}
