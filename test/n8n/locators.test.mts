import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import { loadOptionsContext } from '#harness/inspectionNodes.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ data: 'empty' });
	return async () => {
		await sandbox.close();
	};
});

interface Question {
	filter?: string;
	token?: string;
	parameters?: INodeParameters;
}

async function search(method: string, { filter, token, parameters = {} }: Question = {}) {
	const { context, nodeType } = await loadOptionsContext({
		parameters,
		credential: { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
	});
	const ask = nodeType.methods?.listSearch?.[method];
	if (ask === undefined) throw new Error(`no ${method}`);
	return await ask.call(context, filter, token);
}

const templates = async (question?: Question) => await search('searchTemplates', question);
const namesOf = ({ results }: { results: { name: string }[] }) => results.map(({ name }) => name);

function used(name: string, inspections: number, identifier?: string): string {
	const { id } = sandbox.store.addTemplate({
		name,
		controls: [],
		...(identifier === undefined ? {} : { identifier }),
	});
	for (let n = 0; n < inspections; n++) sandbox.store.addInspection({ template: id });
	return id;
}

/** Every entry, scrolled to the end; with a token those that follow. */
async function all(method: string, from?: string): Promise<unknown[]> {
	const found: unknown[] = [];
	let token = from;
	do {
		const turn = await search(method, token === undefined ? {} : { token });
		found.push(...turn.results.map(({ value }) => value));
		token = turn.paginationToken as string | undefined;
	} while (token !== undefined);
	return found;
}

describe('the list of templates', () => {
	test('has them by their newest inspection, each once, with its identifier', async () => {
		const early = used('Early', 3, 'EARLY-1');
		const late = used('Late', 2, 'LATE-1');
		sandbox.store.addInspection({ template: early });
		sandbox.settings.templateShape = 'full';
		expect((await templates()).results).toEqual([
			{ name: 'Early (EARLY-1)', value: early },
			{ name: 'Late (LATE-1)', value: late },
		]);
		sandbox.settings.templateShape = 'idName';
		expect(namesOf(await templates())).toEqual(['Early', 'Late']);
		for (const shape of ['idOnly', 'idString'] as const) {
			sandbox.settings.templateShape = shape;
			expect(namesOf(await templates())).toEqual([early, late]);
		}
	});

	test('is searched by name and identifier without regard to case', async () => {
		used('Fire door', 1, 'FD-1');
		used('Roof', 1, 'RF-1');
		sandbox.settings.templateShape = 'full';
		expect(namesOf(await templates({ filter: 'rOO' }))).toEqual(['Roof (RF-1)']);
		expect(namesOf(await templates({ filter: 'fd-' }))).toEqual(['Fire door (FD-1)']);
	});

	test('offers a template that was never used by its identifier', async () => {
		used('Fire door', 1);
		const unused = used('Boiler', 0, 'BOILER-7');
		expect((await templates({ filter: 'boiler-7' })).results).toEqual([
			{ name: 'Boiler (BOILER-7)', value: unused },
		]);
		expect(namesOf(await templates({ filter: 'boiler' }))).toEqual([
			'No template matching "boiler" in recent inspections: choose "By ID" or "By Identifier"',
		]);
	});

	test('does not ask for a text that is no identifier, and shows no error for one', async () => {
		used('Fire door', 1);
		const noneFor = async (filter: string) => {
			expect(namesOf(await templates({ filter }))[0]).toMatch(/^No template matching/);
			return sandbox.requests.count('getTemplate');
		};
		expect(await noneFor('..')).toBe(0);
		expect(await noneFor('x'.repeat(21))).toBe(0);
		expect(await noneFor('x'.repeat(20))).toBe(1);
		expect(await noneFor('3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f')).toBe(2);
	});

	test('has every template of 3,000 inspections by scrolling, none twice', async () => {
		const ids = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => used(name, 500));
		expect(await all('searchTemplates')).toEqual(ids.reverse());
	});

	test('a search goes on to the last of 3,000 inspections in one answer', async () => {
		sandbox.settings.templateShape = 'idName';
		used('Old one', 1);
		used('New one', 3000);
		expect(namesOf(await templates({ filter: 'old' }))).toEqual(['Old one']);
	});

	test.each([1, 3, 7])('is whole where the service puts only %i on a page', async (cap) => {
		sandbox.settings.pageCap = cap;
		const ids = ['A', 'B', 'C'].map((name) => used(name, 7));
		expect(await all('searchTemplates')).toEqual(ids.reverse());
	});

	test('is whole where the service puts fewer on a page while the user scrolls', async () => {
		sandbox.settings.pageCap = 20;
		const ids = Array.from({ length: 40 }, (_, place) => used(`T${String(place)}`, 1));
		const { results, paginationToken } = await templates();
		sandbox.settings.pageCap = 7;
		const rest = await all('searchTemplates', String(paginationToken));
		const found = [...results.map(({ value }) => value), ...rest];
		expect(found.toSorted()).toEqual(ids.toSorted());
	});

	test('that is empty says why and points to the other modes', async () => {
		expect((await templates()).results).toEqual([
			{
				name: 'No inspections yet, so no templates to list: choose "By ID" or "By Identifier"',
				value: '',
			},
		]);
	});
});

test('the list of teams has those of inspections and of templates', async () => {
	const id = used('Roof', 3);
	const team = sandbox.store.findTemplate(null, id)?.teamId ?? '';
	const name = sandbox.store.teams.get(team)?.name ?? '';
	expect((await search('searchTeams')).results).toEqual([{ name, value: team }]);
	expect(namesOf(await search('searchTeams', { filter: 'zzz' }))[0]).toContain('No team matching');
});

describe('the lists of inspections and files', () => {
	const filesOf = async (value: string, filter?: string) =>
		await search('searchFiles', {
			...(filter === undefined ? {} : { filter }),
			parameters: { inspectionId: { __rl: true, mode: 'list', value } },
		});

	test('inspections go by their name, status and day, and are found by their template', async () => {
		const template = used('Roof', 0);
		const { id } = sandbox.store.addInspection({ template, name: 'Gate 4', status: 'in_progress' });
		const { results } = await search('searchInspections', { filter: 'roof' });
		expect(results).toEqual([
			{ name: expect.stringMatching(/^Gate 4 \(in progress, \d{4}-\d\d-\d\d\)$/), value: id },
		]);
	});

	test('files are those of the chosen inspection', async () => {
		const template = used('Roof', 0);
		const file = { name: 'photo.jpg', kind: 'image' } as const;
		const { id, files } = sandbox.store.addInspection({ template, files: [file] });
		const bare = sandbox.store.addInspection({ template });
		const [added] = files;
		const entry = { name: 'photo.jpg (image)', value: added?.id };
		expect((await filesOf(id)).results).toEqual([entry]);
		expect((await filesOf(id.toUpperCase(), 'PHOTO')).results).toEqual([entry]);
		expect((await filesOf(bare.id)).results).toEqual([
			{ name: 'This inspection has no files', value: '' },
		]);
		sandbox.settings.fileShape = 'idOnly';
		expect(namesOf(await filesOf(id))).toEqual([added?.id]);
		for (const unknown of ['', '={{ $json.id }}']) {
			expect(namesOf(await filesOf(unknown))[0]).toContain('Choose the inspection first');
		}
	});

	test('files are looked for in the last 2,500 inspections', async () => {
		const template = used('Roof', 0);
		const file = { name: 'photo.jpg', kind: 'image' } as const;
		const { id: early } = sandbox.store.addInspection({ template, files: [file] });
		for (let n = 0; n < 600; n++) sandbox.store.addInspection({ template });
		const { id } = sandbox.store.addInspection({ template, files: [file] });
		for (let n = 0; n < 2400; n++) sandbox.store.addInspection({ template });
		expect(namesOf(await filesOf(` ${id} `))).toEqual(['photo.jpg (image)']);
		sandbox.requests.clear();
		expect(namesOf(await filesOf(early))).toEqual([
			'The inspection is not among the last 2,500: choose "By ID"',
		]);
		expect(sandbox.requests.count()).toBe(26);
	});

	test('inspections are read as far as the dropdown needs, and are found by their ID', async () => {
		const template = used('Roof', 0);
		const { id } = sandbox.store.addInspection({ template, name: 'First' });
		for (let n = 0; n < 300; n++) sandbox.store.addInspection({ template });
		const { results, paginationToken } = await search('searchInspections');
		expect([results.length, typeof paginationToken]).toEqual([100, 'string']);
		expect(sandbox.requests.count()).toBe(1);
		expect((await search('searchInspections', { filter: id.toUpperCase() })).results).toEqual([
			{ name: expect.stringMatching(/^First/) as string, value: id },
		]);
	});
});

/** What a name must not have: it is one line that everybody reads in the same direction. */
const UNCLEAN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const HOSTILE = 'Gate\u202egpj.exe\u001b[2J\nsecond\u200bline\u0000';

describe('a name from the service is one clean line in every list', () => {
	test.each([
		['what is not seen', HOSTILE, 'Gate gpj.exe [2J second line'],
		['its length', 'x'.repeat(5_000), `${'x'.repeat(199)}…`],
		['a pair that the cut would halve', '😀'.repeat(300), `${'😀'.repeat(99)}…`],
	])('without %s', async (_, name, expected) => {
		sandbox.settings.templateShape = 'full';
		const file = { kind: 'image', name } as const;
		const { id, teamId } = sandbox.store.addTemplate({ name, controls: [] });
		const team = sandbox.store.teams.get(teamId);
		if (team !== undefined) sandbox.store.teams.set(teamId, { ...team, name });
		const inspection = sandbox.store.addInspection({ template: id, name, files: [file] });
		const parameters = {
			inspectionId: { __rl: true as const, mode: 'list', value: inspection.id },
		};
		for (const method of ['searchTemplates', 'searchTeams', 'searchInspections', 'searchFiles']) {
			const [found] = namesOf(await search(method, { parameters }));
			expect(found?.slice(0, 20)).toBe(expected.slice(0, 20));
			expect(found?.length).toBeLessThanOrEqual(200);
			expect(found).not.toMatch(UNCLEAN);
		}
	});

	test('also where it repeats what was typed', async () => {
		const filter = `${HOSTILE}${'y'.repeat(500)}`;
		const [found] = namesOf(await search('searchTeams', { filter }));
		expect(found).not.toMatch(UNCLEAN);
		expect(found).toMatch(/^No team matching "Gate gpj.*…".*choose "By ID"$/);
	});

	test('and is found as it is shown', async () => {
		used('Roof\ninspection', 1);
		expect(namesOf(await templates({ filter: 'roof insp' }))[0]).toMatch(/^Roof inspection /);
	});
});

test('what a list goes on with stays short, however many entries there were', async () => {
	const ids = Array.from({ length: 1_200 }, (_, n) => used(`Roof ${String(n)}`, 1));
	const lengths: number[] = [];
	const found: unknown[] = [];
	let token: string | undefined;
	do {
		const turn = await templates(token === undefined ? {} : { token });
		found.push(...turn.results.map(({ value }) => value));
		token = turn.paginationToken as string | undefined;
		lengths.push(token?.length ?? 0);
	} while (token !== undefined);
	expect(found.toSorted()).toEqual(ids.toSorted());
	expect(lengths.length).toBeGreaterThan(3);
	expect(Math.max(...lengths)).toBeLessThan(12 * ids.length);
});

test('inspections that move to a later page meanwhile are listed once', async () => {
	const template = used('Roof', 300);
	const first = await search('searchInspections');
	for (let n = 0; n < 30; n++) sandbox.store.addInspection({ template });
	const token = first.paginationToken as string;
	const second = await search('searchInspections', { token });
	const values = [...first.results, ...second.results].map(({ value }) => value);
	expect(new Set(values).size).toBe(values.length);
	expect(values).toHaveLength(300);
});
