import { globSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';

import { PROJECT } from './projectPaths.mts';

const SOURCES = '{credentials,icons,nodes}{,/**},package.json,tsconfig.json';

/**
 * Builds `dist`, unless its build is complete and started after the last change of a source file or folder. Folders
 * count because removing a file changes only its folder's time.
 *
 * @throws if the build fails, with the compiler's output. No file of that build remains.
 */
export async function buildConnector(project = PROJECT): Promise<void> {
	const dist = join(project, 'dist');
	// Only a complete build has this file. Its time is the build's start, because a source can change during the build.
	const complete = join(dist, '.complete');
	const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	const changed = globSync(`{${SOURCES}}`, { cwd: project }).map((file) =>
		timeOf(join(project, file)),
	);
	if (timeOf(complete) > Math.max(...changed)) return;
	console.log('setup: building the connector ...');
	const started = new Date();
	// n8n-node removes `dist` first. With CI set, it prints no spinner.
	const { exitCode, all } = await execa('n8n-node', ['build'], {
		cwd: project,
		preferLocal: true,
		env: { CI: 'true' },
		stdin: 'ignore',
		all: true,
		reject: false,
	});
	if (exitCode !== 0) {
		rmSync(dist, { recursive: true, force: true });
		throw new Error(`The build of the connector failed:\n${all}`);
	}
	writeFileSync(complete, '');
	utimesSync(complete, started, started);
}
