// What a fresh clone lacks, step by step. Every step first looks whether its result is there already, so that a
// second start costs a few hashes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { longStep, SetupError } from './longStep.mjs';

export const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
export const LOCAL = join(PROJECT, '.local');
const WINDOWS = process.platform === 'win32';
const LOWEST_NODE = 20;

/** Node 24 from the npm package `node`: the same for everybody, whatever the system has. */
export const NODE_24 = join(PROJECT, 'node_modules', 'node', 'bin', WINDOWS ? 'node.exe' : 'node');

/** The environment in which the project's programs find Node 24 and each other. */
export const PROJECT_ENV = {
	...process.env,
	PATH: [join(PROJECT, 'node_modules', '.bin'), process.env['PATH']].join(WINDOWS ? ';' : ':'),
};

/** @throws {SetupError} when this Node cannot run the set-up */
export function checkNode() {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= LOWEST_NODE) return;
	throw new SetupError(
		`Node ${LOWEST_NODE} or later is needed to start (this is ${process.version}); the rest runs on its own Node 24`,
	);
}

/** Development dependencies as the lockfile has them, and Node 24. */
export async function installDependencies() {
	const stamp = createStamp('dependencies', hashFiles(['package-lock.json', '.npmrc']));
	if (stamp.isCurrent() && existsSync(NODE_24)) return;
	stamp.clear();
	// Not `npm ci`: it would delete the Node of node_modules that may run this.
	await npm('installing the development dependencies (about a minute)', ['install', '--no-save']);
	await npm('fetching Node 24', ['rebuild', 'node', '--ignore-scripts=false']);
	stamp.set();
}

/** dist/, when anything that it is made of has changed. */
export async function buildConnector() {
	const { n8n } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
	const built = [...n8n.credentials, ...n8n.nodes].every((file) => existsSync(join(PROJECT, file)));
	const sources = ['credentials', 'icons', 'nodes'].flatMap(filesBelow);
	const stamp = createStamp(
		'build',
		hashFiles([...sources, 'package.json', 'package-lock.json', 'tsconfig.json']),
	);
	if (built && stamp.isCurrent()) return;
	stamp.clear();
	// CI: no spinner in the log.
	await npm('building the connector', ['run', 'build'], { env: { ...PROJECT_ENV, CI: 'true' } });
	stamp.set();
}

/**
 * One npm command as a step of the set-up.
 * @param {string} title what it is good for, as a person would say it
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv}} options
 */
export async function npm(title, args, { cwd = PROJECT, env = process.env } = {}) {
	// npm tells its scripts where it is; without that, the one on the PATH.
	const cli = process.env['npm_execpath'];
	const [program, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]];
	await longStep(title, program, [...first, ...args], {
		cwd,
		logFolder: join(LOCAL, 'log'),
		env: { ...env, ...localHeaders() },
	});
}

/** Node's C headers, where the system has them: node-gyp would otherwise load them from nodejs.org. */
function localHeaders() {
	const prefix = dirname(dirname(process.execPath));
	const present = existsSync(join(prefix, 'include', 'node', 'node_api.h'));
	return present ? { npm_config_nodedir: prefix } : {};
}

/** Remembers in .local/ that a step was done for inputs with this hash. */
function createStamp(name, hash) {
	const file = join(LOCAL, 'stamps', name);
	const content = `${hash} ${process.platform}-${process.arch}\n`;
	return {
		isCurrent: () => existsSync(file) && readFileSync(file, 'utf8') === content,
		clear: () => rmSync(file, { force: true }),
		set: () => {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, content);
		},
	};
}

function filesBelow(folder) {
	return readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(PROJECT, join(entry.parentPath ?? entry.path, entry.name)))
		.sort();
}

/** Hash of names and contents; names are relative to the project. */
function hashFiles(files) {
	const hash = createHash('sha256');
	for (const file of files) {
		hash.update(`${file}\0`).update(readFileSync(join(PROJECT, file)));
	}
	return hash.digest('hex');
}
