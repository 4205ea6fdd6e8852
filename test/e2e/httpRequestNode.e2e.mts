/**
 * Checks where the API key is sent if n8n's HTTP Request node uses the connector's credential. Runs on the latest n8n.
 */
import { beforeEach, describe, expect, it } from 'vitest';

import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { startRawServer } from '#harness/rawServer.mts';
import type { JsonRecord } from '#sandbox/json.mts';
import { connectedN8n } from './connectedN8n.mts';
import { credentialsOf, n8nNode } from './connectorWorkflow.mts';

const { sandbox, credential, run } = await connectedN8n({ data: 'demo' });
const LIST = `${sandbox.apiUrl}/v1/inspections?page_size=1`;

/** A request that the HTTP Request node sends. `ELSEWHERE` stands for the address of a different server. */
interface RequestCase {
	url?: string;
	options?: JsonRecord;
	/** The address to which the service redirects the request. */
	redirect?: string;
}

const CASES: readonly [title: string, way: RequestCase, error: string][] = [
	[
		'another address, with the allowed one in the error',
		{ url: 'ELSEWHERE/v1/inspections' },
		`The credential's API key is only sent to ${sandbox.apiUrl}`,
	],
	['a redirect, whose status the node reports', { redirect: 'ELSEWHERE/landing' }, '307 - '],
	['a redirect within the service', { redirect: '/v1/inspections?page_size=2' }, '307 - '],
	['a proxy that the node names', { options: { proxy: 'ELSEWHERE' } }, 'Proxy'],
];
/** Only tested with version 4.2 of the node, because version 2 has no pagination. */
const NEXT_PAGE: (typeof CASES)[number] = [
	'the address of a next page',
	{
		options: {
			pagination: {
				pagination: {
					paginationMode: 'responseContainsNextURL',
					nextURL: `={{ $pageCount === 0 ? '${LIST}' : 'ELSEWHERE' }}`,
					limitPagesFetched: true,
					maxRequests: 2,
				},
			},
		},
	},
	'this request goes to ELSEWHERE',
];

describe.each([2, 4.2])('the API key in the HTTP Request node, version %s', (typeVersion) => {
	/**
	 * Sends a request with the HTTP Request node. Version 2 of the node follows redirects only with an option, so that
	 * option is set.
	 */
	const request = async ({ url = LIST, options = {}, redirect }: RequestCase) => {
		if (redirect !== undefined) {
			const on = { operation: 'listInspections' } as const;
			sandbox.faults.add({ on, do: { kind: 'redirect', location: redirect }, times: 1 });
		}
		const node = n8nNode('httpRequest', typeVersion, {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			url,
			options: { ...(typeVersion === 2 ? { followAllRedirects: true } : {}), ...options },
		});
		return await run([{ ...node, credentials: credentialsOf(credential) }]);
	};

	beforeEach(() => {
		sandbox.requests.clear();
	});

	it('goes to the base URL', async () => {
		const { error, items } = await request({});
		expect(error).toBeUndefined();
		expect(items('httpRequest')).toHaveLength(1);
		expect(sandbox.requests.count('listInspections')).toBe(1);
	});

	it.each(typeVersion === 2 ? CASES : [...CASES, NEXT_PAGE])(
		"doesn't go to %s",
		async (_, way, message) => {
			await using elsewhere = await startRawServer((_request, response) => {
				response.setHeader('content-type', 'application/json').end('{"got":"it"}');
			});
			const here = (text: string) => text.replaceAll('ELSEWHERE', elsewhere.url);

			const { error, data } = await request(JSON.parse(here(JSON.stringify(way))) as RequestCase);
			expect(error?.message).toContain(here(message));
			expect(elsewhere.requests).toHaveLength(0);
			expect(sandbox.requests.count('listInspections')).toBeLessThanOrEqual(1);
			expect(JSON.stringify(data)).not.toContain(sandbox.keys.north);
		},
	);
});
