/**
 * Redis and PostgreSQL for n8n's queue mode and its Postgres node: Debian's packages, started on ports and folders of
 * their own.
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
	port: number;
	/** The settings that n8n reaches it with. */
	env: Record<string, string>;
	/** Ends it, and its data with it. */
	stop(): Promise<void>;
}

const HOST = '127.0.0.1';
/** Where Debian puts PostgreSQL's programs: one folder per major version, none of them on the PATH. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const READY_PATIENCE_MS = 30_000;

/** What is missing on this machine to run the queue-mode suite; empty where nothing is. */
export async function missingServices(): Promise<string[]> {
	const redis = await execa('redis-server', ['--version'], { reject: false });
	return [
		...((await isPostgresHere()) ? [] : ['postgresql']),
		...(redis.failed ? ['redis-server'] : []),
	];
}

/** Whether a database can be started. */
export const isPostgresHere = async () => (await postgresPrograms()) !== undefined;

/** An empty Redis that keeps nothing on disk. */
export async function openRedis(): Promise<BackingService> {
	const port = await getPort({ host: HOST });
	const server = execa(
		'redis-server',
		['--port', String(port), '--bind', HOST, '--save', '', '--appendonly', 'no'],
		{ stdin: 'ignore', stdout: 'ignore', stderr: 'pipe', reject: false, cleanup: true },
	);
	const ping = () => execa('redis-cli', ['-p', String(port), 'ping'], { reject: false });
	await untilReady('Redis', server, async () => (await ping()).stdout === 'PONG');
	const env = { QUEUE_BULL_REDIS_HOST: HOST, QUEUE_BULL_REDIS_PORT: String(port) };
	return { port, env, stop: () => end(server, 'SIGTERM') };
}

/** A new PostgreSQL cluster with a database `n8n` that user `n8n` may use without a password from this machine. */
export async function openPostgres(): Promise<BackingService> {
	const programs = await postgresPrograms();
	if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: postgresql)');
	const port = await getPort({ host: HOST });
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
		['-D', data, '-p', String(port), '-h', HOST, '-k', folder, '-c', 'fsync=off'],
		{ ...as, stdout: 'ignore', stderr: 'pipe', reject: false, cleanup: true },
	);
	const connection = ['-h', HOST, '-p', String(port), '-U', 'n8n'];
	const isReady = async () =>
		!(await execa(join(programs, 'pg_isready'), connection, { reject: false })).failed;
	await untilReady('PostgreSQL', server, isReady);
	await execa(join(programs, 'createdb'), [...connection, 'n8n']);
	return {
		port,
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_DATABASE: 'n8n',
		},
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
