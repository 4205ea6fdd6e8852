/**
 * Tests n8n's settings for installing the connector and for requests, and the update from the editor, as "Install" in
 * the README and docs/admin.md describe them.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';

import { getManyParameters } from '#harness/nodeParameters.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import type { JsonRecord } from '#sandbox/json.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { missingServices } from './backingServices.mts';
import { connect, packedTarball } from './connectedN8n.mts';
import { actionNode, chain, KEEP, triggerNode } from './connectorWorkflow.mts';
import { startNpmRegistry } from './npmRegistry.mts';
import { startQueueCluster } from './queueCluster.mts';

// A test starts n8n up to three times. Each start takes up to half a minute on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const FOLDER = join(RUNS, 'e2e', 'settings');
await rm(FOLDER, { recursive: true, force: true });

const sandbox = await startSandbox({ data: 'demo', demoInspections: 3 });
const registry = await startNpmRegistry(join(FOLDER, 'registry'), await packedTarball());
const missing = missingServices();
const { name, version, integrity: checksum, asked } = registry;
/** The version of `nextTarball`, and what its trigger logs. */
const [NEXT_VERSION, NEXT_LOG] = ['99.0.0', 'The next version polls'];
const known = sandbox.store.inspections(sandbox.tenants.north.organization.id).length;
afterAll(async () => {
	await registry.close();
	await sandbox.close();
});

/** Returns the environment variables with which n8n installs the connector from the local registry. */
const installed = (packages: Record<string, string>, settings: Record<string, string>) => ({
	...registry.env,
	N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
	N8N_COMMUNITY_PACKAGES: JSON.stringify([packages]),
	...settings,
});

/** Saves a new credential, and reads all inspections with it. */
async function getMany(n8n: N8nServer) {
	const { credential, run } = await connect(n8n, sandbox);
	const node = actionNode(credential, getManyParameters({ returnAll: true, output: 'row' }));
	const { error, items } = await run([node]);
	return { error, read: items(node.name).length };
}

/** Starts n8n with these settings and its existing data, and reads all inspections. */
async function getManyWith(env: Record<string, string>) {
	const n8n = await startN8n({ userFolder: join(FOLDER, 'n8n'), env });
	return await getMany(n8n).finally(async () => await n8n.stop());
}

/**
 * Packs a next version of the connector. Its trigger writes `NEXT_LOG` to n8n's log at each poll. Returns the tarball's
 * path.
 */
async function nextTarball(): Promise<string> {
	const folder = join(FOLDER, 'next');
	await mkdir(folder, { recursive: true });
	await execa('tar', ['-xzf', await packedTarball(), '-C', folder]);
	const edit = async (file: string, from: string, to: string) => {
		const path = join(folder, 'package', file);
		const text = await readFile(path, 'utf8');
		expect(text, file).toContain(from);
		await writeFile(path, text.replace(from, to));
	};
	await edit('package.json', `"version": "${version}"`, `"version": "${NEXT_VERSION}"`);
	const trigger = 'dist/nodes/InspectionService/InspectionServiceTrigger.node.js';
	await edit(trigger, 'poll() {', `poll() { console.log('${NEXT_LOG}');`);
	const tarball = join(folder, 'next.tgz');
	await execa('tar', ['-czf', tarball, '-C', folder, 'package']);
	return tarball;
}

it('environment variables are enough to install the connector, even for an internal address', async () => {
	const asInN8n3 = { N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' };
	const noChecksum = installed({ name, version }, asInN8n3);
	await expect(getManyWith(noChecksum), 'n8n 3 needs its checksum').rejects.toThrow(
		'no checksum available',
	);

	const env: Record<string, string> = installed({ name, version, checksum }, asInN8n3);
	expect(await getManyWith(env), 'at the first start').toEqual({ error: undefined, read: known });
	expect(asked.splice(0)).toContain(`/${name}/-/${name}-${version}.tgz`);

	env['N8N_SSRF_PROTECTION_ENABLED'] = 'true';
	env['N8N_SSRF_ALLOWED_IP_RANGES'] = '127.0.0.1/32';
	expect(await getManyWith(env), 'as the error says').toEqual({ error: undefined, read: known });
	expect(asked, 'later starts take it from where it was stored').toEqual([]);
});

it('the button Update installs a new version, with which the running trigger continues', async () => {
	const n8n = await startN8n({ userFolder: join(FOLDER, 'updated'), env: registry.env });
	onTestFinished(async () => await n8n.stop());
	const { client } = n8n;
	const packages = async (method: string, body?: JsonRecord) =>
		await client.request(method, '/community-packages', body);
	await packages('POST', { name });
	const { credential } = await connect(n8n, sandbox);
	const { id } = await client.createWorkflow(
		chain('Updated', [triggerNode(credential, { output: 'raw' }, 5), KEEP]),
	);
	await client.activate(id);
	const received = async () =>
		(await client.executions(id)).flatMap(({ items }) => items(KEEP.name).map(({ json }) => json));
	const template = sandbox.store.findTemplate(null, 'SITE-SAFETY')?.id ?? '';
	const change = () => sandbox.store.addInspection({ template }).id;
	const ids = [change()];
	await untilFound(async () => (await received()).length === 1);

	await registry.publish(NEXT_VERSION, await nextTarball());
	expect(await packages('GET')).toMatchObject([{ updateAvailable: NEXT_VERSION }]);
	ids.push(change());
	expect(await packages('PATCH', { name })).toMatchObject({ installedVersion: NEXT_VERSION });
	ids.push(change());
	await untilFound(async () => (await readFile(n8n.logFile, 'utf8')).includes(NEXT_LOG));
	await untilFound(async () => (await received()).length >= ids.length);
	expect((await received()).map((json) => json['id']).toSorted()).toEqual(ids.toSorted());
});

it('a setting reinstalls a connector from the editor that a redeploy lost', async () => {
	const userFolder = join(FOLDER, 'redeployed');
	const runWith = async (
		settings: Record<string, string>,
		before?: (n8n: N8nServer) => unknown,
	) => {
		const env = { ...registry.env, ...settings };
		const n8n = await startN8n({ userFolder, env });
		try {
			await before?.(n8n);
			return await getMany(n8n);
		} finally {
			await n8n.stop();
		}
	};
	const install = async ({ client }: N8nServer) =>
		await client.request('POST', '/community-packages', { name });
	expect(await runWith({}, install)).toEqual({ error: undefined, read: known });

	const lost = join(userFolder, '.n8n', 'nodes');
	await rm(lost, { recursive: true });
	await expect(runWith({}), 'n8n lost its nodes').rejects.toThrow(/nrecognized|credential/);
	const reinstall = { N8N_REINSTALL_MISSING_PACKAGES: 'true' };
	expect(await runWith(reinstall), 'at the next start').toEqual({ error: undefined, read: known });
});

it.skipIf(missing.length > 0)(
	'a worker with a separate folder installs the connector by environment variables as well',
	async () => {
		const env = installed({ name, version }, { N8N_REINSTALL_MISSING_PACKAGES: 'true' });
		const cluster = await startQueueCluster(join(FOLDER, 'cluster'), { env });
		onTestFinished(async () => await cluster.stop());
		await cluster.addWorker();
		expect(await getMany(cluster.main)).toEqual({ error: undefined, read: known });
	},
);
