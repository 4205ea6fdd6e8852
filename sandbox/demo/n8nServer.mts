/** Starts a real n8n as a child process, with the packed connector installed as on a self-hosted n8n. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { n8nProgram } from '#scripts/n8nInstallation.mts';
import versions from '../n8n/versions.json' with { type: 'json' };
import { freePort } from './freePort.mts';
import { connectN8n } from './n8nClient.mts';
import { installConnector } from './packedConnector.mts';
import { untilFound } from './waiting.mts';

export interface N8nOptions {
	/**
	 * Absolute path of a folder below RUNS. This n8n keeps everything there: database, encryption key, packages, files.
	 */
	userFolder: string;
	/** Whether to empty the user folder first. Default: false. */
	fresh?: boolean;
	/** The connector's tarball to install (see packConnector). Default: the already installed version stays. */
	tarball?: string;
	/** Port of the editor and the REST API on 127.0.0.1. Default: any free port. */
	port?: number;
	/**
	 * An n8n version that has a folder in sandbox/n8n. Default: the environment variable N8N_VERSION, or else the latest
	 * version.
	 */
	version?: string;
	/** Additional environment variables. They take precedence over those that `launch` sets. */
	env?: Record<string, string>;
}

/** An n8n process and its folders. */
export type N8nProcess = Awaited<ReturnType<typeof launch>>;

/** An n8n that is ready to respond, and a client for it. */
export type N8nServer = Awaited<ReturnType<typeof startN8n>>;

/** A script that ends n8n when the process that started n8n has ended. */
const LIFELINE = join(import.meta.dirname, 'lifeline.mjs');

const { PATH, HOME, TMPDIR } = process.env;

/**
 * The environment of every n8n. It inherits only the variables that a program needs to run. Most of the other variables
 * keep n8n from contacting the internet.
 */
const OWN_ENV = {
	PATH,
	HOME,
	TMPDIR,
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_AI_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	GENERIC_TIMEZONE: 'UTC',
};

/**
 * n8n modules that the connector never uses. They are disabled because each takes time to start. Only the latest n8n
 * gets this list: an older version doesn't start if the list has a module that it doesn't know.
 */
const DISABLED_MODULES =
	'mcp-registry,mcp,instance-ai,agents,agent-evals,chat-hub,insights,external-secrets,ldap,log-streaming,instance-reporting,instance-version-history,otel,oauth-server,quick-connect,workflow-builder,breaking-changes';

const STOP_TIMEOUT_MS = 20_000;
// On its first start, n8n migrates its database. That takes 8 to 13 s on two idle cores, and several times as long on
// busy ones.
const READY_TIMEOUT_MS = 180_000;

/**
 * Starts n8n, waits until it responds, and creates a client that is logged in as the owner.
 *
 * @throws if the requested n8n version isn't installed, if n8n ends early, or if it isn't ready within three minutes.
 * The message contains the end of n8n's log.
 */
export async function startN8n(options: N8nOptions) {
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const n8n = await launch('start', options, { N8N_PORT: String(port) });
	return await orItsLog(n8n, async () => {
		await untilReady(n8n, [`${url}/healthz/readiness`, `${url}/rest/settings`]);
		const client = await connectN8n(url);
		return { ...n8n, url, client };
	});
}

/** Runs an n8n command in a new process. Doesn't wait until n8n is ready. */
export async function launch(
	command: 'start' | 'worker',
	options: N8nOptions,
	env: Record<string, string>,
) {
	const { userFolder, version = process.env['N8N_VERSION'] ?? versions.latest } = options;
	const { program, args } = n8nProgram(version, ['--import', LIFELINE]);
	if (options.fresh === true) await rm(userFolder, { recursive: true, force: true });
	/** The only folder that this n8n's file nodes can read and write. */
	const filesFolder = join(userFolder, 'files');
	await mkdir(filesFolder, { recursive: true });
	if (options.tarball !== undefined) await installConnector(options.tarball, userFolder);

	/** The file for n8n's output. Every start with this user folder appends to it. */
	const logFile = join(userFolder, 'n8n.log');
	const log = await open(logFile, 'a');
	const child = spawn(program, [...args, command], {
		cwd: userFolder,
		env: {
			...OWN_ENV,
			...(version === versions.latest ? { N8N_DISABLED_MODULES: DISABLED_MODULES } : {}),
			N8N_USER_FOLDER: userFolder,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
			...env,
			...options.env,
		},
		// n8n writes to a file. With a pipe to this process, n8n would loop endlessly on EPIPE errors after this process
		// ends.
		stdio: ['pipe', log.fd, log.fd],
		// A separate process group, so that Ctrl-C in a terminal doesn't reach n8n directly, and `kill` also ends n8n's
		// task runner.
		detached: true,
	});
	const { pid } = child;
	/** Resolves when the process has ended. */
	const ended = once(child, 'exit').then(() => undefined);
	await log.close();
	if (pid === undefined) throw new Error('the process could not be started');
	return { pid, userFolder, filesFolder, logFile, ended, ...waysToEnd(child, pid, ended) };
}

function waysToEnd(child: ChildProcess, pid: number, ended: Promise<void>) {
	return {
		/**
		 * Asks n8n to stop, and waits until it has ended. Kills it after 20 seconds, because n8n itself would wait up to 30
		 * seconds for running executions.
		 */
		async stop() {
			child.kill('SIGTERM');
			const late = setTimeout(() => void this.kill(), STOP_TIMEOUT_MS);
			await ended;
			clearTimeout(late);
		},
		/** Kills n8n and its task runner before they can save anything. Waits until n8n has ended. */
		async kill() {
			if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
			await ended;
		},
	};
}

/** Runs `start`. If that fails, kills n8n and throws an error with the end of n8n's log. */
export async function orItsLog<T>(n8n: N8nProcess, start: () => Promise<T>): Promise<T> {
	try {
		return await start();
	} catch (error) {
		await n8n.kill();
		const printed = await readFile(n8n.logFile, 'utf8').catch(() => '');
		throw new Error(`n8n did not start: ${String(error)}\n${printed.slice(-2000)}`, {
			cause: error,
		});
	}
}

/** Waits until n8n responds at all of these addresses. @throws if n8n ends before that */
export async function untilReady(n8n: N8nProcess, urls: string[]): Promise<void> {
	let hasEnded = false;
	void n8n.ended.then(() => (hasEnded = true));
	const isAnswering = async (url: string) => {
		const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
		await response?.body?.cancel();
		return response?.ok === true;
	};
	await untilFound(async () => {
		if (hasEnded) throw new Error('it ended');
		return (await Promise.all(urls.map(isAnswering))).every(Boolean);
	}, READY_TIMEOUT_MS);
}
