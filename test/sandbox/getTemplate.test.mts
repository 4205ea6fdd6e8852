import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { at, get, list, pluck } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const idOf = (identifier: string) => sandbox.store.findTemplate(null, identifier)?.id ?? '';
const read = (path: string, key = sandbox.keys.north) => get(sandbox, `/v1/templates/${path}`, key);

describe('a template is found', () => {
	const id = idOf('SITE-SAFETY');

	it.each(['site-Safety', id, id.toUpperCase(), id.replaceAll('-', '')])(
		'by %s',
		async (reference) => {
			expect(await read(reference)).toMatchObject({ status: 200, json: { id } });
		},
	);

	it('by an identifier with special characters', async () => {
		const { json } = await read(encodeURIComponent('äöü/1: "X"'));
		expect(at(json, 'template_id')).toBe('ÄÖÜ/1: "x"');
	});

	it('in the key’s organization, even if another organization has the same identifier', async () => {
		const { json } = await read('SITE-SAFETY', sandbox.keys.south);
		expect(at(json, 'name')).toBe('Rundgang');
	});

	it.each(['DRAFT', 'OLD-FORM'])("if it's unpublished or disabled: %s", async (name) => {
		expect((await read(name)).status).toBe(200);
	});
});

it.each([
	['', false],
	['?includes=files', false],
	['?includes=data', true],
	['?includes=x,all', true],
	['?includes=x&includes=data', true],
])('a template has its controls if requested by "%s": %j', async (query, isThere) => {
	const { json } = await read(`SITE-SAFETY${query}`);
	expect(at(json, 'data.control_count')).toBe(
		isThere ? list(json, 'data.controls').length : undefined,
	);
});

const controlsOf = async (identifier: string) =>
	list((await read(`${identifier}?includes=data`)).json, 'data.controls');

it('controls are linked in both directions, by parent_id like by children', async () => {
	const controls = await controlsOf('DEEP-NEST');
	for (const control of controls) {
		const id = at(control, 'id');
		const inside = controls.filter((one) => at(one, 'parent_id') === id);
		expect(list(control, 'children')).toEqual(pluck(inside, '', 'id'));
		expect(at(control, 'children_count')).toBe(inside.length);
	}
	expect(pluck(controls, '', 'path')).toContain('Building/Floors/Air/Quality/CO2');
});

it('controls only have the options of their type', async () => {
	const controls = [...(await controlsOf('EVERY-TYPE')), ...(await controlsOf('SITE-SAFETY'))];
	const options = controls.map((control) => [at(control, 'label'), at(control, 'options')]);
	expect(Object.fromEntries(options)).toMatchObject({
		Line: { is_required: true, is_multiline: false, placeholder: 'One line' },
		Verdict: { is_required: true, choices: ['Pass', 'Fail', 'N/A'] },
		Tools: { choices: ['Hammer', 'Saw', 'Drill'] },
		Moment: { show_time: true },
		Reading: {},
		Hazards: { is_repeatable: true },
	});
});

describe('a template responds with', () => {
	it.each(['', '%20', '?includes=data'])('400 without an identifier (%s)', async (path) => {
		const json = { code: 400, message: expect.stringContaining('Invalid parameter value') };
		expect(await read(path)).toEqual({ status: 400, json });
	});

	it.each([
		['an unknown identifier', 'NO-SUCH'],
		['an unknown GUID', '00000000-0000-4000-8000-000000000000'],
		['a deleted template', 'GONE'],
		['the identifier of another organization', 'KITCHEN-CHECK'],
		['the GUID of another organization', idOf('KITCHEN-CHECK')],
		['more than 20 characters', 'x'.repeat(2000)],
	])('404 for %s', async (_what, path) => {
		const json = { code: 404, message: 'Template not found' };
		expect(await read(path)).toMatchObject({ status: 404, json });
	});

	it('500 without internal details', async () => {
		const run = () => {
			throw new Error('secret detail');
		};
		sandbox.faults.add({ do: { kind: 'run', run } });
		const json = { code: 500, message: 'Internal server error, try again later' };
		expect(await read('SITE-SAFETY')).toEqual({ status: 500, json });
	});
});
