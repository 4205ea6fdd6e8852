/**
 * Tests what Create sends: answers, fields, and task. Also tests the number of requests, and that there are no
 * duplicates.
 */
import { describe, expect, test } from 'vitest';

import { createForTests } from '#harness/createForTests.mts';
import { failureOf } from '#harness/failure.mts';
import { SITE_WALK } from './siteWalk.mts';

const { sandbox, template, create, errorLines, stored, creates } = await createForTests(SITE_WALK);

describe('answers', () => {
	test('arrive as intended from expressions of every type', async () => {
		const { hints } = await create(
			[{ n: '12', list: ['Dust', 'Fall'], date: '2026-05-31T12:00:00', off: false }],
			{
				timezone: 'Europe/Berlin',
				columns: {
					area: '={{ "Gate " + 4 }}',
					visitors: '={{ $json.n }}',
					weather: 'wet',
					hazards: '={{ $json.list }}',
					crew: '={{ ["South"] }}',
					when: '={{ DateTime.fromISO($json.date, { zone: "Europe/Berlin" }) }}',
					place: '={{ $json.off }}',
					'section:defects':
						'={{ [{ Kind: "crack", Costs: 0 }, {}, { kind: "dent", costs: "9.5" }] }}',
				},
			},
		);
		expect(stored()).toEqual([
			[
				'Area=Gate 4',
				'Visitors=12',
				'Weather=Wet',
				'Hazards=Dust,Fall',
				'Crew=South',
				'When=2026-05-31T10:00:00.000Z',
				'Place=false',
				'Kind:1=crack',
				'Kind:2=dent',
				'Costs:1=0',
				'Costs:2=9.5',
			],
		]);
		expect(hints).toEqual([]);
	});

	test('follow options such as Date Format or Words for Yes', async () => {
		const row = { Area: 'A', When: '1.5.2026 14:30', Visitors: '1.234,5', Weather: 'x' };
		const options = { yesIs: 'x', dateFormat: 'dd.MM.yyyy', decimalSeparator: 'comma' };
		await create([row], { options, timezone: 'Europe/Berlin' });
		const answers = ['Area=A', 'Visitors=1234.5', 'Weather=Wet', 'When=2026-05-01T12:30:00.000Z'];
		expect(stored()).toEqual([answers]);
	});

	const WRONG = { visitors: '1,5', weather: 'Snow' };
	const additionalFields = { teamId: 'north' };

	test('have all their problems in the same message as the fields, even for a tool', async () => {
		const error = await failureOf(create([WRONG], { additionalFields }));
		expect(error).toMatchObject({
			message: '4 problems in this row',
			description: expect.stringMatching(
				/^<ul><li>"Visitors": "1,5".*<\/li><li>.*"Snow".*<\/li><li>"Area": required[^<]*<\/li><li>Team: "north"[^<]*<\/li><\/ul>$/,
			),
			context: { itemIndex: 0 },
		});
		const [message] = await errorLines([WRONG], { additionalFields, asTool: true });
		expect(message).toMatch(/^4 problems in this row\. .*"1,5".*"Snow".*"Area": required.*"north"/);
		expect(creates()).toBe(0);
	});
});

describe('an inspection', () => {
	test('can have a team that is chosen from the list', async () => {
		const chosen = (value: string) => ({ teamId: { __rl: true, mode: 'list', value } });
		await create([{ area: 'A' }], { additionalFields: chosen(template.teamId) });
		expect(stored()).toHaveLength(1);
		const nobodys = chosen('00000000-0000-4000-8000-00000000000a');
		const wrong = create([{ area: 'A' }], { additionalFields: nobodys });
		await expect(wrong).rejects.toThrow(/\(40[34]\)/);
	});

	test('has all its fields, as has its task, with dates from expressions as plain text', async () => {
		const { jsons, hints } = await create([{ area: 'A' }], {
			name: '={{ new Date(0) }}',
			additionalFields: {
				status: 'COMPLETED',
				description: 'weekly',
				teamId: template.teamId,
				createdBy: 'nobody@example.com',
				customFields: { customField: [{ name: 'At', value: '={{ new Date(0) }}' }] },
				locations: '{"name":"Gate 4"}',
			},
			others: {
				createTask: true,
				task: { title: 'Fix', priority: 'High', dueDateTime: '2026-06-01T08:00:00', assignee: [] },
			},
		});
		expect(sandbox.store.inspections()[0]).toMatchObject({
			name: '1970-01-01T00:00:00.000Z',
			status: 'completed',
			description: 'weekly',
			customFields: [{ name: 'At', value: '1970-01-01T00:00:00.000Z' }],
			locations: [{ name: 'Gate 4' }],
		});
		const [task] = sandbox.store.tasks;
		expect(task).toMatchObject({ title: 'Fix', priority: 'high' });
		expect(jsons).toMatchObject([
			{ task_id: task?.id, warnings: expect.stringMatching(/^Invalid created_by: nobody@ex/) },
		]);
		expect(hints).toEqual([expect.stringContaining('warnings: Invalid created_by: nobody@')]);
	});
});

// n8n returns nothing for these forms, so domain/create/details.ts reads custom fields only from `{ customField: [{
// name, value }] }`.
test.each([
	['list', '={{ [{ name: "Order", value: "A-17" }] }}'],
	['object', '={{ { Order: "A-17" } }}'],
	['form', '={{ { customField: [{ name: "Order", value: "A-17" }] } }}'],
	['inner list', { customField: '={{ [{ name: "Order", value: "A-17" }] }}' }],
])('n8n returns no custom fields that are one expression: a %s', async (_, customFields) => {
	await create([{ area: 'A' }], { additionalFields: { customFields } });
	await create([{ area: 'A' }], { additionalFields: { customFields }, asTool: true });
	const created = sandbox.store.inspections().map((inspection) => inspection.customFields);
	expect(created).toEqual([[], []]);
});

// This is why the node reads each member of a collection separately.
test.each([false, true])(
	'n8n returns nothing for a collection that is a single expression (tool: %s)',
	async (asTool) => {
		const [options, additionalFields] = [
			'={{ { checkOnly: true } }}',
			'={{ { description: "D" } }}',
		];
		await create([{ area: 'A' }], { others: { options, additionalFields }, asTool });
		expect(sandbox.store.inspections()).toMatchObject([{ description: '' }]);
	},
);

describe('details', () => {
	const name = ' Gate 4, weekly ';
	const additionalFields = {
		description: 'First line\r\nSecond line\r\n',
		customFields: { customField: [{ name: 'Order', value: ' A-17 ' }] },
		locations: '[{"name": "Gate 4"}]',
	};

	test('have one warning each if the service drops them silently', async () => {
		Object.assign(sandbox.settings, { details: 'dropped', customFields: 'dropped' });
		const { jsons, hints } = await create([{ area: 'A' }], { name, additionalFields });
		const warnings = [
			expect.stringMatching(
				/^The service stored the name "Site walk .*" instead of "Gate 4, weekly"\.$/,
			),
			'The service did not store the description.',
			'The service did not store the custom field "Order".',
			'The service stored 0 of 1 locations.',
		];
		expect(String(jsons[0]?.warnings).split('; ')).toEqual(warnings);
		expect(hints).toEqual([
			expect.stringMatching(/^1 of 1 inspection: warnings: The service stored/),
		]);
	});

	test('have no warning if the service only trims them', async () => {
		Object.assign(sandbox.settings, { storedTexts: 'trimmed', storedLineBreaks: 'lf' });
		const { jsons, hints } = await create([{ area: 'A' }], { name, additionalFields });
		expect([jsons[0]?.warnings, hints]).toEqual(['', []]);
	});
});

const items = Array.from({ length: 60 }, (_, row) => ({ Area: `A${String(row)}` }));

test('many items cause one template request, but ten creates at the same time', async () => {
	sandbox.faults.add({ do: { kind: 'latency', ms: 30 } });
	const { jsons, pairs } = await create(items);
	expect(sandbox.requests.count('getTemplate')).toBe(1);
	expect(creates()).toBe(60);
	expect(sandbox.requests.peakInFlight('createInspection')).toBe(10);
	expect(pairs).toEqual(items.map((_, item) => item));
	const areas = jsons.map(({ id }) => sandbox.store.find(String(id))?.answers[0]?.value);
	expect(areas).toEqual(items.map(({ Area }) => Area));
});
