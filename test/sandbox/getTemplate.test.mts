import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { at, get, list, pluck } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const idOf = (identifier: string) => sandbox.store.findTemplate(null, identifier)?.id ?? '';
const read = (path: string, key = sandbox.keys.north) => get(sandbox, `/v1/templates/${path}`, key);

describe('a template is found', () => {
	const id = idOf('SITE-SAFETY');

	it.each([
		['its identifier in any case', 'site-Safety'],
		['its GUID', id],
		['its GUID in capitals', id.toUpperCase()],
		['its GUID without dashes', id.replaceAll('-', '')],
	])('by %s', async (_what, reference) => {
		const { status, json } = await read(reference);
		expect([status, at(json, 'id')]).toEqual([200, id]);
	});

	it('by an identifier with slashes, colons, quotes and umlauts', async () => {
		const { json } = await read(encodeURIComponent('äöü/1: "X"'));
		expect(at(json, 'template_id')).toBe('ÄÖÜ/1: "x"');
	});

	it('in the key’s organization, which may have the identifier of another’s', async () => {
		const { json } = await read('SITE-SAFETY', sandbox.keys.south);
		expect(at(json, 'name')).toBe('Rundgang');
	});

	it.each(['DRAFT', 'OLD-FORM'])('where it is not published or disabled: %s', async (name) => {
		expect((await read(name)).status).toBe(200);
	});
});

it.each([
	['', false],
	['?includes=files', false],
	['?includes=data', true],
	['?includes=x,all', true],
	['?includes=x&includes=data', true],
])('a template has its controls with "%s": %j', async (query, isThere) => {
	const { json } = await read(`SITE-SAFETY${query}`);
	expect(at(json, 'data.control_count')).toBe(
		isThere ? list(json, 'data.controls').length : undefined,
	);
});

describe('controls', () => {
	const controlsOf = async (identifier: string) =>
		list((await read(`${identifier}?includes=data`)).json, 'data.controls');

	it('hang together by parent_id and children, with paths of labels', async () => {
		const controls = await controlsOf('DEEP-NEST');
		const byId = new Map(controls.map((control) => [at(control, 'id'), control]));
		for (const control of controls) {
			const children = list(control, 'children');
			expect(at(control, 'children_count')).toBe(children.length);
			for (const child of children) {
				expect(at(byId.get(child), 'parent_id')).toBe(at(control, 'id'));
			}
		}
		expect(pluck(controls, '', 'path')).toContain('Building/Floors/Air/Quality/CO2');
	});

	it('have the options of their type, and none where the type has none', async () => {
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
});

describe('a template is', () => {
	const message = 'Template not found';

	it.each(['', '%20', '?includes=data'])('a 400 without an identifier (%s)', async (path) => {
		expect(await read(path)).toMatchObject({
			status: 400,
			json: { code: 400, message: expect.stringContaining('Invalid parameter value') },
		});
	});

	it.each([
		['an unknown identifier', 'NO-SUCH'],
		['an unknown GUID', '00000000-0000-4000-8000-000000000000'],
		['a deleted template', 'GONE'],
		['the identifier of another organization', 'KITCHEN-CHECK'],
		['the GUID of another organization', idOf('KITCHEN-CHECK')],
		['more than 20 characters', 'x'.repeat(2000)],
	])('a 404 for %s', async (_what, path) => {
		expect(await read(path)).toMatchObject({ status: 404, json: { code: 404, message } });
	});

	it('a 500 without a word of what is inside', async () => {
		const run = () => {
			throw new Error('secret detail');
		};
		sandbox.faults.add({ do: { kind: 'run', run } });
		const { status, json } = await read('SITE-SAFETY');
		expect(status).toBe(500);
		expect(json).toEqual({ code: 500, message: 'Internal server error, try again later' });
	});
});
