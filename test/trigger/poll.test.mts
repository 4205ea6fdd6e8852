import { randomUUID } from 'node:crypto';

import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { repeatable, text } from '#harness/controls.mts';
import { type NodeOptions, oneNodeWorkflow, pollContext } from '#harness/inspectionNodes.mts';
import { templateBy, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';

const { sandbox, credential } = await sandboxForTests();
const { store, faults } = sandbox;
const [ownTeam, otherTeam] = sandbox.tenants.north.teams.map(({ id }) => id);
const template = store.addTemplate({
	identifier: 'DOORS',
	name: 'Fire doors',
	teamId: ownTeam,
	controls: [{ type: 'text', label: 'Door', fieldId: 'door' }],
});
const otherTemplate = store.addTemplate({ name: 'Other', teamId: ownTeam, controls: [] });
const foreignTemplate = store.addTemplate({ name: 'Foreign', teamId: otherTeam, controls: [] });

const DAY_MS = 86_400_000;

interface TriggerOptions extends Pick<NodeOptions, 'staticData' | 'nodeName' | 'timezone'> {
	/** n8n's time limit for a poll. Null simulates n8n before 2.38, which has no limit. */
	budgetMs?: number | null;
	workflowId?: string;
	credentialId?: string;
	apiKey?: string;
	/** Why n8n registered the trigger. Default: the user activated the workflow. */
	activation?: WorkflowActivateMode;
}

let workflows = 0;

/** Returns a trigger node in a new workflow, and functions that run its polls. */
async function trigger(parameters: INodeParameters = {}, options: TriggerOptions = {}) {
	const { budgetMs, workflowId, credentialId = '1', apiKey = credential.apiKey } = options;
	const { activation, staticData, nodeName, timezone } = options;
	const [warnings, clockWarnings]: [string[], string[]] = [[], []];
	const oneNode = await oneNodeWorkflow('inspectionServiceTrigger', {
		parameters: { event: 'updated', output: 'raw', ...parameters },
		credential: { ...credential, apiKey },
		...{ staticData, nodeName, timezone },
	});
	// A process remembers earlier polls by workflow ID. So a new ID simulates a new process, or a different workflow.
	Object.assign(oneNode.workflow, { id: workflowId ?? `workflow ${String(workflows++)}` });
	Object.assign(oneNode.node.credentials?.inspectionServiceApi ?? {}, { id: credentialId });
	const run = async (mode: 'trigger' | 'manual') => {
		const context = pollContext(oneNode, mode, activation);
		// Warnings about clocks that differ by days are collected separately.
		context.logger.warn = (message) =>
			void (message.includes("far from n8n's clock") ? clockWarnings : warnings).push(message);
		if (budgetMs === null) Reflect.deleteProperty(context, 'getPollBudgetMs');
		else if (budgetMs !== undefined) context.getPollBudgetMs = () => budgetMs;
		return (await oneNode.nodeType.poll?.call(context))?.flat() ?? null;
	};
	return {
		/** Runs one poll. Returns its items, or null if it emits none. */
		poll: async () => await run('trigger'),
		/** Runs one poll. Returns the names of the emitted inspections, or null if it emits none. */
		names: async () => namesOf(await run('trigger')),
		/** Runs a test of the trigger, as the editor does. */
		test: async () => await run('manual'),
		/** Returns the workflow's static data as n8n saves it. */
		saved: (): IDataObject => JSON.parse(JSON.stringify(oneNode.workflow.staticData)),
		warnings,
		clockWarnings,
	};
}

/** Returns a trigger whose first poll was five seconds ago by the service's clock. */
async function active(parameters?: INodeParameters, options?: TriggerOptions) {
	const one = await trigger(parameters, options);
	await one.poll();
	later(5);
	return one;
}

const namesOf = (items: INodeExecutionData[] | null) => items?.map(({ json }) => json.name) ?? null;

const add = (name: string, timing = {}, others = {}) =>
	store.addInspection({ template: template.id, name, ...others }, timing);

const CONTENT = {
	answers: [{ control: 'Door', value: 'D-1' }],
	files: [{ kind: 'image', name: 'door.png' }],
} as const;

const addWithFile = (name = 'inspected') => add(name, {}, CONTENT);

/** Advances the service's clock, so that the next changes have later timestamps. */
const later = (seconds: number) => sandbox.clock.advance(seconds * 1000);

/** Adds inspections named `i0`, `i1`, and so on, one second apart. Returns their names. */
function addMany(count: number, others = {}): string[] {
	return Array.from({ length: count }, (_, index) => {
		later(1);
		return add(`i${index}`, {}, others).name;
	});
}

const asksForAnswers = ({ url }: { url: string }) => url.includes('includes=data');

/** Makes the list fail, from its nth request on. */
const failList = (fault: Parameters<typeof faults.add>[0]['do'], nth = 1) =>
	faults.add({ on: { operation: 'listInspections', nth }, times: 100, do: fault });

/**
 * Makes the clocks of the polls adjustable. Returns a function that moves the clocks forward by `ms` and ends all
 * running time limits.
 */
function timeToPass() {
	let passed = 0;
	let limits: AbortController[] = [];
	for (const clock of [performance, Date]) {
		const now = clock.now.bind(clock);
		vi.spyOn(clock, 'now').mockImplementation(() => now() + passed);
	}
	vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const limit = new AbortController();
		limits.push(limit);
		return limit.signal;
	});
	onTestFinished(() => void vi.restoreAllMocks());
	return (ms: number) => {
		passed += ms;
		for (const limit of limits) limit.abort(new DOMException('Timed out', 'TimeoutError'));
		limits = [];
	};
}

describe('Flagged Items Only', () => {
	const parameters = { filters: { flaggedItemsOnly: true } };
	const flagged = (isFlagged: boolean) => ({
		answers: [{ control: 'Door', value: 'D-1', flagged: isFlagged }],
	});

	test('emits a version only if it has flagged items', async () => {
		const { names } = await active(parameters);
		add('plain', {}, flagged(false));
		later(5);
		const walk = add('walk', {}, flagged(true));
		expect(await names()).toEqual(['walk']);
		later(5);
		store.updateInspection(walk.id, { name: 'corrected', ...flagged(false) });
		expect(await names()).toBeNull();
		later(5);
		store.updateInspection(walk.id, { name: 'flagged again', ...flagged(true) });
		expect(await names()).toEqual(['flagged again']);
		expect(await names()).toBeNull();
	});

	test('takes effect in a published workflow without emitting older versions', async () => {
		const before = await active();
		add('walk', {}, flagged(true));
		expect(await before.names()).toEqual(['walk']);
		const { names } = await trigger(parameters, { staticData: before.saved() });
		later(5);
		add('plain', {}, flagged(false));
		expect(await names()).toBeNull();
	});

	test('reports that the service ignores the filter, in the log or the item of a test', async () => {
		const { names, test: testPoll, warnings } = await active(parameters);
		sandbox.settings.dataFilter = 'json';
		add('plain', {}, flagged(false));
		expect(await names()).toEqual(['plain']);
		const told = expect.stringContaining("'Flagged Items Only' didn't remove any");
		expect(warnings).toEqual([told]);
		expect((await testPoll())?.[0]?.json.test_event_warnings).toEqual(told);
	});
});

describe('Wait Until Unchanged', () => {
	const parameters = { event: 'completed', options: { settleMinutes: 1 } };

	test('doesn’t emit an inspection that has just changed', async () => {
		const { names } = await active(parameters);
		add('walk', {}, { status: 'completed' });
		expect(await names()).toBeNull();
	});

	test("doesn't apply to a test in the editor", async () => {
		addWithFile();
		const { test: testPoll } = await trigger({ ...parameters, event: 'updated', output: 'files' });
		expect(await testPoll()).toHaveLength(1);
	});

	test('rejects more than a day', async () => {
		const { poll } = await trigger({ options: { settleMinutes: 1_441 } });
		await expect(poll()).rejects.toThrow(/Wait Until Unchanged/);
	});
});

describe.each([
	['agrees with', 0],
	['is days behind', -20],
	['is days ahead of', 20],
])('an active trigger whose service has a clock that %s n8n’s emits', (_, days) => {
	beforeEach(() => {
		sandbox.clock.setOffset(days * DAY_MS);
	});

	test.each([
		['updated', ['old', 'new']],
		['created', ['new']],
	])('nothing from before its start (%s), then %j once', async (event, seen) => {
		const old = add('old');
		const { names } = await trigger({ event });
		expect(await names()).toBeNull();
		later(5);
		store.updateInspection(old.id);
		later(1);
		add('new');
		expect([await names(), await names()]).toEqual([seen, null]);
	});

	test.each<[INodeParameters, string]>([
		[{ status: ['completed'], templateId: templateBy('doors') }, 'done'],
		[{ teamId: otherTeam }, 'foreign'],
	])('only what matches the filters %j', async (filters, name) => {
		const { names } = await active({ filters });
		add('open');
		add('other template', {}, { status: 'completed', template: otherTemplate.id });
		add('foreign', {}, { template: foreignTemplate.id });
		add('done', {}, { status: 'completed' });
		expect(await names()).toEqual([name]);
	});

	test('each inspection when it is first seen as completed, even if it already was', async () => {
		const old = add('old', {}, { status: 'completed' });
		const { names } = await active({ event: 'completed', filters: { status: ['new'] } });
		const { id } = add('walk');
		expect(await names()).toBeNull();
		later(5);
		for (const one of [old.id, id]) store.updateInspection(one, { status: 'completed' });
		expect(await names()).toEqual(['old', 'walk']);
	});

	test.each([
		{ event: 'completed', output: 'files' },
		{ event: 'updated', output: 'answers', options: { oncePerInspection: true } },
	])('an inspection when it has its first item, once: %j', async (parameters) => {
		const { poll } = await active(parameters);
		const none = add('photos come later', {}, { status: 'completed' });
		expect(await poll()).toBeNull();
		later(5);
		store.updateInspection(none.id, CONTENT);
		expect((await poll())?.map(({ json }) => json.inspection_id)).toEqual([none.id]);
		later(5);
		store.updateInspection(none.id, { name: 'edited' });
		expect(await poll()).toBeNull();
	});

	test('at most Max Items per poll, each once', async () => {
		const { names } = await active({ options: { maxItems: 2 } });
		addMany(3);
		expect([await names(), await names(), await names()]).toEqual([['i0', 'i1'], ['i2'], null]);
	});
});

test.each<[INodeParameters, boolean]>([
	[{ event: 'created', filters: { status: ['completed'] } }, true],
	[{ event: 'created', output: 'files' }, true],
	[{ event: 'created', filters: { flaggedItemsOnly: true } }, true],
	[{ event: 'created', filters: { status: ['new', 'completed'] } }, false],
	[{ event: 'created' }, false],
	[{ event: 'updated', output: 'files', filters: { status: ['completed'] } }, false],
])(
	'the editor has a hint that %j doesn’t start the workflow for some inspections: %j',
	async (given, isTold) => {
		const parameters = { output: 'row', filters: {}, options: {}, ...given };
		const options = { parameters, credential };
		const { workflow, node, nodeType } = await oneNodeWorkflow('inspectionServiceTrigger', options);
		const isShown = (condition?: string) =>
			workflow.expression.getSimpleParameterValue(node, condition, 'internal', {}) === true;
		const told = nodeType.description.hints?.filter((hint) => isShown(hint.displayCondition));
		expect(told?.some(({ message }) => message.includes("the workflow doesn't start"))).toBe(
			isTold,
		);
	},
);

// Both clocks agree here. If n8n's clock is behind the service's clock, polls read all changes after n8n's time, even
// those older than Lookback.
test.each([
	[300n, { lookback: 600 }, ['late']],
	[300n, {}, null],
	[50n, {}, ['late']],
])(
	'a change that is %i s late is emitted only within Lookback (60 by default), %j: %j',
	async (late, options, seen) => {
		add('old');
		const { names } = await active({ options });
		add('late', { at: sandbox.clock.now() - late * TICKS_PER_SECOND });
		expect(await names()).toEqual(seen);
	},
);

test.each([
	['with a zone', '2026-03-01T09:00:00Z', ['09:30', '12:30']],
	['in the workflow’s time zone, then in another', '2026-03-01T10:00:00', ['09:30', '12:30']],
	['by expression', '={{ "2026-03-01T09:00:00Z" }}', ['09:30', '12:30']],
	['that moves', '={{ $now.minus({ days: 3650 }) }}', ['08:30', '09:30', '12:30']],
	['that moves, as text', '={{ $now.minus({ days: 3650 }).toISO() }}', ['08:30', '09:30', '12:30']],
])('Start From %s (%s) emits what changed since then, once', async (_, startFrom, seen) => {
	for (const time of ['08:30', '09:30', '12:30']) add(time, { at: `2026-03-01T${time}:00Z` });
	const first = await trigger({ options: { startFrom } }, { timezone: 'Europe/Berlin' });
	expect([await first.names(), await first.names()]).toEqual([seen, null]);
	const moved = { staticData: first.saved(), timezone: 'America/New_York' };
	expect(await (await trigger({ options: { startFrom } }, moved)).names()).toBeNull();
});

test('an idle poll with a template identifier doesn’t request the template', async () => {
	add('old');
	const { poll } = await active({ filters: { templateId: templateBy('DOORS') } });
	sandbox.requests.clear();
	expect(await poll()).toBeNull();
	expect(sandbox.requests.count()).toBe(sandbox.requests.count('listInspections'));
});

describe('an emitted inspection', () => {
	test.each<[INodeParameters, object]>([
		[{ output: 'simplified' }, { template: 'Fire doors' }],
		[{ output: 'row' }, { Door: 'D-1' }],
		[{ output: 'raw', options: { include: ['files'] } }, { files: [{}] }],
	])(
		"set up with %j has %j instead of the answers in the service's format",
		async (parameters, shown) => {
			const { poll } = await active(parameters);
			addWithFile();
			const [item] = (await poll()) ?? [];
			expect(item?.json).toMatchObject({ name: 'inspected', ...shown });
			expect(item?.json).not.toHaveProperty('data');
		},
	);

	test('only has the chosen Fields, in their order, even if one is missing', async () => {
		const options = { fields: ['Door', 'name', 'Lock'] };
		const { poll, warnings } = await active({ output: 'row', options });
		addWithFile();
		const [item] = (await poll()) ?? [];
		expect(JSON.stringify(item?.json)).toBe('{"Door":"D-1","name":"inspected","Lock":null}');
		expect(warnings.join()).toContain('Lock');
	});

	test('has its files as binary data, even if one of another inspection is lost', async () => {
		const { poll, warnings } = await active({ options: { downloadFiles: true } });
		addWithFile();
		const [item] = (await poll()) ?? [];
		expect(item?.binary?.file_0?.fileName).toBe('door.png');
		faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'status', status: 404 } });
		addWithFile();
		const [second] = (await poll()) ?? [];
		expect([second?.json.name, second?.binary]).toEqual(['inspected', undefined]);
		expect(warnings.join()).toMatch(/was not downloaded/);
	});

	test('waits for the next poll if its files arrive too late, except for the first of a poll', async () => {
		const options = { downloadFiles: true };
		const budgetMs = 36_000;
		const { poll, warnings } = await active({ options }, { budgetMs });
		addMany(6, CONTENT);
		const passTime = timeToPass();
		const hangFrom = (nth: number) => {
			const on = { operation: 'downloadFile', nth } as const;
			faults.add({ on, times: 100, do: { kind: 'run', run: () => passTime(budgetMs) } });
			faults.add({ on, times: 100, do: { kind: 'hang' } });
		};
		const late = /time limit of 36 seconds/;
		// The trigger downloads five files at the same time, so the sixth download begins after these.
		hangFrom(6);
		const first = (await poll()) ?? [];
		expect(first.map(({ binary }) => binary?.file_0?.fileName)).toEqual(Array(5).fill('door.png'));
		expect(warnings).toEqual([]);
		faults.clear();
		hangFrom(1);
		const second = (await poll()) ?? [];
		expect(second.map(({ binary }) => binary)).toEqual([undefined]);
		expect(second[0]?.json.downloaded_files).toMatchObject([
			{ error: expect.stringMatching(late) },
		]);
		expect(warnings.join()).toMatch(late);
		faults.clear();
		expect(await poll()).toBeNull();
	});
});

describe('all rows of one poll have the same columns,', () => {
	const sites = store.addTemplate({
		name: 'Sites',
		teamId: ownTeam,
		controls: [repeatable('Defects', 'defects', [text('Where', 'where')])],
	});
	const addSite = (instances: number, others = {}) => {
		later(1);
		const answers = Array.from({ length: instances }, (_, order) => ({
			control: 'where',
			value: `Room ${String(order)}`,
			order,
		}));
		add('site', {}, { template: sites.id, answers, ...others });
	};
	const headersOf = (items: INodeExecutionData[] | null) =>
		new Set((items ?? []).map(({ json }) => Object.keys(json).join()));

	test.each([
		['pages', 149, {}],
		['batches of downloads', 7, { downloadFiles: true }],
	])('even if the poll reads in %s', async (_, others, options) => {
		const { poll } = await active({ output: 'row', options });
		for (let count = 0; count < others; count++) addSite(1);
		addSite(3);
		const items = await poll();
		expect(items).toHaveLength(others + 1);
		expect(headersOf(items).size).toBe(1);
		expect([...headersOf(items)].join()).toContain('Where:3');
	});

	test('even if only one inspection of the poll has a field in Fields', async () => {
		const options = { fields: ['name', 'Where:3'] };
		const { poll, warnings } = await active({ output: 'row', options });
		for (let count = 0; count < 149; count++) addSite(1);
		addSite(3);
		expect(await poll()).toHaveLength(150);
		expect(warnings).toEqual([]);
	});
});

test('an inspection without updated_at only causes a warning in the log', async () => {
	const { names, warnings } = await active();
	nextInspection({ updated_at: null, name: 'draft' });
	expect(await names()).toBeNull();
	expect(warnings.join()).toContain('without a valid "updated_at"');
	faults.clear();
	later(5);
	add('new');
	expect(await names()).toEqual(['new']);
});

/** Makes the next lists contain only this inspection, which the trigger hasn't seen. */
function nextInspection(inspection: object, headers = {}) {
	const updated_at = sandbox.clock.date().toISOString();
	const data = [{ id: randomUUID(), name: 'new', status: 'new', updated_at, ...inspection }];
	const response = { status: 200, headers, body: { data, has_more: false } };
	faults.clear();
	faults.add({ on: { operation: 'listInspections' }, do: { kind: 'status', ...response } });
}

describe('the log reports missing data', () => {
	test('once each time that requested answers stop arriving', async () => {
		const { names, warnings } = await active({ output: 'row' });
		addWithFile();
		await names();
		const told = [warnings.length];
		for (const others of [{}, {}, { data: { items: [] } }, {}]) {
			later(5);
			nextInspection({ ...others, template: { id: template.id } });
			expect([await names(), await names()]).toEqual([['new'], null]);
			told.push(warnings.length);
		}
		expect(told).toEqual([0, 1, 1, 1, 2]);
		const warning =
			/The service sent all inspections without answers \("data"\), although they were requested/;
		expect(warnings[0]).toMatch(warning);
	});

	test.each([
		[templateBy('DOORS'), 'Fire doors', ['new'], []],
		[templateById(template.id), 'Fire doors', ['new'], []],
		[templateById(template.id), null, null, [/doesn't send the template/]],
	])(
		"only for a template filter that can't be decided: %j, %j",
		async (templateId, carried, seen, told) => {
			const { names, warnings } = await active({ filters: { templateId } });
			nextInspection({ template: carried });
			expect(await names()).toEqual(seen);
			expect(warnings).toEqual(told.map((words) => expect.stringMatching(words)));
		},
	);
});

test.each([
	['300 s and 40 s, after 41 s', 300_000, 41_000, 100],
	['none and 40 s, after 41 s', null, 41_000, 100],
	['none and 40 s, after 39 s', null, 39_000, 250],
	['20 s and 40 s, after 21 s', 20_000, 21_000, 100],
])(
	'a poll stops reading at the time limit of n8n or the trigger, whichever is shorter: %s',
	async (_, budgetMs, elapsed, emitted) => {
		const { poll } = await active({}, { budgetMs });
		addMany(250);
		let passed = 0;
		const now = performance.now.bind(performance);
		onTestFinished(() => void vi.restoreAllMocks());
		vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
		failList({ kind: 'run', run: () => void (passed = elapsed) });
		expect(await poll()).toHaveLength(emitted);
	},
);

test("workflows with nodes of the same ID don't wait for each other", async () => {
	add('old');
	const options = { startFrom: '2020-01-01T00:00:00' };
	for (const workflowId of ['original', 'duplicate']) {
		const { names } = await trigger({ options }, { budgetMs: 36_000, workflowId });
		expect(await names()).toEqual(['old']);
	}
});

const DOORS = { filters: { templateId: templateBy('doors') } };
/** An expression that returns no value. */
const NOTHING = '={{ $vars.team }}';

describe('a poll that fails', () => {
	const answered = (status: number) =>
		({ kind: 'status', status, headers: { 'retry-after': '1800' } }) as const;
	const data = ['09', '05'].map((id) => ({ id, updated_at: `2026-03-01T10:00:${id}Z` }));
	const NOT_SORTED = { kind: 'body', body: { data } } as const;
	test.each([
		['listInspections', answered(401), 'credential-invalid'],
		// The service asks to wait longer than a poll's time limit.
		['listInspections', answered(429), 'rate-limited'],
		['listInspections', answered(503), 'temporarily-unavailable'],
		['listInspections', NOT_SORTED, 'temporarily-unavailable'],
		// The output `row` needs the template. The inspection goes on without it after ten minutes.
		['getTemplate', answered(400), 'temporarily-unavailable'],
	] as const)(
		'loses nothing after a failure of %s with %j, whose cause is %s',
		async (operation, fault, cause) => {
			const { poll, names, saved } = await active({ output: 'row' });
			addWithFile();
			const before = saved();
			faults.add({ on: { operation }, do: fault });
			await expect(poll()).rejects.toMatchObject({
				message: expect.stringMatching(
					/[^.]\. Nothing is lost: the next poll starts at the same point\.$/,
				),
				failure: { cause },
			});
			faults.clear();
			expect(saved()).toEqual(before);
			expect(await names()).toEqual(['inspected']);
		},
	);

	describe.each(['init', 'leadershipChange'] as const)(
		'right after n8n has the workflow (%s)',
		(activation) => {
			const restarted = async (staticData?: IDataObject) => {
				const one = await trigger({}, { staticData, activation });
				failList(answered(403));
				return one;
			};

			test("doesn't fail the activation, so that the next poll reports a problem that lasts", async () => {
				const { saved } = await active();
				add('while away');
				const { poll, names, warnings } = await restarted(saved());
				expect(await poll()).toBeNull();
				expect(warnings).toEqual([expect.stringMatching(/\(403\)/)]);
				await expect(poll()).rejects.toThrow('(403)');
				faults.clear();
				expect(await names()).toEqual(['while away']);
			});

			test('fails the activation if the trigger has no saved state', async () => {
				const { poll } = await restarted();
				await expect(poll()).rejects.toThrow('(403)');
			});
		},
	);

	test('emits first what it read before the failing page', async () => {
		const { poll, names, warnings } = await active();
		const added = addMany(250);
		failList({ kind: 'status', status: 400 }, 3);
		const first = (await names()) ?? [];
		expect(first.length).toBeGreaterThan(0);
		expect(warnings.join()).toMatch(/ended early/);
		await expect(poll()).rejects.toThrow();
		faults.clear();
		const rest = (await names()) ?? [];
		expect([...first, ...rest]).toEqual(added);
	});

	test(
		'reads a page that is too large again with fewer inspections',
		{ tags: ['slow'] },
		async () => {
			const { poll, names } = await trigger({ options: { include: ['data'] } });
			await poll();
			const added = addMany(25);
			faults.add({
				on: { operation: 'listInspections', urlIncludes: 'page_size=100', where: asksForAnswers },
				do: { kind: 'body', body: Array.from({ length: 1_100_000 }, () => ({})) },
			});
			expect([await names(), await names()]).toEqual([added, null]);
		},
	);

	test('claims that nothing is lost, unless it is the first or a test in the editor', async () => {
		const { poll, test: testPoll } = await trigger();
		const unsaid = { message: expect.not.stringContaining('Nothing is lost') };
		failList({ kind: 'status', status: 401 });
		await expect(poll()).rejects.toMatchObject(unsaid);
		faults.clear();
		await poll();
		failList({ kind: 'status', status: 401 });
		await expect(testPoll()).rejects.toMatchObject(unsaid);
	});

	const withoutValue = (field: string) => `${field}: the expression returned no value. Fix`;
	test.each<[INodeParameters, string]>([
		[{ options: { lookback: -5 } }, 'Lookback'],
		[{ filters: { teamId: NOTHING } }, withoutValue('Team')],
		[{ filters: { templateId: templateById(NOTHING) } }, withoutValue('Template')],
		[{ options: { startFrom: NOTHING } }, withoutValue('Start From')],
	])('explains the fix if its parameters are %j', async (parameters, start) => {
		const { poll } = await trigger(parameters);
		await expect(poll()).rejects.toMatchObject({
			message: expect.stringMatching(`^${start}`),
			failure: { cause: 'configuration-invalid' },
		});
	});
});

describe('a template', () => {
	const failTemplate = (id: string, status: number) =>
		faults.add({
			on: { operation: 'getTemplate', urlIncludes: id },
			times: 100,
			do: { kind: 'status', status },
		});
	const sentTemplate = (body: unknown) =>
		faults.add({
			on: { operation: 'getTemplate', urlIncludes: template.id },
			times: 100,
			do: { kind: 'body', body },
		});
	const addOther = () => add('other', {}, { template: otherTemplate.id });
	const MINUTES = 60_000;

	// 501 isn't requested again, so this test doesn't have to wait.
	test.each([501, 400, 410])(
		'only delays its inspections if it answers %i for ten minutes',
		async (status) => {
			const { poll, names, warnings } = await active({ output: 'row' });
			const passTime = timeToPass();
			failTemplate(template.id, status);
			addWithFile();
			addOther();
			for (const minutes of [0, 5, 4]) {
				passTime(minutes * MINUTES);
				await expect(poll()).rejects.toMatchObject({
					message: expect.stringMatching(
						/^The template "Fire doors" \(\S+\) can't be read: .*Nothing is lost/,
					),
					failure: { cause: 'temporarily-unavailable' },
				});
			}
			passTime(MINUTES);
			const items = (await poll()) ?? [];
			expect(namesOf(items)).toEqual(['inspected', 'other']);
			expect(JSON.stringify(items[0]?.json)).toContain('D-1');
			expect(warnings.join()).toMatch(/has failed for more than ten minutes .*its answers have/);
			// Later inspections don't wait again, and the template isn't requested with each poll.
			sandbox.requests.clear();
			addWithFile('next');
			expect(await names()).toEqual(['next']);
			expect(sandbox.requests.count('getTemplate')).toBe(0);
			passTime(10 * MINUTES);
			faults.clear();
			addWithFile('readable again');
			const [readable] = (await poll()) ?? [];
			expect(readable?.json).toMatchObject({ name: 'readable again', Door: 'D-1' });
		},
	);

	test('doesn’t count as unreadable if it fails once, then again later', async () => {
		const { poll, names } = await active({ output: 'row' });
		const passTime = timeToPass();
		failTemplate(template.id, 400);
		addWithFile('first');
		await expect(poll()).rejects.toThrow();
		faults.clear();
		expect(await names()).toEqual(['first']);
		passTime(60 * MINUTES);
		failTemplate(template.id, 400);
		addWithFile('second');
		await expect(poll()).rejects.toThrow();
	});

	test.each([
		['an array', []],
		['an object without ID', { name: 'Fire doors' }],
	])("doesn't delay its inspections if it is %s", async (_, body) => {
		const { names, warnings } = await active({ output: 'row' });
		sentTemplate(body);
		addWithFile();
		addOther();
		expect(await names()).toEqual(['inspected', 'other']);
		expect(warnings.join()).toMatch(/The template "Fire doors" \(\S+\) can't be used/);
	});

	test.each(['.', '..', ' '])('is missing from its inspection if its ID is %j', async (id) => {
		const { poll, warnings } = await active({ output: 'row' });
		nextInspection({ template: { id }, data: { items: [] } });
		expect(namesOf(await poll())).toEqual(['new']);
		expect(warnings.join()).toContain('without the ID of its template');
	});

	test('has one row per inspection if two of its sections have the name in Row per Instance Of', async () => {
		const twice = store.addTemplate({
			name: 'Twice',
			teamId: ownTeam,
			controls: [
				repeatable('Rooms', 'rooms', [text('Where', 'where')]),
				repeatable('Rooms', 'rooms2', [text('Which', 'which')]),
			],
		});
		const options = { rowPerInstanceOf: 'Rooms' };
		const { names, warnings } = await active({ output: 'row', options });
		add('twice', {}, { template: twice.id });
		add('doors');
		expect(await names()).toEqual(['twice', 'doors']);
		expect(warnings.join()).toMatch(/2 sections are named "Rooms".*have one row each/);
	});
});

test('inspections without a usable ID are named in the log instead of emitted', async () => {
	const { names, warnings } = await active();
	const updated_at = sandbox.clock.date().toISOString();
	const records = [
		{ name: 'nameless' },
		{ id: 'x'.repeat(201), name: 'long' },
		{ id: randomUUID(), name: 'good' },
	];
	const data = records.map((record) => ({ status: 'new', updated_at, ...record }));
	for (const count of [1, 3]) {
		const isOfSize = ({ url }: { url: string }) => /page_size=1(?!\d)/.test(url) === (count === 1);
		faults.add({
			on: { operation: 'listInspections', where: isOfSize },
			times: 20,
			do: { kind: 'body', body: { data: data.slice(0, count), has_more: false } },
		});
	}
	expect([await names(), await names()]).toEqual([['good'], null]);
	expect(warnings).toEqual([expect.stringMatching(/left out: "nameless" of .*"long" of /)]);
	faults.clear();
	later(5);
	add('next');
	expect(await names()).toEqual(['next']);
});

describe('a template filter that can’t be decided', () => {
	const onlyName = { template: { name: 'Fire doors' } };
	test.each([
		['By Identifier', templateBy('DOORS'), 500],
		['By Identifier', templateBy('DOORS'), 404],
		['by ID', templateById(template.id), 403],
		['by ID', templateById(template.id), 404],
	])(
		'is named by the failing poll, which loses nothing: %s, %j, %i',
		async (_, templateId, status) => {
			const { poll, names } = await active({ filters: { templateId } });
			const { id } = add('waiting');
			nextInspection({ ...onlyName, id });
			faults.add({ on: { operation: 'getTemplate' }, times: 100, do: { kind: 'status', status } });
			for (let polls = 0; polls < 3; polls++)
				await expect(poll()).rejects.toThrow(/filter 'Template' can't be applied.*Nothing is lost/);
			faults.clear();
			expect(await names()).toEqual(['waiting']);
		},
	);
});

describe('the stored state', () => {
	const ofOtherTeam = { filters: { teamId: otherTeam } };
	test.each<[string, string[] | null, INodeParameters, TriggerOptions]>([
		['a restart', ['while away'], {}, {}],
		['a new key in the credential', ['while away'], {}, { apiKey: sandbox.keys.noFiles }],
		['a renaming', ['while away'], {}, { nodeName: 'Inspections' }],
		['a change of the event', null, { event: 'created' }, {}],
		['a change of the team', null, ofOtherTeam, {}],
		['a change of the credential', null, {}, { credentialId: '2' }],
	])(
		'makes the trigger emit, after %s, %j, then later changes',
		async (_, names, edit, options) => {
			const ofTeam = { filters: { teamId: ownTeam } };
			const before = await active(ofTeam);
			add('before');
			expect(await before.names()).toEqual(['before']);
			later(5);
			add('while away');
			add('foreign', {}, { template: foreignTemplate.id });
			const parameters = { ...ofTeam, ...edit };
			const after = await trigger(parameters, { staticData: before.saved(), ...options });
			expect(await after.names()).toEqual(names);
			const told =
				names === null ? [expect.stringMatching(/starts over from now.*set 'Start From'/)] : [];
			expect(after.warnings).toEqual(told);
			later(5);
			add('after', {}, edit === ofOtherTeam ? { template: foreignTemplate.id } : {});
			expect(await after.names()).toEqual(['after']);
		},
	);

	test('fails only one poll if it has no readable watermark', async () => {
		add('old');
		const staticData = { 'node:Inspection Service Trigger': { lastPoll: '2026-01-01' } };
		const options = { startFrom: '2020-01-01T00:00:00' };
		const { poll, names } = await trigger({ options }, { staticData });
		await expect(poll()).rejects.toMatchObject({
			message: expect.stringMatching(/starts over from now.*set 'Start From' to an earlier time$/),
		});
		later(5);
		add('new');
		expect([await names(), await names()]).toEqual([['new'], null]);
	});

	test('keeps what only another version knows', async () => {
		const before = await active();
		add('before');
		expect(await before.names()).toEqual(['before']);
		const staticData = JSON.parse(JSON.stringify(before.saved()), (_, value: unknown) =>
			typeof value === 'object' && value && 'watermark' in value
				? { ...value, version: 99, later: 'x' }
				: value,
		);
		later(5);
		add('meanwhile');
		const after = await trigger({}, { staticData });
		expect([await after.names(), await after.names()]).toEqual([['meanwhile'], null]);
		expect(JSON.stringify(after.saved()).match(/"later":"x"/g)).toHaveLength(2);
	});
});

describe('a test in the editor', () => {
	test.each([
		[{}, 'newest'],
		[{ filters: { teamId: ownTeam } }, 'own'],
	])('shows the newest match without saving anything: %j, %s', async (parameters, name) => {
		for (const [added, id] of Object.entries({ own: template.id, newest: foreignTemplate.id })) {
			add(added, {}, { template: id });
			later(5);
		}
		const { test: testPoll, saved } = await trigger(parameters);
		const before = saved();
		expect(namesOf(await testPoll())).toEqual([name]);
		expect(saved()).toEqual(before);
	});

	test('shows the newest created inspection with its includes, even if a file is lost', async () => {
		const older = add('older');
		later(5);
		addWithFile('newest');
		later(5);
		store.updateInspection(older.id);
		faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'status', status: 404 } });
		const options = { include: ['data'], downloadFiles: true };
		const { test: testPoll, warnings } = await trigger({ event: 'created', options });
		const [item] = (await testPoll()) ?? [];
		expect(item?.json.name).toBe('newest');
		expect(JSON.stringify(item?.json.data)).toContain('D-1');
		expect(warnings.join()).toMatch(/was not downloaded/);
	});

	test('shows in its item that a chosen field is missing, which a poll only logs', async () => {
		add('newest', {}, CONTENT);
		const parameters = { output: 'row', options: { fields: ['Doors', 'name'] } };
		const { test: testPoll } = await trigger(parameters);
		const [item] = (await testPoll()) ?? [];
		expect(item?.json).toEqual({
			test_event_warnings:
				'Field Names or IDs: no item has a field "Doors", so its value is null. Did you mean "Door"?',
			Doors: null,
			name: 'newest',
		});
		const { poll, warnings } = await active(parameters);
		add('changed', {}, CONTENT);
		expect((await poll())?.map(({ json }) => json)).toEqual([{ Doors: null, name: 'changed' }]);
		expect(warnings.join()).toContain('Field Names or IDs: no item has a field "Doors"');
	});

	test('shows the newest match that has an item in the output Files or Answers', async () => {
		addWithFile();
		addMany(120);
		for (const output of ['files', 'answers']) {
			const { test: testPoll } = await trigger({ output });
			expect((await testPoll())?.[0]?.json.inspection_name).toBe('inspected');
		}
	});

	const CANCELED = { filters: { status: ['canceled'] } };
	test.each<[INodeParameters, number, RegExp, string?]>([
		[{ output: 'files' }, 0, /none set\) and has files, but there is no such/, ' with files'],
		[CANCELED, 0, /filters \(status canceled\), but there is no such inspection/],
		[DOORS, 0, /doesn't send the template/],
		[DOORS, 1_000, /\(template doors\), but none of the newest inspections matches \(about 1,000/],
	])(
		'explains why it shows none: %j, %i other inspections',
		async (parameters, others, why, kind = '') => {
			addMany(3);
			addMany(others, { template: otherTemplate.id });
			if (why.source.includes("doesn't send")) nextInspection({ template: null });
			const { test: testPoll } = await trigger(parameters);
			await expect(testPoll()).rejects.toMatchObject({
				message: expect.stringContaining(`No inspection${kind} matches`),
				description: expect.stringMatching(why),
			});
		},
	);
});

test("one response with a wrong clock, even in its Date header, doesn't silence the trigger", async () => {
	const { names, warnings, clockWarnings } = await active();
	const time = '9999-12-31T23:59:59Z';
	nextInspection({ updated_at: time }, { date: 'Fri, 31 Dec 9999 23:59:59 GMT' });
	expect(await names()).toEqual(['new']);
	faults.clear();
	for (const name of ['c1', 'c2', 'c3']) {
		later(5);
		add(name);
		expect([await names(), await names()]).toEqual([[name], null]);
	}
	expect([warnings, clockWarnings.length]).toEqual([[], 1]);
});
