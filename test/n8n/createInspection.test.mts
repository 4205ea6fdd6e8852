import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { failureOf } from '#harness/failure.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	MAP_AUTOMATICALLY,
	mapColumns,
	templateBy,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { SITE_WALK } from './siteWalk.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate(SITE_WALK);

interface Given {
	/** Values of the mapper's columns; without them the items are mapped by their keys. */
	columns?: Record<string, string>;
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
		parameters: createParameters(templateBy('walk'), {
			responses: columns === undefined ? MAP_AUTOMATICALLY : mapColumns(columns),
			output: 'raw',
			...parameters,
		}),
	});
}

/** Field id, instance and value of each answer that the service holds of the first inspection. */
function storedAnswers() {
	const fieldIds = new Map(template.controls.map(({ id, fieldId }) => [id, fieldId]));
	const [inspection] = sandbox.store.inspections();
	return inspection?.answers.map(({ controlId, order, value }) => [
		fieldIds.get(controlId),
		order,
		value,
	]);
}

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
		const error = await failureOf(create({ items: [{ visitors: '1,5', weather: 'Snow' }] }));
		expect(error).toMatchObject({
			message: '3 problems with this row',
			description: expect.stringMatching(
				/^<ul><li>"Visitors": "1,5".*<\/li><li>.*"Snow".*<\/li><li>"Area": required[^<]*<\/li><\/ul>$/,
			) as string,
			context: { itemIndex: 0 },
		});
		expect(sandbox.requests.count('createInspection')).toBe(0);
	});

	test('to a model all of them are told in the message, the only thing that it gets', async () => {
		const error = await failureOf(
			create({
				items: [{ visitors: '1,5', weather: 'Snow' }],
				asTool: true,
			}),
		);
		expect(error).toMatchObject({
			message: expect.stringMatching(
				/^3 problems with this row\. .*"1,5".*"Snow".*"Area": required/,
			) as string,
		});
	});

	test('problems of answers and of other fields stand in one list', async () => {
		const error = await failureOf(
			create({
				items: [{ area: '' }],
				parameters: { additionalFields: { teamId: 'north' } },
			}),
		);
		expect(error).toMatchObject({
			message: '2 problems with this row',
			description: expect.stringMatching(/"Area": required.*Team ID: "north"/) as string,
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
	test.each([
		['chosen from the list', (id: string) => ({ __rl: true, mode: 'list', value: id })],
		['given by its ID', (id: string) => ({ __rl: true, mode: 'id', value: id })],
		['given as text', (id: string) => id],
	])('the team is taken where it is %s', async (_, given) => {
		const teamId = given(template.teamId);
		const parameters = { additionalFields: { teamId } };
		await create({ items: [{ area: 'A' }], parameters });
		expect(sandbox.store.inspections()).toHaveLength(1);
		const nobodys = { additionalFields: { teamId: given('00000000-0000-4000-8000-00000000000a') } };
		const wrong = create({ items: [{ area: 'A' }], parameters: nobodys });
		await expect(wrong).rejects.toThrow(/\(40[34]\)/);
	});

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
		const [task] = sandbox.store.tasks;
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
			parameters: { templateId: templateById(wide.id) },
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
			items: [{ area: 'A' }, { area: '', visitors: 3 }, { area: 'C' }],
			onError: 'continueErrorOutput',
		});
		expect(items.map(({ json }) => json.error ?? json.status)).toEqual([
			'new',
			'"Area": required, but has no answer; give it one.',
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
			expect.stringMatching(/^1 of 3 inspections: warnings: Invalid created_by: nobody@/),
		]);
	});

	test('the template goes into the request by its GUID, whatever it was chosen by', async () => {
		await create({ items: [{ area: 'A' }] });
		const bodies = sandbox.requests
			.all('createInspection')
			.map(({ body }) => JSON.parse(body) as unknown);
		expect(bodies).toMatchObject([{ template_id: template.id }]);
	});

	test('each template is asked for once, one that is gone too', async () => {
		const { items } = await create({
			items: [{ t: 'WALK', area: 'A' }, { t: 'walk', area: 'B' }, { t: 'GONE' }, { t: 'gone' }],
			onError: 'continueErrorOutput',
			parameters: {
				templateId: templateBy('={{ $json.t }}'),
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
		['a reset after sending', { kind: 'reset', when: 'after' }],
		['a server error after the effect', { kind: 'status', status: 500, when: 'after' }],
		['a gateway timeout after the effect', { kind: 'html', status: 504, when: 'after' }],
		['a broken answer', { kind: 'truncate' }],
	] as const)('%s: one inspection, one request, an error that says so', async (_, fault) => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: fault });
		const error = await failureOf(
			create({
				items: [{ area: 'A' }],
				parameters: { additionalFields: { name: 'Walk 7' } },
			}),
		);
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
