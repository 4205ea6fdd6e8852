/**
 * Starts Redis and PostgreSQL for n8n's queue mode and its Postgres node. Both come from Debian's packages, and listen
 * on free ports.
 */
import { existsSync, globSync } from 'node:fs';

import { execa, type ResultPromise } from 'execa';

import { freePort } from '#sandbox/demo/freePort.mts';

const HOST = '127.0.0.1';

/** Whether PostgreSQL is installed on this machine. */
export const isPostgresHere = () => globSync('/usr/lib/postgresql/*/bin/postgres').length > 0;

/** Returns the names of the Debian packages that queue mode needs and this machine lacks. */
export const missingServices = () => [
	...(isPostgresHere() ? [] : ['postgresql']),
	...(existsSync('/usr/bin/redis-server') ? [] : ['redis-server']),
];

/** Starts an empty Redis that saves nothing. `env` has the environment variables with which n8n finds it. */
export async function openRedis() {
	const port = String(await freePort());
	const args = ['--port', port, '--bind', HOST, '--save', '', '--appendonly', 'no'];
	const server = execa('redis-server', args, { reject: false });
	await untilPrinted(server, /Ready to accept connections/);
	return {
		env: { QUEUE_BULL_REDIS_HOST: HOST, QUEUE_BULL_REDIS_PORT: port },
		async stop() {
			server.kill();
			await server;
		},
	};
}

/**
 * Starts PostgreSQL with an empty database. `account` is for n8n's Postgres node. `env` has the environment variables
 * with which n8n itself uses the database.
 */
export async function openPostgres() {
	const port = await freePort();
	// pg_virtualenv stops PostgreSQL and deletes its data as soon as stdin closes.
	const server = execa(
		'pg_virtualenv',
		['-t', '-o', 'fsync=off', 'sh', '-c', 'echo "as $PGUSER $PGPASSWORD;"; cat'],
		{
			// If root starts pg_virtualenv, PostgreSQL runs as a different user, who can't read the tests' temporary folder.
			env: { PGPORT: String(port), TMPDIR: '/tmp' },
			stdin: 'pipe',
			reject: false,
			cleanup: false,
		},
	);
	const [, user = '', password = ''] = await untilPrinted(server, /^as (\S+) (\S+);$/m);
	const account = { host: HOST, port, database: 'postgres', user, password };
	const settings = Object.entries(account).map(([name, value]) => [
		`DB_POSTGRESDB_${name.toUpperCase()}`,
		String(value),
	]);
	return {
		account,
		env: { DB_TYPE: 'postgresdb', ...Object.fromEntries(settings) },
		async stop() {
			server.stdin?.end();
			await server;
		},
	};
}

/** Waits until the server's output matches. @throws if the server ends before that */
async function untilPrinted(server: ResultPromise, words: RegExp): Promise<RegExpExecArray> {
	let printed = '';
	const found = new Promise<RegExpExecArray>((resolve) => {
		server.stdout?.on('data', (chunk) => {
			printed += String(chunk);
			const said = words.exec(printed);
			if (said !== null) resolve(said);
		});
	});
	const ended = server.then(({ stderr }) => {
		throw new Error(`${server.spawnargs.join(' ')} did not start: ${printed}${String(stderr)}`);
	});
	return await Promise.race([found, ended]);
}
