/** Create with Check Only: it says what a run would do, and sends nothing; createCombinations.test.mts compares both. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { radio, required, text } from '#harness/controls.mts';
import { createForTests, type CreateRun, REFUSED } from '#harness/createForTests.mts';

const { sandbox, template, create, creates } = await createForTests([
	required(text('Area', 'area')),
	radio('Weather', 'weather', 'Dry', 'Wet'),
]);

const check = async (items: IDataObject[], { options, ...run }: CreateRun = {}) =>
	await create(items, { ...run, options: { ...options, checkOnly: true } });

describe('Check Only', () => {
	test('gives what would be sent of a good row, and all problems of a wrong one', async () => {
		const { jsons, hints, pairs } = await check([
			{ Area: 'A', Weather: 'dry', Colour: 'red' },
			{ Weather: 'Snow' },
		]);
		expect(jsons).toEqual([
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
				problems: expect.stringMatching(/^"Weather": "Snow" is not among its .* "Area": required/),
				already_existed: false,
				request: null,
			},
		]);
		expect(hints).toEqual([
			'Check Only is on: nothing was sent. 1 of 2 inspections can be created.',
			expect.stringContaining('"Colour"'),
		]);
		expect(pairs).toEqual([0, 1]);
		expect(sandbox.requests.all().map(({ method }) => method)).toEqual(['GET']);
	});

	test('finds no fault with a wrong answer where Validate Responses is off; as a tool it says the same', async () => {
		const wrong = [{ Area: 'A', Weather: 'Snow' }];
		const unchecked = await check(wrong, { options: { validateResponses: false } });
		expect(unchecked.jsons).toMatchObject([{ ok: true, problems: '' }]);
		const problems = expect.stringContaining('not among its choices') as unknown;
		const { jsons } = await check(wrong, { asTool: true });
		expect(jsons).toMatchObject([{ ok: false, problems }]);
	});

	test('has one item for each group, with its value', async () => {
		const rows = [1, 2, 1].map((No, row) => ({ No, Area: `A${String(row)}` }));
		const { jsons } = await check(rows, { options: { groupRowsBy: 'No' } });
		expect(jsons).toMatchObject([
			{ group: 1, ok: false, problems: expect.stringMatching(/row 1 says "A0".*row 3 says "A2"/) },
			{ group: 2, ok: true },
		]);
	});

	test('says which inspections exist already by their unique key', async () => {
		const options = { uniqueKey: '={{ $json.Order }}' };
		await create([{ Order: 'a', Area: 'A' }], { options });
		const rows = ['a', 'b', ''].map((Order) => ({ Order, Area: 'A' }));
		const { jsons } = await check(rows, { options });
		const ofKey = { custom_fields: [{ name: 'Unique key', value: 'b' }] };
		expect(jsons).toMatchObject([
			{ ok: true, already_existed: true, request: null },
			{ ok: true, already_existed: false, request: ofKey },
			{ ok: false, problems: expect.stringContaining('Unique Key is empty') },
		]);
		expect(creates()).toBe(1);
	});

	test('a template that is not there is a problem of its rows', async () => {
		const { jsons } = await check([{ Area: 'A' }], { template: 'NONE' });
		expect(jsons).toMatchObject([{ ok: false, problems: expect.stringContaining('404') }]);
	});

	test.each(['getTemplate', 'listInspections'] as const)(
		'trouble of the service is an error, because then nothing is known: %s',
		async (operation) => {
			sandbox.faults.add({ on: { operation }, do: REFUSED });
			const options = { uniqueKey: '={{ $json.Area }}' };
			await expect(check([{ Area: 'A' }], { options })).rejects.toThrow(/403/);
			const { jsons } = await check([{ Area: 'A' }], { options, onError: 'continueErrorOutput' });
			expect(jsons).toEqual([{ error: expect.stringContaining('403') }]);
		},
	);
});
