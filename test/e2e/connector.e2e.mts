/**
 * What the editor asks the connector while a workflow is built, what becomes of a bad item, and where the API key goes
 * when n8n's HTTP Request node uses the credential, on the latest n8n.
 */

import type { IncomingHttpHeaders } from 'node:http';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { mapperColumns, searchList, testCredential } from '#harness/n8nEditor.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { startRawServer } from '../n8n/rawServer.mts';
import { connectedN8n } from './connectedN8n.mts';
import {
	ACTION_TYPE,
	actionNode,
	chain,
	CREDENTIAL_TYPE,
	credentialsOf,
	itemsNodes,
	KEEP,
	type PlainNode,
	START,
} from './connectorWorkflow.mts';

const { sandbox, n8n, credential } = await connectedN8n('connector', { data: 'demo' });

describe('the connector in n8n', () => {
	describe('credential test', () => {
		const test = (apiKey: string, baseUrl = sandbox.apiUrl) =>
			testCredential(n8n.client, CREDENTIAL_TYPE, { baseUrl, apiKey });

		it.each(['', '/', '/v1', '/v1/ '])(
			'accepts a good key, with "%s" behind the address',
			async (end) => {
				const accepted = await test(sandbox.keys.north, `${sandbox.apiUrl}${end}`);
				expect(accepted).toMatchObject({ status: 'OK' });
			},
		);

		it('asks over https where no scheme is given, as the nodes do', async () => {
			const { status, message } = await test(sandbox.keys.north, new URL(sandbox.apiUrl).host);
			expect(status).toBe('Error');
			expect(message).toContain('no encrypted connection could be made');
		});

		it.each(['expired', 'noOrganization', 'noPublicApi'] as const)(
			'says that the key is not accepted: %s',
			async (key) => {
				const { status, message } = await test(sandbox.keys[key]);
				expect(status).toBe('Error');
				expect(message).toContain('refused the API key (401)');
			},
		);

		it('tells a key without the permission from a wrong one', async () => {
			const { status, message } = await test(sandbox.keys.noList);
			expect(status).toBe('Error');
			expect(message).toContain('may not list inspections (403)');
		});

		it('says that the address is wrong', async () => {
			const { status, message } = await test(sandbox.keys.north, `${sandbox.apiUrl}/other`);
			expect(status).toBe('Error');
			expect(message).toContain('without "/v1"');
		});
	});

	describe('template list', () => {
		const search = (page: { filter?: string; next?: string }) =>
			searchList(
				n8n.client,
				{
					nodeType: ACTION_TYPE,
					path: 'parameters.templateId',
					methodName: 'searchTemplates',
					parameters: { resource: 'inspection', operation: 'create' },
					credentials: credentialsOf(credential),
				},
				page,
			);

		it('holds every template that was used, once, page by page', async () => {
			const names: string[] = [];
			let next: string | undefined;
			do {
				const page = await search(next === undefined ? {} : { next });
				names.push(...page.entries.map((entry) => String(entry['value'])));
				next = page.next;
			} while (next !== undefined);

			const { organization } = sandbox.tenants.north;
			const used = sandbox.store.inspections(organization.id).map(({ templateId }) => templateId);
			expect(names.toSorted()).toEqual([...new Set(used)].sort());
		});
	});

	it('says in the mapper why a template has no columns', async () => {
		const { fields, notice } = await mapperColumns(n8n.client, {
			nodeType: ACTION_TYPE,
			path: 'parameters.responses',
			methodName: 'getQuestionColumns',
			parameters: createParameters(templateBy('NO-SUCH-TEMPLATE')),
			credentials: credentialsOf(credential),
		});
		expect(fields).toEqual([]);
		expect(notice).toContain('was not found');
	});

	it('sends a bad item to the error output, the others on', async () => {
		const create = {
			...actionNode(credential, createParameters(templateBy('SITE-SAFETY'))),
			onError: 'continueErrorOutput',
		};
		const row = { 'Site name': 'Dock', Date: '2026-05-04', Result: 'Pass' };
		const before = sandbox.store.inspections().length;
		const workflow = await n8n.client.createWorkflow(
			chain('Error output', [
				START,
				...itemsNodes([row, { ...row, Result: 'Perhaps' }, { ...row, Result: 'Fail' }]),
				create,
				KEEP,
			]),
		);
		const execution = await n8n.client.run(workflow.id, START.name);

		expect(execution.status).toBe('success');
		const made = execution.items(create.name, 0);
		const refused = execution.items(create.name, 1);
		expect(made.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(refused.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(refused[0]?.json['error']).toContain('Perhaps');
		expect(execution.items(KEEP.name)).toHaveLength(2);
		expect(sandbox.store.inspections()).toHaveLength(before + 2);
	});

	describe.each([2, 4.2])('the API key in the HTTP Request node, version %s', (typeVersion) => {
		/** The node with everything switched on that follows redirects. */
		const requestNode = (url: string, options = {}): PlainNode => ({
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion,
			parameters: {
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL_TYPE,
				url,
				options: { ...(typeVersion === 2 ? { followAllRedirects: true } : {}), ...options },
			},
			credentials: credentialsOf(credential),
		});
		const request = async (url: string, options = {}) => {
			const node = requestNode(url, options);
			const { id } = await n8n.client.createWorkflow(chain('HTTP Request', [START, node]));
			const execution = await n8n.client.run(id, START.name);
			return { execution, items: execution.items(node.name) };
		};

		/** Another server: its address, and the headers of the requests that it got. */
		const startElsewhere = async () => {
			const asked: IncomingHttpHeaders[] = [];
			const { url, close } = await startRawServer(({ headers }, response) => {
				asked.push(headers);
				response.setHeader('content-type', 'application/json').end('{"got":"it"}');
			});
			onTestFinished(close);
			return { url, asked };
		};

		const list = `${sandbox.apiUrl}/v1/inspections?page_size=1`;
		const redirectTo = (location: string) => {
			const on = { operation: 'listInspections' } as const;
			sandbox.faults.add({ on, do: { kind: 'redirect', location }, times: 1 });
		};

		beforeEach(() => {
			sandbox.requests.clear();
		});

		it('goes to the base URL', async () => {
			const { execution, items } = await request(list);
			expect(execution.error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(sandbox.requests.count('listInspections')).toBe(1);
		});

		it('goes to no other address, and the error says what to do', async () => {
			const elsewhere = await startElsewhere();
			const { execution } = await request(`${elsewhere.url}/v1/inspections`);
			expect(elsewhere.asked).toEqual([]);
			expect(execution.error?.message).toContain(
				`The credential's API key is sent to ${sandbox.apiUrl} only`,
			);
			expect(JSON.stringify(execution.data)).not.toContain(sandbox.keys.north);
		});

		it('goes nowhere by a redirect, whose status the node then reports', async () => {
			const elsewhere = await startElsewhere();
			for (const target of [`${elsewhere.url}/landing`, '/v1/inspections?page_size=2']) {
				redirectTo(target);
				const { execution } = await request(list);
				expect(elsewhere.asked).toEqual([]);
				expect(execution.error?.message).toMatch(/^307 - /);
			}
			expect(sandbox.requests.count('listInspections')).toBe(2);
		});

		// Version 2 of that node reads no pages.
		if (typeVersion > 4) {
			it('goes nowhere by the address of a next page', async () => {
				const elsewhere = await startElsewhere();
				const pagination = {
					paginationMode: 'responseContainsNextURL',
					nextURL: `={{ $pageCount === 0 ? '${list}' : '${elsewhere.url}' }}`,
					limitPagesFetched: true,
					maxRequests: 2,
				};
				const { execution } = await request(list, { pagination: { pagination } });
				expect(elsewhere.asked).toEqual([]);
				expect(sandbox.requests.count('listInspections')).toBe(1);
				expect(execution.error?.message).toContain(`this request goes to ${elsewhere.url}`);
			});
		}

		it('goes through no proxy that the node names', async () => {
			const elsewhere = await startElsewhere();
			const { execution } = await request(list, { proxy: elsewhere.url });
			expect(elsewhere.asked).toEqual([]);
			expect(execution.error?.message).toContain('Proxy');
		});
	});
});
