/**
 * Redis and PostgreSQL for n8n's queue mode and its Postgres node: those that the environment names, else Debian's packages, started on
 * ports and folders of their own.
 *
 * - `E2E_REDIS_URL`, e.g. `redis://127.0.0.1:6379` (user, password and database number are used where given)
 * - `E2E_POSTGRES_URL`, e.g. `postgres://user:password@127.0.0.1:5432/n8n`: an empty database, or one that only these
 *   suites use; tables are left in it
 */
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa, type ResultPromise } from 'execa';
import getPort from 'get-port';

import { untilFound } from '#sandbox/demo/waiting.mts';

/** A server that n8n works with. */
export interface BackingService {
	/** The settings that n8n reaches it with. */
	env: Record<string, string>;
	/** Ends it and its data where it was started here; leaves one from the environment as it is. */
	stop(): Promise<void>;
}

/** A PostgreSQL database. */
export interface Database extends BackingService {
	/** With user, password and database, e.g. `postgres://n8n@127.0.0.1:5432/n8n`. */
	url: URL;
}

/** Where Debian puts PostgreSQL's programs: one folder per major version, none of them on the PATH. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const READY_PATIENCE_MS = 30_000;

/** What is missing on this machine to run the queue-mode suite; empty where nothing is. */
export async function missingServices(): Promise<string[]> {
	const missing: string[] = [];
	if (!(await isPostgresHere())) missing.push('postgresql');
	const redis = () => execa('redis-server', ['--version'], { reject: false });
	if (given('E2E_REDIS_URL') === undefined && (await redis()).failed) missing.push('redis-server');
	return missing;
}

/** Whether there is a database of the environment, or one can be started. */
export async function isPostgresHere(): Promise<boolean> {
	return given('E2E_POSTGRES_URL') !== undefined || (await postgresPrograms()) !== undefined;
}

/** The Redis of the environment, else an empty one of its own. */
export async function openRedis(): Promise<BackingService> {
	const url = given('E2E_REDIS_URL');
	return url === undefined ? await startRedis() : { env: redisEnv(url), stop: leaveIt };
}

/** The PostgreSQL database of the environment, else a new one of its own. */
export async function openPostgres(): Promise<Database> {
	const url = given('E2E_POSTGRES_URL');
	return url === undefined ? await startPostgres() : { url, env: postgresEnv(url), stop: leaveIt };
}

function given(name: string): URL | undefined {
	const value = process.env[name];
	return value === undefined || value === '' ? undefined : new URL(value);
}

const leaveIt = () => Promise.resolve();

function redisEnv(url: URL): Record<string, string> {
	return {
		QUEUE_BULL_REDIS_HOST: url.hostname,
		QUEUE_BULL_REDIS_PORT: url.port || '6379',
		QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(url.username),
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(url.password),
		QUEUE_BULL_REDIS_DB: url.pathname.slice(1) || '0',
	};
}

function postgresEnv(url: URL): Record<string, string> {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: url.hostname,
		DB_POSTGRESDB_PORT: url.port || '5432',
		DB_POSTGRESDB_USER: decodeURIComponent(url.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(url.password),
		DB_POSTGRESDB_DATABASE: url.pathname.slice(1),
	};
}

/** An empty Redis that keeps nothing on disk. */
async function startRedis(): Promise<BackingService> {
	const port = await getPort({ host: '127.0.0.1' });
	const server = execa(
		'redis-server',
		['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
		{ stdin: 'ignore', stdout: 'ignore', stderr: 'pipe', reject: false, cleanup: true },
	);
	const ping = () => execa('redis-cli', ['-p', String(port), 'ping'], { reject: false });
	await untilReady('Redis', server, async () => (await ping()).stdout === 'PONG');
	const env = redisEnv(new URL(`redis://127.0.0.1:${port}`));
	return { env, stop: () => end(server, 'SIGTERM') };
}

/** A new PostgreSQL cluster with a database `n8n` that user `n8n` may use without a password from this machine. */
async function startPostgres(): Promise<Database> {
	const programs = await postgresPrograms();
	if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: postgresql)');
	const port = await getPort({ host: '127.0.0.1' });
	const folder = await mkdtemp(join(tmpdir(), 'inspection-postgres-'));
	// PostgreSQL refuses to run as root; Debian's package brings the user it runs as.
	const owner = process.getuid?.() === 0 ? await postgresUser() : undefined;
	if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
	const as = { ...owner, cwd: folder, stdin: 'ignore' } as const;
	const data = join(folder, 'data');
	await execa(
		join(programs, 'initdb'),
		['--pgdata', data, '--username', 'n8n', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'],
		as,
	);
	const server = execa(
		join(programs, 'postgres'),
		['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off'],
		{ ...as, stdout: 'ignore', stderr: 'pipe', reject: false, cleanup: true },
	);
	const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n'];
	const isReady = async () =>
		!(await execa(join(programs, 'pg_isready'), connection, { reject: false })).failed;
	await untilReady('PostgreSQL', server, isReady);
	await execa(join(programs, 'createdb'), [...connection, 'n8n']);
	const url = new URL(`postgres://n8n@127.0.0.1:${port}/n8n`);
	return {
		url,
		env: postgresEnv(url),
		stop: async () => {
			// SIGINT is its fast shutdown: clients are cut off, nothing is waited for.
			await end(server, 'SIGINT');
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function postgresPrograms(): Promise<string | undefined> {
	const versions = existsSync(POSTGRES_VERSIONS) ? await readdir(POSTGRES_VERSIONS) : [];
	const folders = versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(POSTGRES_VERSIONS, version, 'bin'));
	return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
	const id = async (flag: string) => Number((await execa('id', [flag, 'postgres'])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

async function untilReady(
	name: string,
	server: ResultPromise,
	isReady: () => Promise<boolean>,
): Promise<void> {
	try {
		await untilFound(async () => server.exitCode !== null || (await isReady()), READY_PATIENCE_MS);
		if (server.exitCode === null) return;
	} catch {
		await end(server, 'SIGKILL');
	}
	throw new Error(`${name} did not start: ${String((await server).stderr)}`);
}

async function end(server: ResultPromise, signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<void> {
	server.kill(signal);
	await server;
}
