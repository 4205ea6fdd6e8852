/** What Create says above its output of columns and cells not taken. The lists of columns: test/unit/createHints. */
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';

const { create } = await createForTests([text('Area', 'area'), text('Team', 'team')]);

const hintsOf = async (rows: IDataObject[], run: CreateRun = {}) => (await create(rows, run)).hints;

test('columns that no option or field uses are named, and those of a row’s own that a question is called like', async () => {
	const unused = { Area: 'A', team: 'North', Name: 'Walk 7', Other: 'x', toolCallId: 'c' };
	const row = { ...unused, 'Order No': 7, Site: 'Gate', Visit: 1 };
	const hints = await hintsOf([row], {
		options: { uniqueKey: '={{ $json["Order No"] }}', groupRowsBy: 'Visit' },
		additionalFields: { description: '={{ $json.Site }}' },
	});
	expect(hints).toEqual([
		'No question of the template goes by "Name", "Other": not sent',
		expect.stringMatching(/^The column "team" is reserved .*, rename the column to "Team",/),
	]);
});

test('a title above the header is told with its cure first, and the row that has the names', async () => {
	const rows = [
		{ 'Walks in May': 'Area', __EMPTY: 'Team', __EMPTY_1: 'Note' },
		{ 'Walks in May': 'Gate', __EMPTY: 'North' },
	];
	await expect(create(rows)).rejects.toThrow(
		/^(?!.*__EMPTY).*: The header must stand in the first line .* The header seems to stand in row 1 of the data \("Area", "Team" and 1 more\)/,
	);
});

test('a mapping by columns says what to do with a template by expression', async () => {
	const byExpression = { columns: { gone: 'A' }, template: '={{ "WALK" }}' };
	await expect(create([{}], byExpression)).rejects.toThrow('choose "Map Automatically"');
});

test('an expression that gives nothing for any row is named, with what to check', async () => {
	const columns = { area: '={{ $json.Zone }}', team: '={{ $json.Team }}' };
	const additionalFields = { name: '={{ $json.Reference }}', description: '={{ $json.note }}' };
	const run = { columns, additionalFields };
	const rows = [
		{ Area: 'A', note: null },
		{ Team: 'North', note: '' },
	];
	expect(await hintsOf(rows, run)).toEqual([
		'No row gave a value for "Area" ({{ $json.Zone }}), "Name" ({{ $json.Reference }}): not sent, or sent with a gap. Check that the rows have the columns that these expressions name.',
	]);
	const filled = { Zone: 'A', Team: '', note: '', Reference: 'R' };
	expect(await hintsOf([filled, { ...filled, Zone: undefined }], run)).toEqual([]);
});

test('a text with a gap, because no row has a column in it, is named as well, and so are those of a task', async () => {
	const customField = [{ name: 'Order', value: '={{ $json.Order }}' }];
	const hints = await hintsOf([{ Zone: 'A', Note: '' }], {
		columns: { area: '={{ $json.Zone }} {{ $json.Note }}', team: '={{ $json.Team ?? "North" }}' },
		additionalFields: {
			name: '=Walk {{ $json.No }}',
			description: '={{ $if($json.Old, "old", "new") }}',
			customFields: { customField },
		},
		others: { createTask: true, task: { title: '=Mend {{ $json.What }}' } },
	});
	const named = ['"Name" (Walk {{', '"Custom Fields" ({{ $json.Order }})', '"Title" (Mend {{'];
	expect(hints).toHaveLength(1);
	for (const name of named) expect(hints[0]).toContain(name);
	expect(hints[0]).not.toMatch(/"Area"|"Team"|"Description"/);
});
