/** Tests the editor's lists of templates, teams, inspections, and files. */
import { describe, expect, test } from 'vitest';

import { MAX_PAGE_SIZE } from '#connector/domain/list/inspectionQuery.ts';
import { searchList } from '#harness/inspectionNodes.mts';
import { COUNTS_REQUESTS, sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';

const { sandbox, credential } = await sandboxForTests();

/** The note at the end of a long list. The node reads 1,000 inspections, or more if the last page goes beyond that. */
const ONLY_LAST = /^Only the last 1,0\d\d inspections were searched$/;
const BY_ID_OR_IDENTIFIER = "choose 'By ID' or 'By Identifier'";

async function search(method: string, filter?: string, token?: string, chosen = '') {
	const parameters = { inspectionId: { __rl: true, mode: 'list', value: chosen } as const };
	const asked = { parameters, credential };
	const { results, paginationToken } = await searchList(asked, method, { filter, token });
	return { results, names: results.map(({ name }) => name), token: paginationToken as string };
}

const templates = async (filter?: string) => await search('searchTemplates', filter);
const filesOf = async (inspection: string, filter = '') =>
	await search('searchFiles', filter, undefined, inspection);

function used(name: string, inspections: number, identifier?: string): string {
	const known = identifier === undefined ? {} : { identifier };
	const { id } = sandbox.store.addTemplate({ name, controls: [], ...known });
	addMany(id, inspections);
	return id;
}

/** Adds inspections of a template, one second apart. */
function addMany(template: string, count: number): void {
	for (let n = 0; n < count; n++) {
		sandbox.clock.advance(1_000);
		sandbox.store.addInspection({ template });
	}
}

/** Returns the values that a user sees who scrolls to the end of the list: n8n shows each value once. */
async function all(method: string, token?: string): Promise<Set<unknown>> {
	const { results, token: next } = await search(method, undefined, token);
	const values = results.map(({ value }) => value);
	return new Set(next === undefined ? values : [...values, ...(await all(method, next))]);
}

describe('the list of templates', () => {
	test("explains why it's empty, with a suggestion of the other modes", async () => {
		const name = "No inspections yet: choose 'By ID' or 'By Identifier'";
		expect((await templates()).results).toEqual([{ name, value: '' }]);
	});

	test('is sorted by newest inspection, without duplicates, with identifiers', async () => {
		const early = used('Early', 3, 'EARLY-1');
		const late = used('Late', 2, 'LATE-1');
		sandbox.store.addInspection({ template: early });
		sandbox.settings.templateShape = 'full';
		expect((await templates()).results).toEqual([
			{ name: 'Early (EARLY-1)', value: early },
			{ name: 'Late (LATE-1)', value: late },
		]);
		sandbox.settings.templateShape = 'idName';
		expect((await templates()).names).toEqual(['Early', 'Late']);
		for (const shape of ['idOnly', 'idString'] as const) {
			sandbox.settings.templateShape = shape;
			expect((await templates()).names).toEqual([early, late]);
		}
	});

	test('finds templates by displayed name or identifier, regardless of case', async () => {
		used('Fire door', 1, 'FD-1');
		used('Roof\ninspection', 1, 'RF-1');
		sandbox.settings.templateShape = 'full';
		expect((await templates('rOOF insp')).names).toEqual(['Roof inspection (RF-1)']);
		expect((await templates('fd-')).names).toEqual(['Fire door (FD-1)']);
	});

	test('offers a template without inspections by its identifier', async () => {
		used('Fire door', 1);
		const unused = used('Boiler', 0, 'BOILER-7');
		const name = 'Boiler (BOILER-7)';
		expect((await templates('boiler-7')).results).toEqual([{ name, value: unused }]);
		used('Old boiler', 2, 'BOILER-77');
		expect((await templates('boiler-7')).names).toEqual([name, 'Old boiler (BOILER-77)']);
		expect((await templates('oiler')).names).toEqual(['Old boiler (BOILER-77)']);
		expect((await templates('boiler-9')).names).toEqual([
			'No template matches "boiler-9"',
			'Searched: recent inspections',
			`Otherwise, ${BY_ID_OR_IDENTIFIER}`,
		]);
	});

	test('requests a template only if the text can be an identifier', async () => {
		used('Fire door', 1);
		const asked = ['x'.repeat(20), '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'];
		for (const typed of ['..', 'x'.repeat(21), ...asked]) {
			sandbox.requests.clear();
			expect((await templates(typed)).names[0]).toMatch(/^No template matches/);
			expect(sandbox.requests.count('getTemplate'), typed).toBe(asked.includes(typed) ? 1 : 0);
		}
	});

	test('has every template of the last 1,000 inspections once, with a note that it ends there', async () => {
		sandbox.settings.templateShape = 'idName';
		const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => used(name, 200));
		const { results, token } = await templates();
		expect(results).toEqual([
			...ids
				.slice(1)
				.reverse()
				.map((value) => ({ name: expect.any(String) as unknown, value })),
			{ name: expect.stringMatching(ONLY_LAST) as unknown, value: '' },
			{ name: `For others, ${BY_ID_OR_IDENTIFIER}`, value: ' ' },
		]);
		expect(token).toBeUndefined();
		if (COUNTS_REQUESTS) expect(sandbox.requests.count()).toBe(11);
		expect((await templates('g')).names[0]).toBe('G');
		const missing = await templates('boiler');
		expect(missing.names).toEqual([
			'No template matches "boiler"',
			expect.stringMatching(/^Searched: the last 1,0\d\d inspections$/),
			`Otherwise, ${BY_ID_OR_IDENTIFIER}`,
		]);
		expect(missing.token).toBeUndefined();
	});

	test('explains how to choose a template whose ID is not a GUID', async () => {
		const template = { id: 'tpl-1', name: 'Roof', template_id: 'ROOF-1' };
		const body = { data: [{ id: 'i1', updated_at: '2026-05-01T10:00:00Z', template }] };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
		const lines = ['1 template is left out: not a GUID as ID', "For these, choose 'By Identifier'"];
		expect((await templates()).names).toEqual(lines);
	});

	test('has the templates up to an inspection without a time, with a note that there are more', async () => {
		const id = used('Roof', 3);
		const data = Array.from({ length: MAX_PAGE_SIZE }, (_, n) => ({
			id: `i${String(n)}`,
			template: { id, name: 'Roof' },
		}));
		const body = { data };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
		expect((await templates()).names).toEqual([
			'Roof',
			`Only the last ${String(MAX_PAGE_SIZE)} inspections were searched`,
			`For others, ${BY_ID_OR_IDENTIFIER}`,
		]);
	});

	test('is complete if the service returns smaller pages than requested', async () => {
		sandbox.settings.pageCap = 7;
		const ids = Array.from({ length: 40 }, (_, index) => used(`T${String(index)}`, 1));
		const { results } = await templates();
		expect(results.map(({ value }) => value).toSorted()).toEqual(ids.toSorted());
	});
});

test('the list of teams has the team of each inspection or template', async () => {
	const id = used('Roof', 3);
	const team = sandbox.store.findTemplate(null, id)?.teamId ?? '';
	const name = sandbox.store.teams.get(team)?.name ?? '';
	expect((await search('searchTeams')).results).toEqual([{ name, value: team }]);
	expect((await search('searchTeams', 'zzz')).names[0]).toBe('No team matches "zzz"');
	const south = { id: id.toUpperCase(), name: 'South' };
	const teams = [south, { id: '={{ $json }}', name: 'North' }, { id: 'N', name: 'North' }];
	const data = teams.map((one, n) => ({ id: `i${String(n)}`, template: { team: one } }));
	const once: Fault = { kind: 'body', body: { data } };
	sandbox.faults.add({ on: { operation: 'listInspections' }, times: 2, do: once });
	expect((await search('searchTeams')).results).toEqual([
		{ name: 'South', value: id },
		{ name: '2 teams are left out: not a GUID as ID', value: '' },
	]);
});

describe('the list of inspections', () => {
	test('finds a named inspection by template or ID', async () => {
		const template = used('Roof', 0);
		const { id } = sandbox.store.addInspection({ template, name: 'Gate 4', status: 'in_progress' });
		for (let n = 0; n < 300; n++) used('Door', 1);
		const name = expect.stringMatching(
			/^Gate 4 \(in progress, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/,
		) as unknown;
		for (const filter of ['roof', id.toUpperCase()]) {
			expect((await search('searchInspections', filter)).results).toEqual([{ name, value: id }]);
		}
	});

	test('is read only as far as the dropdown needs it', async () => {
		used('Roof', 900);
		const { results } = await search('searchInspections');
		expect(results).toHaveLength(100);
		expect(sandbox.requests.count()).toBe(1);
		sandbox.requests.clear();
		expect((await all('searchInspections')).size).toBe(900);
		expect(sandbox.requests.count()).toBeLessThanOrEqual(11);
	});
});

describe('the list of files', () => {
	const file = { name: 'photo.jpg', kind: 'image' } as const;

	test('has the files of the chosen inspection', async () => {
		const template = used('Roof', 0);
		const { id, files } = sandbox.store.addInspection({ template, files: [file, file] });
		const bare = sandbox.store.addInspection({ template });
		const values = files.map(({ id: value }) => value);
		const names = ['photo.jpg (image)', 'photo (2).jpg (image)'];
		const entries = values.map((value, index) => ({ name: names[index], value }));
		expect((await filesOf(id)).results).toEqual(entries);
		expect((await filesOf(`{${id.toUpperCase()}}`, 'PHOTO')).results).toEqual(entries);
		expect((await filesOf(bare.id)).names).toEqual(['This inspection has no files']);
		sandbox.settings.fileShape = 'idOnly';
		expect((await filesOf(id)).names).toEqual(values);
		for (const unknown of ['', '={{ $json.id }}']) {
			expect((await filesOf(unknown)).names[0]).toContain('Choose the inspection first');
		}
	});

	test('searches the last 1,000 inspections for the chosen inspection', async () => {
		const template = used('Roof', 0);
		const { id: early } = sandbox.store.addInspection({ template, files: [file] });
		addMany(template, 600);
		const { id } = sandbox.store.addInspection({ template, files: [file] });
		addMany(template, 900);
		expect((await filesOf(` ${id} `)).names).toEqual(['photo.jpg (image)']);
		sandbox.requests.clear();
		const missing = ["The inspection isn't among the recent ones", "Choose 'By ID'"];
		expect((await filesOf(early)).names).toEqual(missing);
		if (COUNTS_REQUESTS) expect(sandbox.requests.count()).toBe(11);
	});
});
