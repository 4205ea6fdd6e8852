/** How the error of many rows names rows, questions and values, whatever the options are. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { failureOf } from '#harness/failure.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, mapColumns, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		{ ...text('Area', 'area'), is_required: true },
		{ type: 'number', label: 'Visitors' },
		{ type: 'radio', label: 'Severity', choices: ['Low', 'High'] },
	],
});

async function create(
	items: IDataObject[],
	{ onError, ...parameters }: INodeParameters & { onError?: OnError } = {},
) {
	return await executeNode({
		credential,
		items,
		onError,
		parameters: createParameters(templateBy('WALK'), parameters),
	});
}

/** The error that ends Create, as the panel of n8n shows it: the message, then the list. */
async function told(...given: Parameters<typeof create>) {
	const { message, description, context } = await failureOf(create(...given));
	expect(context.itemIndex).toBeUndefined();
	const lines = [...(description ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, line = '']) => line);
	return [message, ...lines];
}

describe('rows are named', () => {
	test('by their line in a Google sheet', async () => {
		const rows = [2, 3, 7].map((line) => ({ row_number: line, Area: 'A' }));
		const lines = await told([...rows, { row_number: 9, Area: 'A', Severity: 'Hgih' }]);
		expect(lines).toEqual([
			expect.stringMatching(
				/^Nothing was sent\. "Severity", row 9: "Hgih".* 1 of 4 rows has a problem \(numbered as in the sheet\)\.$/,
			),
		]);
	});

	test('with the value of their group, or their unique key', async () => {
		const rows = ['17', '18'].flatMap((No) => [
			{ No, Area: `A${No}` },
			{ No, Severity: No === '18' ? 'Hgih' : 'Low' },
		]);
		const grouped = await told(rows, { options: { groupRowsBy: 'No' } });
		expect(grouped[0]).toContain('"Severity", row 4 ("No" 18): "Hgih"');
		const keyed = await told(
			['17', '18'].map((No) => ({ No, Area: 'A', Severity: No === '18' ? 'Hgih' : 'Low' })),
			{ options: { uniqueKey: '={{ "K-" + $json.No }}' } },
		);
		expect(keyed[0]).toContain('"Severity", row 2 (Unique Key "K-18"): "Hgih"');
	});
});

test('Group Rows By is offered for rows that answer in turn', async () => {
	const rows = [1, 2].flatMap((No) => [
		{ No, Area: `A${String(No)}` },
		{ No, Severity: 'Low' },
	]);
	const [headline, ...lines] = await told(rows);
	expect(headline).toMatch(/^Nothing was sent\. 2 of 4 rows have problems/);
	expect(lines).toEqual([
		'Rows with the same "No" look like one inspection each. To make one of them, set the option Group Rows By to "No".',
		'"Area", rows 2 and 4: required, but has no answer; give it one.',
		'Rows 2 and 4: "No" is a column that matches no question.',
	]);
	const { items } = await create(rows, { options: { groupRowsBy: 'No' } });
	expect(items).toHaveLength(2);
});

describe('an expression that n8n cannot read', () => {
	const schema = [
		{ id: 'area', displayName: 'Area *', required: true, defaultMatch: false, display: true },
	];
	const rows = [{ 'Area of\nvisit': 'A' }, { 'Area of\nvisit': 'B' }, { 'Area of\nvisit': 'C' }];

	test('because of a line break in a header: the question, the column and the cure', async () => {
		const responses = mapColumns({ area: "={{ $json['Area of\nvisit'] }}" }, schema);
		const [message] = await told(rows, { responses });
		expect(message).toContain(
			'"Area *", all 3 rows: the header of the column "Area of visit" has a line break, and n8n cannot read such a name in an expression; write the header in one line and drag the column again, or choose "Map Automatically".',
		);
		expect(sandbox.requests.count('createInspection')).toBe(0);
	});

	test('for another reason: the question and the expression', async () => {
		const responses = mapColumns({ area: '={{ $json.Area of visit }}' }, schema);
		const [message] = await told(rows, { responses });
		expect(message).toContain(
			'"Area *", all 3 rows: its expression "{{ $json.Area of visit }}" cannot be worked out (invalid syntax); correct it.',
		);
	});

	test('costs only its rows where the execution goes on', async () => {
		const responses = mapColumns(
			{ area: '={{ $json.n === 1 ? $("Nope").item.json.x : "A" }}' },
			schema,
		);
		const onError = 'continueRegularOutput';
		const { items } = await create([{ n: 0 }, { n: 1 }], { responses, onError });
		expect(items[1]?.json['error']).toMatch(/^"Area \*": its expression .* cannot be worked out/);
		expect(sandbox.store.inspections()).toHaveLength(1);
	});
});

test('n8n’s name for a second column of one name is explained', async () => {
	const { hints } = await create([{ Area: 'A', Area_1: 'B', Other_1: 'C' }]);
	expect(hints.map(({ message }) => message).join('\n')).toContain(
		'"Area_1" (n8n’s name for a second column "Area": give it a header of its own), "Other_1"',
	);
	const lines = await told([{ Area: 'A' }, { Area_1: 'B' }]);
	expect(lines.join('\n')).toContain('n8n’s name for a second column "Area"');
});

const WRONG = { Visitors: ['many', 'few', '1,5'], Severity: ['Hgih', 'x'] } as const;
const anyRow = fc.record({
	No: fc.integer({ min: 1, max: 4 }),
	Visitors: fc.option(fc.constantFrom(...WRONG.Visitors), { nil: undefined }),
	Severity: fc.option(fc.constantFrom(...WRONG.Severity), { nil: undefined }),
});
const anyOptions = fc.record({
	isGrouped: fc.boolean(),
	isKeyed: fc.boolean(),
	isSheet: fc.boolean(),
	goesOn: fc.boolean(),
});

test('every wrong value of every row is told, and each question and kind once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(anyRow, { minLength: 2, maxLength: 12 }),
			anyOptions,
			async (given, { isGrouped, isKeyed, isSheet, goesOn }) => {
				const rows = given.map((row, place) => ({
					...row,
					Area: isGrouped || isKeyed ? 'A' : `A${String(place)}`,
					...(isSheet ? { row_number: place + 20 } : {}),
				}));
				fc.pre(rows.some(({ Visitors, Severity }) => Visitors ?? Severity));
				const numberOf = (place: number) => String(isSheet ? place + 20 : place + 1);
				const options = {
					...(isGrouped ? { groupRowsBy: 'No' } : {}),
					...(isKeyed ? { uniqueKey: '={{ $json.No }}' } : {}),
				};
				// Without groups the first row of a key makes the inspection.
				const counts = (place: number) =>
					isGrouped || !isKeyed || rows.findIndex(({ No }) => No === rows[place]?.No) === place;
				const wrong = rows.flatMap(({ Visitors, Severity }, place) =>
					counts(place)
						? Object.entries({ Visitors, Severity }).flatMap(([label, value]) =>
								value === undefined ? [] : [{ place, label, value }],
							)
						: [],
				);
				fc.pre(wrong.length > 0);
				if (goesOn) {
					const { items } = await create(rows, { options, onError: 'continueRegularOutput' });
					for (const { place, label, value } of wrong) {
						const item = items.find(
							({ pairedItem, json }) =>
								'error' in json && JSON.stringify(pairedItem) === JSON.stringify({ item: place }),
						);
						expect(item?.json['error']).toContain(`"${label}"`);
						// In a group two values for one question are told as such, by the first two.
						if (!isGrouped) expect(item?.json['error']).toContain(`"${value}"`);
					}
					return;
				}
				const lines = await told(rows, { options });
				const all = lines.join('\n');
				for (const { place, label, value } of wrong) {
					expect(all).toContain(`"${label}", `);
					if (!isGrouped) expect(all).toContain(`"${value}"`);
					if (wrong.length === 1 && !isKeyed) expect(all).toContain(`row ${numberOf(place)}`);
				}
				const titles = lines
					.slice(1)
					.map((line) => line.replace(/^("\w+"), .*?(?=: ).*? (?=is |row )/, '$1'));
				expect(new Set(titles).size).toBe(titles.length);
			},
		),
		{ numRuns: 60 },
	);
});
