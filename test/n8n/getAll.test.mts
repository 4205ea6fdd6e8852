/** Inspection → Get Many: all that there are or the first ones, in order. What they are filtered by is filters' file. */
import { expect, test } from 'vitest';

import { actionNode, listQueries } from '#harness/actionNode.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { SandboxSettings } from '#sandbox/service/settings.mts';

const HOUR = 3_600_000;
const DAY = Date.parse('2026-03-01T08:00:00Z');

const { sandbox, credential } = await sandboxForTests();
const lift = sandbox.store.addTemplate({ identifier: 'LIFT', name: 'Lift', controls: [] });
// One hour apart, updated in reverse order.
for (let hour = 0; hour < 260; hour++) {
	sandbox.store.addInspection(
		{
			template: lift.id,
			name: `Walk ${hour}`,
			status: hour % 2 === 0 ? 'new' : 'completed',
			createdAt: new Date(DAY + hour * HOUR).toISOString(),
		},
		{ at: new Date(DAY + (1_000 - hour) * HOUR).toISOString() },
	);
}
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `Walk ${from + index}`);

const run = actionNode(credential);
const getMany = async (parameters = {}) => await run(getManyParameters(parameters));
const queries = () => listQueries(sandbox);

test('gives 50 simplified inspections in one request, the last updated ones first', async () => {
	const { names, pairs, jsons } = await getMany();
	expect(names).toEqual(range(0, 49));
	expect(queries().map((query) => query.get('page_size'))).toEqual(['50']);
	expect(queries()[0]?.has('includes')).toBe(false);
	expect(pairs[0]).toBe(0);
	expect(Object.keys(jsons[0] ?? {}).length).toBeLessThanOrEqual(10);
	expect(jsons[0]).toMatchObject({ template: 'Lift', status: 'new' });
});

test.each([
	[{}, range(0, 259)],
	[{ sortBy: 'created_at' }, range(0, 259).reverse()],
	[{ sortBy: 'created_at', sortOrder: 'asc' }, range(0, 259)],
	[{ sortBy: 'updated_at', sortOrder: 'asc' }, range(0, 259).reverse()],
])('gives all, or more than a page of them, sorted as asked: %j', async (options, expected) => {
	expect((await getMany({ returnAll: true, options })).names).toEqual(expected);
	sandbox.requests.clear();
	expect((await getMany({ limit: 120, options })).names).toEqual(expected.slice(0, 120));
	expect(queries()).toHaveLength(2);
});

test.each<Partial<SandboxSettings>>([
	{ envelope: 'data.items', totals: 'lying' },
	{ timestampPrecision: 'us', filterPrecision: 's' },
])('gives all from a service of other habits, with all digits of times: %j', async (settings) => {
	Object.assign(sandbox.settings, settings);
	const { jsons } = await getMany({ returnAll: true });
	expect(new Set(jsons.map(({ id }) => id)).size).toBe(260);
	if (settings.timestampPrecision === 'us') expect(jsons[0]?.created_at).toMatch(/\.\d{6}Z$/);
});

test('runs once per item and pairs what it finds', async () => {
	const parameters = getManyParameters({
		limit: '={{ $json.count }}',
		filters: { status: '={{ [$json.status] }}' },
	});
	const items = [
		{ status: 'completed', count: '2' },
		{ status: 'new', count: 1 },
	];
	const { names, pairs } = await run(parameters, { items });
	expect(names).toEqual(['Walk 1', 'Walk 3', 'Walk 0']);
	expect(pairs).toEqual([0, 0, 1]);
});

test('raw is what the service sent', async () => {
	const response = await fetch(
		`${sandbox.apiUrl}/v1/inspections?page_size=2&sort_by=updated_at&sort_order=desc&includes=data&includes=shared_with_users`,
		{ headers: { 'access-token': sandbox.keys.north } },
	);
	const { data } = (await response.json()) as { data: unknown[] };
	const include = ['data', 'shared_with_users'];
	expect((await getMany({ output: 'raw', limit: 2, options: { include } })).jsons).toEqual(data);
});

test.each([
	[{ limit: 0 }, /^Limit: 0 is not a whole number/],
	[{ limit: 2.5 }, /^Limit: 2.5 is not/],
	[{ options: { sortBy: 'name' } }, /^Sort By: "name" is none of/],
])('refuses %j before anything is sent', async (parameters, message) => {
	await expect(getMany(parameters)).rejects.toThrow(message);
	expect(sandbox.requests.count()).toBe(0);
});

test('fails as a whole when one page fails for good, and leaves nothing running', async () => {
	for (let count = 0; count < 1_000; count++) {
		sandbox.store.addInspection({ template: lift.id });
	}
	const pages = { operation: 'listInspections' } as const;
	sandbox.faults.add({ on: { ...pages, nth: 3 }, do: { kind: 'status', status: 403 } });
	sandbox.faults.add({ on: pages, do: { kind: 'latency', ms: 20 } });
	await expect(getMany({ returnAll: true })).rejects.toMatchObject({ httpCode: '403' });
	expect(sandbox.requests.peakInFlight()).toBeGreaterThan(1);
	expect(queries().length).toBeGreaterThan(3);
	expect(sandbox.requests.all().filter(({ endedAt }) => endedAt === null)).toEqual([]);
});
