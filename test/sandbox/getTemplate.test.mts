import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { at, get, list, pluck } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo' });
});
afterAll(() => sandbox.close());

const idOf = (identifier: string) => sandbox.store.findTemplate(null, identifier)?.id ?? '';
const read = async (path: string, key?: string | null) =>
	get(sandbox, `/v1/templates/${path}`, key);

describe('finding a template', () => {
	it.each(['SITE-SAFETY', 'site-safety', 'Site-Safety'])('by identifier %s', async (identifier) => {
		const { status, json } = await read(identifier);
		expect(status).toBe(200);
		expect(at(json, 'name')).toBe('Site safety walk');
	});

	it('by GUID in any case, with and without dashes', async () => {
		const id = idOf('SITE-SAFETY');
		for (const text of [id, id.toUpperCase(), id.replaceAll('-', '')]) {
			expect(at((await read(text)).json, 'id')).toBe(id);
		}
	});

	it('with slashes, colons, quotes and umlauts in its identifier', async () => {
		const { json } = await read(encodeURIComponent('äöü/1: "X"'));
		expect(at(json, 'template_id')).toBe('ÄÖÜ/1: "x"');
	});

	it('gives each organization its own template of the same identifier', async () => {
		const north = await read('SITE-SAFETY', sandbox.keys.north);
		const south = await read('SITE-SAFETY', sandbox.keys.south);
		expect(at(south.json, 'name')).toBe('Rundgang');
		expect(at(south.json, 'id')).not.toBe(at(north.json, 'id'));
	});

	it('also when it is unpublished or disabled', async () => {
		expect((await read('DRAFT')).status).toBe(200);
		expect((await read('OLD-FORM')).status).toBe(200);
	});
});

describe('fields', () => {
	it('are those of the template object, timestamps in ISO 8601 UTC', async () => {
		const { json } = await read('SITE-SAFETY');
		expect(json).toEqual({
			id: idOf('SITE-SAFETY'),
			name: 'Site safety walk',
			template_id: 'SITE-SAFETY',
			description: 'Weekly walk over a construction site',
			created_at: '2025-01-06T07:00:00.000Z',
			created_by: { id: expect.any(String), name: 'Nora North', email: 'nora@north.example' },
			updated_at: '2025-01-06T07:00:00.000Z',
			updated_by: { id: expect.any(String), name: 'Nora North', email: 'nora@north.example' },
			team: { id: sandbox.tenants.north.teams[0]?.id, name: 'Site Safety' },
		});
	});

	it.each(['data', 'all', 'x,data', 'all,data', 'x&includes=data', '&includes[]=all'])(
		'have data with includes=%s',
		async (includes) => {
			const { json } = await read(`SITE-SAFETY?includes=${includes}`);
			expect(at(json, 'data.control_count')).toBe(list(json, 'data.controls').length);
		},
	);

	it.each(['', '?includes=', '?includes=files', '?includes=datax'])(
		'have no data with %s',
		async (query) => {
			expect(at((await read(`SITE-SAFETY${query}`)).json, 'data')).toBeUndefined();
		},
	);
});

describe('controls', () => {
	it('hang together by parent_id and children, with paths of labels', async () => {
		const { json } = await read('DEEP-NEST?includes=data');
		const controls = list(json, 'data.controls');
		const byId = new Map(controls.map((control) => [at(control, 'id'), control]));
		for (const control of controls) {
			expect(at(control, 'children_count')).toBe(list(control, 'children').length);
			for (const child of list(control, 'children')) {
				expect(at(byId.get(child), 'parent_id')).toBe(at(control, 'id'));
			}
			const parent = byId.get(at(control, 'parent_id'));
			const above = parent === undefined ? '' : `${String(at(parent, 'path'))}/`;
			expect(at(control, 'path')).toBe(`${above}${String(at(control, 'label'))}`);
		}
		expect(pluck(json, 'data.controls', 'path')).toContain('Building/Floors/Air/Quality/CO2');
	});

	it('carry options by their type, and an empty object without any', async () => {
		const { json } = await read('EVERY-TYPE?includes=data');
		const options = Object.fromEntries(
			list(json, 'data.controls').map((control) => [at(control, 'label'), at(control, 'options')]),
		);
		expect(options).toMatchObject({
			Line: { is_required: true, is_multiline: false, placeholder: 'One line' },
			Verdict: { is_required: true, choices: ['Pass', 'Fail', 'N/A'] },
			Tools: { choices: ['Hammer', 'Saw', 'Drill'] },
			Moment: { show_time: true },
			Reading: {},
			Photos: {},
		});
	});

	it('mark repeatable sections', async () => {
		const { json } = await read('SITE-SAFETY?includes=data');
		const hazards = list(json, 'data.controls').find(
			(control) => at(control, 'label') === 'Hazards',
		);
		expect(at(hazards, 'options')).toEqual({ is_repeatable: true });
	});

	it('can be 900, and none', async () => {
		expect(at((await read('BIG-900?includes=data')).json, 'data.control_count')).toBe(900);
		expect(at((await read('EMPTY?includes=data')).json, 'data')).toEqual({
			control_count: 0,
			controls: [],
		});
	});

	it('have field ids that are unique inside their template', async () => {
		for (const identifier of ['BIG-900', '%C3%84%C3%96%C3%9C%2F1:%20%22x%22', 'EVERY-TYPE']) {
			const ids = pluck(
				(await read(`${identifier}?includes=data`)).json,
				'data.controls',
				'field_id',
			);
			expect(new Set(ids).size).toBe(ids.length);
		}
	});
});

describe('errors', () => {
	it.each(['', '%20', '?includes=data'])('400 without an identifier (%s)', async (path) => {
		const { status, json } = await read(path);
		expect(status).toBe(400);
		expect(json).toEqual({
			code: 400,
			message: expect.stringContaining('Invalid parameter value'),
		});
	});

	it('400 for an address that cannot be decoded', async () => {
		expect(await read('%zz')).toMatchObject({ status: 400, json: { code: 400 } });
	});

	it.each([
		['an unknown identifier', 'NO-SUCH'],
		['an unknown GUID', '00000000-0000-4000-8000-000000000000'],
		['a deleted template', 'GONE'],
		["another organization's identifier", 'KITCHEN-CHECK'],
		['more than 20 characters', 'x'.repeat(2000)],
	])('404 for %s', async (_what, path) => {
		const { status, json } = await read(path);
		expect(status).toBe(404);
		expect(json).toEqual({ code: 404, message: 'Template not found' });
	});

	it("404 for another organization's GUID", async () => {
		expect((await read(idOf('KITCHEN-CHECK'))).status).toBe(404);
		expect((await read(idOf('BIG-900'), sandbox.keys.south)).status).toBe(404);
	});

	it('500 in the document’s words', async () => {
		const fault = sandbox.faults.add({
			do: {
				kind: 'run',
				run: () => {
					throw new Error('secret detail');
				},
			},
		});
		const { status, json } = await read('SITE-SAFETY');
		fault.remove();
		expect(status).toBe(500);
		expect(json).toEqual({ code: 500, message: 'Internal server error, try again later' });
	});

	it('keep their shape whatever the setting for the other operations', async () => {
		sandbox.settings.errorBody = 'html';
		const { json } = await read('NO-SUCH');
		sandbox.settings.errorBody = 'codeMessage';
		expect(json).toEqual({ code: 404, message: 'Template not found' });
	});
});
