// Installs n8n for the demo and the tests. To use n8n in another way, such as in a container, replace this file.
// sandbox/n8n has a lockfile for each n8n version, because a registry can lack some dependencies of n8n. The overrides
// in package.json replace such dependencies.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { execa } from 'execa';

import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { LOCAL, PROJECT } from './projectPaths.mts';

const LOCKFILE = 'package-lock.json';

/**
 * Installs a real n8n in .local/n8n/<version>, from the package.json and lockfile in sandbox/n8n/<version>. Does
 * nothing if this n8n is already installed.
 *
 * @throws if npm or the compiler fails; npm prints its own messages to the terminal
 */
export async function installN8n(which: keyof typeof versions): Promise<void> {
	const version = versions[which];
	const source = join(PROJECT, 'sandbox', 'n8n', version);
	const target = join(LOCAL, 'n8n', version);
	const { modules, binary } = placesOf(version);
	// Building sqlite3 is the last step of an installation. If its result exists, the installation is complete.
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
	// A version of n8n that doesn't run on Node 24 has a suitable version of the npm package `node` as a dependency.
	if (existsSync(join(modules, 'node'))) await npm(target, ['rebuild', 'node']);
	// npm downloads a prebuilt sqlite3 from GitHub. It compiles sqlite3 only if it can't reach GitHub.
	console.log(`setup: installing sqlite3 for n8n ${version}. Compiling it can take a minute ...`);
	await npm(target, ['rebuild', 'sqlite3']).catch((error: unknown) => {
		throw new Error(
			'sqlite3 of n8n was not installed. Let npm reach github.com, which has a prebuilt sqlite3. Or install a C++ compiler, make, and Python 3: on Debian, run "apt-get install build-essential python3".',
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

/**
 * Returns npm's setting for the folder with Node's C headers, if this machine has them. Otherwise, node-gyp downloads
 * the headers from nodejs.org.
 */
function localHeaders(): Record<string, string> {
	const node = process.env['npm_node_execpath'] ?? process.execPath;
	const prefix = [dirname(dirname(node)), '/usr', '/usr/local'].find((folder) =>
		existsSync(join(folder, 'include', 'node', 'node_api.h')),
	);
	return prefix === undefined ? {} : { npm_config_nodedir: prefix };
}

/**
 * Returns how to start an installed n8n: run `program` with `args`, followed by an n8n command such as `start`.
 *
 * @param version a version that has a folder in sandbox/n8n
 * @param nodeOptions options for the Node that runs n8n
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

/** Installs both versions of n8n that the end-to-end tests use. */
export default async function installTestedN8n(): Promise<void> {
	await installN8n('latest');
	await installN8n('lowest');
}

if (import.meta.main) await installTestedN8n();
