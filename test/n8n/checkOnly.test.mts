/**
 * Tests Create with Check Only, which sends nothing and reports what a run would do. createCombinations.test.mts
 * compares its reports with real runs.
 */
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { radio, required, text } from '#harness/controls.mts';
import { createForTests, type CreateRun, REFUSED } from '#harness/createForTests.mts';

const { sandbox, template, create, creates } = await createForTests([
	required(text('Area', 'area')),
	radio('Weather', 'weather', 'Dry', 'Wet'),
]);

const check = async (items: IDataObject[], { options, ...run }: CreateRun = {}) =>
	await create(items, { ...run, options: { ...options, checkOnly: true } });

const BY_ORDER = { uniqueKey: '={{ $json.Order }}' };

test('Check Only returns the answers of a valid row, but all problems of an invalid one', async () => {
	const rows = [{ Area: 'A', Weather: 'dry', Colour: 'red' }, { Weather: 'Snow' }];
	const { jsons, hints, pairs } = await check(rows);
	expect(jsons.map((json) => Object.keys(json))).toEqual(
		jsons.map(() => ['rows', 'ok', 'problems', 'already_existed']),
	);
	const answers = Object.entries({ area: 'A', weather: 'Dry' });
	const items = answers.map(([field_id, value]) => ({ field_id, response: { value } }));
	const data = { item_type: 'question_response', items };
	const request = JSON.stringify({ template_id: template.id, data });
	const raw = await check(rows, { others: { output: 'raw' } });
	expect(raw.jsons.map((json) => json.request)).toEqual([request, null]);
	expect(jsons).toEqual([
		{ rows: 'row 1 ("A")', ok: true, problems: '', already_existed: false },
		{
			rows: 'row 2 ("Snow")',
			ok: false,
			already_existed: false,
			problems: expect.stringMatching(
				/^• "Weather": "Snow" isn't one of its .*\n• "Area": required/,
			),
		},
	]);
	expect(hints).toEqual([
		"'Check Only' is on: nothing was sent. 1 of 2 inspections can be created. 1 inspection has problems. To see them, filter by ok = false.",
		expect.stringContaining('"Colour"'),
	]);
	expect(pairs).toEqual([0, 1]);
	expect(sandbox.requests.all().map(({ method }) => method)).toEqual(['GET', 'GET']);
});

test('Check Only accepts an unanswered required question with Allow Missing Answers', async () => {
	const unanswered = [{ Area: '', Weather: 'Wet' }];
	const { jsons } = await check(unanswered, { options: { allowMissing: true } });
	expect(jsons).toMatchObject([{ ok: true, problems: '' }]);
	expect((await check(unanswered)).jsons).toMatchObject([{ ok: false }]);
});

test('Check Only reports to a model that nothing was sent', async () => {
	const wrong = [{ Area: 'A', Weather: 'Snow' }];
	const problems = expect.stringContaining("isn't one of its choices") as unknown;
	const { jsons } = await check(wrong, { asTool: true });
	const hints = expect.stringContaining('nothing was sent') as unknown;
	expect(jsons).toMatchObject([{ ok: false, problems }, { hints }]);
});

test('Check Only returns one item for each group, with its value', async () => {
	const rows = [1, 2, 1].map((No, row) => ({ No, Area: `A${String(row)}` }));
	const { jsons } = await check(rows, { options: { groupRowsBy: 'No' } });
	expect(jsons).toMatchObject([
		{ group: 1, ok: false, problems: expect.stringMatching(/row 1 has "A0".*row 3 has "A2"/) },
		{ group: 2, ok: true },
	]);
});

test.each([
	[
		['#N/A'],
		'1 of 1 inspection can be created. 1 inspection has problems, but can be created anyway.',
	],
	[
		['#N/A', '#REF!', 'A'],
		'3 of 3 inspections can be created. 2 inspections have problems, but can be created anyway.',
	],
	[
		['#N/A', ''],
		'1 of 2 inspections can be created. 2 inspections have problems, but 1 of them can be created anyway.',
	],
])(
	'Check Only counts the inspections that can be created despite problems: %j',
	async (areas, counts) => {
		const { hints } = await check(areas.map((Area) => ({ Area, Weather: 'Dry' })));
		expect(hints[0]).toBe(
			`'Check Only' is on: nothing was sent. ${counts} To see them, filter by ok = false.`,
		);
	},
);

test('Check Only reports which inspections already exist by unique key, even canceled ones', async () => {
	const rowsOf = (...keys: string[]) => keys.map((Order) => ({ Order, Area: 'A' }));
	await create(rowsOf('a', 'x'), BY_ORDER);
	const made = sandbox.store.inspections();
	const canceled = made.find(({ customFields: [key] }) => key?.value === 'x');
	sandbox.store.updateInspection(String(canceled?.id), { status: 'canceled' });
	const { jsons, hints } = await check(rowsOf('', 'a', 'b', 'x'), BY_ORDER);
	expect(jsons).toMatchObject([
		{ ok: false, problems: expect.stringContaining("'Unique Key' has no value") },
		{ ok: true, problems: '', already_existed: true },
		{ ok: true, already_existed: false },
		{ ok: true, problems: expect.stringContaining('is canceled'), already_existed: true },
	]);
	expect(hints).toEqual([
		"'Check Only' is on: nothing was sent. 1 of 4 inspections can be created. 2 already exist with the same unique key and won't be created again. 1 inspection has problems. To see them, filter by ok = false.",
	]);
	expect(creates()).toBe(2);
});

test('Check Only lists all rows with the same unique key, but checks each', async () => {
	const rows = ['Dry', 'Snow'].map((Weather) => ({ Order: 'a', Area: 'A', Weather }));
	const { jsons } = await check(rows, BY_ORDER);
	const same = 'Unique Key: rows 1 and 2 are separate inspections, but both have the key "a"';
	expect(jsons).toMatchObject([
		{ rows: 'row 1 (unique key "a")', problems: expect.stringContaining(same) },
		{ problems: expect.stringMatching(`${same}.*\n• "Weather": "Snow" isn't one of`) },
	]);
});

test("Check Only reports a problem outside the answers: a row's template that doesn't exist", async () => {
	const { jsons } = await check([{ Area: 'A' }], { template: '={{ "NONE" }}' });
	expect(jsons).toMatchObject([{ ok: false, problems: expect.stringContaining('404') }]);
});

test('Check Only fails for a setting that Create rejects for all rows', async () => {
	const checking = check([{ Area: 'A' }], { others: { output: 'table' } });
	await expect(checking).rejects.toThrow(/^Output: "table" is not one of these: raw, simplified/);
});

test('Check Only can be an expression of the rows', async () => {
	const options = { checkOnly: '={{ $json.check }}' };
	const { hints } = await create([{ Area: 'A', check: 'TRUE' }, {}], { options });
	expect(hints[0]).toMatch(/^'Check Only' is on: nothing was sent\. 1 of 1 inspection can/);
	expect(creates()).toBe(0);
});

test.each(['getTemplate', 'listInspections'] as const)(
	'Check Only fails if the service fails, because the result is unknown: %s',
	async (operation) => {
		sandbox.faults.add({ on: { operation }, do: REFUSED });
		const uniqueKey = '={{ $json.Area }}';
		await expect(check([{ Area: 'A' }], { uniqueKey })).rejects.toThrow(/403/);
		const { jsons } = await check([{ Area: 'A' }], { uniqueKey, onError: 'continueErrorOutput' });
		expect(jsons).toEqual([{ error: expect.stringContaining('403') }]);
	},
);
