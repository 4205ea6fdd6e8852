/** Settings of n8n that decide whether the connector gets in, and out: see the README, "Install" and "n8n 3". */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, describe, expect, it, vi } from 'vitest';

import { getManyParameters } from '#harness/nodeParameters.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { missingServices } from './backingServices.mts';
import { actionNode, chain, CREDENTIAL_TYPE, START } from './connectorWorkflow.mts';
import { startNpmRegistry } from './npmRegistry.mts';
import { startQueueCluster } from './queueCluster.mts';

// Every test starts n8n up to two times, on an empty folder: a minute on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const FOLDER = join(RUNS, 'e2e', 'settings');
await rm(FOLDER, { recursive: true, force: true });

const sandbox = await startSandbox({ data: 'demo', demoInspections: 3 });
const { path: tarball } = await packConnector(FOLDER);
const missing = await missingServices();
const known = sandbox.store.inspections(sandbox.tenants.north.organization.id).length;
afterAll(async () => await sandbox.close());

/** Starts an n8n with these settings for the while of `use`; what it keeps stays. */
async function withN8n<T>(
	name: string,
	options: { env: Record<string, string>; tarball?: string },
	use: (n8n: N8nServer) => Promise<T>,
): Promise<T> {
	const n8n = await startN8n({ userFolder: join(FOLDER, name), ...options });
	return await use(n8n).finally(async () => await n8n.stop());
}

/** Reads the list with a new credential. */
async function getMany({ client }: N8nServer) {
	const credential = await client.createCredential('North', CREDENTIAL_TYPE, {
		baseUrl: sandbox.apiUrl,
		apiKey: sandbox.keys.north,
	});
	const node = actionNode(credential, getManyParameters({ returnAll: true, output: 'row' }));
	const workflow = await client.createWorkflow(chain('List', [START, node]));
	const execution = await client.run(workflow.id, START.name);
	return { error: execution.error, read: execution.items(node.name).length };
}

describe('installed by the environment', async () => {
	const registry = await startNpmRegistry(join(FOLDER, 'registry'), tarball);
	afterAll(async () => await registry.close());
	const { name, version, integrity } = registry;
	const environment = (settings: Record<string, string>, packages: Record<string, string>) => ({
		...registry.env,
		N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
		N8N_COMMUNITY_PACKAGES: JSON.stringify([packages]),
		...settings,
	});

	it('works at the first start, and at the next one from where it was stored', async () => {
		const env = environment({}, { name, version });
		await withN8n('environment', { env }, async (n8n) => {
			expect(await getMany(n8n)).toEqual({ error: undefined, read: known });
		});
		const asked = registry.asked.splice(0);
		expect(asked).toContain(`/${name}/-/${name}-${version}.tgz`);

		await withN8n('environment', { env }, async (n8n) => {
			expect(await getMany(n8n)).toEqual({ error: undefined, read: known });
		});
		expect(registry.asked).toEqual([]);
	});

	it.skipIf(missing.length > 0)('comes to a worker with a folder of its own', async () => {
		const reinstall = { N8N_REINSTALL_MISSING_PACKAGES: 'true' };
		const cluster = await startQueueCluster({
			folder: join(FOLDER, 'cluster'),
			env: environment(reinstall, { name, version }),
		});
		try {
			await cluster.addWorker();
			expect(await getMany(cluster.main)).toEqual({ error: undefined, read: known });
		} finally {
			await cluster.stop();
		}
	});

	it('needs its checksum where unverified packages are off, as n8n 3 has it', async () => {
		const settings = { N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' };
		const without = environment(settings, { name, version });
		await expect(withN8n('no-checksum', { env: without }, getMany)).rejects.toThrow(
			'no checksum available',
		);
		const env = environment(settings, { name, version, checksum: integrity });
		await withN8n('checksum', { env }, async (n8n) => {
			expect(await getMany(n8n)).toEqual({ error: undefined, read: known });
		});
	});
});

it('an internal address is refused by n8n until it is allowed as the message says', async () => {
	const env: Record<string, string> = { N8N_SSRF_PROTECTION_ENABLED: 'true' };
	const refused = await withN8n('refused', { env, tarball }, getMany);
	expect(refused.error?.message).toContain('n8n did not send the request: it is set to refuse');
	const [, setting = '', value = ''] =
		/(N8N_SSRF_ALLOWED_\w+)=(\S+)/.exec(refused.error?.description ?? '') ?? [];

	env[setting] = value;
	const allowed = await withN8n('refused', { env }, getMany);
	expect(allowed).toEqual({ error: undefined, read: known });
});
