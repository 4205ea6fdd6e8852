// One long step of the set-up: runs a program, keeps what it prints in a log, shows that time passes, and says in
// one line what is missing when it fails.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const HEARTBEAT_MS = 15_000;
const KEPT_OUTPUT = 20_000;
const SHOWN_LINES = 15;

// What is known to go wrong on a machine that lacks something; first match wins.
const CAUSES = [
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network request to/,
		'the npm registry cannot be reached: check the network, a proxy (npm config get https-proxy) or the registry (npm config get registry)',
	],
	[
		/find Python|not found: make|make: not found|g\+\+: (not found|No such file)|cc: not found|gyp ERR! stack Error: not found/,
		'a C++ compiler, make and Python 3 are needed to build sqlite3: on Debian "apt-get install build-essential python3"',
	],
	[/ENOSPC/, 'the disk is full: n8n and the development dependencies take about 4 GB'],
	[/EACCES|EPERM/, 'a file may not be written: check who owns this folder and the npm cache'],
	[/E404|ETARGET|notarget/, 'the npm registry in use lacks a package that the lockfile names'],
];

/** A failure that its message explains to a person; no stack trace is wanted. */
export class SetupError extends Error {}

/**
 * Runs a program to its end.
 * @param {string} title what it is good for, as a person would say it
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd: string, logFolder: string, env?: NodeJS.ProcessEnv}} options
 * @throws {SetupError} when it cannot be started or ends with another code than 0
 */
export async function longStep(title, program, args, { cwd, logFolder, env = process.env }) {
	const started = Date.now();
	const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
	mkdirSync(logFolder, { recursive: true });
	const logFile = join(logFolder, `${title.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}.log`);
	console.log(`setup: ${title} ...`);
	const heartbeat = setInterval(
		() => console.log(`setup:   still at it, ${elapsed()}`),
		HEARTBEAT_MS,
	);
	const { code, output } = await runLogged(program, args, { cwd, env, logFile }).finally(() =>
		clearInterval(heartbeat),
	);
	if (code === 0) {
		console.log(`setup: ${title}: done in ${elapsed()}`);
		return;
	}
	const [, cause] = CAUSES.find(([pattern]) => pattern.test(output)) ?? [];
	const detail = cause ?? `it ended with ${code}:\n${lastLines(output)}\n`;
	throw new SetupError(`${title} failed: ${detail} (all it printed: ${logFile})`);
}

/** Resolves with the exit code (or the signal's name) and the end of what was printed. */
function runLogged(program, args, { cwd, env, logFile }) {
	return new Promise((resolve, reject) => {
		const log = createWriteStream(logFile);
		let output = '';
		const keep = (chunk) => {
			log.write(chunk);
			output = (output + String(chunk)).slice(-KEPT_OUTPUT);
		};
		const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		child.on('error', (error) => {
			log.end();
			reject(
				new SetupError(
					error.code === 'ENOENT'
						? `"${program}" was not found: it has to be on the PATH`
						: `"${program}" could not be started: ${error.message}`,
				),
			);
		});
		child.on('close', (code, signal) => {
			log.end();
			resolve({ code: code ?? signal, output });
		});
	});
}

function lastLines(output) {
	const lines = stripVTControlCharacters(output).split('\n');
	return lines
		.filter((line) => line.trim() !== '')
		.slice(-SHOWN_LINES)
		.join('\n');
}
