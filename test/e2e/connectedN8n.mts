import { join } from 'node:path';

import { afterAll } from 'vitest';

import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { CREDENTIAL_TYPE, type SavedCredential } from './connectorWorkflow.mts';

/** A sandbox, and an n8n with the packed connector and a saved credential for the sandbox. */
export interface ConnectedN8n {
	sandbox: Sandbox;
	n8n: N8nServer;
	/** With a key of the sandbox's organization north. */
	credential: SavedCredential;
}

/**
 * A fresh n8n for the tests of one file, to be asked for at the top of it; it ends behind the last test.
 *
 * ```ts
 * const { sandbox, n8n, credential } = await connectedN8n('findings', { data: 'demo' });
 * ```
 *
 * @param name of the folder below RUNS that it keeps its data in
 * @param version of n8n, the latest where not given (see N8nOptions)
 */
export async function connectedN8n(
	name: string,
	service: SandboxOptions,
	version?: string,
): Promise<ConnectedN8n> {
	const folder = join(RUNS, 'e2e', name);
	const { path: tarball } = await packConnector(folder);
	const n8n = await startN8n({
		userFolder: join(folder, 'n8n'),
		fresh: true,
		tarball,
		...(version === undefined ? {} : { version }),
	});
	const sandbox = await startSandbox(service);
	afterAll(async () => {
		await n8n.stop();
		await sandbox.close();
	});
	const credential = await n8n.client.createCredential('North', CREDENTIAL_TYPE, {
		baseUrl: sandbox.apiUrl,
		apiKey: sandbox.keys.north,
	});
	return { sandbox, n8n, credential };
}
