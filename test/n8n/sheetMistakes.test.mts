/**
 * Tests typical mistakes of a first import. For each mistake, one line explains the fix. That line comes before the
 * problems that the mistake causes, or replaces them.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { number, radio, required, text } from '#harness/controls.mts';
import { createForTests } from '#harness/createForTests.mts';

const { create, errorLines } = await createForTests([
	required(text('Area', 'area')),
	{ ...required({ type: 'date', label: 'Day', fieldId: 'day' }), show_time: false },
	number('Costs', 'costs'),
	radio('Helmets worn', 'helmets', 'Ja', 'Nein'),
	text('Note', 'note'),
]);

const SUM = /^Nothing was sent: \d of \d rows needs? a correction$/;
const COUNTED = expect.stringMatching(/^Row 1 is the first row/);
const only = (...lines: unknown[]) => [expect.stringMatching(SUM), ...lines, COUNTED];

/** A sheet with a title above its header, in the form in which n8n's Extract from File reads it. */
const TITLED: IDataObject[] = [
	{ 'Walks in May': 'Area', __EMPTY: 'Day', __EMPTY_1: 'Remark' },
	{ 'Walks in May': 'Gate', __EMPTY: '2026-05-01', __EMPTY_1: 'x' },
	{ 'Walks in May': 'Hall', __EMPTY: '2026-05-02', __EMPTY_1: 'y' },
];
const TITLE_ADVICE = expect.stringMatching(
	/^The header row must be in the first line that is read: .* row 1 of the data \("Area", "Day"/,
);

describe('the error of questions mapped manually', () => {
	const rows = ['A', 'B', 'C'].map((Obszar) => ({ Obszar, Data: '2026-05-01' }));

	test('explains how to map if none has a value, instead of every required question', async () => {
		const line =
			"No question has a value yet. Drag columns onto the questions under 'Answers', or set 'Mapping Column Mode' to 'Map Automatically'.";
		expect(await errorLines(rows, { columns: {} })).toEqual(only(line));
		expect(await errorLines(rows, { columns: { area: '' } })).toEqual(only(line));
		expect(await errorLines(rows.slice(0, 1), { columns: {} })).toEqual([line]);
		const mapped = await errorLines(rows, { columns: { area: '={{ $json.Obszar }}' } });
		expect(mapped.join()).not.toContain('No question has a value yet');
	});

	test('explains a title above the header row before the mapping', async () => {
		const none = await errorLines(TITLED, { columns: {} });
		expect(none.slice(1, 3)).toEqual([TITLE_ADVICE, expect.stringMatching(/^No question has/)]);
		const wrong = await errorLines(TITLED, { columns: { area: '={{ $json["Walks in May"] }}' } });
		expect(wrong[1]).toEqual(TITLE_ADVICE);
		const [, inVain] = await errorLines(TITLED, { columns: { area: '={{ $json.Area }}' } });
		expect(inVain).toMatch(/No row has a value .*\. The header row must be in the first line/);
	});

	test('mentions no title if only an unused column has no name', async () => {
		const sheet = [{ Obszar: 'A', __EMPTY: 'x' }, { Obszar: 'B' }];
		const lines = await errorLines(sheet, { columns: { area: '={{ $json.Obszar }}' } });
		expect(lines.join()).not.toContain('header');
	});

	test('reports a different template once, instead of each of its questions', async () => {
		const columns = { site: '={{ $json.Obszar }}', weather: 'Dry' };
		const line =
			"The questions under 'Answers' belong to another template. Under 'Answers', choose ⋮ → 'Refresh Question List', then map the columns again.";
		expect(await errorLines(rows, { columns })).toEqual(only(line));
		const some = await errorLines(rows, { columns: { ...columns, area: 'A' } });
		expect(some.join()).toContain('the template has no such question');
	});
});

test('suggests renaming to the first questions, or mapping manually, if no column matches', async () => {
	const rows = ['A', 'B'].map((Obszar) => ({ Obszar }));
	expect(await errorLines(rows)).toEqual(
		only(
			'"Obszar" matches no question. Give the columns the names of the questions, such as "Area", "Day", or choose \'Map Each Column Manually\' and drag each column onto its question.',
		),
	);
});

const ROW = { Area: 'A', Day: '2026-05-01' };

test('names a total row with its first cell', async () => {
	const one = await errorLines([ROW, { Costs: 'x', Area: 'B' }, { Area: 'Razem', Costs: 9 }]);
	expect(one).toContain(
		'Row 3 ("Razem") looks like a total: remove it with a Filter node before this one.',
	);
	const two = await errorLines([{ Area: 'Suma', Costs: 4 }, ROW, { Area: 'Razem', Costs: 9 }]);
	expect(two).toContain(
		'Rows 1 and 3 ("Suma", "Razem") look like totals: remove them with a Filter node before this one.',
	);
	expect(await errorLines([{ Area: 'Razem', Costs: 9 }])).toEqual([
		expect.stringMatching(/^Row 1 \("Razem"\) looks like a total: remove it with a Filter node/),
	]);
});

test.each<[string, IDataObject[], object]>([
	['of the same columns', [ROW, { Area: 'Area', Day: 'Day', Other: 'Other' }], {}],
	['in other case', [ROW, { Area: 'AREA', Day: ' day' }], {}],
	['alone in its row', [ROW, { Area: 'Area' }], {}],
	['of a second table', [ROW, { Area: 'Costs', Day: 'Note', Other: 'No' }], {}],
	[
		'in a group',
		[ROW, { Area: 'Area', Day: 'Day', Note: 'x' }],
		{ options: { groupRowsBy: 'Area' } },
	],
	[
		'mapped manually',
		[ROW, { Area: 'Area', Day: 'Day' }],
		{ columns: { area: '={{ $json.Area }}' } },
	],
])('rejects a row that repeats the header row %s', async (_, rows, run) => {
	const lines = await errorLines(rows, run);
	expect(lines.join()).toMatch(
		/Row 2 \(.*\): the cells repeat the header row \(".*\). Remove such rows with a Filter node/,
	);
});

test('accepts cells with the names of one question, or of few of many, as answers', async () => {
	const rows = [
		{ ...ROW, Note: 'Costs' },
		{ Area: 'Costs', Day: '2026-05-01', Note: 'Costs', A: 1, B: 2, C: 3 },
	];
	expect((await create(rows)).jsons).toHaveLength(2);
});

test('explains how to arrange a form with a question in each row', async () => {
	const line =
		'Each row of the sheet has one question, but an inspection needs one row. Put the questions into the header row, and their answers into the row below.';
	for (const [first, second] of [
		['Area', 'Gate'],
		['Field', 'Value'],
	] as const) {
		const rows = ['Note', 'Costs'].map((name) => ({ [first]: name, [second]: 'x' }));
		expect(await errorLines(rows)).toEqual(only(line));
	}
});

test('names a row that has only cells that a spreadsheet fills in', async () => {
	const { hints } = await create([ROW, { ...ROW, Note: false }], {});
	expect(hints.join()).not.toContain('fill');
	const lines = await errorLines([ROW, { Area: '', Costs: 0, Note: false }, { Costs: '0' }]);
	expect(lines).toContain(
		'Only cells that a spreadsheet can fill in are filled in rows 2 and 3 (0, "0"). If they aren\'t inspections, remove them with a Filter node before this one.',
	);
});

test('first explains how to separate the rows of a group if they differ', async () => {
	const days = ['2026-05-01', '2026-05-02', '2026-05-03'];
	const rows = days.map((Day, at) => ({ Budowa: 'B-1', Area: `A${String(at)}`, Day }));
	const lines = await errorLines(rows, { options: { groupRowsBy: 'Budowa' } });
	expect(lines[1]).toBe(
		'Rows with the same "Budowa" have different values for "Area" and "Day". If they are separate inspections, set the option \'Group Rows By\' to a different column, or remove the option.',
	);
	expect(lines[2]).toMatch(/^"Area", rows 1 to 3/);
});

test('suggests Words for Yes together with Words for No, in one line', async () => {
	const rows = ['tak', 'NIE', 'Tak'].map((word) => ({ ...ROW, 'Helmets worn': word }));
	expect(await errorLines(rows)).toEqual(
		only(
			'"Helmets worn", all 3 rows: "tak" isn\'t one of its choices: Ja | Nein. Set the option \'Words for Yes\' to "tak" and the option \'Words for No\' to "nie".',
		),
	);
	const spanish = ['no', 'sí', 'no'].map((word) => ({ ...ROW, 'Helmets worn': word }));
	expect(await errorLines(spanish)).toEqual(
		only(expect.stringMatching(/^"Helmets worn", all 3 rows: "sí" .* to "sí" and .* to "no"\.$/)),
	);
	for (const [yes, no] of [
		['Да', 'Нет'],
		['ИСТИНА', 'ЛОЖЬ'],
		['checked', 'unchecked'],
	]) {
		const marked = await errorLines([{ ...ROW, 'Helmets worn': yes }]);
		expect(marked.join()).toContain(
			`Set the option 'Words for Yes' to "${String(yes).toLowerCase()}" and the option 'Words for No' to "${String(no).toLowerCase()}"`,
		);
	}
	const options = { yesIs: 'tak', noIs: 'nie' };
	expect((await create(rows, { options })).jsons).toHaveLength(3);
});

test('ignored columns come last, be it in a hint or in an error', async () => {
	const { hints } = await create([{ ...ROW, Nr: 1, Uwagi: 'x' }], { mode: 'manual' });
	expect(hints.at(-1)).toBe('Ignored: "Nr", "Uwagi" match no question.');
	const rows = [
		{ ...ROW, Nr: 1 },
		{ Area: 'B', Nr: 2, Cots: 5, Uwagi: 'x' },
	];
	expect(await errorLines(rows)).toEqual(
		only(
			expect.stringMatching(
				/^"Cots" matches no question, but it resembles "Costs", .* Rename the column to "Costs", or choose/,
			),
			expect.stringMatching(/^"Day", row 2 .*: required/),
			'Ignored: "Nr", "Uwagi" match no question.',
		),
	);
});
