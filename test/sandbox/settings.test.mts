import { expect, it } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { FAULTS } from '#sandbox/service/faults.mts';
import { type SandboxSettings, SETTINGS, valuesOf } from '#sandbox/service/settings.mts';
import { at, get, list, pluck, post } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const { north } = sandbox.tenants;

const set = (settings: Partial<SandboxSettings>) => Object.assign(sandbox.settings, settings);
const read = async (query = '') => (await get(sandbox, `/v1/inspections${query}`)).json;
const create = async (members: object = {}) =>
	(await post(sandbox, { template_id: 'SITE-SAFETY', ...members })).json;
const answersTo = (...answers: [field_id: string, value: unknown, order?: number][]) => ({
	data: {
		item_type: 'question_response',
		items: answers.map(([field_id, value, order = 1]) => ({
			field_id,
			response: { value },
			repeat_section_order: order,
		})),
	},
});

it('sandbox/README.md describes each setting or fault in a row', () => {
	const settings = Object.entries(SETTINGS).map(([name, setting]) => {
		const values = valuesOf(setting).map((value) => `\`${String(value)}\``);
		return [`\`${name}\``, values.join(' · '), expect.stringMatching(/^\w/)];
	});
	const faults = Object.keys(FAULTS).map((name) => [`\`${name}\``, expect.stringMatching(/^\w/)]);
	const rows = tableRows(projectFile('sandbox', 'README.md'));
	const described = rows.filter(([name = '']) => /^`\w+`$/.test(name));
	expect(described).toEqual([...settings, ...faults]);
});

it.each(SETTINGS.envelope.enum)('the setting envelope wraps a list as %s', async (envelope) => {
	set({ envelope });
	const ids = pluck(await read('?page_size=3'), envelope === 'array' ? '' : envelope, 'id');
	expect(new Set(ids).size).toBe(3);
});

it('the setting totals sends a count that is right, lying, or absent', async () => {
	expect(at(await read(), 'total_count')).toBeGreaterThan(300);
	set({ totals: 'lying' });
	expect(at(await read(), 'total_count')).toBe(1);
	set({ totals: 'absent' });
	expect(Object.keys(Object(await read()))).toEqual(['data']);
});

it.each([1, 37])(
	'the setting pageCap limits a page to %i inspections without skipping any',
	async (pageCap) => {
		set({ pageCap });
		const pages = [];
		for (const page of [1, 2, 3]) {
			pages.push(...pluck(await read(`?page_size=100&page=${String(page)}`), 'data', 'id'));
		}
		const first = sandbox.store.inspections(north.organization.id).slice(0, 3 * pageCap);
		expect(pages).toEqual(first.map(({ id }) => id));
	},
);

it('the setting resultWindow limits a query to its first results', async () => {
	set({ resultWindow: 25 });
	const ids = async (page: number) =>
		pluck(await read(`?page_size=10&page=${String(page)}`), 'data', 'id');
	const pages = [await ids(1), await ids(2), await ids(3), await ids(4)];
	expect(pages.map(({ length }) => length)).toEqual([10, 10, 5, 0]);
});

it('the setting offsetLimit rejects a page that begins there', async () => {
	set({ offsetLimit: 20 });
	const status = async (page: number) =>
		(await get(sandbox, `/v1/inspections?page_size=10&page=${String(page)}`)).status;
	expect([await status(2), await status(3)]).toEqual([200, 400]);
});

/** Requests the list without checking the response, because the document doesn't define these responses. */
const fetchList = async (query: string) => {
	const headers = { 'access-token': sandbox.keys.north };
	const response = await fetch(`${sandbox.apiUrl}/v1/inspections${query}`, { headers });
	return { status: response.status, text: await response.text() };
};

it('the setting afterLastPage decides how the service responds after the last page', async () => {
	set({ resultWindow: 15, totals: 'absent' });
	const afterLast = '?page_size=10&page=3';
	expect(await fetchList(afterLast)).toEqual({ status: 200, text: '{"data":[]}' });
	set({ afterLastPage: 'repeated' });
	expect(await fetchList(afterLast)).toEqual(await fetchList('?page_size=10&page=2'));
	set({ afterLastPage: 'null' });
	expect(await fetchList(afterLast)).toEqual({ status: 200, text: '{"data":null}' });
	set({ afterLastPage: '204' });
	expect(await fetchList(afterLast)).toEqual({ status: 204, text: '' });
	for (const status of ['404', '400'] as const) {
		set({ afterLastPage: status });
		expect(await fetchList(afterLast)).toMatchObject({ status: Number(status) });
	}
});

it.each([
	['404', '[]'],
	['null', 'null'],
] as const)(
	'the setting afterLastPage as %s sends %s for page 1 of an empty list',
	async (afterLastPage, data) => {
		set({ afterLastPage, totals: 'absent' });
		const { text } = await fetchList('?created_after=2099-01-01T00:00:00Z');
		expect(text).toBe(`{"data":${data}}`);
	},
);

const forms = { ms: /\.\d{3}Z$/, us: /\.\d{6}Z$/, '100ns': /\.\d{7}Z$/ };
it.each(SETTINGS.timestampPrecision.enum)(
	"the setting timestampPrecision as %s makes each write's time unique even if the clock is stopped",
	async (timestampPrecision) => {
		set({ timestampPrecision });
		sandbox.clock.freeze('2026-05-01T12:00:00.000Z');
		const template = (await get(sandbox, '/v1/templates/SITE-SAFETY')).json;
		const stamps = [at(template, 'created_at')];
		for (let n = 0; n < 3; n++) stamps.push(at(await create(), 'updated_at'));
		for (const stamp of stamps) expect(stamp).toMatch(forms[timestampPrecision]);
		expect(new Set(stamps).size).toBe(4);
	},
);

it('the setting shownPrecision only cuts the times in responses, not those in comparisons', async () => {
	set({ shownPrecision: 's' });
	sandbox.store.addInspection({ template: 'SITE-SAFETY' }, { at: '2031-01-01T00:00:00.7Z' });
	const [found] = list(await read('?updated_after=2031-01-01T00:00:00.6Z'), 'data');
	expect(at(found, 'updated_at')).toBe('2031-01-01T00:00:00Z');
	expect(list(await read('?updated_after=2031-01-01T00:00:00.8Z'), 'data')).toEqual([]);
});

it.each([
	['full', 1],
	['ms', 2],
	['s', 3],
] as const)('the setting filterPrecision compares times by %s', async (filterPrecision, count) => {
	set({ filterPrecision });
	for (const fraction of ['1000000', '1234000', '1234567']) {
		const timing = { at: `2031-01-01T00:00:00.${fraction}Z` };
		sandbox.store.addInspection({ template: 'SITE-SAFETY' }, timing);
	}
	const found = await read('?updated_after=2031-01-01T00:00:00.1234567Z');
	expect(list(found, 'data')).toHaveLength(count);
});

it('the settings templateShape and teamShape decide which facts about a template or team a list has', async () => {
	const nested = async (shape: SandboxSettings['teamShape']) => {
		set({ templateShape: shape, teamShape: shape });
		const inspection = at(await read('?page_size=1'), 'data.0');
		return [at(inspection, 'template'), at(inspection, 'team')];
	};
	const [template, team] = await nested('full');
	const [id, teamId] = [at(template, 'id'), at(team, 'id')];
	const names = { id, name: at(template, 'name') };
	expect(template).toMatchObject({ ...names, template_id: expect.any(String) });
	expect(await nested('idName')).toEqual([names, team]);
	expect(await nested('idOnly')).toEqual([{ id }, { id: teamId }]);
	expect(await nested('idString')).toEqual([id, teamId]);
});

it('the setting templateShape omits the GUID of a template', async () => {
	const template = (await get(sandbox, '/v1/templates/SITE-SAFETY')).json;
	const [template_id, name] = [at(template, 'template_id'), at(template, 'name')];
	const shown = async (templateShape: SandboxSettings['templateShape']) => {
		set({ templateShape });
		return at(await create(), 'template');
	};
	expect(await shown('identifierName')).toEqual({ template_id, name });
	expect(await shown('identifier')).toEqual({ template_id });
	expect(await shown('name')).toEqual({ name });
});

it('the setting createEnvelope wraps a created inspection', async () => {
	const created = async (createEnvelope: SandboxSettings['createEnvelope']) => {
		set({ createEnvelope });
		const body = JSON.stringify({ template_id: 'SITE-SAFETY', name: 'Walk' });
		const headers = { 'access-token': sandbox.keys.north, 'content-type': 'application/json' };
		const request = { method: 'POST', body, headers };
		return await (await fetch(`${sandbox.apiUrl}/v1/inspections`, request)).json();
	};
	const walk = expect.objectContaining({ name: 'Walk' });
	expect(await created('data')).toEqual({ data: walk });
	expect(await created('array')).toEqual([walk]);
	expect(await created('data.items')).toEqual({ data: { items: [walk] } });
});

it("the setting itemOrder sends an instance's number as text, or omits it", async () => {
	const orders = async (itemOrder: SandboxSettings['itemOrder']) => {
		set({ itemOrder });
		const { text } = await fetchList('?includes=data&sort_order=desc&page_size=1');
		return pluck(JSON.parse(text), 'data.0.data.items', 'repeat_section_order');
	};
	await create(answersTo(['hazard_severity', 'Low'], ['hazard_severity', 'High', 2]));
	expect(await orders('text')).toEqual(['1', '2']);
	expect(await orders('absent')).toEqual([undefined, undefined]);
});

it('the setting itemNames omits the path or label of an answer', async () => {
	const names = async (itemNames: SandboxSettings['itemNames']) => {
		set({ itemNames });
		const json = await create(answersTo(['area', 'Roof']));
		return [at(json, 'data.items.0.path'), at(json, 'data.items.0.label')];
	};
	const [path, label] = await names('both');
	expect(await names('path')).toEqual([path, undefined]);
	expect(await names('label')).toEqual([undefined, label]);
	expect(await names('none')).toEqual([undefined, undefined]);
});

it('the setting pathIncludesLabel removes the label from each path', async () => {
	set({ pathIncludesLabel: false });
	const template = (await get(sandbox, '/v1/templates/SITE-SAFETY?includes=data')).json;
	expect(new Set(pluck(template, 'data.controls', 'path'))).toEqual(
		new Set(['', 'Site/', 'Findings/', 'Findings/Hazards/']),
	);
	const given = answersTo(['hazard_description', 'x'], ['hazard_description', 'y', 2]);
	expect(pluck(await create(given), 'data.items', 'path')).toEqual([
		'Findings/Hazards/',
		'Findings/Hazards/:2',
	]);
});

it('the setting plainItemOrder omits the number of an answer outside repeatable sections', async () => {
	set({ plainItemOrder: 'absent' });
	const json = await create(answersTo(['area', 'Roof'], ['hazard_severity', 'Low']));
	expect(pluck(json, 'data.items', 'repeat_section_order')).toEqual([undefined, 1]);
});

const TIME = '2026-03-04T05:06:07';
it.each<[Partial<SandboxSettings>, string, unknown, unknown]>([
	[{ storedTexts: 'trimmed' }, 'site_name', '\t Tower\r\n ', 'Tower'],
	[{ storedTexts: 'trimmed' }, 'location', ' Gate ', 'Gate'],
	[{ storedLineBreaks: 'lf' }, 'comments', 'a\r\nb\r\n', 'a\nb\n'],
	[{ storedNumbers: 'text' }, 'workers', 12.5, '12.5'],
	[{ storedNumbers: 'float32' }, 'workers', 0.1, 0.10000000149011612],
	[{ storedNumbers: 'float32' }, 'workers', '16777217', 16777216],
	[{ storedDates: 'ms' }, 'walk_date', `${TIME}.1239999Z`, `${TIME}.123Z`],
	[{ storedDates: 's' }, 'walk_date', `${TIME}.999+01:00`, `${TIME}+01:00`],
	[{ storedDates: 's' }, 'walk_date', '2026-03-04', '2026-03-04'],
	[{ storedDates: 'utc' }, 'walk_date', '2026-03-04', '2026-03-04T00:00:00.0000000Z'],
	[{ storedChoices: 'array' }, 'area', 'Roof', ['Roof']],
	[{ storedChoices: 'reordered' }, 'ppe', ['Helmet', 'Gloves'], ['Gloves', 'Helmet']],
	[{ storedChoices: 'reordered' }, 'area', 'Roof', 'Roof'],
	[{ storedChoices: 'joined' }, 'ppe', ['Helmet', 'Gloves'], 'Helmet, Gloves'],
])('the setting %j changes the answer to %s from %j to %j', async (settings, field, sent, kept) => {
	const valueOf = async () =>
		at(await create(answersTo([field, sent])), 'data.items.0.response.value');
	expect(await valueOf()).toEqual(sent);
	set(settings);
	expect(await valueOf()).toEqual(kept);
});

const TRIMMED = { storedTexts: 'trimmed', storedLineBreaks: 'lf' } as const;
const field = (name: string, value: string) => ({ custom_fields: [{ name, value }] });
it.each<[Partial<SandboxSettings>, object, object]>([
	[TRIMMED, { name: ' Walk ', description: '\r\n' }, { name: 'Walk', description: '' }],
	[TRIMMED, field(' Key', 'a\r\nb '), field('Key', 'a\nb')],
])('the setting %j stores a create with %j as %j', async (settings, sent, kept) => {
	set(settings);
	expect(await create(sent)).toMatchObject(kept);
});

it('the setting commitDelayMs shows a created inspection in the list only after that time', async () => {
	set({ commitDelayMs: 20_000 });
	const id = at(await create(), 'id');
	const newest = async () => at(await read('?page_size=1&sort_order=desc'), 'data.0.id');
	sandbox.clock.advance(15_000);
	expect(await newest()).not.toBe(id);
	sandbox.clock.advance(5_000);
	expect(await newest()).toBe(id);
});
