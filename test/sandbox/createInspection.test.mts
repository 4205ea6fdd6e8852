import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { at, get, list, pluck, post } from './apiCall.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo' });
});
afterAll(() => sandbox.close());

const idOf = (identifier: string) => sandbox.store.findTemplate(null, identifier)?.id ?? '';
const controlId = (identifier: string, label: string) =>
	sandbox.store.findTemplate(null, identifier)?.controls.find((control) => control.label === label)
		?.id ?? '';

/** Creates with these answers and gives back what was stored, as `[label, order, value]`. */
async function stored(identifier: string, items: readonly unknown[]) {
	const reply = await post(sandbox, {
		template_id: identifier,
		data: { item_type: 'question_response', items },
	});
	expect(reply.status).toBe(200);
	return list(reply.json, 'data.items').map((item) => [
		at(item, 'label'),
		at(item, 'repeat_section_order'),
		at(item, 'response.value'),
	]);
}

const answer = (template_control_id: string, value: unknown, order?: unknown) => ({
	template_control_id,
	response: { value },
	...(order === undefined ? {} : { repeat_section_order: order }),
});

describe('body', () => {
	it.each(['SITE-SAFETY', 'site-safety'])('template_id as identifier %s', async (template_id) => {
		expect((await post(sandbox, { template_id })).status).toBe(200);
	});

	it('template_id as GUID in any case', async () => {
		const { status, json } = await post(sandbox, {
			template_id: idOf('SITE-SAFETY').toUpperCase(),
		});
		expect(status).toBe(200);
		expect(at(json, 'template.template_id')).toBe('SITE-SAFETY');
	});

	it('defaults: team of the template, status new, name of template and time, owner as creator', async () => {
		const { json } = await post(sandbox, { template_id: 'SITE-SAFETY' });
		expect(json).toMatchObject({
			status: 'new',
			description: '',
			name: expect.stringMatching(/^Site safety walk \d{4}-\d\d-\d\dT/),
			team: { id: sandbox.tenants.north.teams[0]?.id },
			created_by: { email: 'nora@north.example' },
			custom_fields: [],
			custom_fields_count: 0,
			locations: [],
			shared_with_users: [],
			shared_with_users_count: 0,
			data: { item_type: 'question_response', items: [] },
		});
	});

	it('everything given is stored, and listed afterwards', async () => {
		const body = {
			template_id: 'SITE-SAFETY',
			team_id: sandbox.tenants.north.teams[0]?.id,
			name: 'Tower, week 12',
			status: 'In_Progress',
			description: 'Ärger',
			created_by: 'LI.WEI@north.example',
			custom_fields: [{ name: 'Project', value: '7' }],
			locations: [{ name: 'Harbour', latitude: 1.5 }],
			data: {
				item_type: 'question_response',
				items: [{ field_id: 'site_name', response: { value: 'Tower' } }],
			},
		};
		const { json } = await post(sandbox, body);
		expect(json).toMatchObject({
			name: 'Tower, week 12',
			status: 'in_progress',
			description: 'Ärger',
			created_by: { email: 'li.wei@north.example' },
			custom_fields: [{ name: 'Project', value: '7' }],
			custom_fields_count: 1,
			locations: [{ name: 'Harbour', latitude: 1.5 }],
		});
		const listed = await get(sandbox, '/v1/inspections?sort_order=desc&page_size=1&includes=data');
		expect(at(listed.json, 'data.0.id')).toBe(at(json, 'id'));
		expect(pluck(listed.json, 'data.0.data.items', 'path')).toEqual(['Site/Site name']);
	});

	it.each(['new', 'in_progress', 'completed', 'canceled', 'COMPLETED', 'Canceled'])(
		'status %s',
		async (status) => {
			const { json } = await post(sandbox, { template_id: 'SITE-SAFETY', status });
			expect(at(json, 'status')).toBe(status.toLowerCase());
		},
	);

	it('malformed custom fields and locations do not fail the request', async () => {
		const { status, json } = await post(sandbox, {
			template_id: 'SITE-SAFETY',
			custom_fields: [{ name: 'a', value: 'b' }, 'x', { name: 1 }],
			locations: 'here',
		});
		expect(status).toBe(200);
		expect(at(json, 'custom_fields')).toEqual([{ name: 'a', value: 'b' }]);
		expect(at(json, 'locations')).toEqual([]);
	});
});

describe('answers: what is stored', () => {
	const of = (label: string, value: unknown) => answer(controlId('EVERY-TYPE', label), value);

	it.each<[string, unknown]>([
		['Line', ''],
		['Line', 'any text\nat all'],
		['Reading', 12.5],
		['Reading', -3],
		['Reading', '12.50'],
		['Reading', '1e3'],
		['Verdict', 'N/A'],
		['Tools', ['Saw']],
		['Tools', ['Saw', 'Hammer']],
		['Colour', 'Red'],
		['Colour', ['Red']],
		['Colours', 'Red'],
		['Colours', ['Red', 'Blue']],
		['Day', '2026-03-04'],
		['Moment', '2026-03-04T05:06:07.000Z'],
		['Moment', 'March 4, 2026'],
		['Place', 'Dock 3'],
	])('%s = %j', async (label, value) => {
		expect(await stored('EVERY-TYPE', [of(label, value)])).toEqual([[label, 1, value]]);
	});

	it.each<[string, unknown]>([
		['Line', 5],
		['Line', null],
		['Reading', 'twelve'],
		['Reading', ''],
		['Reading', true],
		['Verdict', 'pass'],
		['Verdict', ['Pass']],
		['Tools', 'Saw'],
		['Tools', ['Saw', 'Axe']],
		['Colour', 'Mauve'],
		['Colour', ['Red', 'Blue']],
		['Colours', ['Red', 'Mauve']],
		['Day', 'someday'],
		['Day', 20260304],
		['Place', { name: 'Dock' }],
		['Photos', 'x'],
		['Inspector signature', 'x'],
		['Asset tag', 'x'],
		['Pipes counted', '3'],
		['Answerable', 'x'],
	])('left out without a word: %s = %j', async (label, value) => {
		expect(await stored('EVERY-TYPE', [of(label, value)])).toEqual([]);
	});

	it('an item that is malformed in itself', async () => {
		const id = controlId('EVERY-TYPE', 'Line');
		const items = [
			'text',
			null,
			{ template_control_id: id },
			{ template_control_id: id, response: 'x' },
			{ template_control_id: id, response: {} },
			{ field_id: 'no such field', response: { value: 'x' } },
			{ ...answer(id, 'x'), repeat_section_order: '1' },
		];
		expect(await stored('EVERY-TYPE', items)).toEqual([]);
	});

	it('template_control_id takes precedence over field_id', async () => {
		const items = [{ ...answer(controlId('SITE-SAFETY', 'Comments'), 'x'), field_id: 'site_name' }];
		expect(await stored('SITE-SAFETY', items)).toEqual([['Comments', 1, 'x']]);
		const unknown = { ...answer(idOf('SITE-SAFETY'), 'x'), field_id: 'site_name' };
		expect(await stored('SITE-SAFETY', [unknown])).toEqual([]);
	});

	it('good answers stay where others are malformed', async () => {
		const items = [of('Verdict', 'maybe'), of('Line', 'x')];
		expect(await stored('EVERY-TYPE', items)).toEqual([['Line', 1, 'x']]);
	});

	it.each<[string, object | string]>([
		['data is text', 'x'],
		['items is no array', { item_type: 'question_response', items: 'x' }],
		['items is left out', { item_type: 'question_response' }],
	])('200 and nothing stored where %s', async (_what, data) => {
		const { status, json } = await post(sandbox, { template_id: 'SITE-SAFETY', data });
		expect(status).toBe(200);
		expect(list(json, 'data.items')).toEqual([]);
	});
});

describe('repeatable sections', () => {
	const text = (value: string, order?: unknown) =>
		answer(controlId('SITE-SAFETY', 'Description'), value, order);
	const severity = (value: string, order: number) =>
		answer(controlId('SITE-SAFETY', 'Severity'), value, order);

	it('instances keep their order; from the second on it is part of the path', async () => {
		const { json } = await post(sandbox, {
			template_id: 'SITE-SAFETY',
			data: {
				item_type: 'question_response',
				items: [text('a'), severity('Low', 1), text('b', 2), text('c', 3), severity('High', 3)],
			},
		});
		expect(
			list(json, 'data.items').map((item) => [at(item, 'path'), at(item, 'repeat_section_order')]),
		).toEqual([
			['Findings/Hazards/Description', 1],
			['Findings/Hazards/Severity', 1],
			['Findings/Hazards/Description:2', 2],
			['Findings/Hazards/Description:3', 3],
			['Findings/Hazards/Severity:3', 3],
		]);
	});

	it('an order counts for the section: one question may skip an instance', async () => {
		const kept = await stored('SITE-SAFETY', [text('a', 1), severity('Low', 2), text('c', 3)]);
		expect(kept.map(([, order]) => order)).toEqual([1, 2, 3]);
	});

	it.each<[string, unknown[], unknown[]]>([
		['after a gap', [1, 3], [1]],
		['without a first', [2, 3], []],
		['order 0', [0, 1], [1]],
		['a negative order', [-1, 1], [1]],
		['a fraction', [1, 1.5], [1]],
		['text as order', ['1', 2], []],
	])('left out: %s', async (_what, orders, kept) => {
		const items = orders.map((order, index) => text(String(index), order));
		const rows = await stored('SITE-SAFETY', items);
		expect(rows.map(([, order]) => order)).toEqual(kept);
	});

	it('left out: the second answer to the same question and instance', async () => {
		const items = [text('first', 1), text('second', 1), text('other', 2)];
		expect((await stored('SITE-SAFETY', items)).map(([, , value]) => value)).toEqual([
			'first',
			'other',
		]);
	});

	it('left out: order 2 outside of a repeatable section', async () => {
		const id = controlId('SITE-SAFETY', 'Comments');
		expect(await stored('SITE-SAFETY', [answer(id, 'a', 2)])).toEqual([]);
		expect(await stored('SITE-SAFETY', [answer(id, 'a', 1)])).toEqual([['Comments', 1, 'a']]);
	});

	it('sections inside a repeatable one repeat with it', async () => {
		const id = controlId('DEEP-NEST', 'CO2');
		const rows = await stored('DEEP-NEST', [answer(id, 400, 1), answer(id, 420, 2)]);
		expect(rows).toEqual([
			['CO2', 1, 400],
			['CO2', 2, 420],
		]);
	});
});

describe('errors', () => {
	const valid = { template_id: 'SITE-SAFETY' };
	const withItems = (count: number, extra: object = {}) => ({
		...valid,
		data: {
			item_type: 'question_response',
			items: Array.from({ length: count }, () => ({
				field_id: 'site_name',
				response: { value: 'x' },
			})),
			...extra,
		},
	});
	const withAssignees = (count: number) => ({
		...valid,
		task: { assignee: Array.from({ length: count }, () => 'nora@north.example') },
	});

	it.each<[string, unknown]>([
		['no JSON', '{"template_id":'],
		['no body', ''],
		['an array', []],
		['null', 'null'],
		['template_id missing', {}],
		['template_id empty', { template_id: '' }],
		['template_id a number', { template_id: 7 }],
		['template_id neither GUID nor identifier', { template_id: 'x'.repeat(21) }],
		['more than 50 assignees', withAssignees(51)],
		['more than 1000 data items', withItems(1001)],
		['item_type missing', { ...valid, data: { items: [] } }],
		['item_type not question_response', withItems(1, { item_type: 'note' })],
		['a data item with neither id', withItems(1, { items: [{ response: { value: 'x' } }] })],
		['team_id that is no GUID', { ...valid, team_id: 'x' }],
	])('400: %s', async (_what, body) => {
		const before = sandbox.store.inspections().length;
		const { status, json } = await post(sandbox, body);
		expect(status).toBe(400);
		expect(json).toEqual({ code: 400, message: expect.any(String) });
		expect(sandbox.store.inspections().length).toBe(before);
	});

	it('the limits themselves are allowed', async () => {
		expect((await post(sandbox, withItems(1000))).status).toBe(200);
		expect((await post(sandbox, withAssignees(50))).status).toBe(200);
	});

	it.each([
		['unknown identifier', 'NO-SUCH'],
		['unknown GUID', '00000000-0000-4000-8000-000000000000'],
		['not published', 'DRAFT'],
		['disabled', 'OLD-FORM'],
		['deleted', 'GONE'],
		["another organization's", 'KITCHEN-CHECK'],
	])('404: template %s', async (_what, template_id) => {
		const { status } = await post(sandbox, { template_id });
		expect(status).toBe(404);
	});

	it('404: team_id differs from the team of the template', async () => {
		const team_id = sandbox.tenants.north.teams[1]?.id;
		expect((await post(sandbox, { ...valid, team_id })).status).toBe(404);
	});

	it('403: team_id of another organization, unknown, or not open to the key', async () => {
		const send = (team_id: string | undefined, key?: string) =>
			post(sandbox, { ...valid, team_id }, key === undefined ? {} : { key });
		const [first, second] = sandbox.tenants.north.teams;
		expect((await send(sandbox.tenants.south.teams[0]?.id)).status).toBe(403);
		expect((await send('00000000-0000-4000-8000-000000000000')).status).toBe(403);
		expect((await send(second?.id, sandbox.keys.oneTeam)).status).toBe(403);
		expect((await send(first?.id, sandbox.keys.oneTeam)).status).toBe(200);
	});
});

describe('task and warnings', () => {
	const create = (extra: object) => post(sandbox, { template_id: 'SITE-SAFETY', ...extra });
	let tasksBefore = 0;
	beforeEach(() => {
		tasksBefore = sandbox.store.tasks.length;
	});
	const newTask = () => sandbox.store.tasks[tasksBefore];
	const emailsOf = (ids: readonly string[] = []) =>
		ids.map((id) => sandbox.store.users.get(id)?.email);

	it('neither: the inspection directly', async () => {
		const { json } = await create({});
		expect(at(json, 'id')).toEqual(expect.any(String));
		expect(at(json, 'inspection')).toBeUndefined();
		expect(newTask()).toBeUndefined();
	});

	it('a task: inspection, task_id and null warnings; every default', async () => {
		const { json } = await create({ name: 'Walk', task: {} });
		expect(json).toEqual({
			inspection: expect.objectContaining({ name: 'Walk' }),
			task_id: newTask()?.id,
			warnings: null,
		});
		expect(newTask()).toMatchObject({
			title: 'Walk',
			instructions: '',
			priority: 'medium',
			dueAt: null,
			inspectionId: at(json, 'inspection.id'),
		});
		expect(emailsOf(newTask()?.assigneeIds)).toEqual(['nora@north.example']);
	});

	it('a task with everything given', async () => {
		await create({
			task: {
				title: 'Fix',
				instructions: 'Soon',
				priority: 'HIGH',
				due_date_time: '2026-05-06T10:00:00+02:00',
				assignee: ['angel@north.example', 'Li.Wei@North.example', 'angel@north.example'],
			},
		});
		expect(newTask()).toMatchObject({
			title: 'Fix',
			instructions: 'Soon',
			priority: 'high',
			dueAt: '2026-05-06T08:00:00.000Z',
		});
		expect(emailsOf(newTask()?.assigneeIds)).toEqual([
			'angel@north.example',
			'li.wei@north.example',
		]);
	});

	it('a due date without a zone is in the organization’s zone', async () => {
		await create({ task: { due_date_time: '2026-07-01T09:00:00' } });
		expect(newTask()?.dueAt).toBe('2026-07-01T13:00:00.000Z');
	});

	it('an invalid priority becomes medium', async () => {
		await create({ task: { priority: 'urgent' } });
		expect(newTask()?.priority).toBe('medium');
	});

	it('without assignees the task goes to the creator', async () => {
		await create({ created_by: 'angel@north.example', task: { assignee: [] } });
		expect(emailsOf(newTask()?.assigneeIds)).toEqual(['angel@north.example']);
	});

	it('case 1: invalid assignees are dropped, the valid ones stay', async () => {
		const { json } = await create({
			task: {
				assignee: [
					'angel@north.example',
					'nobody@x.example',
					'former@north.example',
					'sam@south.example',
				],
			},
		});
		expect(list(json, 'warnings')).toEqual([
			'Invalid or unauthorized assignee emails: nobody@x.example, former@north.example, sam@south.example',
		]);
		expect(at(json, 'task_id')).toBe(newTask()?.id);
		expect(emailsOf(newTask()?.assigneeIds)).toEqual(['angel@north.example']);
	});

	it.each([
		['unknown', 'nobody@x.example'],
		['of another organization', 'sam@south.example'],
		['deleted', 'former@north.example'],
		['without access to the team', 'eddie@north.example'],
		['no text', 7],
	])('case 2: created_by %s, the key’s owner is used', async (_what, created_by) => {
		const { status, json } = await create({ created_by });
		expect(status).toBe(200);
		expect(json).toEqual({
			inspection: expect.objectContaining({
				created_by: expect.objectContaining({ email: 'nora@north.example' }),
			}),
			task_id: null,
			warnings: [expect.stringContaining(String(created_by))],
		});
	});

	it('case 3: the task fails with its reason, the inspection stays', async () => {
		const { json } = await create({ task: { due_date_time: 'whenever' } });
		expect(at(json, 'task_id')).toBeNull();
		expect(list(json, 'warnings')).toEqual([
			'Task creation failed: due_date_time is not a valid date',
		]);
		expect(sandbox.store.find(String(at(json, 'inspection.id')))).toBeDefined();
		expect(newTask()).toBeUndefined();
	});

	it('case 3 on demand', async () => {
		sandbox.settings.taskFailure = 'no license left';
		const { json } = await create({ task: {} });
		sandbox.settings.taskFailure = null;
		expect(list(json, 'warnings')).toEqual(['Task creation failed: no license left']);
	});

	it('case 4: no valid assignee, the creator is used', async () => {
		const { json } = await create({
			created_by: 'angel@north.example',
			task: { assignee: ['nobody@x.example'] },
		});
		expect(list(json, 'warnings')).toContain(
			'No valid assignee users found, the default assignee is used',
		);
		expect(emailsOf(newTask()?.assigneeIds)).toEqual(['angel@north.example']);
	});
});
