// @module-tag slow
/** Tests that Create checks all rows before it sends the first one, and what it reports about problems and results. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { number, radio, required, text } from '#harness/controls.mts';
import { createForTests, linesOf, LOST, REFUSED } from '#harness/createForTests.mts';
import { failureOf } from '#harness/failure.mts';

const { sandbox, create, errorLines, stored, creates, failCreate } = await createForTests([
	required(text('Area', 'area')),
	number('Visitors', 'visitors'),
	radio('Severity', 'severity', 'Low', 'High'),
]);

const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => ({ Area: `A${row}` }));
const COUNTED = 'Row 1 is the first row that reached this node, usually line 2 in Excel.';
const REREAD =
	"After you correct the file, use 'Execute workflow', because 'Execute step' uses the rows that were already read.";

describe('a node that ends the execution on an error', () => {
	test('reports the problems of all rows before anything is sent', async () => {
		const sheet: IDataObject[] = rowsOf(50);
		sheet[6] = { Area: 'A', Visitors: 'many' };
		sheet[39] = { Area: '', Visitors: 'few' };
		const { message, description, context } = await failureOf(create(sheet));
		expect(message).toBe('Nothing was sent: 2 of 50 rows need a correction');
		expect(linesOf(description)).toEqual([
			expect.stringMatching(
				/^"Visitors", row 7 \("A"\) and row 40 \("few"\): "many" is not a number.*"few" in row 40/,
			),
			'"Area", row 40 ("few"): required, but has no answer. Fill it in.',
			COUNTED,
		]);
		expect(context.itemIndex).toBeUndefined();
		expect([creates(), sandbox.requests.count('getTemplate')]).toEqual([0, 1]);
	});

	test('has the problem of a single row as the title, but a count for several', async () => {
		const problem = 'required, but has no answer. Fill it in.';
		expect(await errorLines([{ Area: 'A' }, { Area: '', Visitors: 3 }])).toEqual([
			'Nothing was sent: 1 of 2 rows needs a correction',
			`"Area", row 2 ("3"): ${problem}`,
			COUNTED,
		]);
		expect(await errorLines([{ Area: '', Visitors: 3 }])).toEqual([`"Area": ${problem}`]);
	});

	test('explains in a test run in the editor how to read a corrected file again', async () => {
		const lines = await errorLines([{ Visitors: 2 }, { Visitors: 3 }], { mode: 'manual' });
		expect(lines.slice(-2)).toEqual([COUNTED, REREAD]);
	});

	test('suggests Check Only if a line leaves out rows, values, or kinds of problems', async () => {
		const hint = "The option 'Check Only' lists every row.";
		const rowsWithout = (...bad: number[]) =>
			rowsOf(12).map((row, at) => (bad.includes(at) ? { Visitors: at } : row));
		expect(await errorLines(rowsWithout(1, 3, 5))).not.toContain(hint);
		expect((await errorLines(rowsWithout(1, 3, 5, 7))).slice(-2)).toEqual([hint, COUNTED]);
		expect(await errorLines(rowsWithout(1, 2, 3, 4, 5, 6, 7))).not.toContain(hint);
		const values = Array.from({ length: 10 }, (_, at) => ({
			Area: 'A',
			Severity: `v${String(at)}`,
		}));
		expect(await errorLines(values)).toContain(hint);
		expect(await errorLines(values.slice(1))).not.toContain(hint);
	});

	test('requests a missing template only once for all of its rows', async () => {
		const rows = ['WALK', 'GONE', 'walk', 'gone'].map((t, at) => ({ t, Area: at < 2 ? 'A' : '' }));
		const run = { template: '={{ $json.t }}' };
		expect(await errorLines(rows, run)).toEqual([
			'Nothing was sent: 3 of 4 rows need a correction',
			expect.stringMatching(/^Row 2 \("GONE"\).*: The template .*was not found \(404\)/),
			expect.stringMatching(/^"Area", row 3 \("walk"\): required/),
			COUNTED,
		]);
		expect([creates(), sandbox.requests.count('getTemplate')]).toEqual([0, 2]);
	});

	test('reports a template that is missing for all rows as one error without rows', async () => {
		const rows = rowsOf(300);
		const missing = /^The template "GONE" was not found \(404\)(?!.*rows)/;
		for (const template of ['GONE', '={{ "GONE" }}']) {
			expect(await errorLines(rows, { template })).toEqual([expect.stringMatching(missing)]);
		}
		const options = { checkOnly: true };
		expect(await errorLines(rows, { template: 'GONE', options })).toEqual([
			expect.stringMatching(missing),
		]);
		// If the template comes from an expression, Check Only reports an error about the template for each row.
		const { jsons } = await create(rows.slice(0, 3), { template: '={{ "GONE" }}', options });
		const problem = expect.stringMatching(
			/^The template .* If all of this is right, check/,
		) as string;
		expect(jsons.map(({ problems }) => problems)).toEqual([problem, problem, problem]);
	});

	test('ends immediately if the service fails while the rows are checked', async () => {
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: REFUSED });
		expect(await errorLines(rowsOf(30))).toEqual([
			expect.stringMatching(/^Row 1 \("A0"\): .*\(403\)/),
			'Not sent: rows 2 to 30.',
		]);
		expect(sandbox.requests.count('getTemplate')).toBe(1);
	});

	test('reports what was created when the service rejects a row', async () => {
		failCreate(REFUSED, { body: '"A2"' });
		const { message, description, context } = await failureOf(create(rowsOf(50)));
		// Ten requests are open when the third one fails. All rows up to the first unsent one were created, except row 3.
		const count = stored().length;
		expect(count).toBeGreaterThanOrEqual(2);
		expect(count).toBeLessThan(49);
		expect([message, ...linesOf(description)]).toEqual([
			expect.stringMatching(/^Row 3 \("A2"\): .*\(403\)/),
			`Not sent: rows ${String(count + 2)} to 50.`,
			expect.stringContaining(
				`${String(count)} inspections were created in this execution (rows 1, 2 and 4 to ${String(count + 1)})`,
			),
		]);
		expect(context.itemIndex).toBeUndefined();
		expect(creates()).toBe(count + 1);
	});

	test('reports what possibly exists after other failures as well', async () => {
		failCreate(REFUSED, { body: 'A0' });
		failCreate(LOST, { body: 'A1' });
		const name = '={{ "Walk <b> " + $itemIndex }}';
		expect(await errorLines(rowsOf(3), { name })).toEqual([
			expect.stringMatching(/^Row 1 \("A0"\): .*\(403\)/),
			expect.stringMatching(
				/^Row 2 \("A1"\): It's unknown whether the inspection was created\..*named "Walk &lt;b&gt; 1"/,
			),
			expect.stringContaining('1 inspection was created in this execution (row 3)'),
		]);
	});
});

describe('a node that continues on errors', () => {
	test('keeps the columns and files of bad rows', async () => {
		const photo = { data: 'aGVsbG8=', mimeType: 'image/png', fileName: 'door.png' };
		const bad = { json: { Area: '', Visitors: 3 }, binary: { photo } };
		const input = [{ json: { Area: 'A' } }, bad, { json: { Area: 'C' } }];
		const run = await create([], { input, onError: 'continueRegularOutput' });
		const { jsons, pairs, files } = run;
		expect(jsons.map((json) => json.status ?? json)).toEqual([
			'new',
			{ Area: '', Visitors: 3, error: '"Area": required, but has no answer. Fill it in.' },
			'new',
		]);
		expect(pairs).toEqual([0, 1, 2]);
		expect(files).toEqual([undefined, { photo }, undefined]);
		expect(stored()).toEqual([['Area=A'], ['Area=C']]);
	});

	test('leaves it to n8n to add the columns to an item of the error output', async () => {
		const { items } = await create([{ Area: '', Visitors: 3 }], { onError: 'continueErrorOutput' });
		expect(items).toEqual([
			{ json: { error: expect.stringContaining('"Area": required') }, pairedItem: { item: 0 } },
		]);
	});

	test("reports an inspection with an unknown outcome by name if the list can't be read", async () => {
		failCreate(LOST);
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'malformed' } });
		const run = { onError: 'continueErrorOutput', name: 'Walk <7>' } as const;
		const { jsons } = await create(rowsOf(1), run);
		expect(jsons[0]?.error).toMatch(
			/unknown whether the inspection was created\..*for an inspection that was created at about \d{4}-.* and is named "Walk <7>"/,
		);
	});
});

test('names rows by their line in a Google sheet', async () => {
	const rows = [2, 3].map((row_number) => ({ row_number, Area: 'A' }));
	expect(await errorLines([...rows, { row_number: 9, Visitors: 3 }])).toEqual([
		expect.stringMatching(/: 1 of 3 rows/),
		expect.stringMatching(/^"Area", row 9 /),
		'The rows are numbered as in the sheet.',
	]);
});

test('reports decimals in two notations, because no option reads both', async () => {
	const [, decimals] = await errorLines(['12,5', '13.5'].map((Visitors) => ({ Visitors })));
	expect(decimals).toContain('has both a comma and a point for decimals');
});

describe("an expression that n8n can't parse", () => {
	test.each([
		[
			'is reported with the fix if a column name has a line break',
			"={{ $json['Area of\nvisit'] }}",
			`"Area", all 3 rows: the name of the column "Area of visit" has a line break, and n8n can't read such a name in an expression. Write the name on one line and drag the column again, or choose 'Map Automatically'.`,
		],
		[
			'is reported with its question if the reason is different',
			'={{ $json.Area of visit }}',
			'"Area", all 3 rows: its expression "{{ $json.Area of visit }}" can\'t be evaluated (invalid syntax). Fix it.',
		],
	])('%s', async (_, expression, problem) => {
		const rows = Array.from({ length: 3 }, () => ({ 'Area of\nvisit': 'A' }));
		expect(await errorLines(rows, { columns: { area: expression } })).toContain(problem);
		expect(creates()).toBe(0);
	});

	test('only affects its rows if the execution continues', async () => {
		const columns = { area: '={{ $json.n === 1 ? $("Nope").item.json.x : "A" }}' };
		const onError = 'continueRegularOutput';
		const { jsons } = await create([{ n: 0 }, { n: 1 }], { columns, onError });
		expect(jsons[1]?.error).toMatch(/^"Area": its expression .* can't be evaluated/);
		expect(stored()).toHaveLength(1);
	});

	test('fails only the first row if the unique key of that row has it', async () => {
		const rows = ['soon', '2026-05-01'].map((On) => ({ Area: On, On }));
		const uniqueKey = '={{ $json.On.toDateTime().toISODate() }}';
		const { jsons } = await create(rows, { uniqueKey, onError: 'continueErrorOutput' });
		expect(jsons).toMatchObject([{ error: expect.stringMatching(/DateTime/) }, { status: 'new' }]);
		expect(stored()).toEqual([['Area=2026-05-01']]);
	});

	const GONE = '={{ $json.gone }}';
	// In these cases, the node must not throw. If a node that continues on errors throws, n8n passes its input to the
	// next node as if it were the output.
	test.each<[string, IDataObject, RegExp]>([
		[
			'Check Only',
			{ checkOnly: '={{ $json.first }}' },
			/^Check Only: row 1 has true and row 2 has false. The option applies to the whole execution/,
		],
		[
			'an undefined Check Only',
			{ checkOnly: GONE },
			/^Check Only: .* returned no value\. Fix the expression/,
		],
		['an undefined Date Format', { dateFormat: GONE }, /^Date Format: .* returned no value\. Fix/],
		[
			'an undefined Allow Missing Answers',
			{ allowMissing: GONE },
			/^Allow Missing Answers: .* returned no value\. Fix/,
		],
		[
			'Unique Key Days',
			{ uniqueKey: '={{ $json.Area }}', uniqueKeyDays: '={{ -1 }}' },
			/^Unique Key Days/,
		],
		[
			'a Date Format that differs by row',
			{ dateFormat: '={{ $json.first ? "dd.MM.yyyy" : "MM/dd/yyyy" }}' },
			/^Date Format: row 1 has "dd\.MM\.yyyy" and row 2 has "MM\/dd\/yyyy". .* use the same value in all rows/,
		],
		[
			'a Decimal Separator that differs by row',
			{ decimalSeparator: '={{ $json.first ? "comma" : "point" }}' },
			/^Decimal Separator: row 1 has "comma" and row 2 has "point"\. /,
		],
		[
			'Words for Yes that differ by row',
			{ yesIs: '={{ $json.first ? "ja" : "ja, x" }}' },
			/^Words for Yes: row 1 has \["ja"\] and row 2 has \["ja","x"\]\. /,
		],
		['Date Format', { dateFormat: 'MM.yyyy' }, /^Date Format: "MM.yyyy" doesn't show the order/],
		[
			'an option without the one that it serves',
			{ uniqueKeyDays: 7 },
			/^The option 'Unique Key Days' has no effect while 'Unique Key' is empty\. Fill in/,
		],
		['a group without a name', { groupRowsBy: '={{ null }}' }, /^The option 'Group Rows By' is em/],
	])(
		'fails each row, before anything is sent, in %s, which applies to all rows',
		async (_, { uniqueKey = '', ...options }, message) => {
			const rows = ['A', 'B'].map((Area) => ({ Area, first: Area === 'A' }));
			const run = {
				uniqueKey: String(uniqueKey),
				options,
				onError: 'continueErrorOutput',
			} as const;
			const { jsons, pairs } = await create(rows, run);
			expect(jsons).toEqual(rows.map(() => ({ error: expect.stringMatching(message) })));
			expect(pairs).toEqual([0, 1]);
			expect(creates()).toBe(0);
		},
	);
});
