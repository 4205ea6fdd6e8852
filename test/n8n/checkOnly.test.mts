/** Create with Check Only: it says what a run would do, and sends nothing. */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { executeNode, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		page('Site', [
			{ ...text('Area', 'area'), is_required: true },
			{ type: 'radio', label: 'Weather', fieldId: 'weather', choices: ['Dry', 'Wet'] },
			repeatable('Findings', 'findings', [text('Room', 'room')]),
		]),
	],
});

interface Given extends Partial<NodeRunOptions> {
	options?: IDataObject;
	template?: string;
}

async function run(
	items: IDataObject[],
	{ options, template: identifier = 'WALK', ...others }: Given = {},
) {
	return await executeNode({
		credential,
		items,
		...others,
		parameters: createParameters(templateBy(identifier), { options }),
	});
}

async function check(items: IDataObject[], { options, ...given }: Given = {}) {
	return await run(items, { ...given, options: { ...options, checkOnly: true } });
}

const jsons = (items: readonly INodeExecutionData[]) => items.map(({ json }) => json);
const creates = () => sandbox.requests.count('createInspection');
/** Requests that may change something. */
const writes = () => sandbox.requests.all().filter(({ method }) => method !== 'GET').length;

describe('Check Only', () => {
	test('gives what would be sent of a good row, and all problems of a wrong one', async () => {
		const rows = [{ Area: 'A', Weather: 'dry' }, { Weather: 'Snow' }];
		const { items, hints } = await check(rows);
		expect(jsons(items)).toEqual([
			{
				ok: true,
				problems: '',
				already_existed: false,
				request: {
					template_id: template.id,
					data: {
						item_type: 'question_response',
						items: [
							{ field_id: 'area', response: { value: 'A' } },
							{ field_id: 'weather', response: { value: 'Dry' } },
						],
					},
				},
			},
			{
				ok: false,
				problems: expect.stringMatching(/"Snow" is not among its choices.* "Area": required/),
				already_existed: false,
				request: null,
			},
		]);
		expect(hints.map(({ message }) => message)).toEqual([
			'Check Only is on: nothing was sent. 1 of 2 inspections can be created.',
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(writes()).toBe(0);
	});

	test('names the columns that match no question', async () => {
		const { hints } = await check([{ Area: 'A', Colour: 'red' }]);
		expect(hints.map(({ message }) => message).join()).toContain('"Colour"');
	});

	test('has one item for each group, with its value', async () => {
		const rows = [
			{ No: 1, Area: 'A', Room: 'x' },
			{ No: 2, Area: 'B', Room: 'y' },
			{ No: 1, Area: 'C', Room: 'z' },
		];
		const { items } = await check(rows, { options: { groupRowsBy: 'No' } });
		expect(jsons(items)).toMatchObject([
			{ group: 1, ok: false, problems: expect.stringMatching(/row 1 says "A".*row 3 says "C"/) },
			{ group: 2, ok: true, request: { data: { items: expect.any(Array) } } },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('says which inspections exist already by their unique key', async () => {
		const options = { uniqueKey: '={{ $json.Order }}' };
		await run([{ Order: 'a', Area: 'A' }], { options });
		const rows = ['a', 'b', ''].map((Order) => ({ Order, Area: 'A' }));
		const { items } = await check(rows, { options });
		expect(jsons(items)).toMatchObject([
			{ ok: true, already_existed: true, request: null },
			{
				ok: true,
				already_existed: false,
				request: { custom_fields: [{ name: 'Unique key', value: 'b' }] },
			},
			{ ok: false, problems: expect.stringContaining('Unique Key is empty') },
		]);
		expect(creates()).toBe(1);
	});

	test('a template that is not there is a problem of its rows', async () => {
		const { items } = await check([{ Area: 'A' }], { template: 'NONE' });
		expect(jsons(items)).toMatchObject([{ ok: false, problems: expect.stringContaining('404') }]);
	});

	test.each(['getTemplate', 'listInspections'] as const)(
		'trouble of the service is an error, because then nothing is known: %s',
		async (operation) => {
			sandbox.faults.add({ on: { operation }, do: { kind: 'status', status: 403 } });
			const options = { uniqueKey: '={{ $json.Area }}' };
			await expect(check([{ Area: 'A' }], { options })).rejects.toThrow(/403/);
			const going = await check([{ Area: 'A' }], { options, onError: 'continueErrorOutput' });
			expect(jsons(going.items)).toEqual([{ error: expect.stringContaining('403') }]);
		},
	);

	test('as a tool of an agent it says the same', async () => {
		const { items } = await check([{ Weather: 'Snow' }], { asTool: true });
		expect(jsons(items)).toMatchObject([
			{ ok: false, problems: expect.stringContaining('not among its choices') },
		]);
		expect(writes()).toBe(0);
	});

	test('switched off by an expression, inspections are created', async () => {
		await run([{ Area: 'A' }], { options: { checkOnly: '={{ false }}' } });
		expect(creates()).toBe(1);
	});
});

const row = fc.record({
	No: fc.constantFrom(1, 2, ''),
	Order: fc.constantFrom('a', 'b', ''),
	Area: fc.constantFrom('A', 'B', ''),
	Weather: fc.constantFrom('', 'Dry', 'Snow'),
	Room: fc.constantFrom('', 'x'),
});
const chosen = fc.record({
	isGrouped: fc.boolean(),
	isKeyed: fc.boolean(),
	validateResponses: fc.boolean(),
	onError: fc.constantFrom<(OnError | undefined)[]>(undefined, 'continueErrorOutput'),
});

test('finds what a run then does: the same inspections are refused, the others sent as it said', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(row, { minLength: 1, maxLength: 5 }),
			chosen,
			async (rows, { isGrouped, isKeyed, validateResponses, onError }) => {
				for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
				sandbox.requests.clear();
				const options = {
					validateResponses,
					...(isGrouped && { groupRowsBy: 'No' }),
					...(isKeyed && { uniqueKey: '={{ $json.Order }}' }),
				};
				const { items: checked } = await check(rows, { options, onError });
				expect(writes()).toBe(0);
				const { items: made } = await run(rows, { options, onError: 'continueErrorOutput' });
				const isGood = ({ json }: INodeExecutionData) => json.ok === true;
				const pairs = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
				expect(pairs(checked.filter(isGood))).toEqual(
					pairs(made.filter(({ json }) => json.error === undefined)),
				);
				const bodies = sandbox.requests.all('createInspection').map(({ body }) => body);
				const foretold = checked.filter(isGood).map(({ json }) => JSON.stringify(json.request));
				expect(bodies.toSorted()).toEqual(foretold.toSorted());
			},
		),
		{ numRuns: 60 },
	);
});
