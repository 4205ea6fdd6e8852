// Installs and starts n8n for the demo and the tests. Another way, such as a container image, would replace this
// file. Each version is installed from the lockfile in its folder, because a registry may list a version without
// having its dependencies. The overrides next to it replace versions that were missing for that reason.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { execa } from 'execa';

import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { LOCAL, PROJECT } from './projectPaths.mts';

const LOCKFILE = 'package-lock.json';

/**
 * Installs a real n8n in .local/n8n/<version>, from the package.json and lockfile in sandbox/n8n/<version>. Does nothing if it
 * is there.
 * @throws when npm or the compiler fails; npm's messages are on the terminal
 */
export async function installN8n(which: keyof typeof versions): Promise<void> {
	const version = versions[which];
	const source = join(PROJECT, 'sandbox', 'n8n', version);
	const target = join(LOCAL, 'n8n', version);
	const { modules, binary } = placesOf(version);
	// The build of sqlite3 is the last step, so if its result exists, all steps were done.
	const sqlite = join(modules, 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	const sameLock = hasSameContent(join(target, LOCKFILE), join(source, LOCKFILE));
	if (sameLock && existsSync(binary) && existsSync(sqlite)) return;

	rmSync(modules, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	for (const file of ['package.json', LOCKFILE, '.npmrc']) {
		copyFileSync(join(source, file), join(target, file));
	}
	console.log(`setup: installing n8n ${version}, about two minutes and 2 GB ...`);
	await npm(target, ['ci']);
	// A version that doesn't run on Node 24 has the Node that it needs as a dependency.
	if (existsSync(join(modules, 'node'))) await npm(target, ['rebuild', 'node']);
	console.log(`setup: compiling sqlite3 for n8n ${version}, about a minute ...`);
	await npm(target, ['rebuild', 'sqlite3']).catch((error: unknown) => {
		throw new Error(
			'sqlite3 of n8n was not compiled. That takes a C++ compiler, make and Python 3: on Debian, run "apt-get install build-essential python3".',
			{ cause: error },
		);
	});
}

function npm(cwd: string, args: readonly string[]) {
	const scripts = args[0] === 'rebuild' ? ['--ignore-scripts=false'] : [];
	return execa('npm', [...args, ...scripts, '--loglevel=error'], {
		cwd,
		stdin: 'ignore',
		stdout: 'inherit',
		stderr: 'inherit',
		env: localHeaders(),
	});
}

/** The C headers of the system's Node, if it has them. Otherwise node-gyp downloads some from nodejs.org. */
function localHeaders(): Record<string, string> {
	const node = process.env['npm_node_execpath'] ?? process.execPath;
	const prefix = [dirname(dirname(node)), '/usr', '/usr/local'].find((folder) =>
		existsSync(join(folder, 'include', 'node', 'node_api.h')),
	);
	return prefix === undefined ? {} : { npm_config_nodedir: prefix };
}

/**
 * How to start an installed n8n: `program` with `args`, followed by n8n's own command.
 *
 * @param version one with a folder in sandbox/n8n
 * @param nodeOptions of the Node that it runs on
 * @throws if that version isn't installed
 */
export function n8nProgram(version: string, nodeOptions: readonly string[]) {
	const { binary, ownNode } = placesOf(version);
	if (!existsSync(binary)) throw new Error(`n8n ${version} is not installed: ${binary} is missing`);
	return {
		program: existsSync(ownNode) ? ownNode : process.execPath,
		args: [...nodeOptions, binary],
	};
}

function placesOf(version: string) {
	const modules = join(LOCAL, 'n8n', version, 'node_modules');
	return {
		modules,
		binary: join(modules, 'n8n', 'bin', 'n8n'),
		ownNode: join(modules, 'node', 'bin', 'node'),
	};
}

function hasSameContent(one: string, other: string): boolean {
	return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}

/** Both tested versions, for the end-to-end tests. */
export default async function installTestedN8n(): Promise<void> {
	await installN8n('latest');
	await installN8n('lowest');
}

if (import.meta.main) await installTestedN8n();
