import { readFileSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { FAULTS } from '#sandbox/service/faults.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import {
	defaultSettings,
	type SandboxSettings,
	SETTINGS,
	valuesOf,
} from '#sandbox/service/settings.mts';
import { at, get, list, pluck, post } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo' });
});
afterAll(() => sandbox.close());
afterEach(() => {
	Object.assign(sandbox.settings, defaultSettings());
});

const set = (settings: Partial<SandboxSettings>) => Object.assign(sandbox.settings, settings);
const read = (query = '') => get(sandbox, `/v1/inspections${query}`);
const create = (extra: object = {}) => post(sandbox, { template_id: 'SITE-SAFETY', ...extra });

describe('lists', () => {
	it.each(SETTINGS.envelope.enum)('envelope %s', async (envelope) => {
		set({ envelope });
		const { json } = await read('?page_size=3');
		const ids = pluck(json, envelope === 'array' ? '' : envelope, 'id');
		expect(ids).toHaveLength(3);
		expect(new Set(ids).size).toBe(3);
	});

	it.each([1, 25, 37, 100])('no page holds more than %i, and none is skipped', async (pageCap) => {
		set({ pageCap });
		const ids: unknown[] = [];
		for (let page = 1; ; page++) {
			const rows = pluck((await read(`?page_size=100&page=${String(page)}`)).json, 'data', 'id');
			expect(rows.length).toBeLessThanOrEqual(pageCap);
			ids.push(...rows);
			if (rows.length === 0 || ids.length >= 120) break;
		}
		const first = sandbox.store.inspections(sandbox.tenants.north.organization.id);
		expect(ids).toEqual(first.slice(0, ids.length).map(({ id }) => id));
	});

	it('totals: right, lying, absent', async () => {
		expect(at((await read()).json, 'total_count')).toBeGreaterThan(300);
		set({ totals: 'lying' });
		expect(at((await read()).json, 'total_count')).toBe(1);
		set({ totals: 'absent' });
		expect(Object.keys(Object((await read()).json))).toEqual(['data']);
	});

	it.each([
		['ms', /\.\d{3}Z$/],
		['us', /\.\d{6}Z$/],
		['100ns', /\.\d{7}Z$/],
	] as const)('timestamps in %s', async (timestampPrecision, form) => {
		set({ timestampPrecision });
		const { json } = await create();
		expect(at(json, 'updated_at')).toMatch(form);
		expect(at((await get(sandbox, '/v1/templates/SITE-SAFETY')).json, 'created_at')).toMatch(form);
	});

	it.each([
		['full', 1],
		['ms', 2],
		['s', 3],
	] as const)('date filters read in %s', async (filterPrecision, count) => {
		set({ filterPrecision, timestampPrecision: '100ns' });
		for (const fraction of ['1000000', '1234000', '1234567']) {
			const stamp = `2031-01-01T00:00:00.${fraction}Z`;
			sandbox.store.addInspection(
				{ template: 'SITE-SAFETY', id: sandbox.store.newId('x') },
				{ at: stamp },
			);
		}
		const { json } = await read('?updated_after=2031-01-01T00:00:00.1234567Z');
		expect(list(json, 'data')).toHaveLength(count);
		for (const one of sandbox.store.inspections()) {
			if (one.updatedAt > sandbox.clock.now()) sandbox.store.removeInspection(one.id);
		}
	});

	it.each([
		[
			'full',
			[
				'created_at',
				'created_by',
				'description',
				'id',
				'name',
				'team',
				'template_id',
				'updated_at',
				'updated_by',
			],
		],
		['idName', ['id', 'name']],
		['idOnly', ['id']],
	] as const)('template and team %s', async (shape, keys) => {
		set({ templateShape: shape, teamShape: shape });
		const { json } = await read('?page_size=1');
		expect(Object.keys(Object(at(json, 'data.0.template'))).sort()).toEqual(keys);
		expect(at(json, 'data.0.team.id')).toEqual(expect.any(String));
		expect(at(json, 'data.0.team.name') === undefined).toBe(shape === 'idOnly');
	});

	it('template and team as ids', async () => {
		set({ templateShape: 'idString', teamShape: 'idString' });
		const { json } = await read('?page_size=1');
		expect(at(json, 'data.0.template')).toMatch(/^[0-9a-f-]{36}$/);
		expect(at(json, 'data.0.team')).toMatch(/^[0-9a-f-]{36}$/);
	});

	it('files_count, file objects of an id only, Windows time zones', async () => {
		set({ filesCount: true, fileShape: 'idOnly', timezoneForm: 'windows' });
		const { json } = await read('?page_size=100&includes=files');
		expect(pluck(json, 'data', 'files_count')).toEqual(
			list(json, 'data').map((one) => list(one, 'files').length),
		);
		const files = list(json, 'data').flatMap((one) => list(one, 'files'));
		expect(new Set(files.map((file) => Object.keys(Object(file)).join()))).toEqual(new Set(['id']));
		expect(at(json, 'data.0.timezone')).toBe('Eastern Standard Time|GMT-04:00');
	});
});

describe('controls', () => {
	const controls = async () =>
		list((await get(sandbox, '/v1/templates/SITE-SAFETY?includes=data')).json, 'data.controls');

	it.each(['options', 'settings', 'the service'])(
		'options object named %s',
		async (optionsName) => {
			set({ optionsName });
			const name = (await controls()).find((control) => at(control, 'label') === 'Site name');
			expect(Object.entries(Object(name)).at(-1)).toEqual([
				optionsName,
				{ is_required: true, placeholder: 'As on the site board' },
			]);
		},
	);

	it('dropdowns may say whether they take several', async () => {
		set({ multipleOption: 'is_multi_select' });
		const area = (await controls()).find((control) => at(control, 'label') === 'Area');
		expect(at(area, 'options.is_multi_select')).toBe(true);
	});

	it('paths without the label, in controls and in answers', async () => {
		set({ pathIncludesLabel: false });
		const paths = (await controls()).map((control) => at(control, 'path'));
		expect(new Set(paths)).toEqual(new Set(['', 'Site/', 'Findings/', 'Findings/Hazards/']));
		const answer = (order: number) => ({
			field_id: 'hazard_description',
			repeat_section_order: order,
			response: { value: 'x' },
		});
		const { json } = await create({
			data: { item_type: 'question_response', items: [answer(1), answer(2)] },
		});
		expect(pluck(json, 'data.items', 'path')).toEqual(['Findings/Hazards/', 'Findings/Hazards/:2']);
	});
});

describe('errors of list, create and file URL', () => {
	it.each([
		['codeMessage', { code: 400, message: expect.any(String) }],
		['error.message', { error: { code: 400, message: expect.any(String) } }],
		['errorText', { error: expect.any(String) }],
		['errorsArray', { errors: [{ code: '400', message: expect.any(String) }] }],
		['errorsObject', { errors: { request: [expect.any(String)] } }],
		[
			'problem',
			{ type: 'about:blank', title: 'Bad Request', status: 400, detail: expect.any(String) },
		],
		['text', undefined],
		['html', undefined],
		['empty', undefined],
	] as const)('%s', async (errorBody, json) => {
		set({ errorBody });
		for (const reply of [
			await read('?page=0'),
			await create({ template_id: '' }),
			await get(sandbox, '/v1/inspections/x/files/y/url'),
		]) {
			expect(reply.status).toBe(400);
			expect(reply.json).toEqual(json);
			expect(reply.headers.get('content-type')).toContain(errorBody === 'html' ? 'html' : '');
			expect(reply.text === '').toBe(errorBody === 'empty');
		}
	});
});

describe('create', () => {
	it('status 201', async () => {
		set({ createStatus: 201 });
		expect((await create()).status).toBe(201);
		expect((await create({ task: {} })).status).toBe(201);
	});

	it('at another path, and then there only', async () => {
		set({ createPath: '/v1/templates/inspections' });
		const path = '/v1/templates/inspections';
		expect((await post(sandbox, { template_id: 'SITE-SAFETY' }, { path })).status).toBe(200);
		expect((await create()).status).toBe(404);
	});

	it('team_id required', async () => {
		set({ teamIdRequired: true });
		expect((await create()).status).toBe(400);
		expect((await create({ team_id: sandbox.tenants.north.teams[0]?.id })).status).toBe(200);
	});

	it('a status that is none of the four: new, or 400', async () => {
		expect(at((await create({ status: 'open' })).json, 'status')).toBe('new');
		set({ invalidStatus: '400' });
		expect((await create({ status: 'open' })).status).toBe(400);
	});

	it('without responses in the answer', async () => {
		set({ createAnswerData: false });
		expect(Object.keys(Object((await create()).json))).not.toContain('data');
	});

	it('unpopulated data: no items, null, absent', async () => {
		expect(at((await create()).json, 'data.items')).toEqual([]);
		set({ unpopulatedData: 'null' });
		expect(at((await create()).json, 'data')).toBeNull();
		set({ unpopulatedData: 'absent' });
		expect(Object.keys(Object((await create()).json))).not.toContain('data');
	});

	it('answers stored in another form, without an order outside of sections', async () => {
		set({
			storedNumbers: 'text',
			storedDates: 'utc',
			storedChoices: 'array',
			plainItemOrder: 'absent',
		});
		const items = [
			{ field_id: 'workers', response: { value: 12.5 } },
			{ field_id: 'walk_date', response: { value: '2026-03-04T05:06:07+01:00' } },
			{ field_id: 'area', response: { value: 'Roof' } },
			{ field_id: 'hazard_severity', response: { value: 'Low' } },
		];
		const { json } = await create({ data: { item_type: 'question_response', items } });
		expect(
			list(json, 'data.items').map((item) => [
				at(item, 'response.value'),
				at(item, 'repeat_section_order'),
			]),
		).toEqual([
			['12.5', undefined],
			['2026-03-04T04:06:07.0000000Z', undefined],
			[['Roof'], undefined],
			['Low', 1],
		]);
	});

	const valueOf = async (field_id: string, value: unknown) => {
		const items = [{ field_id, response: { value } }];
		const { json } = await create({ data: { item_type: 'question_response', items } });
		return at(json, 'data.items.0.response.value');
	};

	it.each<[Partial<SandboxSettings>, string, unknown, unknown]>([
		[{ storedTexts: 'trimmed' }, 'site_name', '\t Tower\r\n ', 'Tower'],
		[{ storedTexts: 'trimmed' }, 'location', ' Gate ', 'Gate'],
		[{ storedLineBreaks: 'lf' }, 'comments', 'a\r\nb\r\n', 'a\nb\n'],
		[{ storedLineBreaks: 'lf', storedTexts: 'trimmed' }, 'comments', ' a\r\nb\r\n', 'a\nb'],
		[{ storedNumbers: 'text' }, 'workers', 12.5, '12.5'],
		[{ storedNumbers: 'float32' }, 'workers', 0.1, 0.10000000149011612],
		[{ storedNumbers: 'float32' }, 'workers', '16777217', 16777216],
		[{ storedNumbers: 'float32' }, 'workers', 12.5, 12.5],
		[
			{ storedDates: 'ms' },
			'walk_date',
			'2026-03-04T05:06:07.1239999Z',
			'2026-03-04T05:06:07.123Z',
		],
		[
			{ storedDates: 's' },
			'walk_date',
			'2026-03-04T05:06:07.999+01:00',
			'2026-03-04T05:06:07+01:00',
		],
		[{ storedDates: 's' }, 'walk_date', '2026-03-04', '2026-03-04'],
		[{ storedDates: 'utc' }, 'walk_date', '2026-03-04', '2026-03-04T00:00:00.0000000Z'],
		[{ storedChoices: 'array' }, 'area', 'Roof', ['Roof']],
		[
			{ storedChoices: 'reordered' },
			'ppe',
			['Helmet', 'Harness', 'Gloves'],
			['Harness', 'Gloves', 'Helmet'],
		],
		[{ storedChoices: 'reordered' }, 'area', 'Roof', 'Roof'],
		[{ storedChoices: 'joined' }, 'ppe', ['Helmet', 'Gloves'], 'Helmet, Gloves'],
		[{ storedChoices: 'joined' }, 'area', ['Roof', 'Gate'], 'Roof, Gate'],
	])('%j: %s, sent as %j, is kept as %j', async (settings, field, sent, kept) => {
		expect(await valueOf(field, sent)).toEqual(sent);
		set(settings);
		expect(await valueOf(field, sent)).toEqual(kept);
	});

	it('name, description and custom fields are texts too', async () => {
		set({ storedTexts: 'trimmed', storedLineBreaks: 'lf' });
		const custom_fields = [{ name: ' Key', value: 'a\r\nb ' }];
		const { json } = await create({ name: ' Walk ', description: '\r\nlong\r\n', custom_fields });
		expect(json).toMatchObject({
			name: 'Walk',
			description: 'long',
			custom_fields: [{ name: 'Key', value: 'a\nb' }],
		});
	});

	it('custom fields dropped, without a word', async () => {
		set({ customFields: 'dropped' });
		const { status, json } = await create({ custom_fields: [{ name: 'Key', value: '7' }] });
		expect(status).toBe(200);
		expect(json).toMatchObject({ custom_fields: [], custom_fields_count: 0 });
	});

	it.each([1000, 20_000])('late commit of %i ms: answered at once, listed later', async (delay) => {
		set({ commitDelayMs: delay });
		sandbox.clock.freeze();
		const { json } = await create();
		const newest = async () => at((await read('?page_size=1&sort_order=desc')).json, 'data.0.id');
		expect(await newest()).not.toBe(at(json, 'id'));
		sandbox.clock.advance(delay - 500);
		expect(await newest()).not.toBe(at(json, 'id'));
		sandbox.clock.advance(500);
		expect(await newest()).toBe(at(json, 'id'));
		sandbox.clock.resume();
		sandbox.clock.setOffset(0);
	});
});

describe('the README says of each', () => {
	const readme = readFileSync(new URL('../../sandbox/README.md', import.meta.url), 'utf8');
	const rows = readme.split('\n').map((line) => line.replace(/ +/g, ' '));
	const whatFor = (cells: string) =>
		rows.find((line) => line.startsWith(`| ${cells} | `))?.slice(`| ${cells} | `.length);

	it.each(Object.entries(SETTINGS))('setting %s', (name, setting) => {
		const shown = valuesOf(setting)
			.map((value) => `\`${String(value)}\``)
			.join(' · ');
		expect(whatFor(`\`${name}\` | ${shown}`)).toMatch(/^\w/);
	});

	it.each(Object.keys(FAULTS))('fault %s', (name) => {
		expect(whatFor(`\`${name}\``)).toMatch(/^\w/);
	});
});
