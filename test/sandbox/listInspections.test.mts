import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Inspection } from '#sandbox/service/model.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { at, get, list, pluck } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo' });
});
afterAll(() => sandbox.close());

const read = (query: string, key?: string) => get(sandbox, `/v1/inspections${query}`, key);
const idsOf = async (query: string) => pluck((await read(query)).json, 'data', 'id');
const north = () => sandbox.store.inspections(sandbox.tenants.north.organization.id);

/** All ids that a query gives, page by page. */
async function everyId(query: string): Promise<unknown[]> {
	const ids: unknown[] = [];
	for (let page = 1; ; page++) {
		const found = await idsOf(`?page_size=100&page=${String(page)}${query}`);
		ids.push(...found);
		if (found.length < 100) return ids;
	}
}

const matching = (isWanted: (inspection: Inspection) => boolean) =>
	new Set(
		north()
			.filter(isWanted)
			.map(({ id }) => id),
	);

describe('pages', () => {
	it('default: page 1 of 10, by updated_at ascending', async () => {
		const { status, json } = await read('');
		expect(status).toBe(200);
		const stamps = pluck(json, 'data', 'updated_at');
		expect(stamps).toHaveLength(10);
		expect(stamps).toEqual([...stamps].sort());
		expect(pluck(json, 'data', 'id')).toEqual(
			north()
				.slice(0, 10)
				.map(({ id }) => id),
		);
	});

	it('together hold every inspection of the organization once', async () => {
		const ids = await everyId('');
		expect(new Set(ids)).toEqual(matching(() => true));
		expect(ids).toHaveLength(north().length);
	});

	it('of another organization hold nothing of this one', async () => {
		const south = pluck((await read('?page_size=100', sandbox.keys.south)).json, 'data', 'id');
		expect(south).toHaveLength(60);
		const own = matching(() => true);
		expect(south.filter((id) => own.has(String(id)))).toEqual([]);
	});

	it('beyond the end are empty', async () => {
		expect(await idsOf('?page=1000000')).toEqual([]);
	});

	it.each([1, 100])('page_size %d is allowed', async (size) => {
		expect(await idsOf(`?page_size=${String(size)}`)).toHaveLength(size);
	});

	it.each([
		'page=0',
		'page=-1',
		'page=x',
		'page=1.5',
		'page=',
		'page=1&page=2',
		'page_size=0',
		'page_size=101',
		'page_size=ten',
		'sort_by=name',
		'sort_by=UPDATED_AT',
		'sort_order=up',
		'status=open',
		'status=new,open',
		'includes=everything',
		'team_id=x',
		'updated_after=yesterday',
		'updated_before=2025-13-01',
		'created_after=2025-02-30T00:00:00Z',
		'created_before=1735689600',
		'data_filter={}',
		'data_filter[flagged_items_only]=maybe',
	])('400: %s', async (query) => {
		const { status, json } = await read(`?${query}`);
		expect(status).toBe(400);
		expect(json).toEqual({
			code: 400,
			message: expect.stringContaining('Invalid parameter value'),
		});
	});

	it('unknown parameters are ignored', async () => {
		expect((await read('?limit=3&x[y]=1')).status).toBe(200);
	});
});

describe('sort', () => {
	it.each(['updated_at', 'created_at'])('%s, both ways', async (sort) => {
		const up = await read(`?page_size=100&sort_by=${sort}`);
		const down = await read(`?page_size=100&sort_by=${sort}&sort_order=desc`);
		const [first, last] = [pluck(up.json, 'data', sort), pluck(down.json, 'data', sort)];
		expect(first).toEqual([...first].sort());
		expect(last).toEqual([...last].sort().reverse());
		expect(first[0]).not.toBe(last[0]);
	});

	it('equal stamps have an order that stays, and that changes with every request when told', async () => {
		const query =
			'?updated_after=2025-04-16T07:00:00Z&updated_before=2025-04-16T07:00:00Z&page_size=50';
		const tied = await idsOf(query);
		expect(tied.length).toBeGreaterThanOrEqual(12);
		expect(await idsOf(query)).toEqual(tied);
		expect(tied).not.toEqual([...tied].sort());

		sandbox.settings.tieOrder = 'perRequest';
		const orders = new Set(
			await Promise.all(Array.from({ length: 5 }, async () => (await idsOf(query)).join())),
		);
		sandbox.settings.tieOrder = 'stable';
		expect(orders.size).toBeGreaterThan(1);
		for (const order of orders) expect(new Set(order.split(','))).toEqual(new Set(tied));
	});
});

describe('filters', () => {
	it.each([
		'status=new&status=completed',
		'status=new,completed',
		'status[]=new&status[]=completed',
		'status[0]=new&status[1]=completed',
		'status=New, COMPLETED',
	])('%s', async (query) => {
		expect(new Set(await everyId(`&${query}`))).toEqual(
			matching(({ status }) => status === 'new' || status === 'completed'),
		);
	});

	it('one status', async () => {
		expect(new Set(await everyId('&status=canceled'))).toEqual(
			matching(({ status }) => status === 'canceled'),
		);
	});

	it('team_id', async () => {
		const teamId = String(sandbox.tenants.north.teams[1]?.id);
		const ids = await everyId(`&team_id=${teamId.toUpperCase()}`);
		expect(ids.length).toBeGreaterThan(0);
		expect(new Set(ids)).toEqual(matching((inspection) => inspection.teamId === teamId));
	});

	it("team_id: 401 for another organization's, 404 for an unknown one, or no items for both", async () => {
		const foreign = `?team_id=${String(sandbox.tenants.south.teams[0]?.id)}`;
		const unknown = '?team_id=00000000-0000-4000-8000-000000000000';
		expect((await read(foreign)).status).toBe(401);
		expect((await read(unknown)).status).toBe(404);
		sandbox.settings.teamFilter = 'empty';
		expect(await idsOf(foreign)).toEqual([]);
		expect(await idsOf(unknown)).toEqual([]);
		sandbox.settings.teamFilter = 'error';
	});

	it.each([
		['updated', 'updated'],
		['updated', 'created'],
		['created', 'created'],
		['created', 'updated'],
	])(
		'%s_after and _before include the moment itself, in the order of %s_at',
		async (field, order) => {
			const stamps = pluck(
				(await read(`?page_size=100&sort_by=${field}_at`)).json,
				'data',
				`${field}_at`,
			);
			const moment = String(stamps[40]);
			const found = async (bound: string) => {
				const query = `?page_size=100&sort_by=${order}_at&${field}_${bound}=${encodeURIComponent(moment)}`;
				return (await read(query)).json;
			};
			const [after, before] = [await found('after'), await found('before')];
			expect(at(after, 'total_count')).toBe(north().length - stamps.indexOf(moment));
			expect(at(before, 'total_count')).toBe(stamps.lastIndexOf(moment) + 1);
			expect(pluck(before, 'data', `${field}_at`).sort().at(-1)).toBe(moment);
		},
	);

	it('dates may lack time and zone, or have another zone', async () => {
		const whole = await everyId('&updated_after=2025-03-01');
		expect(await everyId('&updated_after=2025-03-01T00:00:00Z')).toEqual(whole);
		expect(await everyId('&updated_after=2025-03-01T00:00')).toEqual(whole);
		expect(await everyId('&updated_after=2025-03-01T02:00:00%2B02:00')).toEqual(whole);
		expect(whole.length).toBeLessThan(north().length);
	});

	it('all filters at once', async () => {
		const from = Date.parse('2025-02-01T00:00:00Z');
		const ids = await everyId(
			`&status=completed&created_after=2025-02-01T00:00:00Z&updated_before=2025-05-01T00:00:00Z&team_id=${String(sandbox.tenants.north.teams[0]?.id)}`,
		);
		expect(new Set(ids)).toEqual(
			matching(
				(inspection) =>
					inspection.status === 'completed' &&
					inspection.teamId === sandbox.tenants.north.teams[0]?.id &&
					Number(inspection.createdAt / 10_000n) >= from &&
					Number(inspection.updatedAt / 10_000n) <= Date.parse('2025-05-01T00:00:00Z'),
			),
		);
	});
});

describe('includes', () => {
	it('none: neither responses nor files nor shared users', async () => {
		const { json } = await read('');
		for (const inspection of list(json, 'data')) {
			for (const name of ['data', 'files', 'shared_with_users']) {
				expect(at(inspection, name)).toBeUndefined();
			}
			expect(at(inspection, 'shared_with_users_count')).toEqual(expect.any(Number));
		}
	});

	it.each([
		'includes=data,files,shared_with_users',
		'includes=data&includes=files&includes[]=shared_with_users',
	])('%s', async (query) => {
		const { json } = await read(`?page_size=100&${query}`);
		for (const inspection of list(json, 'data')) {
			expect(at(inspection, 'data.item_type')).toBe('question_response');
			expect(Array.isArray(at(inspection, 'files'))).toBe(true);
			expect(list(inspection, 'shared_with_users')).toHaveLength(
				Number(at(inspection, 'shared_with_users_count')),
			);
		}
	});

	it('each alone', async () => {
		for (const name of ['data', 'files', 'shared_with_users']) {
			const { json } = await read(`?page_size=1&includes=${name}`);
			const there = ['data', 'files', 'shared_with_users'].filter(
				(other) => at(json, `data.0.${other}`) !== undefined,
			);
			expect(there).toEqual([name]);
		}
	});

	it('the demo has answers, all six file kinds and shared users', async () => {
		const kinds = new Set(north().flatMap(({ files }) => files.map(({ kind }) => kind)));
		expect(kinds).toEqual(
			new Set(['image', 'video', 'audio', 'attachment', 'signature', 'instacount']),
		);
		expect(north().some(({ sharedWithIds }) => sharedWithIds.length > 1)).toBe(true);
		const { json } = await read('?page_size=100&includes=data');
		const paths = list(json, 'data').flatMap((one) => pluck(one, 'data.items', 'path'));
		expect(paths).toContain('Findings/Hazards/Description:2');
	});
});

describe('data_filter', () => {
	const flagged = () => matching(({ answers }) => answers.some((answer) => answer.flagged));
	const control = () =>
		sandbox.store
			.findTemplate(null, 'FORKLIFT-PRE-USE-001')
			?.controls.find(({ label }) => label === 'Horn')?.id ?? '';
	const answering = (id: string) =>
		matching(({ answers }) => answers.some((answer) => answer.controlId === id));

	it('flagged_items_only in brackets', async () => {
		expect(new Set(await everyId('&includes=data&data_filter[flagged_items_only]=true'))).toEqual(
			flagged(),
		);
		expect(await everyId('&includes=data&data_filter[flagged_items_only]=false')).toHaveLength(
			north().length,
		);
	});

	it('template_control_ids in brackets: repeated, comma-separated, with empty brackets', async () => {
		const other = String(
			sandbox.store
				.findTemplate(null, 'SITE-SAFETY')
				?.controls.find(({ label }) => label === 'Comments')?.id,
		);
		const name = 'data_filter[template_control_ids]';
		const expected = new Set([...answering(control()), ...answering(other)]);
		for (const query of [
			`${name}=${control()}&${name}=${other}`,
			`${name}=${control()},${other}`,
			`${name}[]=${control()}&${name}[]=${other}`,
		]) {
			expect(new Set(await everyId(`&includes=data&${query}`))).toEqual(expected);
		}
	});

	it('has no effect unless includes has data', async () => {
		expect(await everyId('&data_filter[flagged_items_only]=true')).toHaveLength(north().length);
		expect(await everyId('&includes=files&data_filter[flagged_items_only]=true')).toHaveLength(
			north().length,
		);
	});

	it('as JSON, when the service wants it so', async () => {
		sandbox.settings.dataFilter = 'json';
		const json = (value: object) =>
			`&includes=data&data_filter=${encodeURIComponent(JSON.stringify(value))}`;
		expect(new Set(await everyId(json({ flagged_items_only: true })))).toEqual(flagged());
		expect(new Set(await everyId(json({ template_control_ids: [control()] })))).toEqual(
			answering(control()),
		);
		expect((await read('?includes=data&data_filter=%7B')).status).toBe(400);
		expect(await everyId('&includes=data&data_filter[flagged_items_only]=true')).toHaveLength(
			north().length,
		);
		sandbox.settings.dataFilter = 'brackets';
	});

	it('template_control_ids may choose items instead of inspections', async () => {
		sandbox.settings.controlFilter = 'items';
		const query = `?page_size=100&includes=data&data_filter[template_control_ids]=${control()}`;
		const { json } = await read(query);
		sandbox.settings.controlFilter = 'inspections';
		const items = list(json, 'data').flatMap((one) =>
			pluck(one, 'data.items', 'template_control_id'),
		);
		expect(list(json, 'data')).toHaveLength(100);
		expect(new Set(items)).toEqual(new Set([control()]));
	});
});
