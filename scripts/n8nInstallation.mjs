// n8n as the demo and the tests have it: how a version is installed, and how it is started. Another way, such as a
// container image, would be put in here. A version is installed from the lockfile in its folder, because a registry may list
// a version whose own packages it does not have (2.41.3: `npm run n8n:newer`). The overrides beside it are for versions that
// were missing in the same way.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { LOCAL, npm, PROJECT } from './setup.mjs';

const LOCKFILE = 'package-lock.json';

/**
 * A real n8n in .local/n8n/<version>, from the package.json and lockfile in sandbox/n8n/<version>.
 * @param {'latest' | 'lowest'} which a name in sandbox/n8n/versions.json
 */
export async function installN8n(which) {
	const version = n8nVersions()[which];
	const source = join(PROJECT, 'sandbox', 'n8n', version);
	const target = join(LOCAL, 'n8n', version);
	const { modules, binary } = placesOf(version);
	// Its build is the last step, so that its presence says that all of them were done.
	const sqlite = join(modules, 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	const sameLock = sameContent(join(target, LOCKFILE), join(source, LOCKFILE));
	if (sameLock && existsSync(binary) && existsSync(sqlite)) return;

	rmSync(modules, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	for (const file of ['package.json', LOCKFILE, '.npmrc']) {
		copyFileSync(join(source, file), join(target, file));
	}
	await npm(`installing n8n ${version} (about two minutes, 2 GB)`, ['ci'], { cwd: target });
	// A version that does not run on Node 24 names the Node that it runs on as a dependency.
	const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
	if (dependencies.node !== undefined) {
		const title = `fetching Node ${dependencies.node} for n8n ${version}`;
		await npm(title, ['rebuild', 'node', '--ignore-scripts=false'], { cwd: target });
	}
	await npm(
		`compiling sqlite3 for n8n ${version} (about a minute)`,
		['rebuild', 'sqlite3', '--ignore-scripts=false'],
		{ cwd: target },
	);
}

/**
 * How an installed n8n is started: `program` with `args`, and n8n's own command behind them.
 * @param {string} version one with a folder in sandbox/n8n
 * @param {string[]} nodeOptions of the Node that it runs on
 * @throws when that version is not installed
 */
export function n8nProgram(version, nodeOptions) {
	const { binary, ownNode } = placesOf(version);
	if (!existsSync(binary)) throw new Error(`n8n ${version} is not installed: ${binary} is missing`);
	return {
		program: existsSync(ownNode) ? ownNode : process.execPath,
		args: [...nodeOptions, binary],
	};
}

function placesOf(version) {
	const modules = join(LOCAL, 'n8n', version, 'node_modules');
	return {
		modules,
		binary: join(modules, 'n8n', 'bin', 'n8n'),
		ownNode: join(modules, 'node', 'bin', 'node'),
	};
}

function n8nVersions() {
	return JSON.parse(readFileSync(join(PROJECT, 'sandbox', 'n8n', 'versions.json'), 'utf8'));
}

function sameContent(one, other) {
	return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}
