import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { recordsOf, textOf } from '#sandbox/json.mts';
import { buildConnector } from '#scripts/freshBuild.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

export const PACKAGE_NAME = 'n8n-nodes-inspection-service';

/** The packed tarball's path, its size in bytes, and the files in it, as paths relative to the package. */
export type PackedConnector = Awaited<ReturnType<typeof packConnector>>;

/** Builds the connector and packs it into this folder, as `npm publish` would. */
export async function packConnector(folder: string) {
	await buildConnector();
	await mkdir(folder, { recursive: true });
	const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: PROJECT,
	});
	const [packed] = recordsOf(JSON.parse(stdout));
	if (packed === undefined) throw new Error('npm pack reported no tarball');
	return {
		path: join(folder, textOf(packed['filename']) ?? ''),
		size: Number(packed['size']),
		files: recordsOf(packed['files']).flatMap((file) => textOf(file['path']) ?? []),
	};
}

/** The folder from which n8n loads the installed connector. */
export function installedFolder(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
}

/**
 * Installs the tarball in the folder where a self-hosted n8n keeps community packages. n8n loads it on its next start.
 */
export async function installConnector(tarball: string, userFolder: string): Promise<void> {
	const target = installedFolder(userFolder);
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	await execa('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
}
