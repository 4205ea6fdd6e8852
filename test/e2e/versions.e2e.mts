/** What a user does, on the lowest n8n that the connector supports, or that of N8N_VERSION. */
import { describe, expect, it, onTestFinished } from 'vitest';

import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { testCredential } from '#harness/n8nEditor.mts';
import {
	createParameters,
	getManyParameters,
	mapColumns,
	templateBy,
} from '#harness/nodeParameters.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { startRawServer } from '../n8n/rawServer.mts';
import { connectedN8n, freshN8n, saveCredential, toldBy } from './connectedN8n.mts';
import { actionNode, chain, itemsNodes, KEEP, triggerNode } from './connectorWorkflow.mts';
import { storedAnswers } from './storedAnswers.mts';

const version = process.env['N8N_VERSION'] ?? versions.lowest;
const { sandbox, n8n, credential, run, outputOf } = await connectedN8n(
	{ data: 'demo', demoInspections: 40 },
	await freshN8n(`version-${version}`, { version }),
);
const { client } = n8n;
const SITE_SAFETY = templateBy('SITE-SAFETY');

describe(`n8n ${version}`, () => {
	it('tells a credential that works from one that does not, and follows no redirect', async () => {
		const asked: string[] = [];
		const server = await startRawServer(({ url = '' }, response) => {
			asked.push(url);
			if (url.startsWith('/elsewhere')) response.writeHead(302, { location: '/target' }).end();
			else response.end('[]');
		});
		onTestFinished(() => server.close());
		const test = async (baseUrl: string, apiKey = sandbox.keys.north) =>
			await testCredential(client, CREDENTIAL_TYPE, { baseUrl, apiKey });
		const error = (message: string) => ({
			...{ status: 'Error', message: expect.stringContaining(message) as unknown },
		});
		expect(await test(sandbox.apiUrl)).toMatchObject({ status: 'OK' });
		expect(await test(`${server.url}/empty`)).toMatchObject({ status: 'OK' });
		expect(await test(sandbox.apiUrl, 'no such key')).toMatchObject(
			error('The service refused the API key (401)'),
		);
		expect(await test(`${server.url}/elsewhere`)).toMatchObject(error('and they are not followed'));
		expect(asked).not.toContain('/target');
	});

	it('creates with columns mapped by hand, and from rows by their headings', async () => {
		const responses = mapColumns({
			...{ site_name: '={{ $json.site }}', walk_date: '2026-05-04', result: 'Pass', workers: 3 },
			ppe: '={{ ["Helmet", "Gloves"] }}',
		});
		const byHand = actionNode(credential, createParameters(SITE_SAFETY, { responses }));
		const [made] = await outputOf([...itemsNodes([{ site: 'Dock 4' }]), byHand]);
		expect(made).toMatchObject({ warnings: '', unstored_responses: '', task_id: null });
		expect(storedAnswers(sandbox, made?.['id'])).toMatchObject({
			...{ 'Site name': 'Dock 4', Result: 'Pass', PPE: ['Helmet', 'Gloves'] },
			'Number of workers': 3,
		});

		const byHeading = actionNode(credential, createParameters(SITE_SAFETY));
		const hazards = { Description: 'First', 'hazard_description:2': 'Second' };
		const row = { Date: '2026-05-04', Result: 'Fail', ...hazards };
		const rows = ['A', 'B'].map((site) => ({ ...row, 'Site name': site }));
		const { items } = await run([...itemsNodes(rows), byHeading]);
		const created = items(byHeading.name);
		expect(created.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const sites = created.map(({ json }) => storedAnswers(sandbox, json['id'])['Site name']);
		expect(sites).toEqual(['A', 'B']);

		const wrong = [{ 'Site name': 'A', Result: 'Perhaps' }];
		const told = toldBy(await run([...itemsNodes(wrong), byHeading]));
		expect(told).toMatch(/2 things to correct in this row.*Perhaps/s);
	});

	it('serves each item with the credential as it reads for that item', async () => {
		const keys = [sandbox.keys.north, sandbox.keys.south];
		const byItem = await saveCredential(client, sandbox, '={{ $json.key }}');
		const parameters = getManyParameters({ limit: 100, output: 'raw' });
		const items = itemsNodes(keys.map((key) => ({ key })));
		const found = await outputOf([...items, actionNode(byItem, parameters)]);
		const tenants = [sandbox.tenants.north, sandbox.tenants.south];
		const listed = tenants.flatMap((tenant) => sandbox.store.inspections(tenant.organization.id));
		expect(found.map(({ id }) => id).sort()).toEqual(listed.map(({ id }) => id).sort());
	});

	it('reads many inspections, and each by its ID', async () => {
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

	it('starts workflows with what is new since a date, once', async () => {
		const add = (at: string) => sandbox.store.addInspection({ template: 'SITE-SAFETY' }, { at }).id;
		const [startFrom, later] = ['2031-01-01T00:00:00.000Z', '2031-01-03T00:00:00.000Z'];
		const trigger = triggerNode(credential, { options: { startFrom } }, 5);
		const first = add(startFrom);
		const { id } = await client.createWorkflow(chain('Trigger', [trigger, KEEP]));
		await client.activate(id);
		const emitted = async () =>
			(await client.executions(id)).flatMap(({ items }) =>
				items(KEEP.name).map(({ json }) => json['id']),
			);
		await untilFound(async () => (await emitted()).includes(first));
		const second = add(later);
		await untilFound(async () => (await emitted()).includes(second));
		await client.deactivate(id);
		expect(await emitted()).toEqual([first, second]);
	});
});
