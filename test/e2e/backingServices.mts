/** Redis and PostgreSQL for n8n's queue mode and its Postgres node: Debian's packages, on separate ports. */
import { existsSync, globSync } from 'node:fs';

import { execa, type ResultPromise } from 'execa';
import getPort from 'get-port';

const HOST = '127.0.0.1';

/** Whether a database can be started. */
export const isPostgresHere = () => globSync('/usr/lib/postgresql/*/bin/postgres').length > 0;

/** What this machine lacks for the queue-mode suite. Empty if nothing is missing. */
export const missingServices = () => [
	...(isPostgresHere() ? [] : ['postgresql']),
	...(existsSync('/usr/bin/redis-server') ? [] : ['redis-server']),
];

/** An empty Redis without persistence. `env`: n8n's settings for reaching it. */
export async function openRedis() {
	const port = String(await getPort({ host: HOST }));
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

/** A new PostgreSQL with an empty database. `account`: its user. `env`: n8n's settings for reaching it. */
export async function openPostgres() {
	const port = await getPort({ host: HOST });
	// Ends and deletes its data once its stdin is closed.
	const server = execa(
		'pg_virtualenv',
		['-t', '-o', 'fsync=off', 'sh', '-c', 'echo "as $PGUSER $PGPASSWORD;"; cat'],
		{
			// As root, it runs as a different user, who can't enter the tests' temporary folder.
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

/** @throws if the server ends before it prints the expected words */
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
