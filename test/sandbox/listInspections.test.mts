import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Inspection } from '#sandbox/service/model.mts';
import { ticksOf } from '#sandbox/service/time.mts';
import { at, get, list, pluck } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const { north, south } = sandbox.tenants;

const read = (query: string, key?: string) => get(sandbox, `/v1/inspections${query}`, key);
const idsOf = async (query: string) => pluck((await read(query)).json, 'data', 'id');
const stored = () => sandbox.store.inspections(north.organization.id);
const idsWhere = (isWanted: (inspection: Inspection) => boolean) =>
	new Set(stored().flatMap((one) => (isWanted(one) ? [one.id] : [])));

/** Reads all pages of a query. Returns all IDs, and fails if an ID repeats. */
async function everyId(query: string): Promise<Set<unknown>> {
	const ids = new Set<unknown>();
	for (let page = 1; ; page++) {
		const found = await idsOf(`?page_size=100&page=${String(page)}${query}`);
		for (const id of found) ids.add(id);
		if (found.length < 100) {
			expect(ids.size).toBe((page - 1) * 100 + found.length);
			return ids;
		}
	}
}

describe('pages of a list', () => {
	it('have the oldest 10 inspections by default, by updated_at', async () => {
		const oldest = stored().slice(0, 10);
		expect(await idsOf('')).toEqual(oldest.map(({ id }) => id));
	});

	it("have every inspection of the key's organization once if read together", async () => {
		expect(await everyId('')).toEqual(idsWhere(() => true));
		const others = pluck((await read('?page_size=100', sandbox.keys.south)).json, 'data', 'id');
		expect(others).toHaveLength(60);
		const own = idsWhere(() => true);
		expect(others.filter((id) => own.has(String(id)))).toEqual([]);
	});

	it('have as many inspections as requested, from 1 to 100, while the list lasts', async () => {
		expect(await idsOf('?page_size=1')).toHaveLength(1);
		expect(await idsOf('?page_size=100')).toHaveLength(100);
		expect(await idsOf('?page=1000000')).toEqual([]);
	});
});

describe('a list responds with 400', () => {
	it.each([
		'page=0',
		'page=x',
		'page=1&page=2',
		'page_size=0',
		'page_size=101',
		'sort_by=name',
		'sort_order=up',
		'status=open',
		'includes=everything',
		'team_id=x',
		'updated_after=yesterday',
		'created_before=2025-02-30T00:00:00Z',
		'created_after=2023-04-05T24:00:00Z',
		'data_filter[flagged_items_only]=maybe',
	])('to %s', async (query) => {
		const message = expect.stringContaining('Invalid parameter value');
		expect(await read(`?${query}`)).toMatchObject({ status: 400, json: { code: 400, message } });
	});

	it('to an unknown parameter', async () => {
		expect((await read('?limit=3&x[y]=1')).status).toBe(200);
	});
});

it.each(['updated_at', 'created_at'])('a list is sorted in both directions by %s', async (sort) => {
	const up = await read(`?page_size=100&sort_by=${sort}`);
	const down = await read(`?page_size=100&sort_by=${sort}&sort_order=desc`);
	const [first, last] = [pluck(up.json, 'data', sort), pluck(down.json, 'data', sort)];
	expect(first).toEqual([...first].sort());
	expect(last).toEqual([...last].sort().reverse());
	expect(first[0]).not.toBe(last[0]);
});

describe('the filters of a list', () => {
	it.each(['status=new&status=completed', 'status=New,COMPLETED'])(
		'accept several statuses in either notation, in any case: %s',
		async (query) => {
			expect(await everyId(`&${query}`)).toEqual(
				idsWhere(({ status }) => status === 'new' || status === 'completed'),
			);
		},
	);

	it('accept the ID of a team of the same organization only, in any case', async () => {
		const teamId = String(north.teams[1]?.id);
		expect(await everyId(`&team_id=${teamId.toUpperCase()}`)).toEqual(
			idsWhere((inspection) => inspection.teamId === teamId),
		);
		expect((await read(`?team_id=${String(south.teams[0]?.id)}`)).status).toBe(401);
		expect((await read('?team_id=00000000-0000-4000-8000-000000000000')).status).toBe(404);
	});

	it.each([
		['updated', 'updated'],
		['updated', 'created'],
		['created', 'created'],
		['created', 'updated'],
	])(
		'include inspections with exactly the time of %s_after or _before, sorted by %s_at',
		async (field, order) => {
			const sorted = await read(`?page_size=100&sort_by=${field}_at`);
			const stamps = pluck(sorted.json, 'data', `${field}_at`);
			const moment = String(stamps[40]);
			const found = async (bound: string) =>
				(await read(`?page_size=100&sort_by=${order}_at&${field}_${bound}=${moment}`)).json;
			const [after, before] = [await found('after'), await found('before')];
			expect(at(after, 'total_count')).toBe(stored().length - stamps.indexOf(moment));
			expect(at(before, 'total_count')).toBe(stamps.lastIndexOf(moment) + 1);
			expect(pluck(before, 'data', `${field}_at`).sort().at(-1)).toBe(moment);
		},
	);

	it('narrow the list together', async () => {
		const teamId = String(north.teams[0]?.id);
		const [from, to] = ['2025-02-01T00:00:00Z', '2025-05-01T00:00:00Z'];
		const dates = `created_after=${from}&updated_before=${to}`;
		const isWanted = ({ status, createdAt, updatedAt, ...one }: Inspection) =>
			status === 'completed' &&
			one.teamId === teamId &&
			createdAt >= ticksOf(from) &&
			updatedAt <= ticksOf(to);
		expect(await everyId(`&status=completed&team_id=${teamId}&${dates}`)).toEqual(
			idsWhere(isWanted),
		);
	});
});

const PARTS = ['data', 'files', 'shared_with_users'];

it.each([
	['', []],
	...PARTS.map((part): [string, string[]] => [`includes=${part}`, [part]]),
	['includes=data&includes=files,shared_with_users', PARTS],
])('a list with "%s" includes %j', async (query, added) => {
	const { json } = await read(`?page_size=100&${query}`);
	for (const inspection of list(json, 'data')) {
		expect(PARTS.filter((part) => at(inspection, part) !== undefined)).toEqual(added);
	}
});

describe('data_filter', () => {
	const flagged = () => idsWhere(({ answers }) => answers.some((answer) => answer.flagged));
	const controlOf = (template: string, label: string) => {
		const controls = sandbox.store.findTemplate(null, template)?.controls ?? [];
		return String(controls.find((one) => one.label === label)?.id);
	};
	const horn = controlOf('FORKLIFT-PRE-USE-001', 'Horn');
	const comments = controlOf('SITE-SAFETY', 'Comments');
	const answering = (...ids: string[]) =>
		idsWhere(({ answers }) => answers.some(({ controlId }) => ids.includes(controlId)));

	it('accepts flagged_items_only in brackets', async () => {
		const only = '&includes=data&data_filter[flagged_items_only]';
		expect(await everyId(`${only}=true`)).toEqual(flagged());
		expect((await everyId(`${only}=false`)).size).toBe(stored().length);
	});

	it('accepts template_control_ids in brackets', async () => {
		const name = 'data_filter[template_control_ids]';
		const ids = await everyId(`&includes=data&${name}=${horn}&${name}=${comments}`);
		expect(ids).toEqual(answering(horn, comments));
	});

	it.each(['', '&includes=files'])('has no effect unless includes has data (%s)', async (query) => {
		const ids = await everyId(`${query}&data_filter[flagged_items_only]=true`);
		expect(ids.size).toBe(stored().length);
	});
});
