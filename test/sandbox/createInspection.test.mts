import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { at, get, list, pluck, post } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const { north, south } = sandbox.tenants;

const templateOf = (identifier: string) => sandbox.store.findTemplate(null, identifier);
const create = (members: object = {}, key?: string) =>
	post(sandbox, { template_id: 'SITE-SAFETY', ...members }, key);
const dataOf = (items: unknown) => ({ item_type: 'question_response', items });

/** Returns an answer to the question that has this label in a template. */
function answer(identifier: string, label: string, value: unknown, order?: unknown) {
	const control = templateOf(identifier)?.controls.find((one) => one.label === label);
	return { template_control_id: control?.id, response: { value }, repeat_section_order: order };
}

/** Creates an inspection with these answers. Returns the stored answers as `[label, order, value]`. */
async function stored(template_id: string, items: readonly unknown[]) {
	const { status, json } = await create({ template_id, data: dataOf(items) });
	expect(status).toBe(200);
	return list(json, 'data.items').map((item) => [
		at(item, 'label'),
		at(item, 'repeat_section_order'),
		at(item, 'response.value'),
	]);
}

describe('a created inspection', () => {
	it('has the documented defaults with only a template', async () => {
		expect((await create()).json).toMatchObject({
			status: 'new',
			description: '',
			name: expect.stringMatching(/^Site safety walk \d{4}-\d\d-\d\dT/),
			team: { id: north.teams[0]?.id },
			created_by: { email: 'nora@north.example' },
			custom_fields: [],
			locations: [],
			shared_with_users: [],
			data: { item_type: 'question_response', items: [] },
		});
	});

	it('lists all given values', async () => {
		const team_id = north.teams[0]?.id;
		const kept = {
			name: 'Tower, week 12',
			description: 'Ärger',
			custom_fields: [{ name: 'Project', value: '7' }],
			locations: [{ name: 'Harbour', latitude: 1.5 }],
		};
		const { json } = await create({
			...kept,
			template_id: templateOf('SITE-SAFETY')?.id.toUpperCase(),
			team_id,
			status: 'In_Progress',
			created_by: 'LI.WEI@north.example',
			data: dataOf([{ field_id: 'site_name', response: { value: 'Tower' } }]),
		});
		const listed = await get(sandbox, '/v1/inspections?sort_order=desc&page_size=1&includes=data');
		for (const inspection of [json, at(listed.json, 'data.0')]) {
			expect(inspection).toMatchObject({
				...kept,
				team: { id: team_id },
				status: 'in_progress',
				created_by: { email: 'li.wei@north.example' },
				custom_fields_count: 1,
			});
			expect(pluck(inspection, 'data.items', 'path')).toEqual(['Site/Site name']);
		}
	});
});

const fields = [{ name: 'a', value: 'b' }, 'x', { name: 1 }];
it.each<[string, object, object]>([
	['a name and a status', { name: 7, status: {} }, { status: 'new' }],
	['a status that there is not', { status: 'open' }, { status: 'new' }],
	['custom fields', { custom_fields: fields }, { custom_fields: fields.slice(0, 1) }],
	["locations that aren't a list", { locations: 'here' }, { locations: [] }],
	['data that is text', { data: 'x' }, { data: { items: [] } }],
	["items that aren't a list", { data: dataOf('x') }, { data: { items: [] } }],
	['data without items', { data: dataOf(undefined) }, { data: { items: [] } }],
])(
	'a created inspection lacks malformed data, without an error: %s',
	async (_what, members, json) => {
		expect(await create(members)).toMatchObject({ status: 200, json });
	},
);

describe('an answer', () => {
	const line = (value: unknown) => answer('EVERY-TYPE', 'Line', value);

	it.each<[string, unknown[], unknown[]]>([
		['Line', ['', 'any text\nat all'], [5, null]],
		['Reading', [12.5, -3, '12.50', '1e3'], ['twelve', '', true]],
		['Verdict', ['N/A'], ['pass', ['Pass']]],
		['Tools', [['Saw'], ['Saw', 'Hammer']], ['Saw', ['Saw', 'Axe']]],
		['Colour', ['Red', ['Red']], ['Mauve', ['Red', 'Blue']]],
		['Colours', ['Red', ['Red', 'Blue']], [['Red', 'Mauve']]],
		['Day', ['2026-03-04', 'March 4, 2026'], ['someday', 20260304]],
		['Moment', ['2026-03-04T05:06:07.000Z'], ['soon']],
		['Place', ['Dock 3'], [{ name: 'Dock' }]],
		['Photos', [], ['x']],
		['Inspector signature', [], ['x']],
		['Asset tag', [], ['x']],
		['Pipes counted', [], ['3']],
		['Answerable', [], ['x']],
	])('to %s is stored for %j, but dropped for %j', async (label, good, bad) => {
		for (const value of good) {
			const kept = await stored('EVERY-TYPE', [answer('EVERY-TYPE', label, value)]);
			expect(kept).toEqual([[label, 1, value]]);
		}
		for (const value of bad) {
			const items = [answer('EVERY-TYPE', label, value), line('stays')];
			expect(await stored('EVERY-TYPE', items)).toEqual([['Line', 1, 'stays']]);
		}
	});

	it("is dropped if it's malformed", async () => {
		const { template_control_id, response } = line('x');
		const responses = [
			{},
			{ response: 'x' },
			{ response: {} },
			{ response, repeat_section_order: '1' },
		];
		const toLine = responses.map((malformed) => ({ template_control_id, ...malformed }));
		const items = ['text', null, { field_id: 'no such field', response }, ...toLine];
		expect(await stored('EVERY-TYPE', items)).toEqual([]);
	});

	it('goes to the control with its template_control_id, whatever its field_id is', async () => {
		const comment = { ...answer('SITE-SAFETY', 'Comments', 'x'), field_id: 'site_name' };
		const nowhere = { ...comment, template_control_id: templateOf('SITE-SAFETY')?.id };
		expect(await stored('SITE-SAFETY', [comment, nowhere])).toEqual([['Comments', 1, 'x']]);
	});
});

describe('repeat_section_order', () => {
	it("numbers a section's instances, but marks their paths only from the second on", async () => {
		const description = (order?: number) => answer('SITE-SAFETY', 'Description', 'x', order);
		const severity = answer('SITE-SAFETY', 'Severity', 'Low', 2);
		const { json } = await create({ data: dataOf([description(), severity, description(3)]) });
		expect(pluck(json, 'data.items', 'repeat_section_order')).toEqual([1, 2, 3]);
		expect(pluck(json, 'data.items', 'path')).toEqual([
			'Findings/Hazards/Description',
			'Findings/Hazards/Severity:2',
			'Findings/Hazards/Description:3',
		]);
	});

	it.each<[string, unknown[], kept: number[], template?: string, question?: string]>([
		['after a gap', [1, 3], [0]],
		['without a first', [2, 3], []],
		['0', [0, 1], [1]],
		['that is negative', [-1, 1], [1]],
		['that is a fraction', [1, 1.5], [0]],
		['that is text', ['1', 2], []],
		['given twice for a question', [1, 1], [0]],
		['2 outside of a repeatable section', [2, 1], [1], 'SITE-SAFETY', 'Comments'],
		['in a section inside of a repeatable one', [1, 2, 4], [0, 1], 'DEEP-NEST', 'CO2'],
	])(
		'%s is dropped: of the orders %j, those at %j are kept',
		async (...[, orders, kept, template = 'SITE-SAFETY', label = 'Description']) => {
			const items = orders.map((order, index) => answer(template, label, String(index), order));
			const rows = kept.map((index) => [label, orders[index], String(index)]);
			expect(await stored(template, items)).toEqual(rows);
		},
	);
});

describe('a create', () => {
	const items = (count: number) =>
		Array(count).fill({ field_id: 'site_name', response: { value: 'x' } });
	const assignees = (count: number) => ({
		task: { assignee: Array(count).fill('nora@north.example') },
	});
	const NOWHERE = '00000000-0000-4000-8000-000000000000';
	const { oneTeam } = sandbox.keys;

	it.each<[number, string, unknown, string?]>([
		[400, 'no JSON', '{"template_id":'],
		[400, 'a body that is an array', '[]'],
		[400, 'template_id missing', '{}'],
		[400, 'template_id empty', { template_id: '' }],
		[400, 'template_id a number', { template_id: 7 }],
		[400, 'template_id neither GUID nor identifier', { template_id: 'x'.repeat(21) }],
		[400, 'more than 50 assignees', assignees(51)],
		[400, 'more than 1000 data items', { data: dataOf(items(1001)) }],
		[400, 'item_type missing', { data: { items: [] } }],
		[400, 'item_type not question_response', { data: { ...dataOf([]), item_type: 'note' } }],
		[400, 'a data item with neither id', { data: dataOf([{ response: { value: 'x' } }]) }],
		[400, 'team_id that is not a GUID', { team_id: 'x' }],
		[404, 'an unknown identifier', { template_id: 'NO-SUCH' }],
		[404, 'an unknown GUID', { template_id: NOWHERE }],
		[404, 'a template that is not published', { template_id: 'DRAFT' }],
		[404, 'a disabled template', { template_id: 'OLD-FORM' }],
		[404, 'a deleted template', { template_id: 'GONE' }],
		[404, 'a template of another organization', { template_id: 'KITCHEN-CHECK' }],
		[404, 'a team that is not the template’s', { team_id: north.teams[1]?.id }],
		[403, 'a team of another organization', { team_id: south.teams[0]?.id }],
		[403, 'an unknown team', { team_id: NOWHERE }],
		[403, 'a team that is not open to the key', { team_id: north.teams[1]?.id }, oneTeam],
	])('is rejected without creating an inspection, %i: %s', async (status, _what, body, key) => {
		const before = sandbox.store.inspections().length;
		const reply = await (typeof body === 'string'
			? post(sandbox, body)
			: create(Object(body), key));
		expect(reply).toMatchObject({ status, json: { code: status, message: expect.any(String) } });
		expect(sandbox.store.inspections().length).toBe(before);
	});

	it.each<[string, object, string?]>([
		['1000 data items', { data: dataOf(items(1000)) }],
		['50 assignees', assignees(50)],
		['a team that is open to the key', { team_id: north.teams[0]?.id }, oneTeam],
	])('succeeds with %s', async (_what, members, key) => {
		expect((await create(members, key)).status).toBe(200);
	});
});

describe('a create with a task', () => {
	const [NORA, LI] = ['nora@north.example', 'li.wei@north.example'];
	const INVALID = ['nobody@x.example', 'former@north.example', 'sam@south.example'];

	/** Creates an inspection. Returns the response, the stored task, and the emails of the task's assignees. */
	async function made(members: object) {
		const before = sandbox.store.tasks.length;
		const { status, json } = await create(members);
		expect(status).toBe(200);
		const task = sandbox.store.tasks[before];
		const emails = task?.assigneeIds.map((id) => sandbox.store.users.get(id)?.email);
		expect(at(json, 'task_id') ?? undefined).toBe(task?.id);
		const id = String(at(json, 'inspection.id') ?? at(json, 'id'));
		expect(sandbox.store.find(id)).toBeDefined();
		expect(task?.inspectionId ?? id).toBe(id);
		return { json, task, emails, warnings: at(json, 'warnings') };
	}

	it("has the documented defaults, including the key's owner as assignee", async () => {
		const { task, emails, warnings } = await made({ name: 'Walk', task: {} });
		const defaults = { title: 'Walk', instructions: '', priority: 'medium', dueAt: null };
		expect(task).toMatchObject(defaults);
		expect([emails, warnings]).toEqual([[NORA], null]);
	});

	const FIX = { title: 'Fix', instructions: 'Soon' };
	it.each<[object, object]>([
		[
			{ ...FIX, priority: 'HIGH' },
			{ ...FIX, priority: 'high' },
		],
		[{ priority: 'urgent' }, { priority: 'medium' }],
		[{ due_date_time: '2026-05-06T10:00:00+02:00' }, { dueAt: '2026-05-06T08:00:00.000Z' }],
		// This due date has no zone, so it's in the organization's zone.
		[{ due_date_time: '2026-07-01T09:00:00' }, { dueAt: '2026-07-01T13:00:00.000Z' }],
	])('stores for %j a task with %j', async (task, kept) => {
		expect((await made({ task })).task).toMatchObject(kept);
	});

	const ANGEL = 'angel@north.example';
	const dropped = (emails: string[]) =>
		`Invalid or unauthorized assignee emails: ${emails.join(', ')}`;
	const NONE = 'No valid assignee users found, the default assignee is used';
	it.each<[string, string[], string[], string[] | null]>([
		['each assignee once', [ANGEL, 'Nora@North.example', ANGEL], [ANGEL, NORA], null],
		['created_by without an assignee', [], [LI], null],
		['the valid ones (case 1)', [ANGEL, ...INVALID], [ANGEL], [dropped(INVALID)]],
		['created_by if none is valid (case 4)', INVALID, [LI], [dropped(INVALID), NONE]],
	])('assigns the task to %s', async (_who, assignee, emails, warnings) => {
		expect(await made({ created_by: LI, task: { assignee } })).toMatchObject({ emails, warnings });
	});

	it('keeps the inspection although the task fails (case 3)', async () => {
		const { task, warnings } = await made({ task: { due_date_time: 'whenever' } });
		expect(warnings).toEqual(['Task creation failed: due_date_time is not a valid date']);
		expect(task).toBeUndefined();
	});

	it.each([...INVALID, 'eddie@north.example', 7])(
		"replaces the created_by %s, which isn't allowed, with the key's owner (case 2)",
		async (created_by) => {
			const { json, warnings } = await made({ created_by });
			expect(at(json, 'inspection.created_by.email')).toBe(NORA);
			expect(warnings).toEqual([expect.stringContaining(String(created_by))]);
		},
	);
});
