/**
 * Starts n8n in queue mode: a main process and workers that share a PostgreSQL database, a Redis, and an encryption
 * key.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '#sandbox/demo/freePort.mts';
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
 * Makes n8n notice a dead worker sooner. Times are in ms. n8n's defaults are 60,000, 10,000, and 30,000. A job counts
 * as stalled at the first check after its lock has expired.
 */
const QUICK_STALL = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/**
 * Starts PostgreSQL, Redis, and n8n's main process, but no workers.
 *
 * @param folder absolute path below RUNS; each process gets a separate folder in it, as if it ran on a separate host
 * @param options for each process
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
		// By default, n8n 1.x runs a dead worker's execution again on another worker, and so creates duplicates.
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
		/** Stops all processes, and also Redis and PostgreSQL. */
		stop: async () => await started.disposeAsync(),
		/** Starts one more worker, with the connector in the worker's own user folder. */
		addWorker: async () => {
			const worker = await startWorker(optionsOf(`worker-${String(workers.length + 1)}`));
			started.defer(async () => await worker.stop());
			workers.push(worker);
		},
		/** Returns the worker that runs this execution, according to its log. */
		workerOf: async (executionId: string) => {
			const logs = await Promise.all(workers.map(({ logFile }) => readFile(logFile, 'utf8')));
			const said = `Worker started execution ${executionId} (`;
			return workers[logs.findIndex((log) => log.includes(said))];
		},
	};
}

/** Starts a worker (`n8n worker`) and waits until it accepts jobs. `env` must contain the main process's settings. */
async function startWorker(options: N8nOptions): Promise<N8nProcess> {
	const port = String(await freePort());
	const worker = await launch('worker', options, {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: port,
	});
	return await orItsLog(worker, async () => {
		await untilReady(worker, [`http://127.0.0.1:${port}/healthz/readiness`]);
		return worker;
	});
}
