import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { KeyName } from '#sandbox/service/demoOrganizations.mts';
import { get, post, type Reply, withFile } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const { path } = withFile(sandbox, { kind: 'image' });

describe.each<[string, KeyName, (key: string | null) => Promise<Reply>]>([
	['getTemplate', 'noTemplates', (key) => get(sandbox, '/v1/templates/SITE-SAFETY', key)],
	['createInspection', 'readOnly', (key) => post(sandbox, { template_id: 'SITE-SAFETY' }, key)],
	['listInspections', 'noList', (key) => get(sandbox, '/v1/inspections', key)],
	['getFileUrl', 'noFiles', (key) => get(sandbox, path, key)],
])('%s', (_, lacking, call) => {
	const { keys } = sandbox;

	it.each([
		['without a key', null],
		['with an unknown key', 'nonsense'],
		['with a key that differs by case', keys.north.toUpperCase()],
		['with an expired key', keys.expired],
		['with a key of no valid organization', keys.noOrganization],
		['with a key of an organization without the public API', keys.noPublicApi],
	])('responds with 401 %s', async (_what, key) => {
		const { status, json } = await call(key);
		const message = 'Access denied because of invalid or missing credentials';
		expect([status, json]).toEqual([401, { code: 401, message }]);
	});

	it('responds with 403 only to a key that lacks its permission', async () => {
		for (const name of ['north', 'noTemplates', 'readOnly', 'noList', 'noFiles'] as const) {
			expect((await call(keys[name])).status, name).toBe(name === lacking ? 403 : 200);
		}
	});
});

it.each(['/', '/v1', '/v2/inspections', '/v1/inspections/x', '/_control/settings'])(
	"responds with 404 to %s, which isn't an operation",
	async (path) => {
		const json = { code: 404, message: 'No such operation' };
		expect(await get(sandbox, path)).toEqual({ status: 404, json });
	},
);
