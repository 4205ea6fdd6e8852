import { randomUUID } from 'node:crypto';

import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
} from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { oneNodeWorkflow, pollContext } from '#harness/inspectionNodes.mts';
import type { Template } from '#sandbox/service/model.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';

let sandbox: Sandbox;
let template: Template;

beforeEach(async () => {
	sandbox = await startSandbox({ data: 'empty' });
	template = sandbox.store.addTemplate({
		identifier: 'DOORS',
		name: 'Fire doors',
		controls: [{ type: 'text', label: 'Door', fieldId: 'door' }],
	});
});

afterEach(async () => {
	await sandbox.close();
});

interface Trigger {
	/** Items of one poll, null where it has nothing. */
	poll(): Promise<INodeExecutionData[] | null>;
	test(): Promise<INodeExecutionData[] | null>;
	/** The workflow's static data as n8n saves it. */
	saved(): IDataObject;
	warnings: string[];
}

let workflows = 0;

/** A trigger node in a workflow that lives as long as n8n does not restart. */
async function trigger(
	parameters: INodeParameters = {},
	options: {
		staticData?: IDataObject;
		nodeName?: string;
		/** Null: an n8n before 2.38, which gives none. */
		budgetMs?: number | null;
		workflowId?: string;
		credentialId?: string;
		timezone?: string;
	} = {},
): Promise<Trigger> {
	const { budgetMs, workflowId, credentialId, timezone, ...rest } = options;
	const warnings: string[] = [];
	const oneNode = await oneNodeWorkflow('inspectionServiceTrigger', {
		parameters: { output: 'raw', ...parameters },
		credential: { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
		...rest,
	});
	// A process remembers what it polls by the workflow: another id is another process, or another workflow.
	Object.assign(oneNode.workflow, { id: workflowId ?? `workflow ${String(workflows++)}` });
	if (credentialId !== undefined) {
		const [node] = Object.values(oneNode.workflow.nodes);
		Object.assign(node?.credentials?.inspectionServiceApi ?? {}, { id: credentialId });
	}
	if (timezone !== undefined) Object.assign(oneNode.workflow, { timezone });
	const run = async (mode: 'trigger' | 'manual') => {
		const plain = pollContext(oneNode, mode);
		const context = budgetMs === null ? withoutBudget(plain) : plain;
		context.logger.warn = (message) => void warnings.push(message);
		if (typeof budgetMs === 'number') context.getPollBudgetMs = () => budgetMs;
		const items = await oneNode.nodeType.poll?.call(context);
		if (items === undefined) throw new Error('the node has no poll');
		return items === null ? null : items.flat();
	};
	return {
		poll: async () => await run('trigger'),
		test: async () => await run('manual'),
		saved: () => JSON.parse(JSON.stringify(oneNode.workflow.staticData)),
		warnings,
	};
}

function withoutBudget(context: IPollFunctions): IPollFunctions {
	return new Proxy(context, {
		has: (target, key) => key !== 'getPollBudgetMs' && Reflect.has(target, key),
		get: (target, key): unknown =>
			key === 'getPollBudgetMs' ? undefined : Reflect.get(target, key),
	});
}

const namesOf = (items: INodeExecutionData[] | null) => items?.map(({ json }) => json.name) ?? null;

function add(name: string, timing = {}) {
	return sandbox.store.addInspection({ template: template.id, name }, timing);
}

function addWithFile() {
	return sandbox.store.addInspection({
		template: template.id,
		name: 'inspected',
		answers: [{ control: 'Door', value: 'D-1' }],
		files: [{ kind: 'image', name: 'door.png' }],
	});
}

/** Lets the service's clock run on, so that stamps are told apart and windows end. */
function later(seconds: number) {
	sandbox.clock.advance(seconds * 1000);
}

describe('what an active trigger emits', () => {
	test('nothing that existed before, then each creation and each update once', async () => {
		const old = add('old');
		const { poll } = await trigger();
		expect(await poll()).toBeNull();
		later(5);
		add('new');
		expect(namesOf(await poll())).toEqual(['new']);
		later(5);
		sandbox.store.updateInspection(old.id, { status: 'completed' });
		const items = await poll();
		expect(items?.map(({ json }) => [json.id, json.status])).toEqual([[old.id, 'completed']]);
		expect(await poll()).toBeNull();
	});

	test('the first inspection of an organisation without any', async () => {
		const { poll } = await trigger();
		expect(await poll()).toBeNull();
		add('first');
		expect(namesOf(await poll())).toEqual(['first']);
		expect(await poll()).toBeNull();
	});

	test('with "created", no updates', async () => {
		const old = add('old');
		const { poll } = await trigger({ event: 'created' });
		await poll();
		later(5);
		sandbox.store.updateInspection(old.id);
		expect(await poll()).toBeNull();
		add('new');
		expect(namesOf(await poll())).toEqual(['new']);
	});

	test('only what the filters let through', async () => {
		const other = sandbox.store.addTemplate({ identifier: 'OTHER', name: 'Other', controls: [] });
		const { poll } = await trigger({
			filters: {
				status: ['completed'],
				templateId: { __rl: true, mode: 'identifier', value: 'doors' },
			},
		});
		await poll();
		later(5);
		add('open');
		sandbox.store.addInspection({ template: other.id, name: 'other', status: 'completed' });
		sandbox.store.addInspection({ template: template.id, name: 'done', status: 'completed' });
		expect(namesOf(await poll())).toEqual(['done']);
	});

	test('only one team’s', async () => {
		const [own, other] = sandbox.tenants.north.teams;
		if (own === undefined || other === undefined) throw new Error('two teams wanted');
		const foreign = sandbox.store.addTemplate({ name: 'Other', teamId: other.id, controls: [] });
		const { poll } = await trigger({ filters: { teamId: other.id } });
		await poll();
		later(5);
		add('own');
		sandbox.store.addInspection({ template: foreign.id, name: 'other' });
		expect(namesOf(await poll())).toEqual(['other']);
	});

	test('each inspection once, where that is wanted', async () => {
		const { poll } = await trigger({ options: { oncePerInspection: true } });
		await poll();
		const { id } = add('new');
		expect(namesOf(await poll())).toEqual(['new']);
		later(5);
		sandbox.store.updateInspection(id);
		expect(await poll()).toBeNull();
	});

	test('with "completed", each inspection once, when it is first seen completed', async () => {
		const { poll } = await trigger({ event: 'completed', filters: { status: ['new'] } });
		await poll();
		const { id } = add('walk');
		expect(await poll()).toBeNull();
		later(5);
		sandbox.store.updateInspection(id, { status: 'completed' });
		expect(namesOf(await poll())).toEqual(['walk']);
		later(5);
		sandbox.store.updateInspection(id, { name: 'walk, edited' });
		expect(await poll()).toBeNull();
	});

	test('from an edited Start From on anew; cleared, it just goes on', async () => {
		for (const hour of ['08', '10', '12']) add(hour, { at: `2026-03-01T${hour}:00:00Z` });
		const staticDataOf = async (startFrom: string | undefined, staticData = {}) => {
			const options = startFrom === undefined ? {} : { startFrom };
			const { poll, saved } = await trigger({ options }, { staticData });
			return { names: namesOf(await poll()), saved: saved() };
		};
		const first = await staticDataOf('2026-03-01T11:00:00');
		expect(first.names).toEqual(['12']);
		const edited = await staticDataOf('2026-03-01T09:00:00', first.saved);
		expect(edited.names).toEqual(['10', '12']);
		const cleared = await staticDataOf(undefined, edited.saved);
		expect(cleared.names).toBeNull();
		add('new');
		expect((await staticDataOf(undefined, cleared.saved)).names).toEqual(['new']);
	});

	describe.each([
		['in memory', 300_000],
		['by the scheduler', 36_000],
	])('from a Start From, polled %s', (_, budgetMs) => {
		test.each([
			['with a zone', '2026-03-01T09:00:00Z'],
			['without a zone, where the zone is changed', '2026-03-01T09:00:00'],
			['by expression', '={{ "2026-03-01T09:00:00Z" }}'],
			['by an expression that moves', '={{ $now.minus({ days: 3650 }) }}'],
			['by an expression that moves, as text', '={{ $now.minus({ days: 3650 }).toISO() }}'],
		])('%s, once', async (_, startFrom) => {
			add('old', { at: '2026-03-01T12:00:00Z' });
			let staticData: IDataObject = {};
			const emitted: unknown[] = [];
			for (const timezone of ['Europe/Berlin', 'Europe/Berlin', 'America/New_York']) {
				const { poll, saved } = await trigger(
					{ options: { startFrom } },
					{ staticData, budgetMs, timezone },
				);
				emitted.push(...(namesOf(await poll()) ?? []));
				staticData = saved();
			}
			expect(emitted).toEqual(['old']);
		});
	});

	test('of another credential from now on only; a new key in the same credential goes on', async () => {
		const first = await trigger({}, { credentialId: 'north' });
		await first.poll();
		later(5);
		add('first');
		expect(namesOf(await first.poll())).toEqual(['first']);
		later(5);
		add('while the key was changed');
		const sameCredential = await trigger({}, { credentialId: 'north', staticData: first.saved() });
		expect(namesOf(await sameCredential.poll())).toEqual(['while the key was changed']);
		later(5);
		add('of the other organization');
		const other = await trigger({}, { credentialId: 'other', staticData: sameCredential.saved() });
		expect(await other.poll()).toBeNull();
		later(5);
		add('new');
		expect(namesOf(await other.poll())).toEqual(['new']);
	});

	test('of another team from now on only, also where Start From is set', async () => {
		const [, other] = sandbox.tenants.north.teams;
		if (other === undefined) throw new Error('two teams wanted');
		const foreign = sandbox.store.addTemplate({ name: 'Other', teamId: other.id, controls: [] });
		const addForeign = (name: string) =>
			sandbox.store.addInspection({ template: foreign.id, name });
		add('own');
		addForeign('history');
		const options = { startFrom: '2020-01-01T00:00:00' };
		const own = { options, filters: { teamId: template.teamId } };
		const first = await trigger(own);
		expect(namesOf(await first.poll())).toEqual(['own']);
		const second = await trigger(
			{ options, filters: { teamId: other.id } },
			{ staticData: first.saved() },
		);
		expect(await second.poll()).toBeNull();
		later(5);
		addForeign('new');
		expect(namesOf(await second.poll())).toEqual(['new']);
	});

	test('what becomes visible late, within the lookback that was chosen', async () => {
		for (const [lookback, names] of [
			[600, ['late']],
			[undefined, null],
		] as const) {
			add('old');
			const { poll } = await trigger({ options: lookback === undefined ? {} : { lookback } });
			await poll();
			const at = sandbox.clock.now() - 300n * TICKS_PER_SECOND;
			add('late', { at });
			expect(namesOf(await poll())).toEqual(names);
			later(1_000);
		}
	});

	test('from a date on, read in the workflow’s time zone', async () => {
		for (const hour of [8, 10, 12])
			add(`at ${hour}`, { at: `2026-03-01T${hour}:30:00Z`.replace('T8', 'T08') });
		const { poll } = await trigger({ options: { startFrom: '2026-03-01T10:00:00' } });
		expect(namesOf(await poll())).toEqual(['at 10', 'at 12']);
		expect(await poll()).toBeNull();
	});

	test('1,000 changed in one instant, in polls of 300', async () => {
		const { poll } = await trigger({ options: { maxItems: 300 } });
		await poll();
		later(100);
		const at = sandbox.clock.now();
		for (let count = 0; count < 1_000; count++) add(`bulk ${count}`, { at });
		const emitted: unknown[] = [];
		for (let items = await poll(); items !== null; items = await poll()) {
			expect(items.length).toBeLessThanOrEqual(300);
			emitted.push(...(namesOf(items) ?? []));
		}
		expect(emitted.length).toBe(1_000);
		expect(new Set(emitted).size).toBe(1_000);
	});

	test('the clock of n8n does not matter: the service may be days behind or ahead', async () => {
		for (const days of [-9, 9]) {
			sandbox.clock.setOffset(days * 86_400_000);
			const { poll } = await trigger();
			await poll();
			later(120);
			add(`${days} days`);
			expect(namesOf(await poll())).toEqual([`${days} days`]);
			expect(await poll()).toBeNull();
		}
	});

	test('updates that happen between two pages', async () => {
		const { poll } = await trigger();
		await poll();
		later(100);
		const at = sandbox.clock.now();
		const ids = Array.from({ length: 250 }, (_, index) => add(`i${index}`, { at }).id);
		let next = 0;
		sandbox.faults.add({
			on: { operation: 'listInspections' },
			times: 4,
			do: {
				kind: 'run',
				run: () => {
					for (const id of ids.slice(next, next + 10)) sandbox.store.updateInspection(id);
					next += 10;
				},
			},
		});
		const emitted = new Set<string>();
		let count = 0;
		for (let items = await poll(); items !== null; items = await poll()) {
			for (const { json } of items) emitted.add(`${String(json.id)} ${String(json.updated_at)}`);
			count += items.length;
		}
		expect(emitted.size).toBe(count);
		const current = new Set([...emitted].map((version) => version.split(' ')[0]));
		expect(current.size).toBe(250);
	});
});

describe('what it costs', () => {
	test('an idle poll is one request', async () => {
		add('old');
		const { poll } = await trigger();
		await poll();
		sandbox.requests.clear();
		expect(await poll()).toBeNull();
		expect(sandbox.requests.count()).toBe(1);
	});

	test('an idle poll with a template identifier is one request too', async () => {
		add('old');
		const { poll } = await trigger({
			filters: { templateId: { __rl: true, mode: 'identifier', value: 'DOORS' } },
		});
		await poll();
		sandbox.requests.clear();
		await poll();
		expect(sandbox.requests.count()).toBe(1);
	});

	test('state under 4 kB with a few updates a minute', async () => {
		const { poll, saved } = await trigger();
		await poll();
		for (let minute = 0; minute < 30; minute++) {
			for (let count = 0; count < 5; count++) {
				later(12);
				add(`i${minute}-${count}`);
			}
			await poll();
		}
		expect(JSON.stringify(saved()).length).toBeLessThan(4_000);
	});
});

describe('what an inspection looks like', () => {
	test('simplified unless chosen otherwise: flat and short', async () => {
		const { poll } = await trigger({ output: 'simplified' });
		await poll();
		addWithFile();
		const [item] = (await poll()) ?? [];
		expect(Object.keys(item?.json ?? {}).length).toBeLessThanOrEqual(10);
		expect(item?.json).toMatchObject({ name: 'inspected', template: 'Fire doors' });
	});

	test('a row has its answers, though nobody asked to include them', async () => {
		const { poll } = await trigger({ output: 'row' });
		await poll();
		addWithFile();
		const [item] = (await poll()) ?? [];
		expect(item?.json).toMatchObject({ name: 'inspected', Door: 'D-1' });
	});

	test('raw, with what is included', async () => {
		const { poll } = await trigger({ options: { include: ['files'] } });
		await poll();
		addWithFile();
		const [item] = (await poll()) ?? [];
		expect(item?.json.files).toHaveLength(1);
		expect(item?.json).not.toHaveProperty('data');
	});

	test('files come along as binary data; a lost one costs only itself and is logged', async () => {
		const { poll, warnings } = await trigger({ options: { downloadFiles: true } });
		await poll();
		addWithFile();
		const [item] = (await poll()) ?? [];
		expect(item?.binary?.file_0?.fileName).toBe('door.png');
		sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'status', status: 404 } });
		addWithFile();
		const [second] = (await poll()) ?? [];
		expect(second?.json.name).toBe('inspected');
		expect(second?.binary).toBeUndefined();
		expect(warnings.join()).toMatch(/was not downloaded/);
	});

	test('inspections whose files come too late are left to the next poll, except for the first of a poll', async () => {
		const { poll, warnings } = await trigger(
			{ options: { downloadFiles: true } },
			{ budgetMs: 1_200, workflowId: 'slow files' },
		);
		await poll();
		for (let count = 0; count < 6; count++) {
			later(1);
			addWithFile();
		}
		// Five are downloaded together, the sixth by itself.
		let fault = sandbox.faults.add({
			on: { operation: 'downloadFile', nth: 6 },
			times: 100,
			do: { kind: 'hang' },
		});
		const first = (await poll()) ?? [];
		expect(first.map(({ binary }) => binary?.file_0?.fileName)).toEqual(Array(5).fill('door.png'));
		expect(warnings).toEqual([]);
		fault.remove();
		fault = sandbox.faults.add({
			on: { operation: 'downloadFile' },
			times: 100,
			do: { kind: 'hang' },
		});
		const second = (await poll()) ?? [];
		expect(second.map(({ binary }) => binary)).toEqual([undefined]);
		expect(second[0]?.json.downloaded_files).toMatchObject([
			{ error: expect.stringMatching(/time limit of 1 seconds/) },
		]);
		expect(warnings.join()).toMatch(/time limit of 1 seconds/);
		fault.remove();
		expect(await poll()).toBeNull();
	});

	test('a template that cannot be fetched for a row ends the poll before anything is stored', async () => {
		const { poll, saved } = await trigger({ output: 'row' });
		await poll();
		addWithFile();
		const before = saved();
		const fault = sandbox.faults.add({
			on: { operation: 'getTemplate' },
			do: { kind: 'status', status: 400 },
		});
		await expect(poll()).rejects.toThrow();
		expect(saved()).toEqual(before);
		fault.remove();
		expect(namesOf(await poll())).toEqual(['inspected']);
	});
});

describe('what is missing is said in the log', () => {
	/** The next list has this one inspection, new to the trigger. */
	function nextInspection(inspection: object) {
		const id = randomUUID();
		const updated_at = sandbox.clock.date().toISOString();
		const data = [{ id, name: 'new', status: 'new', updated_at, ...inspection }];
		const body = { data, total: 1 };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
	}

	test('answers that were asked for and did not come', async () => {
		const { poll, warnings } = await trigger({ output: 'row' });
		await poll();
		later(5);
		addWithFile();
		await poll();
		expect(warnings).toEqual([]);
		later(5);
		nextInspection({ template: { id: template.id } });
		expect(namesOf(await poll())).toEqual(['new']);
		expect(warnings).toEqual([
			expect.stringMatching(
				/No inspection came with answers \("data"\), although they were asked for/,
			),
		]);
	});

	test('once while it lasts, and again when it comes back', async () => {
		const { poll, warnings } = await trigger({ output: 'row' });
		await poll();
		const told: number[] = [];
		for (const hasAnswers of [false, false, true, false]) {
			later(5);
			nextInspection({
				...(hasAnswers ? { data: { items: [] } } : {}),
				template: { id: template.id },
			});
			expect(await poll()).toHaveLength(1);
			expect(await poll()).toBeNull();
			told.push(warnings.length);
		}
		expect(told).toEqual([1, 1, 1, 2]);
	});

	test.each([
		['by its GUID', { id: 'TEMPLATE' }, true],
		['by its identifier', { template_id: 'doors' }, true],
		['by its name', { name: 'Fire doors' }, true],
		['by its name alone', 'Fire doors', true],
		['by another name', { name: 'Fire door' }, false],
		['by another GUID and this name', { id: 'OTHER', name: 'Fire doors' }, false],
	])('a template that inspections carry %s is found, or not', async (_, carried, isFound) => {
		const text = JSON.stringify(carried)
			.replace('TEMPLATE', template.id.toUpperCase())
			.replace('OTHER', '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f');
		for (const [mode, value] of [
			['identifier', 'DOORS'],
			['id', template.id],
		] as const) {
			const templateId = { __rl: true, mode, value };
			const { poll, warnings } = await trigger({ filters: { templateId } });
			await poll();
			later(5);
			nextInspection({ template: JSON.parse(text) });
			expect(namesOf(await poll())).toEqual(isFound ? ['new'] : null);
			expect(warnings).toEqual([]);
			sandbox.faults.clear();
		}
	});

	test('a template that inspections do not carry at all', async () => {
		const templateId = { __rl: true, mode: 'id', value: template.id };
		const { poll, warnings } = await trigger({ filters: { templateId } });
		await poll();
		later(5);
		nextInspection({ template: null });
		expect(await poll()).toBeNull();
		expect(warnings).toEqual([expect.stringMatching(/does not say which template/)]);
	});
});

describe('how long a poll reads on', () => {
	afterEach(() => {
		vi.restoreAllMocks();
	});

	test.each([
		['n8n says 300 s, the trigger 40', 300_000, 41_000, 1],
		['n8n says nothing, the trigger 40 s', null, 41_000, 1],
		['in time, where n8n says nothing', null, 39_000, 3],
		['n8n says 20 s', 20_000, 21_000, 1],
	])('%s', async (_, budgetMs, elapsed, pages) => {
		const { poll } = await trigger(
			{},
			{ budgetMs, workflowId: `reads ${String(budgetMs)} ${elapsed}` },
		);
		await poll();
		for (let count = 0; count < 250; count++) {
			later(1);
			add(`i${count}`);
		}
		let passed = 0;
		const now = performance.now.bind(performance);
		vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
		sandbox.faults.add({
			on: { operation: 'listInspections', nth: 1 },
			times: 1,
			do: { kind: 'run', run: () => void (passed = elapsed) },
		});
		sandbox.requests.clear();
		const items = (await poll()) ?? [];
		if (pages === 1) expect(items.length).toBe(100);
		else expect(items.length).toBe(250);
	});
});

test('workflows with nodes of one id do not wait for each other', async () => {
	add('old');
	const options = { startFrom: '2020-01-01T00:00:00' };
	for (const workflowId of ['original', 'duplicate']) {
		const { poll } = await trigger({ options }, { budgetMs: 36_000, workflowId });
		expect(namesOf(await poll())).toEqual(['old']);
	}
});

test('however little time a poll has, it gets somewhere', async () => {
	const { poll } = await trigger({}, { budgetMs: 0, workflowId: 'little time' });
	await poll();
	later(100);
	const at = sandbox.clock.now();
	for (let count = 0; count < 350; count++) add(`i${count}`, { at });
	const emitted: unknown[] = [];
	for (let polls = 0; polls < 20; polls++) emitted.push(...(namesOf(await poll()) ?? []));
	expect(emitted.length).toBe(350);
	expect(new Set(emitted).size).toBe(350);
});

describe('failures', () => {
	test.each([
		[401, 'credential-invalid'],
		[403, 'credential-invalid'],
		[400, 'configuration-invalid'],
		[404, 'configuration-invalid'],
		[503, 'temporarily-unavailable'],
	])('%i is thrown with its cause %s, and loses nothing', async (status, cause) => {
		const { poll, saved } = await trigger();
		await poll();
		later(5);
		add('new');
		const before = saved();
		const fault = sandbox.faults.add({ do: { kind: 'status', status } });
		await expect(poll()).rejects.toMatchObject({
			message: expect.stringMatching(/[^.]\. Nothing is lost: the next poll goes on here\.$/),
			failure: { cause },
		});
		fault.remove();
		expect(saved()).toEqual(before);
		expect(namesOf(await poll())).toEqual(['new']);
	});

	test('429 is thrown with its wait, where that is longer than a poll may wait', async () => {
		const { poll } = await trigger();
		await poll();
		const headers = { 'retry-after': '1800' };
		sandbox.faults.add({ do: { kind: 'status', status: 429, headers } });
		await expect(poll()).rejects.toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs: 1_800_000 },
		});
	});

	test('what was read before the failing page is emitted, the failure comes next', async () => {
		const { poll, warnings } = await trigger();
		await poll();
		later(100);
		for (let count = 0; count < 250; count++) {
			later(1);
			add(`i${count}`);
		}
		const fault = sandbox.faults.add({
			on: { operation: 'listInspections', nth: 4 },
			times: 100,
			do: { kind: 'status', status: 400 },
		});
		const emitted = [...(namesOf(await poll()) ?? [])];
		expect(emitted.length).toBeGreaterThan(0);
		expect(warnings.join()).toMatch(/ended early/);
		await expect(poll()).rejects.toThrow();
		fault.remove();
		for (let items = await poll(); items !== null; items = await poll()) {
			emitted.push(...(namesOf(items) ?? []));
		}
		expect(emitted).toEqual(Array.from({ length: 250 }, (_, index) => `i${index}`));
	});

	test.each([
		['a list that is not sorted', ['2026-03-01T10:00:09Z', '2026-03-01T10:00:05Z']],
		['a list that is not filtered', ['2020-01-01T00:00:00Z']],
		['an answer without a list', undefined],
	])('%s may be another one soon', async (_, stamps) => {
		add('old');
		const { poll } = await trigger();
		await poll();
		const data = stamps?.map((updated_at, index) => ({ id: `i${index}`, updated_at }));
		sandbox.faults.add({ times: 10, do: { kind: 'body', body: { data } } });
		await expect(poll()).rejects.toMatchObject({
			failure: { cause: 'temporarily-unavailable' },
		});
	});

	test('nothing is said about going on where nothing has begun: the first poll, a test in the editor', async () => {
		const { poll, test: testPoll } = await trigger();
		const fault = sandbox.faults.add({ do: { kind: 'status', status: 401 } });
		const message = expect.not.stringContaining('Nothing is lost');
		await expect(poll()).rejects.toMatchObject({ message });
		fault.remove();
		await poll();
		sandbox.faults.add({ do: { kind: 'status', status: 401 } });
		await expect(testPoll()).rejects.toMatchObject({ message });
	});

	test('a parameter that cannot be used says which, and that a person is needed', async () => {
		const { poll } = await trigger({ options: { lookback: -5 } });
		await expect(poll()).rejects.toMatchObject({
			message: expect.stringContaining('Lookback'),
			failure: { cause: 'configuration-invalid' },
		});
	});
});

describe('state', () => {
	test('survives a restart: nothing missed in between, nothing twice', async () => {
		const first = await trigger();
		await first.poll();
		later(5);
		add('before');
		await first.poll();
		const staticData = first.saved();
		later(5);
		add('while away');
		const second = await trigger({}, { staticData });
		expect(namesOf(await second.poll())).toEqual(['while away']);
	});

	test('survives a renaming', async () => {
		const first = await trigger();
		await first.poll();
		later(5);
		add('before');
		await first.poll();
		const staticData = first.saved();
		add('while away');
		const second = await trigger({}, { staticData, nodeName: 'Inspections' });
		expect(namesOf(await second.poll())).toEqual(['while away']);
	});

	test('another event starts anew', async () => {
		const first = await trigger();
		await first.poll();
		add('before');
		const second = await trigger({ event: 'created' }, { staticData: first.saved() });
		expect(await second.poll()).toBeNull();
		later(5);
		add('after');
		expect(namesOf(await second.poll())).toEqual(['after']);
	});

	test('of another version starts anew, with a warning and without a flood', async () => {
		add('old');
		const staticData = { 'node:Inspection Service Trigger': { lastPoll: '2026-01-01' } };
		const { poll, warnings } = await trigger(
			{ options: { startFrom: '2020-01-01T00:00:00' } },
			{ staticData },
		);
		expect(await poll()).toBeNull();
		expect(warnings.join()).toMatch(/starts anew/);
		later(5);
		add('new');
		expect(namesOf(await poll())).toEqual(['new']);
	});

	test('polls that overlap emit once', async () => {
		const { poll } = await trigger();
		await poll();
		later(5);
		add('new');
		const slow = sandbox.faults.add({ times: 1, do: { kind: 'latency', ms: 300 } });
		const results = await Promise.all([poll(), poll(), poll()]);
		slow.remove();
		expect(results.flatMap((items) => namesOf(items) ?? [])).toEqual(['new']);
	});
});

describe('a test in the editor', () => {
	test('shows the newest match and leaves no trace', async () => {
		add('older');
		later(5);
		add('newest');
		const { test: testPoll, saved } = await trigger();
		const before = saved();
		expect(namesOf(await testPoll())).toEqual(['newest']);
		expect(saved()).toEqual(before);
	});

	test('with "created", the newest creation, with what is included', async () => {
		const older = add('older');
		later(5);
		sandbox.store.addInspection({
			template: template.id,
			name: 'newest',
			answers: [{ control: 'Door', value: 'D-2' }],
		});
		later(5);
		sandbox.store.updateInspection(older.id);
		const { test: testPoll } = await trigger({ event: 'created', options: { include: ['data'] } });
		const [item] = (await testPoll()) ?? [];
		expect(item?.json.name).toBe('newest');
		expect(JSON.stringify(item?.json.data)).toContain('D-2');
	});

	test('logs which file it could not download', async () => {
		addWithFile();
		sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'status', status: 404 } });
		const { test: testPoll, warnings } = await trigger({ options: { downloadFiles: true } });
		expect(namesOf(await testPoll())).toEqual(['inspected']);
		expect(warnings.join()).toMatch(/was not downloaded/);
	});

	test.each([
		['files', 'with file'],
		['answers', 'with file'],
	])('with the output %s shows the newest match that gives an item', async (output, name) => {
		sandbox.store.addInspection({
			template: template.id,
			name,
			answers: [{ control: 'Door', value: 'D-1' }],
			files: [{ kind: 'image' }],
		});
		for (let count = 0; count < 120; count++) {
			later(5);
			add(`empty ${count}`);
		}
		const { test: testPoll } = await trigger({ output });
		const [item] = (await testPoll()) ?? [];
		expect(item?.json.inspection_name).toBe(name);
	});

	test('says how many it has looked at, where no match has what the output consists of', async () => {
		for (let count = 0; count < 120; count++) add(`empty ${count}`);
		const { test: testPoll } = await trigger({ output: 'files' });
		await expect(testPoll()).rejects.toMatchObject({
			message: expect.stringMatching(/No inspection with files matches/),
			description: expect.stringMatching(/120 that match were looked at, and none of them has any/),
		});
	});

	test('says so when inspections do not say their template', async () => {
		const { id } = add('new');
		const data = [{ id, status: 'new', updated_at: '2026-03-01T08:00:00Z', template: null }];
		const body = { data, total: 1 };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
		const templateId = { __rl: true, mode: 'identifier', value: 'DOORS' };
		const { test: testPoll } = await trigger({ filters: { templateId } });
		await expect(testPoll()).rejects.toMatchObject({
			description: expect.stringMatching(/does not say which template/),
		});
	});

	test('says so when nothing matches', async () => {
		add('new');
		const { test: testPoll } = await trigger({ filters: { status: ['canceled'] } });
		await expect(testPoll()).rejects.toMatchObject({
			message: expect.stringMatching(/No inspection matches/),
			description: expect.stringMatching(/filters \(status canceled\), and the service has none/),
		});
	});

	test('with a template says how far it has looked, where there is more', async () => {
		const other = sandbox.store.addTemplate({ identifier: 'OTHER', name: 'Other', controls: [] });
		const many = (count: number) => {
			for (let left = count; left > 0; left--) {
				later(1);
				sandbox.store.addInspection({ template: other.id });
			}
		};
		add('old');
		many(900);
		const { test: testPoll } = await trigger({
			filters: { templateId: { __rl: true, mode: 'identifier', value: 'doors' } },
		});
		expect(namesOf(await testPoll())).toEqual(['old']);
		many(100);
		await expect(testPoll()).rejects.toMatchObject({
			description: expect.stringMatching(
				/\(template doors\), and there is none among the newest 1,000 inspections/,
			),
		});
	});
});
