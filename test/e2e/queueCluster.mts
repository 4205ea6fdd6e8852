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
import { type BackingService, openPostgres, openRedis } from './backingServices.mts';

export interface QueueClusterOptions {
	/** Absolute folder below .local/; every process gets one of its own inside, as on hosts of their own. */
	folder: string;
	/** The connector, installed in each process. Default: nothing is installed. */
	tarball?: string;
	/** More settings, of every process. */
	env?: Record<string, string>;
}

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

/** Starts the services and the main; workers are added. */
export async function startQueueCluster(options: QueueClusterOptions) {
	const services: BackingService[] = [];
	const processes: N8nProcess[] = [];
	const workers: N8nProcess[] = [];
	/** Ends every process and the services that were started for them. */
	const stop = async () => {
		await Promise.all(processes.map((n8n) => n8n.stop()));
		await Promise.all(services.map((service) => service.stop()));
	};
	try {
		services.push(await openPostgres());
		services.push(await openRedis());
		const env = {
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'),
			QUEUE_BULL_PREFIX: `e2e-${randomBytes(4).toString('hex')}`,
			...QUICK_STALL,
			// n8n 1.x runs an execution once more when its worker died, on another one: what it created, it creates twice.
			QUEUE_WORKER_MAX_STALLED_COUNT: '0',
			...Object.assign({}, ...services.map((service) => service.env)),
			...options.env,
		};
		const optionsOf = (name: string) => ({
			userFolder: join(options.folder, name),
			fresh: true,
			...(options.tarball === undefined ? {} : { tarball: options.tarball }),
			env,
		});
		const main = await startN8n(optionsOf('main'));
		processes.push(main);
		return {
			main,
			workers,
			stop,
			/** One more worker, with the connector in its own user folder. */
			addWorker: async () => {
				const worker = await startWorker(optionsOf(`worker-${String(workers.length + 1)}`));
				processes.push(worker);
				workers.push(worker);
				return worker;
			},
			/** The worker that took the execution, once its log says so. */
			workerOf: async (executionId: string) => {
				const logs = await Promise.all(workers.map(({ logFile }) => readFile(logFile, 'utf8')));
				const started = `Worker started execution ${executionId} (`;
				return workers[logs.findIndex((log) => log.includes(started))];
			},
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/**
 * Starts a worker of queue mode (`n8n worker`) and waits until it takes jobs; what it needs to know of its main comes in
 * `env`.
 * @throws as startN8n
 */
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
