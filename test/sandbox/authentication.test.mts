import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KeyName } from '#sandbox/service/demoOrganizations.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { get, post, type Reply } from './apiCall.mts';

let sandbox: Sandbox;
let fileUrlPath: string;

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo' });
	const inspection = sandbox.store.addInspection({
		template: 'SITE-SAFETY',
		files: [{ kind: 'image' }],
	});
	fileUrlPath = `/v1/inspections/${inspection.id}/files/${String(inspection.files[0]?.id)}/url`;
});
afterAll(() => sandbox.close());

const OPERATIONS: Record<string, (key: string | null) => Promise<Reply>> = {
	'get template': (key) => get(sandbox, '/v1/templates/SITE-SAFETY', key),
	'create inspection': (key) => post(sandbox, { template_id: 'SITE-SAFETY' }, { key }),
	'list inspections': (key) => get(sandbox, '/v1/inspections', key),
	'file url': (key) => get(sandbox, fileUrlPath, key),
};

describe.each(Object.entries(OPERATIONS))('%s', (name, call) => {
	it('200 with a good key', async () => {
		expect((await call(sandbox.keys.north)).status).toBe(200);
	});

	it.each<[string, KeyName | null]>([
		['without a key', null],
		['with an expired key', 'expired'],
		['with a key of no valid organization', 'noOrganization'],
		['with a key of an organization without the public API', 'noPublicApi'],
	])('401 %s', async (_what, keyName) => {
		const { status, json } = await call(keyName === null ? null : sandbox.keys[keyName]);
		expect(status).toBe(401);
		expect(json).toEqual({
			code: 401,
			message: 'Access denied because of invalid or missing credentials',
		});
	});

	it('401 with an unknown key, also one that differs by case', async () => {
		expect((await call('nonsense')).status).toBe(401);
		expect((await call(sandbox.keys.north.toUpperCase())).status).toBe(401);
	});

	it('403 with a key that lacks the permission, and only there', async () => {
		const lacking: Record<string, string> = {
			'get template': sandbox.keys.noTemplates,
			'create inspection': sandbox.keys.readOnly,
			'list inspections': sandbox.keys.noList,
			'file url': sandbox.keys.noFiles,
		};
		for (const [operation, key] of Object.entries(lacking)) {
			expect((await call(key)).status).toBe(operation === name ? 403 : 200);
		}
	});

	it('401 once the key has expired by the service’s clock', async () => {
		const key = sandbox.store.keys.get(sandbox.keys.north);
		if (key === undefined) throw new Error('no such key');
		const inAnHour = sandbox.clock.now() + 3_600n * 10_000_000n;
		sandbox.store.keys.set('short-lived', { ...key, expiresAt: inAnHour });
		expect((await call('short-lived')).status).toBe(200);
		sandbox.clock.setOffset(3_600_001);
		expect((await call('short-lived')).status).toBe(401);
		sandbox.clock.setOffset(0);
	});
});

it('answers anything else with 404, never with a stack trace', async () => {
	for (const path of ['/', '/v1', '/v2/inspections', '/v1/inspections/x', '/_control/settings']) {
		const { status, json } = await get(sandbox, path);
		expect(status).toBe(404);
		expect(json).toEqual({ code: 404, message: 'No such operation' });
	}
});
