import type { IDataObject, INodeParameters, OnError, ResourceMapperFields } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox, type Template } from '../../sandbox/service/sandbox.mts';
import { type Credential, executeNode, loadOptionsContext } from '../harness/inspectionNodes.mts';

let sandbox: Sandbox;
let template: Template;
let credential: Credential;

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'empty' });
	credential = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
	template = sandbox.store.addTemplate({
		identifier: 'WALK',
		name: 'Site walk',
		controls: [
			{
				type: 'page',
				label: 'Site',
				children: [
					{ type: 'text', label: 'Area', required: true, fieldId: 'area' },
					{ type: 'number', label: 'Visitors', fieldId: 'visitors' },
					{ type: 'radio', label: 'Weather', choices: ['Dry', 'Wet'], fieldId: 'weather' },
					{
						type: 'checkbox',
						label: 'Hazards',
						choices: ['Fall', 'Noise, loud', 'Dust'],
						fieldId: 'hazards',
					},
					{ type: 'dropdown', label: 'Crew', choices: ['North', 'South'], fieldId: 'crew' },
					{ type: 'date', label: 'When', showTime: true, fieldId: 'when' },
					{ type: 'checkIn/location', label: 'Place', fieldId: 'place' },
					{
						type: 'section',
						label: 'Defects',
						repeatable: true,
						fieldId: 'defects',
						children: [
							{ type: 'text', label: 'Kind', fieldId: 'kind', required: false },
							{ type: 'number', label: 'Costs', fieldId: 'costs' },
						],
					},
					{ type: 'signature', label: 'Signed', fieldId: 'signed' },
				],
			},
		],
	});
});

afterAll(async () => {
	await sandbox.close();
});

afterEach(() => {
	sandbox.faults.clear();
	sandbox.requests.clear();
	sandbox.settings.createAnswerData = true;
	for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
});

interface Given {
	/** Values of the mapper's columns; without them the items are mapped by their keys. */
	columns?: INodeParameters;
	parameters?: INodeParameters;
	items?: IDataObject[];
	onError?: OnError;
	timezone?: string;
	signal?: AbortSignal;
	asTool?: boolean;
}

async function create({ columns, parameters, items, ...options }: Given) {
	return await executeNode({
		...options,
		credential,
		items: items ?? [{}],
		parameters: {
			resource: 'inspection',
			operation: 'create',
			templateId: { __rl: true, mode: 'identifier', value: 'walk' },
			responses:
				columns === undefined
					? { mappingMode: 'autoMapInputData', value: null, schema: [] }
					: { mappingMode: 'defineBelow', value: columns, schema: [] },
			...parameters,
		},
	});
}

const failureOf = async (given: Given) =>
	await create(given).then(
		() => undefined,
		(error: unknown) => error,
	);

const storedAnswers = (index = 0) =>
	sandbox.store
		.inspections()
		[
			index
		]?.answers.map(({ controlId, order, value }) => [template.controls.find(({ id }) => id === controlId)?.fieldId, order, value]);

describe('answers', () => {
	test('every type by expression arrives as it is meant', async () => {
		const { items, hints } = await create({
			timezone: 'Europe/Berlin',
			items: [{ n: '12', list: ['Dust', 'Fall'], date: '2026-05-31T12:00:00', off: false }],
			columns: {
				area: '={{ "Gate " + 4 }}',
				visitors: '={{ $json.n }}',
				weather: 'wet',
				hazards: '={{ $json.list }}',
				crew: '={{ ["South"] }}',
				when: '={{ DateTime.fromISO($json.date, { zone: "Europe/Berlin" }) }}',
				place: '={{ $json.off }}',
				'section:defects':
					'={{ [{ Kind: "crack", Costs: 0 }, {}, { kind: "dent", costs: "10.5" }] }}',
			},
		});
		expect(storedAnswers()).toEqual([
			['area', 1, 'Gate 4'],
			['visitors', 1, 12],
			['weather', 1, 'Wet'],
			['hazards', 1, ['Dust', 'Fall']],
			['crew', 1, 'South'],
			['when', 1, '2026-05-31T10:00:00.000Z'],
			['place', 1, 'false'],
			['kind', 1, 'crack'],
			['kind', 2, 'dent'],
			['costs', 1, 0],
			['costs', 2, 10.5],
		]);
		expect(items[0]?.json).toMatchObject({
			id: sandbox.store.inspections()[0]?.id,
			status: 'new',
			task_id: null,
			warnings: [],
			unstored_responses: [],
		});
		expect(Object.keys(items[0]?.json ?? {}).slice(0, 7)).toEqual([
			'id',
			'name',
			'status',
			'task_id',
			'warnings',
			'unstored_responses',
			'already_existed',
		]);
		expect(hints).toEqual([]);
	});

	test('items are mapped by their keys, and keys that nothing goes by are named', async () => {
		const { hints } = await create({
			items: [
				{ Area: 'A', 'hazards ': 'noise, loud; Dust', 'Kind:1': 'x', 'Kind:2': 'y', colour: 'red' },
			],
		});
		expect(storedAnswers()).toEqual([
			['area', 1, 'A'],
			['hazards', 1, ['Noise, loud', 'Dust']],
			['kind', 1, 'x'],
			['kind', 2, 'y'],
		]);
		expect(hints).toMatchObject([{ message: expect.stringContaining('"colour"') as string }]);
	});

	test('nothing is sent for an item with a problem, and all of them are told', async () => {
		const error = await failureOf({ items: [{ visitors: '1,5', weather: 'Snow' }] });
		expect(error).toMatchObject({
			message: '3 problems with this row',
			description: expect.stringMatching(
				/^<ul><li>"Visitors": "1,5".*<\/li><li>.*"Snow".*<\/li><li>"Area" is required[^<]*<\/li><\/ul>$/,
			) as string,
			context: { itemIndex: 0 },
		});
		expect(sandbox.requests.count('createInspection')).toBe(0);
	});

	test('to a model all of them are told in the message, the only thing that it gets', async () => {
		const error = await failureOf({
			items: [{ visitors: '1,5', weather: 'Snow' }],
			asTool: true,
		});
		expect(error).toMatchObject({
			message: expect.stringMatching(
				/^3 problems with this row\. .*"1,5".*"Snow".*"Area" is required/,
			) as string,
		});
	});

	test('problems of answers and of other fields stand in one list', async () => {
		const error = await failureOf({
			items: [{ area: '' }],
			parameters: { additionalFields: { teamId: 'north' } },
		});
		expect(error).toMatchObject({
			message: '2 problems with this row',
			description: expect.stringMatching(/"Area" is required.*Team ID: "north"/) as string,
		});
	});

	test('dates given by expression are text without quotes of their own', async () => {
		await create({
			items: [{ area: 'A' }],
			parameters: {
				additionalFields: {
					name: '={{ new Date(0) }}',
					customFields: { customField: [{ name: 'At', value: '={{ new Date(0) }}' }] },
				},
			},
		});
		expect(sandbox.store.inspections()[0]).toMatchObject({
			name: '1970-01-01T00:00:00.000Z',
			customFields: [{ name: 'At', value: '1970-01-01T00:00:00.000Z' }],
		});
	});

	test('unchecked answers are sent as they are, and what was dropped is told', async () => {
		const { items, hints } = await create({
			items: [{ area: 'A' }, { weather: 'Snow', visitors: 3 }],
			parameters: { options: { validateResponses: false } },
		});
		expect(items.map(({ json }) => json.unstored_responses)).toEqual([
			[],
			[{ label: 'Weather', path: 'Site/Weather', repeat_section_order: 1, value: 'Snow' }],
		]);
		expect(hints).toMatchObject([
			{
				type: 'warning',
				message: '1 of 2 inspections: the service did not store the answers to "Weather"',
			},
		]);
	});

	test('an answer without data is no proof', async () => {
		sandbox.settings.createAnswerData = false;
		const { items, hints } = await create({ items: [{ area: 'A' }] });
		expect(items[0]?.json.unstored_responses).toBeNull();
		expect(hints).toHaveLength(1);
	});
});

describe('inspection and task', () => {
	test('all fields arrive', async () => {
		const { items } = await create({
			items: [{ area: 'A' }],
			timezone: 'Europe/Berlin',
			parameters: {
				additionalFields: {
					name: 'Walk 1',
					status: 'COMPLETED',
					description: 'weekly',
					teamId: template.teamId,
					createdBy: 'nobody@example.com',
					customFields: { customField: [{ name: 'Order', value: '7' }] },
					locations: '{"name":"Gate 4"}',
				},
				createTask: true,
				task: { title: 'Fix', priority: 'High', dueDateTime: '2026-06-01T08:00:00', assignee: [] },
			},
		});
		expect(sandbox.store.inspections()[0]).toMatchObject({
			name: 'Walk 1',
			status: 'completed',
			description: 'weekly',
			customFields: [{ name: 'Order', value: '7' }],
			locations: [{ name: 'Gate 4' }],
		});
		const [task] = sandbox.store.tasks();
		expect(task).toMatchObject({ title: 'Fix', priority: 'high' });
		expect(items[0]?.json).toMatchObject({
			task_id: task?.id,
			warnings: [expect.stringContaining('nobody@example.com')],
			unstored_responses: [],
		});
	});
});

describe('many items', () => {
	test('500 rows of 20 answers: one template request, 500 creates, none twice, ten at a time', async () => {
		const wide = sandbox.store.addTemplate({
			identifier: 'WIDE',
			name: 'Wide',
			controls: Array.from({ length: 20 }, (_, i) => ({ type: 'text', label: `Q${String(i)}` })),
		});
		sandbox.faults.add({ do: { kind: 'latency', ms: 20 } });
		const rows = Array.from({ length: 500 }, (_, row) =>
			Object.fromEntries(wide.controls.map(({ label }) => [label, `${String(row)} ${label}`])),
		);
		const { items } = await create({
			items: rows,
			parameters: { templateId: { __rl: true, mode: 'id', value: wide.id } },
		});
		expect(sandbox.requests.count('getTemplate')).toBe(1);
		expect(sandbox.requests.count('createInspection')).toBe(500);
		expect(sandbox.requests.peakInFlight('createInspection')).toBe(10);
		const first = sandbox.store.inspections().map(({ answers }) => answers[0]?.value);
		expect(new Set(first)).toEqual(new Set(rows.map((row) => row.Q0)));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		const ids = new Map(
			sandbox.store.inspections().map(({ id, answers }) => [answers[0]?.value, id]),
		);
		expect(items.map(({ json }) => json.id)).toEqual(rows.map((row) => ids.get(row.Q0)));
	});

	test('the concurrency is the user’s', async () => {
		sandbox.faults.add({ do: { kind: 'latency', ms: 20 } });
		const items = Array.from({ length: 10 }, () => ({ area: 'A' }));
		await create({ items, parameters: { options: { concurrency: 2 } } });
		expect(sandbox.requests.peakInFlight('createInspection')).toBe(2);
	});

	test('a bad item costs only itself where the execution goes on', async () => {
		const { items } = await create({
			items: [{ area: 'A' }, { area: '' }, { area: 'C' }],
			onError: 'continueErrorOutput',
		});
		expect(items.map(({ json }) => json.error ?? json.status)).toEqual([
			'new',
			'"Area" is required, but has no answer; give it one.',
			'new',
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(sandbox.store.inspections()).toHaveLength(2);
	});

	test('a hint repeats the warnings of the service', async () => {
		const { hints } = await create({
			items: [{ area: 'A', by: 'nobody@example.com' }, { area: 'B' }, { area: 'C' }],
			parameters: { additionalFields: { createdBy: '={{ $json.by }}' } },
		});
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^1 of 3 inspections: the service warns: Invalid created_by: nobody@/),
			expect.stringContaining('"by"'),
		]);
	});

	test('the template goes into the request by its GUID, whatever it was chosen by', async () => {
		await create({ items: [{ area: 'A' }] });
		const bodies = [...sandbox.requests]
			.filter(({ operation }) => operation === 'createInspection')
			.map(({ body }) => JSON.parse(body) as unknown);
		expect(bodies).toMatchObject([{ template_id: template.id }]);
	});

	test('each template is asked for once, one that is gone too', async () => {
		const { items } = await create({
			items: [{ t: 'WALK', area: 'A' }, { t: 'walk', area: 'B' }, { t: 'GONE' }, { t: 'gone' }],
			onError: 'continueErrorOutput',
			parameters: {
				templateId: { __rl: true, mode: 'identifier', value: '={{ $json.t }}' },
				options: { concurrency: 1 },
			},
		});
		expect(items.map(({ json }) => json.error)).toEqual([
			undefined,
			undefined,
			expect.stringContaining('was not found'),
			expect.stringContaining('was not found'),
		]);
		expect(sandbox.requests.count('getTemplate')).toBe(2);
	});
});

describe('no inspection is made twice', () => {
	test.each([
		['a reset after sending', { kind: 'resetAfter' }],
		['a server error after the effect', { kind: 'status', status: 500, when: 'after' }],
		['a gateway timeout after the effect', { kind: 'html', status: 504, when: 'after' }],
		['a broken answer', { kind: 'truncate' }],
	] as const)('%s: one inspection, one request, an error that says so', async (_, fault) => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: fault });
		const error = await failureOf({
			items: [{ area: 'A' }],
			parameters: { additionalFields: { name: 'Walk 7' } },
		});
		expect(sandbox.requests.count('createInspection')).toBe(1);
		expect(sandbox.store.inspections()).toHaveLength(1);
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		expect(JSON.stringify(error)).toContain('Walk 7');
	});

	test('too many requests are asked again, and made once each', async () => {
		sandbox.faults.add({
			on: { operation: 'createInspection' },
			times: 2,
			do: { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
		});
		const { items } = await create({ items: [{ area: 'A' }, { area: 'B' }] });
		expect(items).toHaveLength(2);
		expect(sandbox.store.inspections()).toHaveLength(2);
	});
});

describe('columns in the editor', () => {
	async function columns(parameters: INodeParameters, apiKey?: string) {
		const { context, nodeType } = await loadOptionsContext({
			credential: apiKey === undefined ? credential : { ...credential, apiKey },
			parameters: { resource: 'inspection', operation: 'create', ...parameters },
		});
		const ask = nodeType.methods?.resourceMapping?.getQuestionColumns;
		if (ask === undefined) throw new Error('the node has no such method');
		return await ask.call(context);
	}
	const chosen = (mode: string, value: string) => ({ templateId: { __rl: true, mode, value } });

	test('are the questions in the order of the form, sections start removed', async () => {
		const { fields } = await columns(chosen('list', template.id));
		expect(
			fields.map(({ id, displayName, type, required, removed }) => [
				id,
				displayName,
				type,
				required,
				removed,
			]),
		).toEqual([
			['area', 'Area', 'string', true, false],
			['visitors', 'Visitors', 'number', false, false],
			['weather', 'Weather', 'options', false, false],
			['hazards', 'Hazards', 'options', false, false],
			['crew', 'Crew', 'options', false, false],
			['when', 'When', 'dateTime', false, false],
			['place', 'Place', 'string', false, false],
			['section:defects', 'Defects (list, one entry each)', 'string', false, true],
			['kind', 'Defects › Kind', 'string', false, false],
			['costs', 'Defects › Costs', 'number', false, false],
		]);
		expect(fields[2]?.options).toEqual([
			{ name: 'Dry', value: 'Dry' },
			{ name: 'Wet', value: 'Wet' },
		]);
	});

	test('say what to do where there are none', async () => {
		const empty = sandbox.store.addTemplate({ identifier: 'EMPTY', name: 'Empty', controls: [] });
		const notices = await Promise.all(
			[
				{ templateId: { __rl: true, mode: 'list', value: '' } },
				{},
				chosen('id', 'not a guid'),
				chosen('identifier', 'GONE'),
				chosen('id', empty.id),
			].map(async (parameters) => await columns(parameters)),
		);
		expect(
			notices.map(({ fields, emptyFieldsNotice }) => [fields.length, emptyFieldsNotice]),
		).toEqual([
			[0, expect.stringContaining('Choose a template first')],
			[0, expect.stringContaining('Choose a template first')],
			[0, expect.stringContaining('"not a guid" is not a template ID')],
			[0, expect.stringContaining('was not found')],
			[0, expect.stringContaining('has no questions')],
		]);
	});

	test('say why they could not be had, which n8n does not of an error', async () => {
		const { emptyFieldsNotice } = await columns(chosen('id', template.id), 'no such key');
		expect(emptyFieldsNotice).toMatch(/401/);
	});

	test('stay with a saved mapping where the template is not known or cannot be had', async () => {
		const { fields: schema } = await columns(chosen('id', template.id));
		const responses = { mappingMode: 'defineBelow', value: { area: '={{ $json.a }}' }, schema };
		const kept = async (reference: INodeParameters) =>
			await columns({ ...reference, responses } as unknown as INodeParameters);
		for (const value of ['={{ $json.template }}', '']) {
			expect((await kept(chosen('id', value))).fields).toEqual(schema);
		}
		const empty = sandbox.store.addTemplate({ identifier: 'BARE', name: 'Bare', controls: [] });
		await expect(kept(chosen('identifier', 'GONE'))).rejects.toThrow('was not found');
		await expect(kept(chosen('id', 'not a guid'))).rejects.toThrow('is not a template ID');
		await expect(kept(chosen('id', empty.id))).rejects.toThrow('has no questions');
	});

	test('without choices take text', async () => {
		const bare = sandbox.store.addTemplate({
			name: 'Bare list',
			controls: [{ type: 'dropdown', label: 'Crew', choices: [] }],
		});
		const { fields } = await columns(chosen('id', bare.id));
		expect(fields).toMatchObject([{ displayName: 'Crew', type: 'string' }]);
	});

	test('say that the template comes from an expression without a value', async () => {
		const { fields, emptyFieldsNotice } = await columns(chosen('id', '={{ $json.template }}'));
		expect([fields.length, emptyFieldsNotice]).toEqual([0, expect.stringContaining('expression')]);
	});

	const longTemplate = (count: number, isRequired: (n: number) => boolean) =>
		sandbox.store.addTemplate({
			name: 'Long',
			controls: Array.from({ length: count }, (_, n) => ({
				type: 'text',
				label: `Question ${String(n)}`,
				fieldId: `q${String(n)}`,
				required: isRequired(n),
			})),
		});
	const shownOf = ({ fields }: ResourceMapperFields) =>
		fields.filter(({ removed }) => removed !== true);

	test('of a long template show 50, the required ones first', async () => {
		const long = longTemplate(1000, (n) => n === 999);
		const answer = await columns(chosen('id', long.id));
		expect(answer.fields).toHaveLength(1000);
		expect(shownOf(answer)).toHaveLength(50);
		expect(shownOf(answer).at(-1)).toMatchObject({ displayName: 'Question 999', required: true });
	});

	test('beyond 50 required ones nothing is required by the editor, which would wait for it unseen', async () => {
		const long = longTemplate(60, () => true);
		const { fields } = await columns(chosen('id', long.id));
		expect(shownOf({ fields })).toHaveLength(50);
		expect(fields[59]).toMatchObject({
			displayName: 'Question 59 (required)',
			required: false,
			removed: true,
		});
	});

	test('after a first try that failed are the same 50, because n8n shows all that it gets', async () => {
		const long = longTemplate(900, () => false);
		const tried = { mappingMode: 'defineBelow', value: {}, schema: [] };
		const again = await columns({ ...chosen('id', long.id), responses: tried });
		expect(again.fields).toHaveLength(50);
		const [first] = again.fields;
		const responses = { mappingMode: 'defineBelow', value: {}, schema: again.fields };
		const parameters = { ...chosen('id', long.id), responses } as unknown as INodeParameters;
		expect((await columns(parameters)).fields).toEqual(again.fields);
		expect(first).toMatchObject({ id: 'q0', removed: false });
	});

	test('that have a value are shown, wherever they stand', async () => {
		const long = longTemplate(900, () => false);
		const responses = { mappingMode: 'defineBelow', value: { q700: '={{ $json.a }}' }, schema: [] };
		const answer = await columns({ ...chosen('id', long.id), responses });
		expect(shownOf(answer).map(({ id }) => id)).toContain('q700');
	});

	test('tell apart what has the same label, with the label in front', async () => {
		const same = sandbox.store.addTemplate({
			name: 'Same',
			controls: [
				{
					type: 'page',
					label: 'Scaffolding',
					children: [{ type: 'text', label: 'Remarks', fieldId: 'a' }],
				},
				{
					type: 'page',
					label: 'Ladders',
					children: [
						{ type: 'text', label: 'Remarks', fieldId: 'b' },
						{ type: 'text', label: 'Twice', fieldId: 'c' },
						{ type: 'text', label: 'Twice', fieldId: 'd' },
						{
							type: 'section',
							label: 'Rung',
							repeatable: true,
							children: [{ type: 'text', label: 'Remarks', fieldId: 'e' }],
						},
					],
				},
			],
		});
		const { fields } = await columns(chosen('id', same.id));
		expect(fields.map(({ displayName }) => displayName)).toEqual([
			'Remarks (Scaffolding)',
			'Remarks (Ladders)',
			'Twice (c)',
			'Twice (d)',
			'Rung (list, one entry each)',
			'Rung › Remarks',
		]);
	});

	test('are required, but not inside a repeatable section, which its own column may answer', async () => {
		const required = sandbox.store.addTemplate({
			name: 'Required',
			controls: [
				{ type: 'text', label: 'Plain', required: true },
				{
					type: 'section',
					label: 'Again',
					repeatable: true,
					children: [{ type: 'text', label: 'Inner', required: true }],
				},
			],
		});
		const { fields } = await columns(chosen('id', required.id));
		expect(fields.map(({ displayName, required }) => [displayName, required])).toEqual([
			['Plain', true],
			['Again (list, one entry each)', false],
			['Again › Inner (required)', false],
		]);
	});

	test('keep their ids, and with them the mapping, when a label changes', async () => {
		const controls = (label: string) => [{ type: 'text', label, fieldId: 'kept' }];
		const changing = sandbox.store.addTemplate({ name: 'Changing', controls: controls('Old') });
		const reference = chosen('id', changing.id);
		const before = await columns(reference);
		sandbox.store.updateTemplate(changing.id, { controls: controls('New') });
		const after = await columns(reference);
		expect([before, after].map(({ fields }) => fields.map((f) => [f.id, f.displayName]))).toEqual([
			[['kept', 'Old']],
			[['kept', 'New']],
		]);
		await create({ columns: { [before.fields[0]?.id ?? '']: 'answer' }, parameters: reference });
		expect(sandbox.store.inspections()[0]?.answers.map(({ value }) => value)).toEqual(['answer']);
	});
});
