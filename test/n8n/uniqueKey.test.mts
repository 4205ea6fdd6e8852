/** Tests Create's option Unique Key, which returns an existing inspection instead of creating a duplicate. */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { UniqueKeyIndex } from '#connector/actions/inspection/create/findByUniqueKey.ts';
import { listQueries } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import { createForTests, type CreateRun, LOST, REFUSED } from '#harness/createForTests.mts';
import { failureOf } from '#harness/failure.mts';
import { COUNTS_REQUESTS } from '#harness/sandboxForTests.mts';
import { executionClient } from './serviceClient.mts';

const AREA = text('Area', 'area');
const { create: createAny, errorLines, ...made } = await createForTests([AREA]);
const { sandbox, credential, template, creates, failCreate } = made;
sandbox.store.addTemplate({ identifier: 'TOUR', name: 'Tour', controls: [AREA] });

const KEY = '={{ $json.Order }}';
const WITHOUT_KEY = { uniqueKey: '' };
/** A list of inspections without their custom fields. */
const BARE_LIST = { kind: 'body', body: [{ id: 'one', custom_fields_count: 1 }] } as const;

/** Runs Create with the column "Order" as the unique key. */
async function create(items: IDataObject[], run: CreateRun = {}) {
	const outcome = await createAny(items, {
		name: '={{ "Walk " + $json.Area }}',
		uniqueKey: KEY,
		others: { output: 'raw' },
		...run,
	});
	const { jsons } = outcome;
	const existed = jsons.map((json) => json.already_existed);
	const warnings = jsons.map((json) => json.warnings);
	return { ...outcome, ids: jsons.map(({ id }) => id), existed, warnings };
}

const ROWS = ['a', 'b', 'c'].map((Order) => ({
	Order,
	Area: `Area ${Order}`,
}));
const now = () => sandbox.clock.date().getTime();
const daysFromNow = (days: number) => new Date(now() + days * 86_400_000).toISOString();
/**
 * Adds `count` inspections with the keys `old 0`, `old 1`, and so on. `old 0` is from now, `old 1` is a minute older,
 * and so on.
 */
function addOld(count: number) {
	for (let index = 0; index < count; index++) {
		const customFields = [{ name: 'Unique key', value: `old ${index}` }];
		const created = { at: new Date(Date.now() - index * 60_000) };
		sandbox.store.addInspection({ template: 'WALK', customFields }, created);
	}
}

describe('a repeated run', () => {
	test("creates only what doesn't exist yet, after reading the list once", async () => {
		const first = await create(ROWS.slice(0, 1));
		sandbox.requests.clear();
		const second = await create(ROWS);
		expect(sandbox.requests.count('listInspections')).toBeLessThanOrEqual(4);
		expect(second.existed).toEqual([true, false, false]);
		expect(second.ids[0]).toBe(first.ids[0]);
		const third = await create(ROWS);
		expect([third.ids, third.existed]).toEqual([second.ids, [true, true, true]]);
		expect(creates()).toBe(2);
	});

	test('warns of unique keys that look alike, even if one belongs to an existing inspection', async () => {
		await create([{ Order: '00123', Area: 'A' }]);
		const orders = ['123', 'V-103', 'V–103', 'W-1'].map((Order) => ({ Order, Area: 'A' }));
		const { existed, hints } = await create(orders);
		expect(existed).toEqual(orders.map(() => false));
		expect(hints.filter((hint) => hint.includes('look alike'))).toEqual([
			'These values look alike, but are different inspections: "V-103" (row 2) and "V–103" (row 3); "123" (row 1) and "00123" (already exists). If they are one inspection, write the value the same way.',
		]);
		const elsewhere = await create([{ Order: 'v-103', Area: 'A' }], {
			others: { templateId: 'TOUR' },
		});
		expect(elsewhere.hints.join()).not.toContain('look alike');
	});

	test('reports what it created, but not what existed, if it fails', async () => {
		await create(ROWS.slice(0, 1));
		failCreate(REFUSED, { body: 'Area b' });
		const { description } = await failureOf(create(ROWS));
		expect(description).toContain('1 inspection was created in this execution (row 3)');
	});

	test.each([
		['90 without Unique Key Days', undefined, 89, 91],
		['as many as Unique Key Days says', 20, 19, 21],
		['all with 0', 0, 4000, undefined],
	])('looks back some days, %s', async (_, uniqueKeyDays, found, missed) => {
		await create([{ Order: 'new', Area: 'A' }]);
		const existedBefore = async (days: number) => {
			const customFields = [{ name: 'Unique key', value: String(days) }];
			const at = new Date(daysFromNow(-days));
			sandbox.store.addInspection({ template: 'WALK', customFields }, { at });
			const rows = [{ Order: days, Area: 'A' }];
			return (await create(rows, { options: { uniqueKeyDays } })).existed;
		};
		expect(await existedBefore(found)).toEqual([true]);
		if (missed !== undefined) expect(await existedBefore(missed)).toEqual([false]);
	});

	test.each([
		['the service’s clock', true],
		['n8n’s clock, if the service shows none', false],
	])(
		'counts the days from %s, not from an inspection with a future date',
		async (_, dateHeader) => {
			Object.assign(sandbox.settings, { dateHeader });
			await create(ROWS);
			sandbox.store.addInspection({ template: template.id, createdAt: daysFromNow(200) });
			const { existed } = await create(ROWS, { options: { uniqueKeyDays: 90 } });
			expect(existed).toEqual([true, true, true]);
		},
	);
});

test('the list is read with about one request per 100 inspections, ten at the same time', async () => {
	addOld(3_000);
	sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'latency', ms: 50 } });
	await create(ROWS);
	if (COUNTS_REQUESTS) {
		expect(sandbox.requests.count('listInspections')).toBeLessThanOrEqual(40);
		// A service that shows only the first results of a query is read one page after another.
		expect(sandbox.requests.peakInFlight('listInspections')).toBeGreaterThan(5);
	}
	expect(sandbox.requests.peakInFlight('listInspections')).toBeLessThanOrEqual(10);
});

describe('a row whose inspection exists with other answers', () => {
	const CHANGED = [
		{ Order: 'a', Area: 'Area a' },
		{ Order: 'b', Area: 'Roof' },
		{ Order: 'c', Area: '' },
	];
	const cells = { others: { output: 'simplified' } };

	test('reports both values instead of sending the new one', async () => {
		await create(ROWS);
		const { jsons, hints } = await create(CHANGED, cells);
		expect(jsons.map((json) => json.changed_responses)).toEqual([
			'',
			'"Area": "Area b" → "Roof"',
			'',
		]);
		expect(hints).toContainEqual(
			expect.stringMatching(/^1 of 3 inspections: the existing answers to "Area" differ/),
		);
		const raw = await create(CHANGED);
		expect(raw.jsons[1]?.changed_responses).toMatchObject([
			{ label: 'Area', value: 'Roof', stored_value: 'Area b' },
		]);
		expect(creates()).toBe(3);
	});

	test('is a problem in Check Only', async () => {
		await create(ROWS);
		const { jsons } = await create(CHANGED, { options: { checkOnly: true } });
		expect(jsons.map(({ ok }) => ok)).toEqual([true, false, true]);
		expect(jsons[1]?.problems).toContain('"Area": "Area b" → "Roof". Change it in the service.');
	});

	test('costs at most one request for all rows', async () => {
		const executionId = 'one';
		await create(ROWS, { executionId });
		sandbox.requests.clear();
		await create(CHANGED, { executionId, runIndex: 1 });
		expect(sandbox.requests.count('listInspections')).toBe(0);
		await create(CHANGED);
		const lists = sandbox.requests
			.all()
			.filter(({ url }) => url.startsWith('/v1/inspections?') && url.includes('includes=data'));
		expect(lists).toHaveLength(1);
	});

	test('is returned without a comparison if the service fails to list the answers', async () => {
		await create(ROWS);
		const where = ({ url }: { url: string }) => url.includes('includes=data');
		sandbox.faults.add({ on: { operation: 'listInspections', where }, do: REFUSED });
		const { existed, jsons } = await create(CHANGED);
		expect(existed).toEqual([true, true, true]);
		expect(jsons.map((json) => json.changed_responses)).toEqual([null, null, null]);
	});
});

describe('nothing is sent if', () => {
	test('several rows have the same unique key', async () => {
		const rows = ['a', 'b', ' a ', 'a', 'b'].map((Order) => ({
			Order,
			Area: 'A',
		}));
		const [message, ...lines] = await errorLines(rows, { uniqueKey: KEY });
		expect(message).toContain('5 of 5 rows need a correction');
		expect(lines.slice(0, 2)).toEqual([
			'Unique Key, rows 1, 3 and 4: rows 1, 3 and 4 are separate inspections, but all have the key "a". Give each inspection its own key, or make these rows one inspection with the option \'Group Rows By\'.',
			expect.stringMatching(/^Unique Key, rows 2 and 5 .* 5 are separate inspections, but both/),
		]);
		const walks = [0, 1].map((Walk) => ({ Walk, Order: 'a', Area: 'A' }));
		const [, groups] = await errorLines(walks, {
			uniqueKey: KEY,
			options: { groupRowsBy: 'Walk' },
		});
		expect(groups).toMatch(/ both have the key "a". Give each inspection its own key\./);
	});

	test('a column of the unique key is missing, as after renaming it, unless the expression allows that', async () => {
		const rows = [{ Area: 'A', Date: '2026-05-31' }];
		const keyed = (uniqueKey: string) => create(rows, { uniqueKey });
		await expect(keyed('={{ $json.Area }}-{{ $json.Day }}')).rejects.toThrow(
			/Unique Key \(row 1\): the column "Day" has no value, so different inspections/,
		);
		expect(creates()).toBe(0);
		expect((await keyed("={{ $json.Area }}-{{ $json.Day ?? '' }}")).existed).toEqual([false]);
		expect((await keyed('={{ $json.Area }}-')).existed).toEqual([true]);
	});

	test.each(['', ' ', null, 'N/A', 'k. A.', '-', '–', 'TBD', '?', '"', '#REF!'])(
		'a column of the unique key has %j, although it reads other columns as well',
		async (No) => {
			const rows = [
				{ Area: 'A', No: '0017' },
				{ Area: 'A', No },
			];
			const [, problem] = await errorLines(rows, { uniqueKey: '={{ $json.Area }}-{{ $json.No }}' });
			expect(problem).toMatch(
				/^Unique Key, row 2 \("A"\): (?:the column "No" has no value|".*" in the column "No" )/,
			);
			expect(creates()).toBe(0);
			const uniqueKey = '={{ $json.Area }}-{{ $json.No || "new" }}';
			expect((await create([{ Area: 'A', No: '' }], { uniqueKey })).existed).toEqual([false]);
		},
	);

	test.each(['order', '{{ $json.Order }}'])(
		"the unique key is %j, which isn't an expression",
		async (uniqueKey) => {
			await expect(create(ROWS.slice(0, 1), { uniqueKey })).rejects.toThrow(
				/Unique Key \(row 1\): ".*" is the same for every row. Switch .* such as \{\{ \$json\["Order( No)?"\] \}\}\./,
			);
			expect(creates()).toBe(0);
		},
	);

	test('a custom field has the name of the field for unique keys', async () => {
		const mine = { name: 'Unique key', value: 'mine' };
		const additionalFields = { customFields: { customField: [mine] } };
		const [, problem] = await errorLines(ROWS, { additionalFields, uniqueKey: KEY });
		expect(problem).toMatch(/the node stores the unique key in the custom field/);
		expect(creates()).toBe(0);
	});
});

test.each(['full', 'idString'] as const)(
	'two templates can share a unique key if the service sends the template as %s',
	async (templateShape) => {
		sandbox.settings.templateShape = templateShape;
		const executionId = `shape ${templateShape}`;
		await create(ROWS, { executionId });
		const tours = await create(ROWS, { executionId, nodeId: 'another', template: 'TOUR' });
		expect(tours.existed).toEqual([false, false, false]);
		expect((await create(ROWS, { template: 'TOUR' })).ids).toEqual(tours.ids);
	},
);

test('a canceled inspection keeps its unique key, as a warning reports', async () => {
	const { ids } = await create(ROWS.slice(0, 1));
	sandbox.store.updateInspection(String(ids[0]), { status: 'canceled' });
	const { existed, warnings } = await create(ROWS.slice(0, 1));
	expect(existed).toEqual([true]);
	expect(warnings.flat()).toEqual([
		'The inspection with the unique key "a" is canceled, so no inspection was created. To create one, use a different key.',
	]);
});

describe('the rounds of a loop, or the nodes of an execution,', () => {
	const lists = () => sandbox.requests.count('listInspections');

	test('read the whole list again for a new unique key if the list has too many others to remember', async () => {
		addOld(4);
		const client = await executionClient(credential);
		const find = async (maxPassed: number, key: string) => {
			const search = { wanted: new Set([key]), days: 0, maxPassed };
			const index = new UniqueKeyIndex(client, search, String(maxPassed));
			const found = (await index.known()).all(key);
			return found.length;
		};
		const timesOf = async (maxPassed: number, key: string) => {
			sandbox.requests.clear();
			expect(await find(maxPassed, key)).toBe(1);
			const lists = listQueries(sandbox).filter((query) => !query.has('created_after'));
			return lists.length > 1;
		};
		expect([await timesOf(2, 'old 3'), await timesOf(2, 'old 2')]).toEqual([true, true]);
		expect([await timesOf(9, 'old 3'), await timesOf(9, 'old 2')]).toEqual([true, false]);
	});

	test('find the inspections of earlier rounds without reading the list again', async () => {
		addOld(260);
		const executionId = 'loop';
		await create(ROWS, { executionId });
		const afterFirst = lists();
		const rows = [...ROWS, { Order: 'd', Area: 'D' }];
		const { existed } = await create(rows, { executionId, runIndex: 1 });
		expect(existed).toEqual([true, true, true, false]);
		expect(lists()).toBe(afterFirst);

		// No earlier round searched for this key, so this round sends two list requests. One finds the inspection, and the
		// other checks that no further inspection follows.
		const old = await create([{ Order: 'old 7', Area: 'x' }], {
			executionId,
			runIndex: 2,
		});
		expect(old.existed).toEqual([true]);
		expect([lists(), creates()]).toEqual([afterFirst + 3, 4]);

		const another = await create(rows, { executionId, nodeId: 'another' });
		expect(another.existed).toEqual([true, true, true, true]);
		expect(lists()).toBe(afterFirst + 3);
	});

	test.each(['as stored', 'ms', 's'] as const)(
		'create each inspection once in two runs of a loop, from a service that shows times %s',
		async (shownPrecision) => {
			Object.assign(sandbox.settings, { timestampPrecision: '100ns', shownPrecision });
			const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((Order) => ({ Order, Area: Order }));
			for (const run of ['first', 'second']) {
				const executionId = `${run} run, times ${shownPrecision}`;
				for (let runIndex = 0; runIndex < 3; runIndex++) {
					const round = rows.slice(2 * runIndex, 2 * runIndex + 2);
					await create(round, { executionId, runIndex });
				}
			}
			expect(creates()).toBe(6);
		},
	);

	test('read what others have created once a minute has passed', async () => {
		const [row, later] = [{ Order: 'd', Area: 'D' }, Date.now() + 61_000];
		await create(ROWS, { executionId: 'slow' });
		await create([row], { executionId: 'of somebody else' });
		vi.useFakeTimers({ toFake: ['Date'], now: later });
		onTestFinished(() => void vi.useRealTimers());
		const { existed } = await create([row], { executionId: 'slow', runIndex: 1 });
		expect(existed).toEqual([true]);
	});

	test('read the list again in a different execution, or after a failed read', async () => {
		sandbox.faults.add({ on: { operation: 'listInspections' }, times: 1, do: REFUSED });
		await expect(create(ROWS, { executionId: 'fails' })).rejects.toThrow(/403/);
		expect(creates()).toBe(0);
		await create(ROWS, { executionId: 'fails', runIndex: 1 });
		await create(ROWS, { executionId: 'another' });
		expect(creates()).toBe(3);
	});
});

describe('a create with an unknown outcome', () => {
	test('counts as created, with unknown warnings, if its unique key is found', async () => {
		failCreate(LOST, { nth: 2 });
		const { existed, warnings } = await create(ROWS);
		expect(existed).toEqual([false, false, false]);
		expect(warnings.flat()).toEqual([expect.stringMatching(/found by its unique key/)]);
		expect(creates()).toBe(3);
	});

	test('is settled although the list initially omits the unique key', async () => {
		failCreate(LOST);
		sandbox.faults.add({ on: { operation: 'listInspections', nth: 3 }, do: BARE_LIST });
		const { warnings } = await create(ROWS.slice(0, 1));
		expect(warnings.flat()).toEqual([expect.stringMatching(/found by its unique key/)]);
		expect(sandbox.requests.count('listInspections')).toBeGreaterThan(3);
	});

	test('has an error that names what to look for if it has no unique key', async () => {
		failCreate(LOST);
		const run = create(ROWS.slice(0, 1), WITHOUT_KEY);
		const { message, description, context } = await failureOf(run);
		expect([sandbox.store.inspections().length, creates(), context.itemIndex]).toEqual([1, 1, 0]);
		expect(message).toMatch(/unknown whether the inspection was created/);
		expect(description).toContain('"Walk Area a"');
		expect(sandbox.requests.count('listInspections')).toBe(0);
	});

	test.each([{}, WITHOUT_KEY])("isn't unknown if it was rejected, options %j", async (run) => {
		failCreate({ kind: 'status', status: 400 });
		const { description } = await failureOf(create(ROWS.slice(0, 1), run));
		expect(description).not.toMatch(/to be seen|again is safe|shows/);
		expect(sandbox.requests.all().at(-1)?.operation).toBe('createInspection');
	});
});

test('creates nothing if the list counts custom fields but omits them', async () => {
	sandbox.faults.add({ on: { operation: 'listInspections', nth: 2 }, do: BARE_LIST });
	const [, problem] = await errorLines(ROWS, { uniqueKey: KEY });
	expect(problem).toMatch(/leaves out custom fields, so 'Unique Key' can't find/);
	expect(creates()).toBe(0);
});

test('creates the rest although an inspection of another template hides its custom fields', async () => {
	addOld(3);
	const hidden = { id: 'one', custom_fields_count: 1, template: { id: randomUUID() } };
	sandbox.faults.add({
		on: { operation: 'listInspections', nth: 2 },
		do: { kind: 'body', body: [{ ...hidden, created_at: new Date(now()).toISOString() }] },
	});
	const { existed, hints } = await create(ROWS);
	expect([existed, hints]).toEqual([[false, false, false], []]);
});

test('reports a service that drops custom fields', async () => {
	sandbox.settings.customFields = 'dropped';
	const { warnings, hints } = await create(ROWS.slice(0, 1));
	expect(warnings).toEqual([[expect.stringMatching(/did not store the unique key/)]]);
	expect(hints.join()).toMatch(/did not store the unique key/);
});
