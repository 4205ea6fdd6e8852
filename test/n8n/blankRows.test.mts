/** Rows that give nothing, and rows that carry an error, where each column is mapped by hand. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { repeatable, text } from '#harness/controls.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, mapColumns, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		text('Area', 'area'),
		text('Note', 'note'),
		repeatable('Findings', 'findings', [text('Finding', 'finding')]),
	],
});

const BY_ROW = { area: '={{ $json.Area }}', note: '=Seen: {{ $json["Note"] }}' };

async function create(
	items: IDataObject[],
	columns: Record<string, string>,
	{ onError, ...parameters }: INodeParameters & { onError?: OnError } = {},
) {
	const { items: made, hints } = await executeNode({
		credential,
		items,
		onError,
		parameters: createParameters(templateBy('WALK'), {
			responses: mapColumns(columns),
			...parameters,
		}),
	});
	return { made, pairs: made.map(({ pairedItem }) => pairedItem), hints };
}

const areas = () =>
	sandbox.store.inspections().map(({ answers }) => answers.map(({ value }) => value));

describe('a row without anything', () => {
	test.each([
		['has no cells', {}],
		['has empty cells', { Area: '', Note: ' ', Other: null }],
		['has only what n8n adds', { row_number: 3 }],
	])('that %s makes no inspection, and one hint names it', async (_, blank) => {
		const rows = [{ Area: 'A' }, blank, { Area: 'B' }, blank, blank];
		const { pairs, hints } = await create(rows, BY_ROW);
		expect(pairs).toEqual([{ item: 0 }, { item: 2 }]);
		expect(hints.map(({ message }) => message)).toEqual([
			'No inspection was made of rows 2, 4 and 5: nothing that is mapped has a value there',
		]);
	});

	test('makes none where other columns than the mapped ones have values', async () => {
		const { pairs } = await create([{ Other: 1 }, { Area: 'A' }], { area: '={{ $json.Area }}' });
		expect(pairs).toEqual([{ item: 1 }]);
	});

	test('makes one where its name or task comes from the row', async () => {
		const fields = {
			additionalFields: {
				customFields: { customField: [{ name: 'No', value: '={{ $json.No }}' }] },
			},
		};
		const { pairs } = await create([{ No: 7 }, {}], { area: '={{ $json.Area }}' }, fields);
		expect(pairs).toEqual([{ item: 0 }]);
	});

	test.each([
		['fixed values', { area: 'Gate' }, [['Gate'], ['Gate']]],
		['no values', {}, [[], []]],
		['the time', { area: '={{ $now.year > 1 ? "Gate" : "" }}' }, [['Gate'], ['Gate']]],
	])('still makes one with %s', async (_, columns, stored) => {
		await create([{}, { error: 'no such page' }], columns);
		expect(areas()).toEqual(stored);
	});

	test('is told with the columns to check where no row gives anything', async () => {
		const { made, hints } = await create([{ Zone: 'A' }, { Zone: 'B' }], {
			area: '={{ $json.Area }}',
		});
		expect(made).toEqual([]);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^No row gave a value for "area" /),
			expect.stringMatching(/^No inspection was made of rows 1 and 2: /),
		]);
	});

	test('needs no unique key', async () => {
		const options = { uniqueKey: '={{ $json.No }}' };
		const { pairs } = await create([{ No: 1, Area: 'A' }, {}], BY_ROW, { options });
		expect(pairs).toEqual([{ item: 0 }]);
	});
});

describe('a row that carries an error', () => {
	test('is an input error that shows it', async () => {
		await expect(create([{ Area: 'A' }, { error: 'no such page' }], BY_ROW)).rejects.toThrow(
			/^Nothing was sent\. Row 2: The item carries an error: "no such page"/,
		);
		expect(areas()).toEqual([]);
	});

	test('costs only itself where the execution goes on', async () => {
		const onError = 'continueRegularOutput';
		const { made } = await create([{ error: 'no such page', Area: 'A' }, { Area: 'B' }], BY_ROW, {
			onError,
		});
		expect(made[0]?.json.error).toMatch(/^The item carries an error: "no such page"/);
		expect(areas()).toEqual([['B', expect.stringMatching(/^Seen:/)]]);
	});

	test('is an inspection where an answer is made of the error', async () => {
		await create([{ error: 'no such page' }], { area: '={{ $json.error }}' });
		expect(areas()).toEqual([['no such page']]);
	});

	test('is named within its group', async () => {
		const rows = [
			{ No: 1, Area: 'A' },
			{ No: 1, error: 'lost' },
		];
		const options = { groupRowsBy: 'No' };
		await expect(create(rows, BY_ROW, { options })).rejects.toThrow(
			/^Nothing was sent\. Row 2 \("No" 1\): The item carries an error: "lost"/,
		);
	});
});

/** Every row is in one inspection or in the hint, whatever the other options are. */
test('each row with a value makes its inspection, and each other one is named', async () => {
	const row = fc.record({
		Area: fc.constantFrom('', 'A', 'B'),
		No: fc.constantFrom('1', '2'),
		isEmpty: fc.boolean(),
	});
	const options = fc.record({
		isGrouped: fc.boolean(),
		isKeyed: fc.boolean(),
		onError: fc.constantFrom<OnError[]>('stopWorkflow', 'continueErrorOutput'),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(row, { minLength: 1, maxLength: 5 }),
			options,
			async (rows, chosen) => {
				for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
				const cells = rows.map(({ isEmpty, No, Area }) => (isEmpty ? {} : { No, Area }));
				const wanted = cells.flatMap(({ No, Area }) => (Area ? [{ No, Area }] : []));
				// Rows of one group that say different things are an error of their own.
				const values = new Map(wanted.map(({ No, Area }) => [No, Area]));
				const isMerged = chosen.isGrouped || chosen.isKeyed;
				if (isMerged && wanted.some(({ No, Area }) => values.get(No) !== Area)) return;
				const { made, hints } = await create(
					cells,
					{ area: '={{ $json.Area }}' },
					{
						onError: chosen.onError,
						options: {
							...(chosen.isGrouped ? { groupRowsBy: 'No' } : {}),
							...(chosen.isKeyed ? { uniqueKey: '={{ $json.No }}' } : {}),
						},
					},
				);
				const count = isMerged ? values.size : wanted.length;
				expect(made.filter(({ json }) => json.error === undefined)).toHaveLength(count);
				expect(sandbox.store.inspections()).toHaveLength(count);
				const named = hints.filter(({ message }) =>
					message.startsWith('No inspection was made of'),
				);
				const used = cells.filter(({ No, Area }) =>
					chosen.isGrouped ? No !== undefined && values.has(No) : Area,
				);
				expect(named).toHaveLength(used.length < cells.length ? 1 : 0);
			},
		),
		{ numRuns: 60 },
	);
});
