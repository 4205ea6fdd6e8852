/** Which items may become inspections by automatic mapping, and what is said of columns that are not used. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, mapColumns, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		{ type: 'text', label: 'Area', fieldId: 'area' },
		{ type: 'date', label: 'When', show_time: true, fieldId: 'when' },
	],
});
sandbox.store.addTemplate({
	identifier: 'ERRORS',
	name: 'Machine errors',
	controls: [{ type: 'text', label: 'Error', fieldId: 'error text' }],
});
sandbox.store.addTemplate({ identifier: 'BLANK', name: 'Blank', controls: [] });

/** What the editor saves of a column besides its id and name. */
const COLUMN = { required: false, defaultMatch: false, display: true } as const;

async function create(json: IDataObject, parameters: INodeParameters = {}) {
	return await executeNode({
		credential,
		items: [json],
		parameters: createParameters(templateBy('WALK'), parameters),
	});
}

test.each([
	['an error of a node before', { error: 'no such page' }, /carries an error: "no such page"/],
	['a row with an error', { Area: 'A', error: { code: 4 } }, /carries an error: \{"code":4\}/],
	['an empty item', {}, /^The item is empty/],
	['other columns', { Zone: 'A', id: '7' }, /^These columns match no question: "Zone", "id"/],
])('%s is no inspection', async (_, json, message) => {
	await expect(create(json)).rejects.toThrow(message);
	expect(sandbox.requests.count('createInspection')).toBe(0);
});

test.each([
	['a question called Error', { Error: 'E4' }, { templateId: templateBy('ERRORS') }],
	['a template that asks nothing', { any: 1 }, { templateId: templateBy('BLANK') }],
	['questions without an answer', { Area: '' }, {}],
	['no mapping at all', { any: 1 }, { responses: mapColumns(null) }],
])('an item is one with %s', async (_, json, parameters) => {
	await create(json, parameters);
	expect(sandbox.store.inspections()).toHaveLength(1);
});

test.each([
	[
		'with semicolons between the cells',
		{ 'Area;When': 'A;2026-05-31' },
		'The column "Area;When" matches no question. All of the line is one column: set the option Delimiter of the node that reads the file to ";".',
	],
	[
		'in another encoding',
		{ 'Gr\ufffd\ufffde': '5', Farbe: 'rot' },
		/^These columns match no question: .* Characters were lost when the file was read .*: set the option Encoding of the node that reads it, to Latin1 /,
	],
])('a CSV file %s is told what to set', async (_, json, message) => {
	await expect(create(json)).rejects.toThrow(message);
	const grouped = create(json, { options: { groupRowsBy: 'Größe' } });
	await expect(grouped).rejects.toThrow(/^Group Rows By: .* set the option (Delimiter|Encoding) /);
});

test('answers that lost characters are named, and what to set', async () => {
	const { hints } = await create({ Area: 'Stra\ufffde' });
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/set the option Encoding .*See the answers to "Area"$/),
	]);
});

test.each([
	['without cells', {}],
	['with empty cells', { Area: '', Other: ' ' }],
	['with what n8n adds', { row_number: 3, Area: null }],
])('a row %s makes no inspection beside others, and one hint names it', async (_, empty) => {
	const run = async (...items: IDataObject[]) =>
		await executeNode({ credential, items, parameters: createParameters(templateBy('WALK')) });
	const { items, hints } = await run({ Area: 'A' }, empty, { Area: 'B' }, empty, empty);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	expect(hints.map(({ message }) => message)).toContainEqual(
		'No inspection was made of rows 2, 4 and 5: nothing that is mapped has a value there',
	);
});

test('where all rows are without cells, an error says so', async () => {
	const run = async (...items: IDataObject[]) =>
		await executeNode({ credential, items, parameters: createParameters(templateBy('WALK')) });
	await expect(run({}, {})).rejects.toThrow(/Rows 1 and 2: The item is empty.*2 of 2 rows/);
});

test('as an agent’s tool n8n’s own field is no column', async () => {
	const { hints } = await create({ Area: 'A', toolCallId: 'call 1' });
	expect(hints).toEqual([]);
});

test('a column that an option or field uses is not called "not sent"', async () => {
	const row = { Area: 'A', 'Order No': 7, Site: 'Gate', Visit: 1, Other: 'x' };
	const { hints } = await create(row, {
		options: { uniqueKey: '={{ $json["Order No"] }}', groupRowsBy: 'Visit' },
		additionalFields: { name: '={{ $json.Site }}' },
	});
	expect(hints.map(({ message }) => message)).toEqual([
		'No question of the template goes by "Other": not sent',
	]);
});

test('a column that has the name of a row’s own is told with its question and the way', async () => {
	sandbox.store.addTemplate({
		identifier: 'TEAM',
		name: 'Team walk',
		controls: [
			{ type: 'text', label: 'Team', fieldId: 'team' },
			{ type: 'text', label: 'Area', fieldId: 'area' },
		],
	});
	const { hints } = await create({ team: 'North', Area: 'A' }, { templateId: templateBy('TEAM') });
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Not taken as answers, .*: "team" \(rename it to "Team"\)\. /),
	]);
});

test('columns for the inspection itself are named with what to enter where', async () => {
	const row = { Area: 'A', name: 'Walk 7', status: 'new', description: 'weekly' };
	const { hints } = await create(row, { additionalFields: { status: '={{ $json.status }}' } });
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringContaining(
			'enter under Additional Fields: Name {{ $json.name }}, Description {{ $json.description }}',
		),
	);
	const { hints: others } = await create({ Area: 'A', Name: 'Walk 7', Status: 'new' });
	expect(others.map(({ message }) => message)).toContainEqual(
		expect.stringMatching(/Additional Fields: Name {{ \$json.Name }}, Status {{ \$json.Status }}$/),
	);
});

test('milliseconds since 1970 are a moment, as a number and as text', async () => {
	const ms = Date.parse('2026-05-31T12:34:56.789Z');
	await create({ When: ms });
	await create({ When: String(ms) });
	const answers = sandbox.store.inspections().flatMap(({ answers }) => answers);
	expect(answers.map(({ value }) => value)).toEqual([
		'2026-05-31T12:34:56.789Z',
		'2026-05-31T12:34:56.789Z',
	]);
});

test('a mapping by columns says what to do with a template by expression', async () => {
	const responses = mapColumns({ gone: 'A' });
	await expect(create({}, { responses })).rejects.toThrow('use ⋮ → Refresh Question List');
	const byExpression = { templateId: templateBy('={{ "WALK" }}'), responses };
	await expect(create({}, byExpression)).rejects.toThrow('choose "Map Automatically"');
});

test('an expression that gives nothing for any row is named, with what to check', async () => {
	const parameters = createParameters(templateBy('WALK'), {
		responses: mapColumns({ area: '={{ $json.Zone }}', when: '={{ $json.When }}' }, [
			{ ...COLUMN, id: 'area', displayName: 'Area' },
			{ ...COLUMN, id: 'when', displayName: 'When' },
		]),
		additionalFields: { name: '={{ $json.Reference }}', description: '={{ $json.note }}' },
	});
	const hintsOf = async (...items: IDataObject[]) => {
		const { hints } = await executeNode({ credential, items, parameters });
		return hints.map(({ message }) => message);
	};
	expect(await hintsOf({ Area: 'A', note: null }, { When: '2026-05-31', note: '' })).toEqual([
		'No row gave a value for "Area" ({{ $json.Zone }}), "Name" ({{ $json.Reference }}): not sent. Check that the rows have the columns that these expressions name.',
		'No inspection was made of row 1: nothing that is mapped has a value there',
	]);
	const filled = { Zone: 'A', When: '', note: '', Reference: 'R' };
	expect(await hintsOf(filled, { ...filled, Zone: undefined })).toEqual([]);
});
