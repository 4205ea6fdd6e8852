/** The trigger in a real n8n, under each of its poll engines: active, killed, started again, while inspections change. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { ENGINE_ENV, type PollEngine } from '#harness/pollEngine.mts';
import type { N8nClient } from '#sandbox/demo/n8nClient.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector, type PackedConnector } from '#sandbox/demo/packedConnector.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { chain, CREDENTIAL_TYPE, KEEP, triggerNode } from './connectorWorkflow.mts';

const ENGINES: readonly PollEngine[] = ['memory', 'scheduler', 'durableCursors'];
/** n8n's smallest interval is a minute, but several fixed seconds of the minute are allowed. */
const POLL_SECONDS = 10;
const TRIGGER = 'Inspection Service Trigger';
const MINUTES = 60_000;

let packed: PackedConnector;

beforeAll(async () => {
	packed = await packConnector(join(RUNS, 'trigger-e2e', 'tarball'));
});

/** An n8n, a service, an active workflow that starts with the trigger; ended behind the test. */
class Scene {
	readonly sandbox: Sandbox;
	readonly changed: string[] = [];
	n8n: N8nServer;
	workflowId = '';
	private readonly engine: PollEngine;
	private readonly unchanged: string[] = [];
	private readonly templateId: string;

	private constructor(engine: PollEngine, sandbox: Sandbox, n8n: N8nServer) {
		this.engine = engine;
		this.sandbox = sandbox;
		this.n8n = n8n;
		this.templateId = sandbox.store.addTemplate({
			identifier: 'E2E',
			name: 'Doors',
			controls: [],
		}).id;
		for (let count = 0; count < 400; count++) this.unchanged.push(this.add(`old ${count}`));
	}

	static async open(engine: PollEngine): Promise<Scene> {
		const sandbox = await startSandbox({ data: 'empty' });
		const userFolder = join(RUNS, 'trigger-e2e', engine);
		const n8n = await startN8n({
			userFolder,
			fresh: true,
			tarball: packed.path,
			env: ENGINE_ENV[engine],
		});
		return new Scene(engine, sandbox, n8n);
	}

	get client(): N8nClient {
		return this.n8n.client;
	}

	async activate(): Promise<void> {
		const credential = await this.client.createCredential('Sandbox', CREDENTIAL_TYPE, {
			baseUrl: this.sandbox.apiUrl,
			apiKey: this.sandbox.keys.north,
		});
		const trigger = triggerNode(credential, { output: 'raw' }, POLL_SECONDS);
		const { id } = await this.client.createWorkflow(chain('Trigger', [trigger, KEEP]));
		this.workflowId = id;
		await this.client.activate(id);
	}

	/** Changes so many inspections that were never changed before, one after the other. */
	change(count: number, timing = {}): void {
		for (let left = count; left > 0; left--) {
			const id = this.unchanged.pop();
			if (id === undefined) throw new Error('no inspection left to change');
			this.sandbox.store.updateInspection(id, { status: 'completed' }, timing);
			this.changed.push(id);
		}
	}

	private add(name: string): string {
		return this.sandbox.store.addInspection({ template: this.templateId, name }).id;
	}

	create(count: number): void {
		for (let left = count; left > 0; left--) this.changed.push(this.add(`new ${left}`));
	}

	/** Changes and creates now and then for so long. */
	async keepChanging(milliseconds: number): Promise<void> {
		const end = Date.now() + milliseconds;
		for (let turn = 0; Date.now() < end; turn++) {
			if (turn % 3 === 0) this.create(1);
			else this.change(1);
			await pause(900);
		}
	}

	/** kill -9 in the middle of a poll: its request has arrived, its answer is not there yet. */
	async killWhilePolling(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.sandbox.faults.add({
				times: 1,
				do: {
					kind: 'run',
					run: async () => {
						resolve();
						await pause(2_000);
					},
				},
			});
		});
		await this.n8n.kill();
	}

	async restart(): Promise<void> {
		this.n8n = await startN8n({ userFolder: this.n8n.userFolder, env: ENGINE_ENV[this.engine] });
	}

	/** Waits until every change has been handed over, or too long for it; then two polls more. */
	async untilQuiet(): Promise<void> {
		const end = Date.now() + 90_000;
		while (Date.now() < end) {
			const counts = await this.handedOver();
			if (this.changed.every((id) => counts.has(id))) break;
			await pause(3_000);
		}
		await pause(2.5 * POLL_SECONDS * 1000);
	}

	/** How often each changed inspection was handed to an execution, by id; what was not changed counts too. */
	async handedOver(): Promise<Map<string, number>> {
		const counts = new Map<string, number>();
		for (const execution of await this.client.executions(this.workflowId)) {
			for (const { json } of execution.items(TRIGGER)) {
				const id = String(json['id']);
				counts.set(id, (counts.get(id) ?? 0) + 1);
			}
		}
		return counts;
	}

	async close(): Promise<void> {
		await this.n8n.kill();
		await this.sandbox.close();
	}
}

const table: string[] = [];

afterAll(() => {
	console.log(
		[
			'| engine | kills | changes | emitted | missed | repeated |',
			'| --- | --- | --- | --- | --- | --- |',
			...table,
		].join('\n'),
	);
});

test.each(ENGINES)(
	'%s: each change is one item of one execution, through two kills',
	{ timeout: 8 * MINUTES },
	async (engine) => {
		const scene = await Scene.open(engine);
		try {
			await scene.activate();
			// Between the activation's poll and the first scheduled one.
			scene.change(2);
			await scene.keepChanging(25_000);
			// More equal timestamps than a page.
			scene.change(130, { at: scene.sandbox.clock.now() });
			await scene.killWhilePolling();
			const changing = scene.keepChanging(30_000);
			await scene.restart();
			await changing;
			await scene.killWhilePolling();
			scene.change(5);
			await scene.restart();
			await scene.keepChanging(12_000);
			await scene.untilQuiet();

			const counts = await scene.handedOver();
			const missed = scene.changed.filter((id) => !counts.has(id));
			const repeated = [...counts].filter(([, count]) => count > 1);
			const old = [...counts.keys()].filter((id) => !scene.changed.includes(id));
			table.push(
				`| ${engine} | 2 | ${scene.changed.length} | ${counts.size} | ${missed.length} | ${repeated.length + old.length} |`,
			);
			expect({ missed, repeated, old }).toEqual({ missed: [], repeated: [], old: [] });
		} finally {
			await scene.close();
		}
	},
);
