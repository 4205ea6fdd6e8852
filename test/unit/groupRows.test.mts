import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { bodyOf } from '#connector/domain/create/details.ts';
import {
	groupRows,
	isGroupColumn,
	type SheetRow,
	similarGroups,
} from '#connector/domain/create/groupRows.ts';
import { mergeDrafts } from '#connector/domain/create/mergeDrafts.ts';
import { draftOf } from '#connector/domain/create/rowAnswers.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { problemText } from '#connector/domain/problem.ts';
import { rowNumbers } from '#connector/domain/rowNumbers.ts';
import { type Form, formOf } from '#connector/domain/template/form.ts';
import { problemOf } from './errorText.mts';
import { asCell, asColumns, legalAnswers, type Planned, sorted } from './generatedAnswers.mts';
import { anyTemplate, control, formWith, page, repeatable, text } from './generatedTemplate.mts';
import { groupRequest, rowOf } from './madeOfRows.mts';

const ZONE = 'America/New_York';

/** What the rows of one group would send; throws with all of its problems. */
const sentOf = (form: Form, rows: readonly SheetRow[], places?: number[]) =>
	groupRequest(form, rows, { timeZone: ZONE, ...(places && { places }) }).sent;

/** One inspection as people keep it: one row per instance, the rest in the first row or in every one. */
function asRows(form: Form, planned: readonly Planned[], repeat: boolean): JsonRecord[] {
	const count = Math.max(1, ...planned.map(({ order }) => order));
	return Array.from({ length: count }, (_, index) => {
		const here = planned.filter(({ question, order }) => {
			const isOutside = question.section === null;
			return isOutside ? repeat || index === 0 : order === index + 1;
		});
		return Object.fromEntries(
			here.map((answer) => [form.keys.keyOf(answer.question), asCell(answer)]),
		);
	});
}

/** The same with each section's instances in arrays, cut into pieces of `size`, one piece per row. */
function asRowsOfArrays(planned: readonly Planned[], size: number): JsonRecord[] {
	const pieceOf = ({ order }: Planned) => Math.floor((order - 1) / size);
	const count = 1 + Math.max(0, ...planned.map(pieceOf));
	return Array.from({ length: count }, (_, piece) => {
		const here = planned.filter((answer) => pieceOf(answer) === piece);
		return asColumns(here.map((answer) => ({ ...answer, order: ((answer.order - 1) % size) + 1 })));
	});
}

const filledTemplates = (count: number) =>
	anyTemplate.chain((template) => {
		const form = formOf(template);
		return fc
			.array(legalAnswers(form), { minLength: count, maxLength: count })
			.map((inspections) => ({ form, inspections }));
	});

describe('rows of any inspections of any template, grouped', () => {
	it('make the same inspections, however their rows are mixed', () => {
		const sheet = fc.tuple(filledTemplates(3), fc.boolean(), fc.infiniteStream(fc.nat(2)));
		fc.assert(
			fc.property(sheet, ([{ form, inspections }, repeat, picks]) => {
				const left = inspections.map((planned, index) =>
					asRows(form, planned, repeat).map((row) => ({ ...row, 'My group': index })),
				);
				const rows: SheetRow[] = [];
				while (left.some((queue) => queue.length > 0)) {
					const pick = picks.next().value ?? 0;
					const row = left[pick]?.shift() ?? left.find((queue) => queue.length > 0)?.shift();
					if (row) rows.push(row);
				}
				const groups = groupRows(rows, 'My group');
				expect(groups).toHaveLength(3);
				for (const { rows: places, problem } of groups) {
					expect(problem).toBeUndefined();
					const mine = places.map((place) => rows[place] ?? {});
					const planned = inspections[Number(mine[0]?.['My group'])] ?? [];
					expect(sorted(sentOf(form, mine, [...places]))).toEqual(sorted(planned));
				}
			}),
			{ numRuns: 200 },
		);
	});

	it('take the instances of section arrays one after another', () => {
		fc.assert(
			fc.property(filledTemplates(1), fc.integer({ min: 1, max: 3 }), (filled, size) => {
				const [planned = []] = filled.inspections;
				const rows = asRowsOfArrays(planned, size);
				expect(sorted(sentOf(filled.form, rows))).toEqual(sorted(planned));
			}),
			{ numRuns: 200 },
		);
	});
});

describe('groups', () => {
	const value = fc.constantFrom(
		...['A', 'a', ' A ', 'B\u00a0 1', 'B 1', 'Zu\u0308rich', 'Z\u00fcrich', 7, '7', true],
		...[null, undefined, '', '  ', '\u00a0'],
	);

	it('hold each row once, in order of first appearance', () => {
		fc.assert(
			fc.property(fc.array(value, { maxLength: 30 }), (values) => {
				const rows = ['first', ...values].map((given) => ({ Group: given, Site: 'Gate' }));
				const groups = groupRows(rows, 'Group');
				const places = groups.flatMap((group) => group.rows);
				expect([...places].sort((a, b) => a - b)).toEqual(rows.map((_, place) => place));
				const firsts = groups.map((group) => group.rows[0]);
				expect(firsts).toEqual([...firsts].sort((a = 0, b = 0) => a - b));
				for (const { rows: mine, problem } of groups) {
					expect(mine).toEqual([...mine].sort((a, b) => a - b));
					const texts = mine.map((place) =>
						String(rows[place]?.Group ?? '')
							.normalize('NFC')
							.replace(/\s+/g, ' ')
							.trim(),
					);
					expect(new Set(texts).size).toBe(1);
					expect(problem === undefined).toBe(texts[0] !== '');
				}
			}),
			{ numRuns: 300 },
		);
	});

	it.each([
		['Order No', 'Order No'],
		['order no ', 'Order No'],
		["['Order No']", 'Order No'],
		[' [ "Order No" ] ', 'Order No'],
		["['Order No'] old", "['Order No'] old"],
		["old ['Order No']", "old ['Order No']"],
		['Order No', '\ufeffOrder No'],
		['Gr\u00f6\u00dfe', 'Gro\u0308\u00dfe'],
		['__proto__', '__proto__'],
	])('find the column %j under the name %j', (given, name) => {
		const rows = ['1', '2', '1'].map((text) => Object.fromEntries([[name, text]]));
		expect(groupRows(rows, given).map((group) => group.rows)).toEqual([[0, 2], [1]]);
	});

	it('are named where values differ in upper and lower case only, at most five pairs', () => {
		const rows = [...'abcdefg'].flatMap((letter) => [{ No: letter }, { No: letter.toUpperCase() }]);
		const pairs = [...'abcde'].map((letter, pair) => {
			const [first, second] = [String(2 * pair + 1), String(2 * pair + 2)];
			return `"${letter}" (row ${first}) / "${letter.toUpperCase()}" (row ${second})`;
		});
		expect(similarGroups(groupRows(rows, 'No'), rowNumbers(rows))).toBe(
			`Group Rows By: ${pairs.join(', ')} and 2 more are different inspections, because upper and lower case differ. Write the value alike in all rows of one inspection.`,
		);
		const others = [{ No: 'a' }, { No: 'b' }, { No: 'a' }, { No: '', Site: 'x' }, { Site: 'y' }];
		expect(similarGroups(groupRows(others, 'No'), rowNumbers(others))).toBeUndefined();
	});

	it('go by the column of exactly that name, where another one reads the same', () => {
		const rows = [
			{ no: 1, No: 'A' },
			{ no: 2, No: 'A' },
		];
		expect(groupRows(rows, 'No').map(({ value }) => value)).toEqual(['A']);
		expect(isGroupColumn('no ', "['No']")).toBe(true);
		expect(isGroupColumn('Nr', 'No')).toBe(false);
	});

	it.each([
		[7, 7],
		[true, true],
		[' A  1 ', 'A 1'],
		['', null],
	])('have the value of their first row, as JSON: %j', (cell, value) => {
		const rows = [{ 'Order No': cell, Site: 'x' }];
		expect(groupRows(rows, "['Order No']")).toMatchObject([{ cell: value }]);
		expect(groupRows([{ Site: 'x' }], 'Order No')).toMatchObject([{ cell: null }]);
	});

	it('are called by the column and the value, cut to a line', () => {
		const rows = ['18', 'x'.repeat(50), ''].map((value) => ({ 'Nr.': value, Site: 'x' }));
		const names = ['"Nr." 18', `"Nr." ${'x'.repeat(39)}…`, undefined];
		expect(groupRows(rows, "['Nr.']").map(({ name }) => name)).toEqual(names);
	});

	it('leave out rows without any value', () => {
		const rows = [{ No: 1 }, {}, { No: '', Site: null }, { No: ' ', Site: '\u00a0' }, { No: 1 }];
		const group = { rows: [0, 4], value: '1', cell: 1, name: '"No" 1', problem: undefined };
		expect(groupRows(rows, 'No')).toEqual([group]);
	});

	const problemsIn = (rows: SheetRow[], column: string) =>
		groupRows(rows, column).map(({ problem }) => problem && problemText(problem));

	it('name the row without a value, also where the file leaves empty cells out', () => {
		const without =
			'Group Rows By: no value in the column "No"; give the row the value of those that it belongs to, or set the option Empty Group Cells to "Belong to the Row Above"';
		const rows = [{ No: 1 }, { Site: 'x' }, { No: ' ', Site: 0 }];
		expect(problemsIn(rows, 'No')).toEqual([undefined, without, without]);
	});

	it.each([
		['Inspektion', ' (did you mean "Inspection"?)'],
		['toString', '; give the name of a column, such as one of "Inspection", "constructor"'],
	])('name the nearest column where there is no %s', (column, cure) => {
		const [problem] = problemsIn([{ Inspection: 1, constructor: 2 }], column);
		expect(problem).toBe(`Group Rows By: there is no column "${column}"${cure}`);
	});

	it('of merged cells are those of the row above, but not below one that carries an error', () => {
		const rows = [
			{ No: '', Room: 'lost' },
			{ No: 7, Room: 'Hall' },
			{},
			{ Room: 'Roof' },
			{ No: 8, error: 'no' },
			{ No: ' ', Room: 'Yard' },
			{ No: 7, Room: 'Attic' },
			{ Room: 'Cellar' },
		];
		const groups = groupRows(rows, 'No', 'rowAbove', (at) => at + 2);
		expect(groups.map(({ rows: places, value }) => [value, places])).toEqual([
			[undefined, [0]],
			['7', [1, 3, 6, 7]],
			['8', [4]],
			[undefined, [5]],
		]);
		expect(groups.map(({ problem }) => problem?.wrong)).toEqual([
			'no value in the column "No", and no row above has one; give it one',
			undefined,
			undefined,
			'no value in the column "No", and row 6 above carries an error; take such rows out, or give this one a value',
		]);
	});

	it('name twelve of many columns, and a misread sheet before the nearest one', () => {
		const many = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`Room ${String(n)}`, 1]));
		expect(problemsIn([many], 'Order')).toEqual([
			expect.stringMatching(/such as one of "Room 0", .*, "Room 11" and 3 more$/),
		]);
		const misread = [
			{ Inspection: 1, __EMPTY: 2 },
			{ Inspection: 'x', __EMPTY: 'inspektion ' },
		];
		expect(problemsIn(misread, 'Inspektion')[0]).toMatch(
			/^Group Rows By: The header must stand .* in row 2 of the data .* There is no column "Inspektion"/,
		);
		expect(problemsIn([{ 'Inspection;Site': 'A;B' }], 'Inspection')[0]).toMatch(
			/^Group Rows By: All of the line is one column: .* There is no column "Inspection"/,
		);
	});
});

const FORM = formWith(
	text('Site'),
	control('number', 'Visitors'),
	repeatable('Finding', text('Room', { is_required: true }), control('number', 'Costs')),
);
const problem = (...rows: JsonRecord[]) => problemOf(() => sentOf(FORM, rows));

describe('the rows of one inspection', () => {
	it.each<[string, JsonRecord[]]>([
		[
			'leave out what another one says',
			[
				{ Site: 'Gate 4', Visitors: '', Room: 'A' },
				{ Site: null, Visitors: 12 },
				{ Site: 'Gate 4', Visitors: '12.0', Room: 'B', Costs: 3 },
			],
		],
		[
			'differ in blanks alone, which a sheet does not show',
			[
				{ Site: ' ', Room: 'A' },
				{ Site: 'Gate 4', Visitors: 12 },
				{ Site: 'Gate\u00a04 ', Visitors: ' ', Room: 'B', Costs: 3 },
			],
		],
	])('may say the same, and may %s', (_, rows) => {
		const sent = sentOf(FORM, rows).map(({ question, order, value }) => [
			question.name,
			order,
			value,
		]);
		expect(sent.map((answer) => answer.join(' '))).toEqual([
			...['Site 1 Gate 4', 'Visitors 1 12', 'Room 1 A', 'Room 2 B', 'Costs 2 3'],
		]);
	});

	it.each<[string, JsonRecord[], string]>([
		[
			'may not contradict each other: both are named',
			[{ Site: 'Gate 4', Room: 'A' }, { Room: 'B' }, { Site: 'Gate 5' }],
			'"Site": row 1 says "Gate 4" and row 3 says "Gate 5"; the rows of one inspection give one answer.',
		],
		[
			'name their row in what is wrong with them',
			[{ Room: 'A' }, { Costs: '1,5' }],
			'2 things to correct in these rows\n"Costs" (row 2): "1,5" is not a number; set the option Decimal Separator to Comma to read 1.5.\n"Room" of the section "Finding" (row 2): required, but has no answer; give it one.',
		],
		[
			'answer a question twice in one row',
			[{ Room: 'A' }, { Site: 'Gate 4', f1: 'Gate 5' }],
			'"Site" (row 2): answered twice, with "Gate 5" by "f1" and with "Gate 4" by "Site"; keep one.',
		],
		[
			'are told nothing more of a section that cannot be read',
			[{ Costs: 1, Room: 'A' }, { Finding: 'Hall' }],
			'"Finding" (row 2): "Hall" is no instance of the section; give an array with one object per instance, such as [{"Room": "…", "Costs": 1}].',
		],
		[
			'count instances themselves, so that a column need not',
			[{ Room: 'A', 'Room:2': 'B' }, { Room: 'C' }],
			'"Room:2" (row 1): with Group Rows By each instance has a row of its own; put the answer into one, under "Room".',
		],
	])('%s', (_, rows, told) => {
		expect(problem(...rows)).toBe(told);
	});

	it('answer a section in one way each: an array and a single question of it are refused', () => {
		const array = { Finding: [{ Room: 'A' }, {}, { Room: 'B' }] };
		expect(sentOf(FORM, [array, { Room: 'C' }]).map(({ value }) => value)).toEqual(['A', 'B', 'C']);
		expect(problem({ ...array, Costs: 1 }, { Room: 'C' })).toBe(
			'"Finding": answered twice, by its array of instances and by the single question "Costs"; use one of the two.',
		);
	});

	it('have the columns of all of them', () => {
		const rows = [
			{ Room: 'A', Colour: 1 },
			{ Room: 'B', Colour: 1, Size: 2 },
		];
		expect(groupRequest(FORM, rows).unmatched).toEqual(['Colour', 'Size']);
	});

	it('share a problem of a column, which is told once', () => {
		const two = formWith(page('P', text('Notes')), page('Q', text('Notes')));
		expect(() => sentOf(two, [{ Notes: 'x' }, { Notes: 'x' }])).toThrow(
			'2 questions are called "Notes". Rename the column to "P/Notes" or "Q/Notes".',
		);
	});
});

describe('the details of several rows', () => {
	const merged = (...rows: { fields?: JsonRecord; task?: JsonRecord }[]) => {
		const how = { timeZone: ZONE, groupColumn: 'No' };
		const [first = draftOf(FORM, rowOf({}), how), ...others] = rows.map(
			({ fields = {}, task }, index) => {
				const row = rowOf({}, { number: index + 1, additionalFields: fields, task });
				return draftOf(FORM, row, how);
			},
		);
		const { details, hasTask, problems } = mergeDrafts([first, ...others]);
		return { body: bodyOf(details, hasTask), problems };
	};
	const custom = (value: string) => ({
		customField: [
			{ name: 'Order', value },
			{ name: '7', value: 'x' },
		],
	});

	it('come from the first row that has them', () => {
		expect(
			merged(
				{ fields: { name: ' ', customFields: custom('') }, task: { title: 'Repair' } },
				{ fields: { name: 'Walk', status: 'new', customFields: custom('A-1') } },
				{ fields: { name: 'Walk ', customFields: custom('') }, task: { priority: 'high' } },
			),
		).toEqual({
			body: {
				...{ name: 'Walk', status: 'new', task: { title: 'Repair', priority: 'high' } },
				custom_fields: custom('A-1').customField,
			},
			problems: [],
		});
	});

	it('may not contradict each other: both are named', () => {
		const { problems } = merged(
			{ fields: { name: 'Walk', customFields: custom('A-1') }, task: { assignee: ['a@x.io'] } },
			{ fields: { name: 'Tour', customFields: custom('A-2') }, task: { assignee: ['b@x.io'] } },
		);
		expect(problems.map(({ kind }) => kind)).toEqual(['conflict', 'conflict', 'conflict']);
		expect(problems.map(problemText)).toEqual([
			'Name: row 1 says "Walk" and row 2 says "Tour"; the rows of one inspection give one value',
			'Task assignees: row 1 says ["a@x.io"] and row 2 says ["b@x.io"]; the rows of one inspection give one value',
			'Custom field "Order": row 1 says "A-1" and row 2 says "A-2"; the rows of one inspection give one value',
		]);
	});

	it('may have several custom fields of one name, which are compared in their order', () => {
		const orders = (...values: string[]) => ({
			fields: { customFields: values.map((value) => ({ name: 'Order', value })) },
		});
		const { body } = merged(orders('A', 'B'), orders('A', 'B'));
		expect(body).toMatchObject({ custom_fields: [{ value: 'A' }, { value: 'B' }] });
		expect(merged(orders('A', 'B'), orders('A', 'C')).problems.map(problemText)).toEqual([
			'Custom field "Order": row 1 says "B" and row 2 says "C"; the rows of one inspection give one value',
		]);
	});

	it('take due dates for the same that n8n has worked out anew for each row', () => {
		const due = (seconds: number) => ({
			task: { dueDateTime: new Date(Date.UTC(2026, 4, 31, 10, 0, seconds)).toISOString() },
		});
		for (const seconds of [2, 59]) {
			expect(merged(due(0), due(seconds))).toEqual({
				body: { task: { due_date_time: '2026-05-31T10:00:00.000Z' } },
				problems: [],
			});
		}
		expect(merged(due(0), due(60)).problems).toHaveLength(1);
	});

	it('name a problem of the node’s own fields once', () => {
		const wrong = { fields: { status: 'done' } };
		const told = (...rows: (typeof wrong | object)[]) => merged(...rows).problems.map(problemText);
		expect(told(wrong, wrong)).toEqual([expect.stringMatching(/^Status: "done"/)]);
		expect(told(wrong, {})).toEqual([expect.stringMatching(/^Status \(row 1\): "done"/)]);
		const twice = { fields: { teamId: 'x', customFields: [{ value: 'y' }, { value: 'y' }] } };
		expect(told(twice, {})).toEqual([
			expect.stringMatching(/^Team ID \(row 1\): /),
			expect.stringMatching(/^Custom Fields \(row 1\): /),
		]);
	});
});
