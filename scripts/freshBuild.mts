import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';

import { PROJECT } from './projectPaths.mts';

const SOURCES = '{credentials,icons,nodes}{,/**},package.json,tsconfig.json';

/** Builds `dist` unless all of it is newer than its sources. Removing a file makes its folder newer. */
export async function buildConnector(): Promise<void> {
	const times = (pattern: string) =>
		globSync(pattern, { cwd: PROJECT }).map((file) => statSync(join(PROJECT, file)).mtimeMs);
	const built = times('dist/**/*.js');
	if (built.length > 0 && Math.min(...built) > Math.max(...times(`{${SOURCES}}`))) return;
	console.log('setup: building the connector ...');
	// In CI: no spinner in the log.
	await execa('n8n-node', ['build'], {
		cwd: PROJECT,
		preferLocal: true,
		env: { CI: 'true' },
		stdin: 'ignore',
		stdout: 'ignore',
		stderr: 'inherit',
	});
}
