/**
 * Tests Create's hints about columns and cells that it ignores. test/unit/createHints tests how the hints list columns.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';

const { create, errorLines } = await createForTests([text('Area', 'area'), text('Team', 'team')]);

const hintsOf = async (rows: IDataObject[], run: CreateRun = {}) => (await create(rows, run)).hints;

test('lists the columns that nothing uses', async () => {
	const unused = { Area: 'A', team: 'North', Name: 'Walk 7', Other: 'x', toolCallId: 'c' };
	const row = { ...unused, 'Order No': 7, Site: 'Gate', Visit: 1 };
	const hints = await hintsOf([row], {
		uniqueKey: '={{ $json["Order No"] }}',
		options: { groupRowsBy: 'Visit' },
		additionalFields: { description: '={{ $json.Site }}' },
	});
	expect(hints).toEqual([
		expect.stringMatching(/^These column names are reserved .*: "team" to "Team"\.$/),
		'Ignored: "Name", "Other" match no question.',
	]);
});

describe('a test run in the editor', () => {
	const rows = ['A', 'B'].map((Area) => ({ Area }));
	const named =
		"'Name' is empty, so the service named these 2 inspections after the template and the time.";
	const again =
		"'Unique Key' is empty. If you run this again, the node creates all 2 inspections again.";

	test('mentions that neither Name nor Unique Key is set', async () => {
		expect(await hintsOf(rows, { mode: 'manual' })).toEqual([named, again]);
		expect(await hintsOf(rows)).toEqual([]);
	});

	test("doesn't mention a field that is set", async () => {
		const area = '={{ $json.Area }}';
		expect(await hintsOf(rows, { mode: 'manual', name: area })).toEqual([again]);
		expect(await hintsOf(rows, { mode: 'manual', uniqueKey: area, name: ' ' })).toEqual([named]);
		const checked = await hintsOf(rows, { mode: 'manual', options: { checkOnly: true } });
		expect(checked).toEqual([expect.stringMatching(/^'Check Only' is on/)]);
	});
});

test('a title above the header row is reported first, with the row that has the names', async () => {
	const rows = [
		{ 'Walks in May': 'Area', __EMPTY: 'Team', __EMPTY_1: 'Note' },
		{ 'Walks in May': 'Gate', __EMPTY: 'North' },
	];
	const [, problem] = await errorLines(rows);
	expect(problem).toMatch(
		/^The header row must be in the first line .* The column names seem to be in row 1 of the data \("Area", "Team" and 1 more\)/,
	);
});

test('a manual mapping suggests a fix for a template from an expression', async () => {
	const byExpression = { columns: { gone: 'A' }, template: '={{ "WALK" }}' };
	await expect(create([{}], byExpression)).rejects.toThrow(
		"set 'Mapping Column Mode' to 'Map Automatically'",
	);
});

test('reports an expression that has no value for any row, with its likely mistake', async () => {
	const columns = { area: '={{ $json.Zone }}', team: '={{ $json.Team }}' };
	const name = '={{ $json.Reference }}';
	const additionalFields = { description: '={{ $json.note }}' };
	const run = { columns, name, additionalFields };
	const rows = [
		{ Team: 'South', note: null },
		{ Team: 'North', note: '' },
	];
	expect(await hintsOf(rows, run)).toEqual([
		"No row has a value for \"Area\" ({{ $json.Zone }}), 'Name' ({{ $json.Reference }}). Fields with only this expression weren't sent. Fields that also contain other text were sent without the value. Check that the rows have the columns in these expressions.",
	]);
	const filled = { Zone: 'A', Team: '', note: '', Reference: 'R' };
	expect(await hintsOf([filled, { ...filled, Zone: undefined }], run)).toEqual([]);
});

test('reports a gap in text from a missing column, including the text of a task', async () => {
	const customField = [{ name: 'Order', value: '={{ $json.Order }}' }];
	const hints = await hintsOf([{ Zone: 'A', Note: '' }], {
		columns: { area: '={{ $json.Zone }} {{ $json.Note }}', team: '={{ $json.Team ?? "North" }}' },
		name: '=Walk {{ $json.No }}',
		additionalFields: {
			description: '={{ $if($json.Old, "old", "new") }}',
			customFields: { customField },
		},
		others: { createTask: true, task: { title: '=Mend {{ $json.What }}' } },
	});
	const named = ["'Name' (Walk {{", "'Custom Fields' ({{ $json.Order }})", "'Title' (Mend {{"];
	expect(hints).toHaveLength(1);
	for (const name of named) expect(hints[0]).toContain(name);
	expect(hints[0]).not.toMatch(/"Area"|"Team"|"Description"/);
});

test('reports fields of a task that is off, without reading their expressions', async () => {
	const task = { title: '=Mend {{ $json.Gone }}' };
	const run = { columns: { area: '={{ $json.Zone }}' }, others: { createTask: false, task } };
	expect(await hintsOf([{ Zone: 'A' }], run)).toEqual([
		"'Create Task' is off, so the fields of 'Task' aren't used. Turn it on, or remove the fields.",
	]);
});

describe('names that some rows lack', () => {
	const rows = ['Gate', '', 'Roof', null].map((Title, n) => ({ Area: `A${String(n)}`, Title }));
	const run: CreateRun = {
		name: '={{ $json.Title }}',
		additionalFields: { description: '={{ $json.Title }}' },
	};

	test('are listed by row', async () => {
		expect(await hintsOf(rows, run)).toEqual([
			'Other rows have a name, but not rows 2 and 4. The service names these inspections after the template and the time. To avoid that, fill in the cells.',
		]);
	});

	test("aren't mentioned if no row has one", async () => {
		expect(await hintsOf(rows.slice(1, 2), run)).not.toContainEqual(
			expect.stringMatching(/^Other rows/),
		);
	});
});

test('dates get a warning if Excel left others as text', async () => {
	const rows = [46148, '31/05/2026'].map((Team) => ({ Area: 'A', Question: Team }));
	expect(await hintsOf(rows)).toContainEqual(expect.stringMatching(/day and month may be swapped/));
});

describe('a column "error"', () => {
	test('belongs to the sheet if all rows have it', async () => {
		const rows = ['none', 'crack'].map((error) => ({ Area: 'A', error }));
		expect(await hintsOf(rows)).toEqual(['Ignored: "error" matches no question.']);
		const columns = { area: '={{ $json.Area }}' };
		expect(await hintsOf(rows, { columns })).toEqual([]);
	});

	test.each([
		['only one row has it', [{ Area: 'A' }, { Area: 'B', error: 'crack' }]],
		[
			'a cell is an object',
			[
				{ Area: 'A', error: '' },
				{ Area: 'B', error: { message: 'x' } },
			],
		],
	])(
		'is reported as an error of an earlier node if %s, with the fix for a column of that name',
		async (_, rows) => {
			const [, problem] = await errorLines(rows);
			expect(problem).toMatch(
				/^Row 2 .* has an error from a previous node: .*\. If "error" is a column of your sheet, rename it\.$/,
			);
		},
	);
});
