/**
 * Tests a user's main actions on the lowest supported n8n, or on N8N_VERSION. `.ci/run` also runs the examples on that
 * n8n, which cover creating from rows with headings, and polling.
 */
import { describe, expect, it } from 'vitest';

import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { testCredential } from '#harness/n8nEditor.mts';
import {
	createParameters,
	getManyParameters,
	mapColumns,
	templateBy,
} from '#harness/nodeParameters.mts';
import { startRawServer } from '#harness/rawServer.mts';
import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { connectedN8n, errorTextOf, freshN8n, saveCredential } from './connectedN8n.mts';
import { actionNode, itemsNodes } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const version = process.env['N8N_VERSION'] ?? versions.lowest;
const { sandbox, n8n, credential, run, outputOf } = await connectedN8n(
	{ data: 'demo', demoInspections: 40 },
	await freshN8n(`version-${version}`, { version }),
);
const { client } = n8n;
const SITE_SAFETY = templateBy('SITE-SAFETY');

describe(`n8n ${version}`, () => {
	it('accepts only a credential that works without a redirect', async () => {
		await using server = await startRawServer(({ url = '' }, response) => {
			if (url.startsWith('/elsewhere')) response.writeHead(302, { location: '/target' }).end();
			else response.end('[]');
		});
		const test = async (baseUrl: string, apiKey = sandbox.keys.north) =>
			await testCredential(client, CREDENTIAL_TYPE, { baseUrl, apiKey });
		const error = (message: string) => ({
			status: 'Error',
			message: expect.stringContaining(message) as unknown,
		});
		expect(await test(sandbox.apiUrl)).toMatchObject({ status: 'OK' });
		expect(await test(`${server.url}/empty`)).toMatchObject({ status: 'OK' });
		expect(await test(sandbox.apiUrl, 'no such key')).toMatchObject(
			error('The service refused the API key (401)'),
		);
		expect(await test(`${server.url}/elsewhere`)).toMatchObject(
			error("The redirect isn't followed"),
		);
		expect(server.requests.map(({ url }) => url)).not.toContain('/target');
	});

	it('creates an inspection, unless the row has a problem', async () => {
		const responses = mapColumns({
			site_name: '={{ $json.site }}',
			walk_date: '2026-05-04',
			result: 'Pass',
			workers: 3,
			ppe: '={{ ["Helmet", "Gloves"] }}',
		});
		const byHand = actionNode(credential, createParameters(SITE_SAFETY, { responses }));
		const [made] = await outputOf([...itemsNodes([{ site: 'Dock 4' }]), byHand]);
		expect(made).toMatchObject({ warnings: '', unstored_responses: '', task_id: null });
		expect(storedAnswers(sandbox, made?.['id'])).toMatchObject({
			'Site name': 'Dock 4',
			Result: 'Pass',
			PPE: ['Helmet', 'Gloves'],
			'Number of workers': 3,
		});

		const wrong = [{ 'Site name': 'A', Result: 'Perhaps' }];
		const byHeading = actionNode(credential, createParameters(SITE_SAFETY));
		const told = errorTextOf(await run([...itemsNodes(wrong), byHeading]));
		expect(told).toMatch(/2 problems in this row.*Perhaps/s);
	});

	it("uses each item's credential", async () => {
		const keys = [sandbox.keys.north, sandbox.keys.south];
		const byItem = await saveCredential(client, sandbox, '={{ $json.key }}');
		const parameters = getManyParameters({ limit: 100, output: 'raw' });
		const items = itemsNodes(keys.map((key) => ({ key })));
		const found = await outputOf([...items, actionNode(byItem, parameters)]);
		const tenants = [sandbox.tenants.north, sandbox.tenants.south];
		const listed = tenants.flatMap((tenant) => sandbox.store.inspections(tenant.organization.id));
		expect(found.map(({ id }) => id).sort()).toEqual(listed.map(({ id }) => id).sort());
	});

	it('finds each inspection of a list by its ID', async () => {
		const known = sandbox.store.inspections(sandbox.tenants.north.organization.id);
		const getMany = getManyParameters({ returnAll: true, output: 'row' });
		const all = await outputOf([actionNode(credential, getMany)]);
		const ids = known.map(({ id }) => ({ id }));
		expect(all.map(({ id }) => id).sort()).toEqual(ids.map(({ id }) => id).sort());

		const inspectionId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const get = { resource: 'inspection', operation: 'get', output: 'row', inspectionId };
		const found = await outputOf([...itemsNodes(ids.slice(0, 3)), actionNode(credential, get)]);
		expect(found.map(({ name }) => name)).toEqual(known.slice(0, 3).map(({ name }) => name));
	});
});
