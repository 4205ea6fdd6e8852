import { describe, expect, it } from 'vitest';

import { keptPart, renderCreated } from '#connector/actions/inspection/create/renderCreated.ts';
import {
	createdCells,
	type CreatedInspection,
	createdOf,
	lookedUpInspection,
	rawCreated,
} from '#connector/domain/create/createdInspection.ts';
import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { MemoryBudget } from '#connector/domain/memoryBudget.ts';
import { formWith } from '#harness/forms.mts';
import { control, guid, page, repeatable, text } from '#harness/generatedTemplate.mts';
import { createdInspection, requestOf, rowOf } from '#harness/madeOfRows.mts';

const NOTHING = { unstored_responses: [], changed_responses: [], unused_columns: [] };

describe('createdInspection', () => {
	const hazards = control('checkbox', 'Hazards', { choices: ['Fall', 'Dust'] });
	const damages = repeatable('Damage', control('number', 'Costs'));
	/** Field IDs: f2 Site · f3 Visitors · f4 Hazards · f5 Damage (repeatable) · f6 Costs */
	const FORM = formWith(
		page('Page', text('Site'), control('number', 'Visitors'), hazards, damages),
	);
	const damage = [{ Costs: 1 }, { Costs: 2 }];
	const given = rowOf({ f2: 'Gate 4', f3: '12', f4: ['Dust', 'Fall'], Damage: damage });
	const { sent } = requestOf(FORM, [given]);
	const stored = (items: JsonRecord[]): JsonRecord => ({ id: 'i', name: 'Walk', data: { items } });
	const all: JsonRecord[] = [
		{ field_id: 'f2', response: { value: 'Gate 4' } },
		{ template_control_id: guid(3).toUpperCase(), response: { value: '12.0' } },
		{ field_id: 'f4', response: { value: ['Fall', 'Dust'] }, repeat_section_order: 1 },
		{ field_id: 'f6', path: 'Page/Damage/Costs', response: { value: 1 } },
		{ field_id: 'f6', path: 'Page/Damage/Costs:2', response: { value: 2 } },
	];
	const unstored = (inspection: JsonRecord, answers = sent) =>
		createdInspection(inspection, answers).unstored_responses;

	it('has the same format for every format of the response', () => {
		const inspection = stored(all);
		const one = { inspection, warnings: [], ...NOTHING, already_existed: false };
		expect(createdInspection(inspection, sent)).toEqual({ ...one, task_id: null });
		const wrapped = { inspection, task_id: 't', warnings: null };
		expect(createdInspection(wrapped, sent)).toEqual({ ...one, task_id: 't' });
		expect(createdInspection({ ...inspection, warnings: 'w' }, sent).warnings).toEqual(['w']);
	});

	it.each<[JsonRecord, JsonRecord, string[]]>([
		[
			{ task: {} },
			{ task_id: null },
			['The service returned no task. Check in the service whether the task was created.'],
		],
		[{ task: {} }, { task_id: null, warnings: ['no assignee'] }, ['no assignee']],
		[{ task: {} }, { task_id: 't' }, []],
		[
			{ status: 'completed' },
			{},
			['The service stored the status "In Progress" instead of "completed".'],
		],
		[{ status: 'in_progress' }, {}, []],
	])('has for %j with the response %j the warnings %j', (body, facts, warnings) => {
		const answer = { inspection: { id: 'i', status: 'In Progress' }, ...facts };
		expect(createdOf(answer, { body, sent: [], unused: [] }).warnings).toEqual(warnings);
	});

	const one = { name: 'Walk', description: 'Line 1\r\nLine 2 ', locations: [{ a: 1 }, { a: 2 }] };
	const order = { name: 'Order', value: ' A-17 ' };
	const details: JsonRecord = { ...one, custom_fields: [order, { name: 'Note', value: '' }] };

	it.each<[string, JsonRecord, string[]]>([
		['are as they were sent', details, []],
		['are left out', {}, []],
		[
			'are trimmed, have other line breaks, more fields, and locations of another form',
			{
				name: 'Walk',
				description: 'Line 1\nLine 2',
				custom_fields: [
					{ name: 'Own', value: 'x' },
					{ name: 'Order', value: 'A-17' },
				],
				locations: ['Gate', 'Roof'],
			},
			[],
		],
		[
			'are replaced or empty',
			{ name: 'Site walk 7', description: null, custom_fields: [], locations: [{ a: 1 }] },
			[
				'The service stored the name "Site walk 7" instead of "Walk".',
				'The service did not store the description.',
				'The service did not store the custom field "Order".',
				'The service stored 1 of 2 locations.',
			],
		],
		[
			'are of another kind',
			{ name: {}, custom_fields: 'none', locations: null },
			[
				'The service stored the name {} instead of "Walk".',
				'The service did not store the custom field "Order".',
				'The service stored 0 of 2 locations.',
			],
		],
	])('has warnings if details in the response %s', (_, stored, warnings) => {
		expect(
			createdOf({ id: 'i', ...stored }, { body: details, sent: [], unused: [] }).warnings,
		).toEqual(warnings);
	});

	it('has one warning for the custom field of the unique key', () => {
		const key = 'K-1';
		const body = { custom_fields: [{ name: 'Unique key', value: 'K-1' }] };
		const warningsOf = (stored: JsonRecord) =>
			createdOf(stored, { body, sent: [], unused: [] }, key).warnings;
		expect(warningsOf(body)).toEqual([]);
		const lost = expect.stringMatching(
			/^The service did not store the unique key \(custom field "Unique key"\)/,
		);
		expect(warningsOf({})).toEqual([lost]);
		expect(warningsOf({ custom_fields: [] })).toEqual([lost]);
	});

	it('lists answers that are missing or different', () => {
		const changed = { field_id: 'f6', response: { value: 3 }, repeat_section_order: 2 };
		expect(unstored(stored([...all.slice(1, 4), changed]))).toEqual([
			{ label: 'Site', path: 'Page/Site', repeat_section_order: 1, value: 'Gate 4' },
			{ label: 'Costs', path: 'Page/Damage/Costs', repeat_section_order: 2, value: 2 },
		]);
	});

	it("doesn't match a stored answer to a different question if neither has a control ID", () => {
		const [site] = sent.map(({ question, ...answer }) => {
			return [{ ...answer, question: { ...question, controlId: '' } }];
		});
		const another = { field_id: 'other', response: { value: 'Gate 4' } };
		expect(unstored(stored([another]), site)).toMatchObject([{ label: 'Site' }]);
	});

	const nested = (depth: number): JsonValue =>
		JSON.parse(`${'['.repeat(depth)}"x"${']'.repeat(depth)}`);

	it.each<[string, JsonValue]>([
		['an object with its own toString', { toString: null, valueOf: null }],
		['a list of such', [{ toString: null }]],
		['190 lists in one another', nested(190)],
		['an object with its own toJSON', { toJSON: 'x' }],
	])("has its ID even if something can't be compared: %s", (_, value) => {
		const items = all.map((item) => ({ ...item, response: { value } }));
		const inspection = { ...stored(items), template: value };
		const made = createdInspection({ inspection, warnings: [value], task_id: value }, sent);
		const lengths = { warnings: { length: 1 }, unstored_responses: { length: 5 } };
		expect(made).toMatchObject({ inspection: { id: 'i' }, ...lengths });
		// n8n saves every output as JSON.
		expect(() => JSON.stringify(made)).not.toThrow();
	});

	it("has the text of each warning that isn't empty", () => {
		const large = { text: 'x'.repeat(4_000) };
		const warnings = ['', null, 'w', { code: 4 }, nested(1_000), large, nested(100_000)];
		expect(createdInspection({ warnings }, []).warnings).toEqual([
			'w',
			'{"code":4}',
			JSON.stringify(nested(1_000)),
			'a warning that is too large to show',
			'a warning that is too large to show',
		]);
	});

	it('reports the task like unstored answers as unknown for an inspection that was looked up', () => {
		const known = {
			already_existed: true,
			changed_responses: null,
			unused_columns: ['Nr'],
			warnings: ['w'],
		};
		const found = lookedUpInspection(stored(all), known);
		const unknown = { task_id: null, unstored_responses: null };
		expect(found).toEqual({ inspection: stored(all), ...known, ...unknown });
	});

	it('only counts answers as not stored if the response has data', () => {
		expect(unstored({ id: 'i', data: null })).toHaveLength(5);
		expect(unstored(stored([]))).toHaveLength(5);
		expect(unstored({ id: 'i' })).toBeNull();
		expect(unstored({ id: 'i' }, [])).toEqual([]);
	});
});

const site = { label: 'Site', value: 'Wet' };
const FACTS = { task_id: 't', warnings: [], ...NOTHING, already_existed: false };
const created = (more: Partial<CreatedInspection> = {}): CreatedInspection => ({
	inspection: {},
	...FACTS,
	...more,
});

const NO_TEXT = { warnings: '', unstored_responses: '', changed_responses: '', unused_columns: '' };
const sites = [1, 2, '2'].map((order) => ({ ...site, repeat_section_order: order }));

it.each<[string, CreatedInspection['unstored_responses'], string | null]>([
	['is empty text without any', [], ''],
	['has null if nothing is known', null, null],
	['names the instance from 2 on', sites, '"Site": "Wet"; "Site:2": "Wet"; "Site": "Wet"'],
])("the cell of answers that weren't stored %s", (_, unstored_responses, cell) => {
	const cells = { ...NO_TEXT, unstored_responses: cell };
	expect(createdCells(created({ unstored_responses }))).toEqual({ ...FACTS, ...cells });
});

it('the cell of changed answers shows both values', () => {
	const [first, second] = sites;
	const changed = [
		{ ...first, stored_value: 'Dry' },
		{ ...second, stored_value: null },
	];
	expect(createdCells(created({ changed_responses: changed })).changed_responses).toBe(
		'"Site": "Dry" → "Wet"; "Site:2": not answered → "Wet"',
	);
});

it('the cell of warnings is one line of 20, each cut to 300 characters', () => {
	const cellOf = (...warnings: string[]) => createdCells(created({ warnings })).warnings;
	expect(cellOf('a\nb', 'c')).toBe('a b; c');
	const cut = Array<string>(20).fill(`${'w'.repeat(299)}…`);
	expect(cellOf(...Array<string>(22).fill('w'.repeat(400)))).toBe(`${cut.join('; ')} and 2 more`);
});

it("a created inspection has flat fields that are empty if the service didn't send them", () => {
	const template = { id: 'p', name: 'Daily', team: { id: 'n', name: 'North' } };
	const named = { name: 'Walk', template: { id: 'p' }, team: { id: 'n' }, more: 'x' };
	const nothing = { id: '', name: '', status: '', template: '', team: '' };
	const facts = { task_id: 't', ...NO_TEXT, already_existed: false };
	const empty = { ...nothing, created_at: '', ...facts };
	const simplified = (one: CreatedInspection, template: JsonRecord) =>
		renderCreated({ created: one, template }, 'simplified');
	expect(simplified(created(), {})).toEqual(empty);
	const flat = { name: 'Walk', template: 'Daily', team: 'North' };
	expect(simplified(created({ inspection: named }), template)).toEqual({ ...empty, ...flat });
});

it('the output Raw has the group before the members of the inspection', () => {
	const inspection = { id: 'i', more: 'x', group: 'own', warnings: ['own'] };
	const raw = rawCreated(created({ inspection }), { group: 'A' });
	const facts = [
		'task_id',
		'warnings',
		'unstored_responses',
		'changed_responses',
		'unused_columns',
		'already_existed',
	];
	expect(Object.keys(raw)).toEqual(['id', 'name', 'status', ...facts, 'group', 'more']);
	expect(raw).toMatchObject({ id: 'i', task_id: 't', warnings: [], group: 'A', more: 'x' });
});

describe('the part of a response that is kept until the execution ends', () => {
	const created = createdInspection(
		{ id: 'i', name: 'Roof', status: 'new', pad: 'x'.repeat(10_000), warnings: ['Late'] },
		[],
	);
	const facts = {
		task_id: null,
		warnings: ['Late'],
		...NOTHING,
		already_existed: false,
	};

	it('is what the output shows', () => {
		expect(keptPart(created, 'raw', new MemoryBudget(''))).toBe(created);
		const kept = keptPart(created, 'simplified', new MemoryBudget('', 5_000));
		const inspection = { id: 'i', name: 'Roof', status: 'new' };
		expect(kept).toMatchObject({ inspection, ...facts });
		expect(kept.inspection).not.toHaveProperty('pad');
	});

	it("is only the inspection's identity if all parts together take too much memory, with a warning", () => {
		const { warnings, ...kept } = keptPart(created, 'raw', new MemoryBudget('', 9_000));
		const { warnings: told, ...others } = facts;
		expect(kept).toEqual({
			inspection: { id: 'i', name: 'Roof', status: 'new', template_id: null, created_at: null },
			...others,
		});
		expect(warnings).toEqual([
			...told,
			expect.stringContaining('only the ID and name of this inspection'),
		]);
	});

	it('is short for any response if all together take too much memory', () => {
		const long = 'x'.repeat(10_000);
		const hostile = createdInspection(
			{ id: 'i', name: long, status: long, task_id: long, warnings: Array<string>(999).fill(long) },
			[],
		);
		const kept = keptPart(hostile, 'simplified', new MemoryBudget('', 9_000));
		expect(JSON.stringify(kept).length).toBeLessThan(1_000);
	});
});
