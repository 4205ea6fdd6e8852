import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';

import { PROJECT } from './projectPaths.mts';

const SOURCES = '{credentials,icons,nodes}{,/**},package.json,tsconfig.json';

/**
 * Builds `dist`, unless each of its files is newer than all source files and folders. Folders count because removing a
 * file changes only its folder's time.
 */
export async function buildConnector(): Promise<void> {
	const times = (pattern: string) =>
		globSync(pattern, { cwd: PROJECT }).map((file) => statSync(join(PROJECT, file)).mtimeMs);
	const built = times('dist/**/*.js');
	if (built.length > 0 && Math.min(...built) > Math.max(...times(`{${SOURCES}}`))) return;
	console.log('setup: building the connector ...');
	// With CI set, the build prints no spinner.
	await execa('n8n-node', ['build'], {
		cwd: PROJECT,
		preferLocal: true,
		env: { CI: 'true' },
		stdin: 'ignore',
		stdout: 'ignore',
		stderr: 'inherit',
	});
}
