/**
 * The rules that the storms' model of n8n's poll engines (test/trigger/pollEngines.mts) is built on, asked from a real
 * n8n: what a polling node finds in its static data, after polls that emit, return null or throw, after kill -9 and
 * after a renaming; and which polls it runs at once.
 */
import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { isRecord, type JsonRecord } from '#connector/domain/json.ts';
import { ENGINE_ENV, type PollEngine } from '#harness/pollEngine.mts';
import type { WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import { startN8n } from '#sandbox/demo/n8nServer.mts';
import { RUNS } from '#scripts/projectPaths.mts';

const MINUTES = 60_000;

/** What a poll is told to do: leave a value in the node's and the global data, then end so. */
interface Orders {
	write?: number;
	then: 'emit' | 'null' | 'throw';
}

/** What a poll found. */
interface Report {
	node: unknown;
	global: unknown;
	activation: unknown;
	budgetMs: unknown;
}

/** The server that the probe node asks: hands out orders, one per poll, and keeps the reports. */
class ProbeDesk {
	readonly reports: Report[] = [];
	url = '';
	private orders: Orders = { then: 'null' };
	private waiting: { report: (report: Report) => void } | undefined;
	private readonly server: Server;

	constructor() {
		this.server = createServer(async (request, response) => {
			const body = await json(request);
			const found: JsonRecord = isRecord(body) ? body : {};
			const { node, global, activation, budgetMs } = found;
			const report = { node, global, activation, budgetMs };
			this.reports.push(report);
			response.setHeader('content-type', 'application/json').end(JSON.stringify(this.orders));
			this.orders = { then: 'null' };
			this.waiting?.report(report);
			this.waiting = undefined;
		});
	}

	async open(): Promise<void> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		const address = this.server.address();
		if (address === null || typeof address === 'string') throw new Error('no port');
		this.url = `http://127.0.0.1:${address.port}/`;
	}

	/** The next poll does this; resolves with what it found before. */
	async next(orders: Orders): Promise<Report> {
		this.orders = orders;
		return await new Promise((report) => (this.waiting = { report }));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}

function workflow(name: string, url: string): WorkflowFile {
	const item = [0, 10, 20, 30, 40, 50].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	}));
	return {
		name: 'Probe',
		nodes: [
			{
				id: '1b0f0c0e-1d5a-4f0e-8f5b-1f2e3d4c5b6a',
				name,
				type: 'CUSTOM.pollProbe',
				typeVersion: 1,
				position: [0, 0],
				parameters: { pollTimes: { item }, url },
			},
			{
				id: '2b0f0c0e-1d5a-4f0e-8f5b-1f2e3d4c5b6a',
				name: 'Next',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { [name]: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
	};
}

/** What the polls find, in turn: [the node's data, the global data]. */
const FOUND: Record<PollEngine, Record<string, [number | null, number | null]>> = {
	memory: {
		'activation, null': [1, 1],
		'poll, null': [2, 2],
		'poll, throw': [3, 3],
		'poll, emit': [4, 4],
		'poll, null again': [5, 5],
		'kill -9': [4, 4],
		renaming: [null, 4],
	},
	scheduler: {
		'activation, null': [1, 1],
		'poll, null': [1, 1],
		'poll, throw': [1, 1],
		'poll, emit': [4, 4],
		'poll, null again': [4, 4],
		'kill -9': [4, 4],
		renaming: [null, 4],
	},
	durableCursors: {
		'activation, null': [null, 1],
		'poll, null': [2, 1],
		'poll, throw': [2, 1],
		'poll, emit': [4, 4],
		'poll, null again': [5, 4],
		'kill -9': [5, 4],
		renaming: [5, 4],
	},
};

const ENGINES = ['memory', 'scheduler', 'durableCursors'] as const;

test.concurrent.each(ENGINES)(
	'%s keeps what the model says it keeps',
	{ timeout: 8 * MINUTES },
	async (pollEngine) => {
		const userFolder = join(RUNS, 'poll-rules', pollEngine);
		const extensions = join(RUNS, 'poll-rules', `${pollEngine}-extensions`);
		await rm(extensions, { recursive: true, force: true });
		await mkdir(extensions, { recursive: true });
		await cp(join(import.meta.dirname, 'pollProbe'), extensions, { recursive: true });
		const env = { ...ENGINE_ENV[pollEngine], N8N_CUSTOM_EXTENSIONS: extensions };
		const options = { userFolder, env };
		const desk = new ProbeDesk();
		await desk.open();
		let n8n = await startN8n({ ...options, fresh: true });
		try {
			const found: Record<string, [unknown, unknown]> = {};
			const step = async (behind: string, orders: Orders) => {
				const { node, global } = await desk.next(orders);
				found[behind] = [node, global];
			};
			const { id } = await n8n.client.createWorkflow(workflow('Probe', desk.url));
			const first = desk.next({ write: 1, then: 'null' });
			await n8n.client.activate(id);
			await first;
			await step('activation, null', { write: 2, then: 'null' });
			await step('poll, null', { write: 3, then: 'throw' });
			await step('poll, throw', { write: 4, then: 'emit' });
			await step('poll, emit', { write: 5, then: 'null' });
			await step('poll, null again', { then: 'null' });
			await n8n.kill();
			const afterKill = step('kill -9', { then: 'null' });
			n8n = await startN8n(options);
			await afterKill;
			await n8n.client.request(
				'PATCH',
				`/workflows/${id}?forceSave=true`,
				workflow('Renamed', desk.url),
			);
			await n8n.client.activate(id);
			await step('renaming', { then: 'null' });
			expect(found).toEqual(FOUND[pollEngine]);
			const { activation } = desk.reports[0] ?? {};
			expect(activation).toBe('activate');
		} finally {
			await n8n.kill();
			await desk.close();
		}
	},
);
