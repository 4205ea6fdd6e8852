import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { groupRows } from '#connector/domain/create/groupRows.ts';
import { columnsIn, isOneOf, type Row, type SheetRow } from '#connector/domain/create/sheetRow.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { problemText } from '#connector/domain/problem.ts';
import { formWith } from '#harness/forms.mts';
import { control, page, repeatable, text } from '#harness/generatedTemplate.mts';
import { groupRequest, problemOf, requestOf, rowOf } from '#harness/madeOfRows.mts';

describe('row groups', () => {
	const value = fc.constantFrom(
		'A',
		'a',
		' A ',
		'B\u00a0 1',
		'B 1',
		'Zu\u0308rich',
		'Z\u00fcrich',
		7,
		'7',
		true,
		null,
		undefined,
		'',
		'  ',
		'\u00a0',
	);

	it('contain the rows with the same text, in order of first appearance', () => {
		const textOf = (cell: unknown) =>
			String(cell ?? '')
				.normalize('NFC')
				.replace(/\s+/g, ' ')
				.trim();
		fc.assert(
			fc.property(fc.array(value, { maxLength: 30 }), (values) => {
				const rows = ['first', ...values].map((given) => ({ Group: given, Site: 'Gate' }));
				const groups = groupRows(rows, ['Group']);
				const byText = Map.groupBy(rows.keys(), (index) => textOf(rows[index]?.Group) || index);
				expect(groups.map((group) => group.rows)).toEqual([...byText.values()]);
				const hasText = [...byText.keys()].map((text) => typeof text === 'string');
				expect(groups.map(({ problem }) => problem === undefined)).toEqual(hasText);
			}),
			{ numRuns: 300 },
		);
	});

	it.each([
		['Order No', ['Order No', 'order no ', "['Order No']", ' [ "Order No" ] ']],
		["['Order No'] old", ["['Order No'] old"]],
		["old ['Order No']", ["old ['Order No']"]],
		['\ufeffOrder No', ['Order No']],
		['Gro\u0308\u00dfe', ['Gr\u00f6\u00dfe']],
		['__proto__', ['__proto__']],
	])('find the column %j by each of %j', (name, given) => {
		const rows = ['1', '2', '1'].map((text) => Object.fromEntries([[name, text]]));
		const groups = given.map((column) =>
			groupRows(rows, columnsIn(column, rows)).map((group) => group.rows),
		);
		expect(groups).toEqual(given.map(() => [[0, 2], [1]]));
	});

	it('prefer the column with exactly that name', () => {
		const rows = [1, 2].map((no) => ({ no, No: 'A' }));
		expect(groupRows(rows, ['No']).map(({ cell }) => cell)).toEqual(['A']);
		expect(isOneOf('no ', columnsIn("['No']", rows))).toBe(true);
		expect(isOneOf('Nr', ['No'])).toBe(false);
	});

	it('can be several columns with commas between them', () => {
		const rows = [
			{ Site: 'Gate', Day: 46146, n: 1 },
			{ Site: 'Hall', Day: 46146, n: 2 },
			{ Site: ' Gate ', Day: 46146, n: 3 },
			{ Site: 'Gate', Day: 46147, n: 4 },
			{ Site: 'Gate', n: 5 },
		];
		const columns = columnsIn('Site, Day', rows);
		expect(columns).toEqual(['Site', 'Day']);
		expect(columnsIn(`["Site"],['Day']`, rows)).toEqual(['Site', 'Day']);
		expect(groupRows(rows, columns)).toMatchObject([
			{ rows: [0, 2], cell: 'Gate, 46146', name: '"Site" Gate, "Day" 46146' },
			{ rows: [1], cell: 'Hall, 46146' },
			{ rows: [3], cell: 'Gate, 46147' },
			{ rows: [4], problem: { message: expect.stringMatching(/^no value in the column "Day"\./) } },
		]);
		expect(groupRows(rows, ['Site', 'Nr'])[0]?.problem).toEqual({
			subject: 'Group Rows By',
			message: expect.stringMatching(/^there is no column "Nr"/),
		});
	});

	it('can be one column whose name has a comma', () => {
		const rows = [1, 2].map((n) => ({ 'Site, hall': 'A', Site: n }));
		expect(columnsIn('site, Hall', rows)).toEqual(['site, Hall']);
		expect(groupRows(rows, columnsIn('Site, hall', rows))).toMatchObject([{ rows: [0, 1] }]);
	});

	it('differ for two columns if their values are split differently', () => {
		const rows = [
			{ A: 'x, y', B: 'z' },
			{ A: 'x', B: 'y, z' },
		];
		expect(groupRows(rows, ['A', 'B'])).toHaveLength(2);
	});

	it.each([
		[7, 7, '"Nr." 7'],
		[true, true, '"Nr." true'],
		[' A  1 ', 'A 1', '"Nr." A 1'],
		['x'.repeat(50), 'x'.repeat(50), `"Nr." ${'x'.repeat(39)}…`],
		['', null, undefined],
		[undefined, null, undefined],
	])('have for %j the value %j as JSON with the name %s', (cell, value, name) => {
		const rows = [{ Site: 'x', 'Nr.': cell }];
		expect(groupRows(rows, columnsIn("['Nr.']", rows))).toMatchObject([{ cell: value, name }]);
	});

	it('skip only blank rows, even if the file omits empty cells', () => {
		const without =
			'Group Rows By: no value in the column "No". Enter the same value as in the other rows of the inspection, or set the option \'Fill Empty Cells From Above\' to "No"';
		const blank = [{}, { No: '', Site: null }, { No: ' ', Site: '\u00a0' }];
		const groups = groupRows([{ No: 1 }, ...blank, { Site: 'x' }, { No: ' ', Site: 0 }], ['No']);
		expect(groups.map((group) => group.rows)).toEqual([[0], [4], [5]]);
		const told = groups.map(({ problem }) => problem && problemText(problem));
		expect(told).toEqual([undefined, without, without]);
	});

	it('fill merged cells from the row above, unless that one has an error', () => {
		const rows = [{ Room: 'lost' }, { No: 7, Room: 'Hall' }, { No: '#N/A', Room: 'Shed' }];
		const groups = groupRows(rows, ['No'], ['No']);
		expect(groups.map(({ cell, problem }) => [cell, problem?.message])).toEqual([
			[
				null,
				'no value in the column "No", and the row above has no value or has a field "error". Fill in a value, remove the row, or rename your column "error"',
			],
			[7, undefined],
			[
				'#N/A',
				'in the column "No" was left by a failed formula or expression. Correct the cell or the expression',
			],
		]);
	});

	const fifteen = Object.fromEntries(
		Array.from({ length: 15 }, (_, n) => [`Room ${String(n)}`, 1]),
	);
	const named = { Inspection: 1, constructor: 2 };
	const headless = [1, 'inspektion '].map((cell) => ({ Inspection: 'x', __EMPTY: cell }));
	it.each<[string, SheetRow[], RegExp]>([
		['Inspektion', [named], /^there is no column "Inspektion" \(did you mean "Inspection"\?\)$/],
		['toString', [named], /"toString". Enter .*, such as "Inspection", "constructor"$/],
		['Order', [fifteen], /such as "Room 0", .*, "Room 11" and 3 more$/],
		['Inspektion', headless, /^The header row must .* row 2 of the data .* no column "Inspektion"/],
		[
			'Site',
			[{ 'Site;No': 'A;B' }],
			/^Each line of the file was read as a single column: .* no column "Site"/,
		],
	])("report the likely cause if %s isn't a column", (...given) => {
		const [column, rows, told] = given;
		const [problem] = groupRows(rows, [column]).map((group) => group.problem);
		expect(problem).toEqual({ subject: 'Group Rows By', message: expect.stringMatching(told) });
	});
});

const FORM = formWith(
	text('Site'),
	control('number', 'Visitors'),
	control('date', 'Day'),
	repeatable('Finding', text('Room', { is_required: true }), control('number', 'Costs')),
);
const sentOf = (...rows: JsonRecord[]) =>
	groupRequest(FORM, rows).sent.map(({ question, order, value }) =>
		[question.name, order, value].join(' '),
	);

describe('the rows of one inspection', () => {
	it.each([
		['Gate 4||Gate 4', ['', 12, '12.0']],
		[' |Gate 4|Gate\u00a04 ', [null, 12, ' ']],
	])('can repeat a value or omit it: %j, %j', (sites, visitors) => {
		const rows = sites
			.split('|')
			.map((Site, n) => ({ Site, Visitors: visitors[n] ?? null, Room: n }));
		expect(sentOf(...rows)).toEqual([
			'Site 1 Gate 4',
			'Visitors 1 12',
			'Room 1 0',
			'Room 2 1',
			'Room 3 2',
		]);
	});

	it.each<[string, JsonRecord[], string]>([
		[
			'reject contradictions with both in the message',
			[{ Site: 'Gate 4', Room: 'A' }, { Room: 'B' }, { Site: 'Gate 5' }],
			'"Site": row 1 has "Gate 4" and row 3 has "Gate 5". The rows of one inspection need the same answer.',
		],
		[
			'show the day of a number that a spreadsheet stores for a date',
			[
				{ Day: 46146, Room: 'A' },
				{ Day: '2026-05-05', Room: 'B' },
			],
			'"Day": row 1 has 46146 (2026-05-04) and row 2 has "2026-05-05". The rows of one inspection need the same answer.',
		],
		[
			'include their row in their problems',
			[{ Room: 'A' }, { Costs: '1,5' }],
			'2 problems in these rows\n"Costs" (row 2): "1,5" is not recognized as a number. Set the option \'Decimal Separator\' to \'Comma\' to read it as 1.5.\n"Room" of the section "Finding" (row 2): required, but has no answer. Fill it in.',
		],
		[
			'reject two answers to a question in one row',
			[{ Room: 'A' }, { Site: 'Gate 4', f1: 'Gate 5' }],
			'"Site" (row 2): answered twice, with "Gate 4" in "Site" and with "Gate 5" in "f1". Keep only one.',
		],
		[
			"have no further problems in a section that can't be read",
			[{ Costs: 1 }, { Finding: 'Hall' }],
			`"Finding" (row 2): "Hall" isn't an instance of the section. Enter a list in square brackets with one instance in each pair of braces, such as [{"Room": "…", "Costs": 1}].`,
		],
		[
			'count instances themselves, so that a column need not',
			[{ Room: 'A', 'Room:2': 'B' }, { Room: 'C' }],
			'"Room:2" (row 1): with \'Group Rows By\', each instance has its own row. Enter the answer in a separate row, under "Room".',
		],
	])('%s', (_, rows, told) => {
		expect(problemOf(() => sentOf(...rows))).toBe(told);
	});

	it('answer a section in one way each, so that an array excludes single questions', () => {
		const array = { Finding: [{ Room: 'A' }, {}, { Room: 'B' }] };
		expect(sentOf(array, { Room: 'C' })).toEqual(['Room 1 A', 'Room 2 B', 'Room 3 C']);
		expect(problemOf(() => sentOf({ ...array, Costs: 1 }, { Room: 'C' }))).toBe(
			'"Finding": answered by both a list of instances and the question "Costs". Use only one of the two.',
		);
	});

	it('combine the columns of all rows', () => {
		const rows = [
			{ Room: 'A', Colour: 1 },
			{ Room: 'B', Colour: 1, Length: 2 },
		];
		expect(groupRequest(FORM, rows).unmatched.toSorted()).toEqual(['Colour', 'Length']);
	});

	it('report a problem of a column once', () => {
		const two = formWith(page('P', text('Notes')), page('Q', text('Notes')));
		expect(() => groupRequest(two, [{ Notes: 'x' }, { Notes: 'x' }])).toThrow(
			'2 questions are named "Notes". Rename the column to "P/Notes" or "Q/Notes".',
		);
	});
});

describe('the fields of several rows', () => {
	const bodyOf = (...rows: Partial<Row>[]) => {
		const [first = rowOf({}), ...others] = rows.map((row, n) =>
			rowOf({}, { number: n + 1, ...row }),
		);
		return requestOf(formWith(), [first, ...others], { groupColumns: ['No'] }).body;
	};
	const problemLines = (...rows: Partial<Row>[]) => problemOf(() => bodyOf(...rows)).split('\n');
	const fields = (values: Record<string, string>) => ({
		customField: Object.entries(values).map(([name, value]) => ({ name, value })),
	});

	it('come from the first row that has them', () => {
		const [name, Order, of] = ['Walk', 'A-1', 'x'];
		const rows: Partial<Row>[] = [
			{ additionalFields: { name: ' ', customFields: fields({ Order: '', of }) } },
			{
				additionalFields: { name, customFields: fields({ Order, of }) },
				task: { title: 'Fix' },
			},
			{ additionalFields: { name: 'Walk ', status: 'new' }, task: { priority: 'high' } },
		];
		expect(bodyOf(...rows)).toMatchObject({
			name,
			status: 'new',
			task: { title: 'Fix', priority: 'high' },
			custom_fields: Object.entries({ Order, of }).map(([name, value]) => ({
				name,
				value,
			})),
		});
	});

	it('reject contradictions with both rows in the message', () => {
		const row = (name: string, Order: string, assignee: string[]) => {
			return {
				additionalFields: { name, customFields: fields({ Order }) },
				task: { assignee },
			};
		};
		const give = 'The rows of one inspection need the same value';
		expect(problemLines(row('Walk', 'A-1', ['a@x.io']), row('Tour', 'A-2', ['b@x.io']))).toEqual([
			'3 problems in these rows',
			`Name: row 1 has "Walk" and row 2 has "Tour". ${give}.`,
			`Task → Assignees (Emails): row 1 has ["a@x.io"] and row 2 has ["b@x.io"]. ${give}, because an inspection has one task.`,
			`Custom field "Order": row 1 has "A-1" and row 2 has "A-2". ${give}.`,
		]);
	});

	it('can have several custom fields with one name, compared in order', () => {
		const orders = (...values: string[]) => ({
			additionalFields: {
				customFields: { customField: values.map((value) => ({ name: 'Order', value })) },
			},
		});
		const custom_fields = [{ value: 'A' }, { value: 'B' }];
		expect(bodyOf(orders('A', 'B'), orders('A', 'B'))).toMatchObject({ custom_fields });
		expect(problemLines(orders('A', 'B'), orders('A', 'C'))).toEqual([
			'Custom field "Order": row 1 has "B" and row 2 has "C". The rows of one inspection need the same value.',
		]);
	});

	it('treat due dates as equal if n8n evaluated them separately for each row', () => {
		const due = (seconds: number) => ({
			task: { dueDateTime: new Date(Date.UTC(2026, 4, 31, 10, 0, seconds)).toISOString() },
		});
		const task = { due_date_time: '2026-05-31T10:00:00.000Z' };
		expect(bodyOf(due(0), due(2))).toMatchObject({ task });
		expect(bodyOf(due(0), due(59))).toMatchObject({ task });
		expect(problemLines(due(0), due(60))).toEqual([
			expect.stringMatching(/^Task → Due Date: row 1 has /),
		]);
	});

	it('report a problem of the node’s own fields once', () => {
		const wrong = { additionalFields: { status: 'done' } };
		expect(problemLines(wrong, wrong)).toEqual([expect.stringMatching(/^Status: "done"/)]);
		expect(problemLines(wrong, {})).toEqual([expect.stringMatching(/^Status \(row 1\): "done"/)]);
		const twice = {
			additionalFields: { customFields: { customField: [{ value: 'y' }, { value: 'y' }] } },
		};
		expect(problemLines(twice, {})).toEqual([expect.stringMatching(/^Custom Fields \(row 1\): /)]);
	});
});
