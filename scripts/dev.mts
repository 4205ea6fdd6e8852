/**
 * `npm run dev`: starts n8n with the connector. When a source file changes, the compiler writes into the installed
 * package, and n8n reloads that package. Reload the editor's page to see a changed label.
 *
 * This doesn't use `n8n-node dev`, which links the whole project into n8n's folder for custom nodes. n8n 2.41.1 was
 * still searching that folder for nodes after three minutes.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import getPort from 'get-port';

import { onStop } from '#sandbox/commandLine.mts';
import { OWNER } from '#sandbox/demo/n8nClient.mts';
import { startN8n } from '#sandbox/demo/n8nServer.mts';
import { installedFolder, packConnector } from '#sandbox/demo/packedConnector.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { installN8n } from './n8nInstallation.mts';
import { PROJECT, RUNS } from './projectPaths.mts';

/** n8n's default port. */
const EDITOR_PORT = 5678;
/** The sandbox's default port. It stays the same, so that a saved credential still works after a restart. */
const SERVICE_PORT = 4010;
/** The data of this n8n. It stays after a stop, so your workflows are there at the next start. */
const USER_FOLDER = join(RUNS, 'dev');

await installN8n('latest');
const isFirstStart = !existsSync(USER_FOLDER);
const sandbox = await startSandbox({ data: 'demo', control: true, port: SERVICE_PORT });
const packed = await packConnector(join(RUNS, 'dev-package'));
const n8n = await startN8n({
	userFolder: USER_FOLDER,
	tarball: packed.path,
	port: await getPort({ host: '127.0.0.1', port: EDITOR_PORT }),
	env: { N8N_DEV_RELOAD: 'true' },
});
const compiler = execa(
	'tsc',
	['--watch', '--preserveWatchOutput', '--outDir', join(installedFolder(USER_FOLDER), 'dist')],
	{ cwd: PROJECT, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit', reject: false },
);
if (isFirstStart) {
	const key = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
	await n8n.client.createCredential('Local Inspection Service', 'inspectionServiceApi', key);
}
console.log(`
Editor    ${n8n.url}
Login     ${OWNER.email}   ${OWNER.password}
Service   ${sandbox.apiUrl}   API key ${sandbox.keys.north} (credential "Local Inspection Service")

Stop with Ctrl-C.
`);

onStop(async () => {
	compiler.kill();
	await n8n.stop();
	await sandbox.close();
	process.exit(0);
});
