/** Everything that a user does, on the lowest n8n that the connector supports, or that of N8N_VERSION. */
import { describe, expect, it } from 'vitest';

import { type JsonRecord, recordsOf } from '#connector/domain/json.ts';
import { binaryContent, mapperColumns, searchList, testCredential } from '#harness/n8nEditor.mts';
import { getManyParameters, MAP_AUTOMATICALLY, templateBy } from '#harness/nodeParameters.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { startRawServer } from '../n8n/rawServer.mts';
import { connectedN8n } from './connectedN8n.mts';
import {
	ACTION_TYPE,
	actionNode,
	chain,
	CREDENTIAL_TYPE,
	credentialsOf,
	downloadNode,
	itemsNodes,
	KEEP,
	type PlainNode,
	START,
	triggerNode,
} from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const version = process.env['N8N_VERSION'] ?? versions.lowest;

const { sandbox, n8n, credential } = await connectedN8n(
	`version-${version}`,
	{ data: 'demo', demoInspections: 40 },
	version,
);

describe(`n8n ${version}`, () => {
	const SITE_SAFETY = templateBy('SITE-SAFETY');
	const question = () => ({
		nodeType: ACTION_TYPE,
		parameters: { resource: 'inspection', operation: 'create', templateId: SITE_SAFETY },
		credentials: credentialsOf(credential),
	});

	/** Runs one node behind a manual trigger, with these items as its input. */
	async function run(node: PlainNode, items?: readonly JsonRecord[]): Promise<Execution> {
		const input = items === undefined ? [] : itemsNodes(items);
		const workflow = await n8n.client.createWorkflow(chain('Run', [START, ...input, node]));
		const execution = await n8n.client.run(workflow.id, START.name);
		expect(execution.error).toBeUndefined();
		return execution;
	}

	it('tells a right key from a wrong one', async () => {
		const test = (apiKey: string) =>
			testCredential(n8n.client, CREDENTIAL_TYPE, { baseUrl: sandbox.apiUrl, apiKey });

		const right = await test(sandbox.keys.north);
		const wrong = await test('no such key');

		expect(right).toMatchObject({ status: 'OK' });
		expect(wrong).toMatchObject({ status: 'Error' });
		expect(wrong).toHaveProperty(
			'message',
			expect.stringContaining('The service refused the API key (401)'),
		);
	});

	it('says what is wrong with an address, follows no redirect and takes an empty list', async () => {
		const page = await startRawServer((_, response) => {
			response.setHeader('content-type', 'text/html').end('<!doctype html><h1>Portal</h1>');
		});
		const empty = await startRawServer((_, response) => response.end('[]'));
		let redirected = 0;
		const target = await startRawServer((_, response) => {
			redirected++;
			response.end('[]');
		});
		const elsewhere = await startRawServer((_, response) =>
			response.writeHead(302, { location: `${target.url}/v1/inspections` }).end(),
		);
		const test = async (baseUrl: string) =>
			await testCredential(n8n.client, CREDENTIAL_TYPE, { baseUrl, apiKey: sandbox.keys.north });
		const error = (message: string) => ({
			status: 'Error',
			message: expect.stringContaining(message) as unknown,
		});
		try {
			expect(await test(page.url)).toMatchObject(error('it is a web page'));
			expect(await test(empty.url)).toMatchObject({ status: 'OK' });
			expect(await test(elsewhere.url)).toMatchObject(error('and they are not followed'));
			expect(redirected).toBe(0);
		} finally {
			for (const server of [page, empty, target, elsewhere]) await server.close();
		}
		const withoutScheme = sandbox.apiUrl.replace('http://', '');
		expect(await test('http://127.0.0.1:9')).toMatchObject(error('the connection was refused'));
		expect(await test(`https://${withoutScheme}`)).toMatchObject(error('no encrypted connection'));
		expect(await test(`http:/${withoutScheme}`)).toMatchObject(error('is not an address'));
		expect(await test(`http:\\\\${withoutScheme}`)).toMatchObject(error('is not an address'));
		expect(await test(`http://me:pw@${withoutScheme}`)).toMatchObject(
			error('user name or password'),
		);
		expect(await test(`${sandbox.apiUrl}?key=1`)).toMatchObject(error('must end before "?"'));
	});

	it('lists the templates', async () => {
		const { entries } = await searchList(
			n8n.client,
			{ ...question(), path: 'parameters.templateId', methodName: 'searchTemplates' },
			{ filter: 'walk' },
		);
		expect(entries.map((entry) => entry.name)).toEqual(['Site safety walk (SITE-SAFETY)']);
	});

	it('shows the questions of a template', async () => {
		const { fields } = await mapperColumns(n8n.client, {
			...question(),
			path: 'parameters.responses',
			methodName: 'getQuestionColumns',
		});
		const siteName = fields.find((field) => field['id'] === 'site_name');
		expect(siteName).toMatchObject({ displayName: 'Site name (required)', type: 'string' });
		const result = fields.find((field) => field['id'] === 'result');
		expect(recordsOf(result?.['options']).map((option) => option['value'])).toEqual([
			'Pass',
			'Fail',
			'N/A',
		]);
	});

	it('gets inspections by their IDs', async () => {
		const wanted = sandbox.store.inspections(sandbox.tenants.north.organization.id).slice(0, 3);
		const get = actionNode(credential, {
			...{ resource: 'inspection', operation: 'get', output: 'row' },
			inspectionId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		});
		const { items } = await run(
			get,
			wanted.map(({ id }) => ({ id })),
		);
		expect(items(get.name).map(({ json }) => json['name'])).toEqual(wanted.map(({ name }) => name));
	});

	it('creates with columns mapped by hand', async () => {
		const create = actionNode(credential, {
			...question().parameters,
			responses: {
				mappingMode: 'defineBelow',
				value: {
					site_name: '={{ $json.site }}',
					walk_date: '2026-05-04',
					result: 'Pass',
					ppe: '={{ ["Helmet", "Gloves"] }}',
					workers: 3,
				},
				matchingColumns: [],
				schema: await columns(),
			},
		});
		const execution = await run(create, [{ site: 'Dock 4' }]);
		const [made] = execution.items(create.name);
		expect(made?.json).toMatchObject({ warnings: '', unstored_responses: '', task_id: null });
		expect(storedAnswers(sandbox, made?.json['id'])).toMatchObject({
			'Site name': 'Dock 4',
			Result: 'Pass',
			PPE: ['Helmet', 'Gloves'],
			'Number of workers': 3,
		});
	});

	it('creates from rows by their headings', async () => {
		const create = actionNode(credential, {
			...question().parameters,
			responses: MAP_AUTOMATICALLY,
			additionalFields: { name: '={{ $json.reference }}' },
		});
		const row = { Date: '2026-05-04', Result: 'Fail', 'hazard_description:2': 'Second' };
		const execution = await run(create, [
			{ ...row, 'Site name': 'A', reference: 'first', Description: 'First' },
			{ ...row, 'Site name': 'B', reference: 'second', Description: 'First' },
		]);
		const made = execution.items(create.name);
		expect(made.map(({ json }) => json['name'])).toEqual(['first', 'second']);
		expect(made.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(made.map(({ json }) => storedAnswers(sandbox, json['id'])['Site name'])).toEqual([
			'A',
			'B',
		]);
	});

	it('says what is wrong with an answer', async () => {
		const create = actionNode(credential, {
			...question().parameters,
			responses: MAP_AUTOMATICALLY,
		});
		const workflow = await n8n.client.createWorkflow(
			chain('Wrong', [START, ...itemsNodes([{ 'Site name': 'A', Result: 'Perhaps' }]), create]),
		);
		const execution = await n8n.client.run(workflow.id, START.name);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain('2 problems with this row');
		expect(execution.error?.description).toContain('Perhaps');
	});

	it('reads many inspections', async () => {
		const getMany = actionNode(
			credential,
			getManyParameters({
				returnAll: true,
				output: 'row',
			}),
		);
		const execution = await run(getMany);
		const known = sandbox.store.inspections(sandbox.tenants.north.organization.id);
		expect(idsOf(execution.items(getMany.name)).sort()).toEqual(known.map(({ id }) => id).sort());
	});

	it('downloads a file', async () => {
		const content = Buffer.from('the bytes of one file');
		const download = downloadNode(credential, sandbox, content);
		const execution = await run(download);
		const [item] = execution.items(download.name);
		expect(await binaryContent(n8n.client, item?.binary['data'])).toEqual(content);
	});

	it('starts workflows with what is new since a date, once', async () => {
		const startFrom = '2031-01-01T00:00:00.000Z';
		const add = (at: string) => sandbox.store.addInspection({ template: 'SITE-SAFETY' }, { at }).id;
		const ids = [add('2031-01-01T00:00:00.000Z'), add('2031-01-02T00:00:00.000Z')];
		const trigger = triggerNode(credential, { options: { startFrom } });
		const workflow = await n8n.client.createWorkflow(chain('Trigger', [trigger, KEEP]));
		await n8n.client.activate(workflow.id);
		const emitted = async () =>
			(await n8n.client.executions(workflow.id)).flatMap((execution) =>
				idsOf(execution.items(KEEP.name)),
			);

		await untilFound(async () => ((await emitted()).length >= ids.length ? true : undefined));
		ids.push(add('2031-01-03T00:00:00.000Z'));
		await untilFound(async () => ((await emitted()).includes(ids[2] ?? '') ? true : undefined));
		await n8n.client.deactivate(workflow.id);

		expect((await emitted()).sort()).toEqual(ids.sort());
	});

	async function columns(): Promise<JsonRecord[]> {
		const answer = await mapperColumns(n8n.client, {
			...question(),
			path: 'parameters.responses',
			methodName: 'getQuestionColumns',
		});
		return answer.fields;
	}
});

function idsOf(items: { json: JsonRecord }[]): string[] {
	return items.map(({ json }) => String(json['id']));
}
