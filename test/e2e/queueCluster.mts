/** n8n in queue mode: a main and workers that share a PostgreSQL database, a Redis and an encryption key. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';

import {
	launch,
	type N8nOptions,
	type N8nProcess,
	orItsLog,
	startN8n,
	untilReady,
} from '#sandbox/demo/n8nServer.mts';
import { openPostgres, openRedis } from './backingServices.mts';

export type QueueCluster = Awaited<ReturnType<typeof startQueueCluster>>;

/**
 * How soon n8n notices a dead worker here, in ms. Its own defaults are 60 000, 10 000 and 30 000: a job whose lock was
 * not renewed counts as stalled at the next look after the lock has run out.
 */
const QUICK_STALL = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/**
 * Starts the services and the main; workers are added.
 * @param folder absolute, below .local/; every process gets one of its own inside, as on hosts of their own
 * @param options of each process
 */
export async function startQueueCluster(
	folder: string,
	{ env: settings, ...options }: Pick<N8nOptions, 'tarball' | 'env'>,
) {
	await using starting = new AsyncDisposableStack();
	const workers: N8nProcess[] = [];
	const postgres = await openPostgres();
	starting.defer(postgres.stop);
	const redis = await openRedis();
	starting.defer(redis.stop);
	const env = {
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'),
		...QUICK_STALL,
		// n8n 1.x runs an execution once more when its worker died, on another one: what it created, it creates twice.
		QUEUE_WORKER_MAX_STALLED_COUNT: '0',
		...postgres.env,
		...redis.env,
		...settings,
	};
	const optionsOf = (name: string): N8nOptions => ({
		...options,
		userFolder: join(folder, name),
		fresh: true,
		env,
	});
	const main = await startN8n(optionsOf('main'));
	starting.defer(async () => await main.stop());
	const started = starting.move();
	return {
		main,
		workers,
		/** Ends every process and the services that were started for them. */
		stop: async () => await started.disposeAsync(),
		/** One more worker, with the connector in its own user folder. */
		addWorker: async () => {
			const worker = await startWorker(optionsOf(`worker-${String(workers.length + 1)}`));
			started.defer(async () => await worker.stop());
			workers.push(worker);
		},
		/** The worker that took the execution, once its log says so. */
		workerOf: async (executionId: string) => {
			const logs = await Promise.all(workers.map(({ logFile }) => readFile(logFile, 'utf8')));
			const said = `Worker started execution ${executionId} (`;
			return workers[logs.findIndex((log) => log.includes(said))];
		},
	};
}

/** Starts a worker (`n8n worker`) and waits until it takes jobs; what it needs to know of its main comes in `env`. */
async function startWorker(options: N8nOptions): Promise<N8nProcess> {
	const port = String(await getPort({ host: '127.0.0.1' }));
	const worker = await launch('worker', options, {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: port,
	});
	return await orItsLog(worker, async () => {
		await untilReady(worker, [`http://127.0.0.1:${port}/healthz/readiness`]);
		return worker;
	});
}
