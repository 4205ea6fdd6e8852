// Runs one of the project's programs on Node 24, after installing what is missing:
//     node scripts/run.mjs <file> [arguments]
// This file has no dependencies, because it runs on Node 20 or later before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LOWEST_NODE = 20;
const IS_WINDOWS = process.platform === 'win32';
const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(PROJECT, 'node_modules');
/** Node from the npm package `node`, so that everyone uses the same version. */
const NODE_24 = join(MODULES, 'node', 'bin', IS_WINDOWS ? 'node.exe' : 'node');

/** @param {string} message */
function fail(message) {
	console.error(`setup: ${message}`);
	process.exit(1);
}

/** @param {string[]} args */
function npm(...args) {
	// npm sets npm_execpath to its own path. The log level `error` still prints npm's error messages.
	const [program, ...first] = process.env.npm_execpath
		? [process.execPath, process.env.npm_execpath]
		: ['npm'];
	const options = { cwd: PROJECT, stdio: /** @type {const} */ ('inherit'), shell: IS_WINDOWS };
	const { status } = spawnSync(program ?? 'npm', [...first, ...args, '--loglevel=error'], options);
	if (status !== 0) fail(`"npm ${args.join(' ')}" failed. Its messages are above.`);
}

/** @param {string} file */
function packagesIn(file) {
	/** @type {{packages: Record<string, {version?: string, optional?: boolean}>}} */
	const { packages } = JSON.parse(readFileSync(file, 'utf8'));
	return packages;
}

function isInstalled() {
	const record = join(MODULES, '.package-lock.json');
	if (!existsSync(NODE_24) || !existsSync(record)) return false;
	const installed = packagesIn(record);
	return Object.entries(packagesIn(join(PROJECT, 'package-lock.json'))).every(
		([path, { version, optional }]) =>
			path === '' || optional === true || installed[path]?.version === version,
	);
}

const [program = '', ...args] = process.argv.slice(2);
if (Number.parseInt(process.versions.node) < LOWEST_NODE) {
	fail(`Node ${LOWEST_NODE} or later is needed to start. This is ${process.version}.`);
}
const help = join(PROJECT, program.replace(/\.mts$/, '.help.txt'));
if (args.includes('--help') && help.endsWith('.txt') && existsSync(help)) {
	console.log(readFileSync(help, 'utf8'));
	process.exit();
}
if (!isInstalled()) {
	console.log('setup: installing the development dependencies, about a minute ...');
	// `npm ci` would delete node_modules, including the Node 24 that might be running this file.
	npm('install', '--no-save');
	npm('rebuild', 'node', '--ignore-scripts=false');
}
const child = spawn(NODE_24, [program, ...args], {
	cwd: PROJECT,
	env: { ...process.env, PATH: [join(MODULES, '.bin'), process.env.PATH].join(delimiter) },
	stdio: 'inherit',
});
/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
