/**
 * Tests the trigger in a real n8n, with each of n8n's poll engines. n8n is killed and restarted while inspections
 * change.
 */
import { setTimeout as pause } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { ENGINE_ENV, POLL_ENGINES } from '#harness/pollEngine.mts';
import { type Execution, recordIn } from '#sandbox/demo/n8nExecution.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { recordsOf } from '#sandbox/json.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { freshN8n, saveCredential } from './connectedN8n.mts';
import { chain, KEEP, triggerNode } from './connectorWorkflow.mts';

/**
 * How often the trigger polls. n8n's shortest ordinary interval is a minute, but a workflow can poll at several seconds
 * of a minute.
 */
const POLL_SECONDS = 5;
const MINUTES = 60_000;

/** A service whose inspections change while an active workflow polls the service. */
class Scene {
	readonly changed: string[] = [];
	private readonly sandbox: Sandbox;
	private readonly unchanged: string[];
	private readonly templateId: string;

	constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
		this.templateId = sandbox.store.addTemplate({ name: 'Doors', controls: [] }).id;
		this.unchanged = Array.from({ length: 400 }, () => this.add());
	}

	private add(): string {
		return this.sandbox.store.addInspection({ template: this.templateId }).id;
	}

	/** Updates `count` inspections that haven't changed so far, one after the other. */
	change(count: number, timing = {}): void {
		for (const id of this.unchanged.splice(-count)) {
			this.sandbox.store.updateInspection(id, { status: 'completed' }, timing);
			this.changed.push(id);
		}
	}

	/** Changes or creates an inspection every 700 ms, until `isOver` returns true. */
	async changeUntil(isOver: () => boolean): Promise<void> {
		await untilFound(async () => {
			if (this.changed.length % 3 === 0) this.changed.push(this.add());
			else this.change(1);
			await pause(700);
			return isOver();
		}, 2 * MINUTES);
	}

	/** Returns a function that tells whether `count` more polls have begun since this call. */
	morePolls(count: number): () => boolean {
		const slices = () => {
			const requests = this.sandbox.requests.all('listInspections');
			const slice = (startedAt: number) => Math.floor(startedAt / (POLL_SECONDS * 1000));
			return new Set(requests.map(({ startedAt }) => slice(startedAt))).size;
		};
		const before = slices();
		return () => slices() >= before + count;
	}

	/** Resolves in the middle of a poll: the service has received a request and delays its response. */
	async inPoll(): Promise<void> {
		await new Promise<void>((resolve) => {
			const run = async () => {
				resolve();
				await pause(2_000);
			};
			this.sandbox.faults.add({ times: 1, do: { kind: 'run', run } });
		});
	}
}

/** Returns how often executions of the workflow received each inspection, by ID. */
async function countReceived(
	{ client }: N8nServer,
	workflowId: string,
): Promise<Map<string, number>> {
	const executions = await client.executions(workflowId);
	const ids = executions.flatMap((execution) =>
		itemsOf(execution).map(({ json }) => String(recordIn(json)['id'])),
	);
	return new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]));
}

/**
 * Returns the items that an execution received from the trigger. If the execution was killed, n8n still has them as its
 * input.
 */
function itemsOf({ status, items, data }: Execution): readonly { json?: unknown }[] {
	if (status !== 'crashed') return items(KEEP.name);
	const stack = recordsOf(recordIn(data['executionData'])['nodeExecutionStack']);
	return stack.flatMap((begun) => {
		const { main } = recordIn(begun['data']);
		return recordsOf(Array.isArray(main) ? main[0] : undefined);
	});
}

test.concurrent.for(POLL_ENGINES)(
	'the poll engine %s emits each change as one item of one execution, through two kills',
	{ timeout: 8 * MINUTES },
	async (engine, { onTestFinished }) => {
		const sandbox = await startSandbox({ data: 'empty' });
		const scene = new Scene(sandbox);
		const env = ENGINE_ENV[engine];
		let n8n = await freshN8n(`trigger-${engine}`, { env });
		onTestFinished(async () => {
			await n8n.kill();
			await sandbox.close();
		});
		const killAndRestart = async () => {
			await scene.inPoll();
			await n8n.kill();
			let isBack = false;
			const changing = scene.changeUntil(() => isBack);
			n8n = await startN8n({ userFolder: n8n.userFolder, env });
			isBack = true;
			await changing;
			await scene.changeUntil(scene.morePolls(1));
		};

		const credential = await saveCredential(n8n.client, sandbox);
		const trigger = triggerNode(credential, { output: 'raw' }, POLL_SECONDS);
		const { id } = await n8n.client.createWorkflow(chain('Trigger', [trigger, KEEP]));
		await n8n.client.activate(id);
		// These inspections change between the poll at activation and the first scheduled poll.
		scene.change(2);
		await scene.changeUntil(scene.morePolls(2));
		// A page holds at most 100 inspections, so these equal timestamps fill more than one page.
		scene.change(130, { at: sandbox.clock.now() });
		await killAndRestart();
		await killAndRestart();
		// Ends as soon as every change has arrived. A change that hasn't arrived after 12 polls counts as lost.
		for (let polls = 0; polls < 12; polls++) {
			await untilFound(scene.morePolls(1));
			const counts = await countReceived(n8n, id);
			if (scene.changed.every((changed) => counts.has(changed))) break;
		}
		await untilFound(scene.morePolls(3));

		// Each changed inspection was emitted exactly once, and no other inspection was emitted.
		const once = new Map(scene.changed.map((changed) => [changed, 1]));
		expect(await countReceived(n8n, id)).toEqual(once);
	},
);

test.concurrent(
	'with Wait Until Unchanged, an inspection whose photos arrive two polls after completion is one item with the photos',
	{ timeout: 5 * MINUTES },
	async ({ onTestFinished }) => {
		const sandbox = await startSandbox({ data: 'empty' });
		const scene = new Scene(sandbox);
		const n8n = await freshN8n('trigger-settling');
		onTestFinished(async () => {
			await n8n.kill();
			await sandbox.close();
		});
		const credential = await saveCredential(n8n.client, sandbox);
		const parameters = { event: 'completed', output: 'files', options: { settleMinutes: 1 } };
		const trigger = triggerNode(credential, parameters, POLL_SECONDS);
		const { id } = await n8n.client.createWorkflow(chain('Settling', [trigger, KEEP]));
		await n8n.client.activate(id);

		scene.change(1);
		const [walk = ''] = scene.changed;
		await untilFound(scene.morePolls(2));
		const files = [1, 2].map((number) => ({ kind: 'image', name: `photo ${number}.png` }) as const);
		sandbox.store.updateInspection(walk, { files });
		const photosAt = Date.now();
		const photos = await untilFound(async () => {
			const executions = await n8n.client.executions(id);
			const items = executions.flatMap((execution) => execution.items(KEEP.name));
			return items.length > 0 && items.map(({ json }) => recordIn(json));
		}, 2 * MINUTES);
		expect(Date.now() - photosAt).toBeGreaterThanOrEqual(MINUTES);
		await untilFound(scene.morePolls(3));

		const names = photos.map(({ inspection_id, name }) => [inspection_id, name]);
		expect(names).toEqual(files.map(({ name }) => [walk, name]));
		expect(await n8n.client.executions(id)).toHaveLength(1);
	},
);
