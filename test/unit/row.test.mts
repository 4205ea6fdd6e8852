import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nameOrOf } from '#connector/domain/displayName.ts';
import { isRecord, type JsonRecord, recordsOf } from '#connector/domain/json.ts';
import { downloadedFilesCell, longCells } from '#connector/domain/row/cell.ts';
import { rowsOf } from '#connector/domain/row/row.ts';
import {
	ambiguousSection,
	missingFields,
	missingSection,
	onlyFields,
	type RowOptions,
	sectionsNamed,
} from '#connector/domain/row/rowOptions.ts';
import { emptyRow } from '#connector/domain/row/rowTable.ts';
import { simplified } from '#connector/domain/row/simplified.ts';
import { isRowKey, ROW_KEYS } from '#connector/domain/rowKeys.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { formWith } from '#harness/forms.mts';
import { control, guid, page, repeatable, templateOf, text } from '#harness/generatedTemplate.mts';
import { problemOf, requestOf, rowOf } from '#harness/madeOfRows.mts';
import {
	columnNames,
	filledTemplate,
	inspectionOf,
	plan,
	rowLists,
} from './generatedInspection.mts';

const withData = (data: unknown) => ({ ...inspectionOf([]), data }) as JsonRecord & { id: string };

/** Returns the columns of an inspection's first row, without the columns that every row has. */
function columnsOf(
	items: JsonRecord[],
	template?: JsonRecord,
	options: Partial<RowOptions> = {},
): [string, unknown][] {
	const [[row = {}] = []] = rowLists([withData({ items })], template, options);
	return Object.entries(row).slice(ROW_KEYS.length);
}

function expectColumns(columns: JsonRecord, ...of: Parameters<typeof columnsOf>) {
	expect(columnsOf(...of)).toEqual(Object.entries(columns));
}

/** Returns a stored answer. `about` has the question's label, path, and IDs. */
const stored = (about: JsonRecord, value: unknown, order?: number) =>
	({
		...about,
		response: { value },
		...(order && { repeat_section_order: order }),
	}) as JsonRecord;

/** Field IDs: f1 Site · f2 Room (repeatable) · f3 Colour · f4 Floor · f5 Doors (repeatable) · f6 Width */
const TEMPLATE = templateOf([
	text('Site'),
	repeatable('Room', text('Colour'), text('Floor')),
	repeatable('Doors', control('number', 'Width')),
]);

describe('a row', () => {
	it.each([
		['', 'Q0'],
		[' that is named "__proto__"', '__proto__'],
	])('has a cell for each of more than a thousand questions, even for one%s', (_, first) => {
		const labels = [first, ...Array.from({ length: 1_100 }, (_, n) => `Q${String(n + 1)}`)];
		const template = templateOf(labels.map((label) => text(label)));
		const answer = (fieldId: string) =>
			withData({ items: [stored({ field_id: fieldId }, `to ${fieldId}`)] });
		const rows = rowLists([answer('f1'), answer('f2')], template).flat();
		const cells = rows.map((row) => Object.entries(row).slice(ROW_KEYS.length));
		const expected = ['f1', 'f2'].map((answered) =>
			labels.map((label, n) => [label, `f${String(n + 1)}` === answered ? `to ${answered}` : '']),
		);
		expect(cells).toEqual(expected);
	});

	it(
		'has the same keys in the same order as every other row of its template',
		{ tags: ['slow'] },
		() => {
			fc.assert(
				fc.property(filledTemplate, columnNames, ({ template, form, inspections }, columnNames) => {
					const read = inspections.map((planned, number) => inspectionOf(planned, { number }));
					const more = { rowPerInstanceOf: 'none', hasFiles: true, hasDownloads: true };
					const rows = rowLists(read, template, { columnNames, ...more }).flat();
					const keys = Object.keys(rows[0] ?? {});
					for (const row of rows) expect(Object.keys(row)).toEqual(keys);
					expect(keys.map(isRowKey)).toEqual(keys.map((_, index) => index < 14));
					const named = new Set(keys.flatMap((key) => form.keys.find(key).columns));
					for (const question of form.questions) expect(named).toContain(question);
					expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(keys.length);
				}),
			);
		},
	);

	it("begins with the inspection's own values, with names of users or the team", () => {
		const [[row = {}] = []] = rowLists([inspectionOf([])], TEMPLATE);
		expect(Object.keys(row)).toEqual([...ROW_KEYS, 'Site', 'Colour', 'Floor', 'Width']);
		expect(row).toEqual({
			id: guid(1_001),
			name: 'Walk 1',
			status: 'completed',
			team: 'North',
			template: 'Generated',
			template_id: guid(0),
			created_at: '2026-03-01T08:00:00.0000001Z',
			created_by: 'Ana Sol',
			updated_at: '2026-03-02T08:00:00Z',
			updated_by: 'bo@example.com',
			Site: '',
			Colour: '',
			Floor: '',
			Width: '',
		});
	});

	it("uses the template's names if the inspection only has IDs", () => {
		const template = { ...TEMPLATE, team: { id: guid(9), name: 'North' } };
		const inspection = { ...inspectionOf([]), template: guid(0), team: guid(9) };
		const other = { ...inspection, team: { id: guid(5) } };
		expect(rowLists([inspection, other], template)).toMatchObject([
			[{ template: 'Generated', team: 'North' }],
			[{ template: 'Generated', team: guid(5) }],
		]);
	});

	it('counts files only if they were read, with room for downloads', () => {
		const inspections = [{ id: 'a', files: [{ id: 'f' }] }, { id: 'b' }];
		const rows = rowLists(inspections, undefined, { hasFiles: true, hasDownloads: true }).flat();
		expect(rows.map((row) => [row['files_count'], row['downloaded_files']])).toEqual([
			[1, ''],
			['', ''],
		]);
	});
});

it('a simplified inspection has the same flat fields for any response', () => {
	const full = simplified(inspectionOf([]));
	const keys = ROW_KEYS.filter((key) => key !== 'template_id');
	for (const one of [full, simplified({ id: 'a', team: null, extra: 1 })]) {
		expect(Object.keys(one)).toEqual(keys);
		expect(Object.values(one)).not.toContain(undefined);
		expect(Object.values(one)).not.toContain(null);
	}
	expect(full).toMatchObject({ template: 'Generated', team: 'North', created_by: 'Ana Sol' });
});

it.each([
	[{ id: 'a', name: 'Own' }, { id: 'a', name: 'Known' }, 'Own'],
	[{ id: 'a' }, { id: 'a', name: 'Known' }, 'Known'],
	[{ id: 'a' }, { id: 'b', name: 'Known' }, 'a'],
	[{ id: 'a', name: 'b' }, { id: 'b', name: 'Known' }, 'b'],
	[null, { name: 'Known' }, null],
	[undefined, undefined, null],
])('the name of %j, with %j known, is %j', (value, known, name) => {
	expect(nameOrOf(value, known)).toBe(name);
});

describe('selected fields', () => {
	it('have the selected order, with null for one that the item lacks', () => {
		const record = JSON.parse('{"a":1,"b":"","__proto__":2}');
		const fields = onlyFields(record, ['b', '__proto__', 'toString', 'a']);
		expect(Object.entries(fields)).toEqual([
			['b', ''],
			['__proto__', 2],
			['toString', null],
			['a', 1],
		]);
	});

	it('are reported if no item has them, with the nearest name', () => {
		expect(missingFields(new Set(['Weather']), ['Wether', 'zzzzzz', 'Weather'])).toEqual([
			'Field Names or IDs: no item has a field "Wether", so its value is null. Did you mean "Weather"?',
			'Field Names or IDs: no item has a field "zzzzzz", so its value is null.',
		]);
		expect(missingFields(new Set(['a', 'b']), ['a', 'b'])).toEqual([]);
		expect(missingFields(new Set(), ['Weather'])).toEqual([]);
	});

	it('are reported with the column of the question that has this path', () => {
		const form = formWith(page('One', text('Note')));
		expect(missingFields(new Set(['Note']), ['One/Note'], [form])).toEqual([
			'Field Names or IDs: no item has a field "One/Note", so its value is null. Did you mean "Note"?',
		]);
	});

	it('are reported if a name fits several questions of a template', () => {
		const form = formWith(
			page('One', text('Note'), text('name')),
			page('Two', text('Note'), text('name')),
		);
		expect(missingFields(new Set(['id', 'name']), ['Note', 'name'], [form])).toEqual([
			'Field Names or IDs: 2 questions are named "Note". Choose from these instead: "One/Note", "Two/Note".',
		]);
	});

	it('omit later instances, with a hint', () => {
		const keys = ['Kind', 'Kind:2', 'Kind:3', 'Kind:12', 'Kind:40', 'Kind:5', 'Kind:2b', 'Other:2'];
		expect(missingFields(new Set(keys), ['Kind', 'Kind:3'])).toEqual([
			'The option \'Field Names or IDs\' leaves out answers to later instances of a section: "Kind:2", "Kind:12", "Kind:40", "Kind:5". Choose these fields too, or use the option \'Row per Instance Of\'.',
		]);
	});
});

describe('columns of questions', () => {
	const namesIn = (...pages: Parameters<typeof templateOf>[0]) =>
		columnsOf([], templateOf(pages)).map(([name]) => name);

	it("use the path if a label isn't unique, is a key of the row itself, or is an integer", () => {
		const one = page('One', text('Note'), text('name'), text('Only'), text('10'));
		expect(namesIn(one, page('Two', text('Note')))).toEqual([
			'One/Note',
			'One/name',
			'Only',
			'One/10',
			'Two/Note',
		]);
	});

	it('use the path if labels differ only in case from each other or from a key of the row itself', () => {
		const one = page('One', text('Weather'), text('Name'), text('Only'));
		const two = page('Two', text('weather'), text('TEAM'));
		const names = ['One/Weather', 'One/Name', 'Only', 'Two/weather', 'Two/TEAM'];
		expect(namesIn(one, two)).toEqual(names);
		const template = templateOf([one, two]);
		const columns = Object.fromEntries(names.map((name) => [name, `in ${name}`]));
		const { sent } = requestOf(formOf(template), [rowOf(columns)]);
		expect(sent.map(({ question, value }) => [question.path, value])).toEqual(
			names.map((name) => [name === 'Only' ? 'One/Only' : name, `in ${name}`]),
		);
	});

	it('use the field ID if paths differ only in case, in every instance', () => {
		const rooms = repeatable('Room', text('Wall'), text('wall'), text('Name'));
		const items = ['red', 'blue'].map((value, n) => stored({ field_id: 'f2' }, value, n + 1));
		const names = columnsOf(items, templateOf([rooms])).map(([name]) => name);
		expect(names).toEqual(['f2', 'f3', 'Room/Name', 'f2:2']);
	});

	it('have an ID after the name for answers without a question if two names differ only in case', () => {
		const items = [
			stored({ field_id: 'a', label: 'Wind' }, 1),
			stored({ field_id: 'b', label: 'wind' }, 2),
			stored({ field_id: 'c', label: 'Status' }, 3),
		];
		expectColumns({ Wind: 1, 'wind (b)': 2, 'Status (c)': 3 }, items);
	});

	it('have the order of the form, followed by the columns of later instances', () => {
		const items = [
			stored({ field_id: 'f6' }, '90', 1),
			stored({ field_id: 'f3' }, 'blue', 2),
			stored({ field_id: 'f3' }, 'red', 1),
		];
		const columns = { Site: '', Colour: 'red', Floor: '', Width: 90, 'Colour:2': 'blue' };
		expectColumns(columns, items, TEMPLATE);
	});

	it('omit an instance whose answers are empty, or that only has a photo', () => {
		const items = [
			stored({ field_id: 'f3' }, 'red', 1),
			stored({ field_id: 'f4', label: 'Photo', path: 'Room/Photo' }, 'x.jpg', 2),
			stored({ field_id: 'f3' }, 'blue', 3),
			stored({ field_id: 'f3' }, '', 4),
		];
		const room = repeatable('Room', text('Colour'), control('media', 'Photo'));
		const template = templateOf([text('Site'), room]);
		const columns = { Site: '', Colour: 'red', 'Colour:2': 'blue', 'Room/Photo:3': 'x.jpg' };
		expectColumns(columns, items, template);
	});

	it.each([null, {}, { items: null }, { item_type: 'question_response', items: [] }])(
		'are empty for an inspection without answers (%j)',
		(data) => {
			const [[row = {}] = []] = rowLists([withData(data)], templateOf([text('Site')]));
			expect(Object.entries(row).slice(ROW_KEYS.length)).toEqual(Object.entries({ Site: '' }));
		},
	);

	it('are null if the service possibly omitted answers, so that a sheet keeps its values', () => {
		const template = templateOf([text('Site'), text('Floor')]);
		const items = [stored({ field_id: 'f1' }, 'Hall')];
		const cellsOf = (data: unknown, options?: Partial<RowOptions>) => {
			const [[row = {}] = []] = rowLists([withData(data)], template, options);
			return [row['Site'], row['Floor']];
		};
		expect(cellsOf(undefined)).toEqual([null, null]);
		expect(cellsOf({ items }, { isPartOfAnswers: true })).toEqual(['Hall', null]);
		expect(cellsOf({ items })).toEqual(['Hall', '']);
	});

	it('have a chosen later instance even if no inspection has it', () => {
		expectColumns({ Site: '', Colour: '', Floor: '', Width: '', 'Floor:3': '' }, [], TEMPLATE, {
			fields: ['Floor:3', 'Site:2', 'Colour', 'Nothing:2'],
		});
	});

	it('never have the key that n8n reads as an error', () => {
		const items = [stored({ field_id: 'gone', path: 'Two/error', label: 'error' }, 'E-7')];
		const template = templateOf([page('One', text('error')), page('Two', text('Errors'))]);
		expectColumns({ 'One/error': null, Errors: '', 'Two/error': 'E-7' }, items, template);
	});

	it('match an answer by its control ID, in any form, even if the field ID differs', () => {
		const about = { field_id: 'other', template_control_id: `{${guid(1).toUpperCase()}}` };
		expectColumns({ Site: 'Hall' }, [stored(about, 'Hall')], templateOf([text('Site')]));
	});

	it("don't match an answer to a different question if neither has a control ID", () => {
		const template = templateOf([text('Site')]);
		for (const one of recordsOf(isRecord(template.data) ? template.data.controls : [])) one.id = '';
		expectColumns({ Site: '', Other: 'x' }, [stored({ label: 'Other' }, 'x')], template);
	});
});

describe('columns of answers whose question is unknown', () => {
	it.each<[string, JsonRecord[], JsonRecord, Partial<RowOptions>?]>([
		[
			'go by label, path or id',
			[
				stored({ field_id: 'f7', path: 'Page/Wind', label: 'Wind' }, 'NW'),
				stored({ field_id: 'f8', label: 'Rain' }, 'none'),
				stored({ template_control_id: 'c9' }, 'x'),
				stored({ field_id: 'f8', label: 'Rain' }, 'some', 2),
			],
			{ Wind: 'NW', Rain: 'none', 'Rain:2': 'some', c9: 'x' },
		],
		[
			'use IDs if IDs are chosen',
			[
				stored({ field_id: 'f7', path: 'Page/Wind', label: 'Wind' }, 'NW'),
				stored({ template_control_id: 'c9', label: 'Rain' }, 'some'),
			],
			{ f7: 'NW', c9: 'some' },
			{ columnNames: 'fieldId' },
		],
		['are there without a value', [stored({ label: 'Wind' }, '')], { Wind: '' }],
		['show nested values as JSON', [stored({ label: 'A' }, { b: 1 })], { A: '{"b":1}' }],
		[
			'go by paths that leave the label out',
			[
				stored({ field_id: 'a', label: 'Floor', path: 'Page/Room/' }, 1),
				stored({ field_id: 'a', label: 'Floor', path: 'Page/Room/:2' }, 2, 2),
				stored({ field_id: 'b', path: 'Page/Room/' }, 3),
				stored({ field_id: 'c', path: 'Page/Room/' }, 4),
			],
			{ Floor: 1, 'Floor:2': 2, 'Page/Room': 3, 'Page/Room (c)': 4 },
		],
	])('%s', (_, items, columns, options) => {
		expectColumns(columns, items, undefined, options);
	});

	it.each([
		['status, 10, Note#a, Note#b', 'status (status), 10 (10), Note, Note (b)'],
		['A (y)#p, A#q, y#r, y (2)#s, A#y', 'A (y), A, y, y (2), y (3)'],
		['#f1, ', 'f1, answer'],
		['W#a, W#b, W (b)#c, W (b)#W (b)', 'W, W (b), W (b) (c), W (b) (W (b))'],
		['name#name', 'name (name)'],
	])('have an ID after a name that is taken, else a number: label#id %j are %j', (given, names) => {
		const items = given.split(', ').map((answer, n) => {
			const [label = '', id] = answer.split('#');
			return stored({ label, ...(id && { field_id: id }) }, n);
		});
		expect(columnsOf(items)).toEqual(names.split(', ').map((name, n) => [name, n]));
	});

	it('follow those of the template, without becoming answers in Create', () => {
		const template = templateOf([page('Page', text('Site'))]);
		const items = [
			stored({ field_id: 'old', path: 'Page/Old' }, 'kept'),
			stored({ field_id: 'old', path: 'Page/Old:2' }, 'too', 2),
			stored({ field_id: 'photo', path: 'Page/Site' }, [{ id: 'x' }]),
		];
		const columns = {
			Site: null,
			'Page/Old': 'kept',
			'Page/Old:2': 'too',
			'Page/Site (photo)': '[{"id":"x"}]',
		};
		expectColumns(columns, items, template);
		const { sent } = requestOf(formOf(template), [rowOf({ ...columns, Site: 'Hall' })]);
		expect(sent.map(({ value }) => value)).toEqual(['Hall']);
	});
});

describe('columns of removed questions', () => {
	const removed = (label: string, value: unknown) =>
		stored({ field_id: 'old', path: `General/${label}`, label }, value);
	const template = templateOf([
		page('General', text('Site'), text('Other')),
		page('Safety', text('Other')),
	]);

	it('keep the label while no other column has it', () => {
		const columns = { Site: '', 'General/Other': '', 'Safety/Other': '', Notes: 'kept' };
		expectColumns(columns, [removed('Notes', 'kept')], template);
		expectColumns({ Notes: 'kept' }, [removed('Notes', 'kept')]);
	});

	it('have the path if two of them have the same label', () => {
		const items = [
			removed('Notes', 'a'),
			stored({ field_id: 'older', path: 'Safety/Notes', label: 'Notes' }, 'b'),
		];
		expectColumns({ 'General/Notes': 'a', 'Safety/Notes': 'b' }, items);
	});

	it("are null in an inspection that doesn't have the answer", () => {
		const rows = rowLists([withData({ items: [removed('Notes', 'a')] }), withData({ items: [] })]);
		expect(rows.flat().map((row) => row['Notes'])).toEqual(['a', null]);
	});

	it('are empty if the template has the control, such as a photo', () => {
		const withPhoto = templateOf([control('media', 'Photo')]);
		const items = [stored({ field_id: 'f1', label: 'Photo' }, 'x.jpg')];
		const rows = rowLists([withData({ items }), withData({ items: [] })], withPhoto);
		expect(rows.flat().map((row) => row['Photo'])).toEqual(['x.jpg', '']);
	});

	it('make the column of a new question with the same name null instead of empty', () => {
		const problems: string[] = [];
		const again = templateOf([page('General', text('Notes'), text('Site'))]);
		const answered = [stored({ field_id: 'f2' }, 'new'), removed('Notes', 'old')];
		const inspections = [
			withData({ items: [removed('Notes', 'old')] }),
			withData({ items: answered }),
			withData({ items: [] }),
		];
		const forms = new Map([[guid(0), formOf(again)]]);
		const options = { columnNames: 'label' } as const;
		const rows = rowsOf(inspections, forms, options, (problem) => problems.push(problem));
		expect(rows.flat().map((row) => [row['Notes'], row['General/Notes (old)']])).toEqual([
			[null, 'old'],
			['new', 'old'],
			['', null],
		]);
		expect(problems).toEqual([
			expect.stringMatching(/^A removed question and a question .* named "Notes"\./),
		]);
	});
});

describe('several answers to one question in one instance', () => {
	const reported = (items: JsonRecord[], template?: JsonRecord) => {
		const problems: string[] = [];
		const forms = new Map(template ? [[guid(0), formOf(template)]] : []);
		const options = { columnNames: 'label' } as const;
		const [[row = {}] = []] = rowsOf([withData({ items })], forms, options, (problem) => {
			problems.push(problem);
		});
		return { columns: Object.fromEntries(Object.entries(row).slice(ROW_KEYS.length)), problems };
	};

	it.each([['known', TEMPLATE] as const, ['unknown', undefined] as const])(
		'stay in one cell, with a warning, if the question is %s',
		(_, template) => {
			const site = (value: string) => stored({ field_id: 'f1', label: 'Site' }, value);
			const items = [site('North'), site(''), site('South, B'), site('North')];
			const { columns, problems } = reported(items, template);
			expect(columns['Site']).toBe('"North", "South, B"');
			expect(problems).toEqual([
				'Inspection Walk 1 has 2 answers to "Site" in one instance. The cell contains all of them.',
			]);
		},
	);

	it('are one value without a warning if they are equal', () => {
		const items = [stored({ field_id: 'f6' }, 90), stored({ field_id: 'f6' }, '90')];
		expect(reported(items, TEMPLATE)).toMatchObject({ columns: { Width: 90 }, problems: [] });
	});

	/** Field IDs: f1 Rooms (repeatable) · f2 Doors (repeatable, inside) · f3 Lock · f4 Colour */
	const NESTED = templateOf([
		repeatable('Rooms', repeatable('Doors', text('Lock'), text('Colour'))),
	]);
	const lock = (room: number, door: number, question = 'Lock') => {
		const label = room === 1 ? 'Rooms' : `Rooms:${String(room)}`;
		const path = `${label}/Doors/${question}${door === 1 ? '' : `:${String(door)}`}`;
		const field_id = question === 'Lock' ? 'f3' : 'f4';
		return stored({ field_id, path, label: question }, `${String(room)}-${String(door)}`, door);
	};

	it('are separate instances if their paths have different outer instances', () => {
		const items = [lock(2, 1), lock(1, 1), lock(1, 2), lock(2, 2), lock(2, 2, 'Colour')];
		expect(reported(items, NESTED)).toEqual({
			columns: {
				Lock: '1-1',
				Colour: '',
				'Lock:2': '1-2',
				'Lock:3': '2-1',
				'Lock:4': '2-2',
				'Colour:4': '2-2',
			},
			problems: [],
		});
	});

	const anyItem = fc.record({
		field: fc.constantFrom('f3', 'f4', 'gone'),
		outer: fc.constantFrom('', ':2', ':3'),
		order: fc.integer({ min: 1, max: 4 }),
	});
	const options = fc.record({
		rowPerInstanceOf: fc.constantFrom(undefined, 'Doors', 'Rooms'),
		isKnown: fc.boolean(),
	});
	it('are all in the rows of an inspection, whatever numbers they have', () => {
		fc.assert(
			fc.property(fc.array(anyItem), options, (items, { rowPerInstanceOf, isKnown }) => {
				const labels = new Map([
					['f3', 'Lock'],
					['f4', 'Colour'],
				]);
				const answers = items.map(({ field, outer, order }, index) => {
					const label = labels.get(field) ?? 'Gone';
					const path = `Rooms${outer}/Doors/${label}${order === 1 ? '' : `:${String(order)}`}`;
					return stored({ field_id: field, path, label }, `<${String(index)}>`, order);
				});
				const template = isKnown ? NESTED : undefined;
				const rows = rowLists([withData({ items: answers })], template, { rowPerInstanceOf });
				const cells = rows.flat().flatMap(Object.values).join('\n');
				answers.forEach((_, index) => expect(cells).toContain(`<${String(index)}>`));
			}),
		);
	});

	it('have a row for each of the nested instances', () => {
		const items = [lock(1, 1), lock(1, 2), lock(2, 1), lock(2, 2)];
		const options = { rowPerInstanceOf: 'Doors' };
		const [rows = []] = rowLists([withData({ items })], NESTED, options);
		expect(rows.map(({ instance, Lock }) => [instance, Lock])).toEqual([
			[1, '1-1'],
			[2, '1-2'],
			[3, '2-1'],
			[4, '2-2'],
		]);
	});
});

it('an empty row without keys of the row itself keeps a label such as Status', () => {
	expect(emptyRow(formWith(page('One', text('Status'))), 1)).toEqual({ Status: '' });
});

it('an empty row has a column for each question, including each instance of a repeated one', () => {
	const columns = ['Site', 'Colour', 'Floor', 'Width', 'Colour:2', 'Floor:2', 'Width:2'];
	const row = Object.entries(emptyRow(formOf(TEMPLATE), 2));
	expect(row).toEqual(columns.map((column) => [column, '']));
});

/** Field IDs: f1 Site · f2 Findings (repeatable) · f3 What · f4 Where · f5 People (repeatable) · f6 Who · f7 Result */
const WALK = templateOf([
	text('Site'),
	repeatable('Findings', text('What'), text('Where')),
	repeatable('People', text('Who')),
	text('Result'),
]);
const FORM = formOf(WALK);

function rowsPerFinding(answers: Parameters<typeof plan>[1], template?: JsonRecord) {
	const options = { rowPerInstanceOf: ' findings ' };
	return rowLists([inspectionOf(plan(FORM, answers))], template, options)[0] ?? [];
}

describe('rows per instance', () => {
	it('repeat what is outside sections, but have other sections only in their first row', () => {
		const answers = {
			Site: 'Hall',
			'What#1': 'Crack',
			'What#2': 'Leak',
			'Where#2': 'Roof',
			'Who#1': 'Ana',
			'Who#2': 'Bo',
		};
		const rows = rowsPerFinding(answers, WALK);
		expect(Object.keys(rows[0] ?? {})).toEqual([
			'row_key',
			...ROW_KEYS,
			'instance',
			'Site',
			'What',
			'Where',
			'People',
			'Result',
		]);
		expect(rows.map((row) => Object.values(row).slice(1 + ROW_KEYS.length))).toEqual([
			[1, 'Hall', 'Crack', '', '[{"Who":"Ana"},{"Who":"Bo"}]', ''],
			[2, 'Hall', 'Leak', 'Roof', '', ''],
		]);
	});

	it('begin with a unique key, even without an instance', () => {
		const keysOf = (answers: Parameters<typeof plan>[1], template?: JsonRecord) =>
			rowsPerFinding(answers, template).map((row) => row['row_key']);
		const id = guid(1_001);
		expect(keysOf({ 'What#1': 'Crack', 'What#2': 'Leak' }, WALK)).toEqual([
			`${id}|f2|1`,
			`${id}|f2|2`,
		]);
		expect(keysOf({ Site: 'Hall' }, WALK)).toEqual([`${id}|f2|1`]);
		expect(keysOf({ Site: 'Hall' })).toEqual([id]);
	});

	it('have keys that Create never uses as answers, even if a question has that name', () => {
		const form = formWith(repeatable('Findings', text('row_key'), text('What')));
		const rows = [rowOf({ row_key: 'a|f1|1', 'Findings/row_key': 'mine', What: 'Crack' })] as const;
		const { sent } = requestOf(form, rows);
		expect(sent.map(({ value }) => value)).toEqual(['mine', 'Crack']);
	});

	it.each([
		['an inspection has no instance', WALK, { instance: '', Site: 'Hall', What: '' }],
		["the template can't be read", undefined, { instance: '', Site: 'Hall' }],
	])('are one row if %s', (_, known, row) => {
		expect(rowsPerFinding({ Site: 'Hall' }, known)).toMatchObject([row]);
	});

	it('have the order of the instances, whatever order the service sends', () => {
		const rows = rowsPerFinding({ 'What#10': 'Leak', 'What#2': 'Crack', 'Where#1': 'Roof' }, WALK);
		expect(rows.map(({ instance, What, Where }) => [instance, What, Where])).toEqual([
			[1, '', 'Roof'],
			[2, 'Crack', ''],
			[3, 'Leak', ''],
		]);
	});

	it.each([
		['field ID', { field_id: 'f9' }],
		['control ID', { template_control_id: guid(9).toUpperCase() }],
	])(
		'have a photo in the row of its instance within its section, matched by its %s, not by its path',
		(_, ids) => {
			// Field IDs: f1 Floor · f2 Rooms · f3 Note · f4 Photo · f5 Plan · f6 Floor · f7 Rooms · f8 Note · f9 Photo · f10
			// Plan
			const rooms = () =>
				repeatable('Rooms', text('Note'), control('media', 'Photo'), control('media', 'Plan'));
			const floors = templateOf([page('Floor', rooms()), page('Floor', rooms())]);
			const about = { label: 'Photo', path: 'Floor/Rooms/Photo' };
			const items = [
				stored({ field_id: 'f3' }, 'first', 1),
				stored({ field_id: 'f3' }, 'second', 2),
				stored({ field_id: 'f8' }, 'upper', 1),
				stored({ field_id: 'f8' }, 'upper 2', 2),
				stored({ ...about, ...ids }, 'x.jpg', 2),
			];
			const rowsPer = (rowPerInstanceOf: string) =>
				(rowLists([withData({ items })], floors, { rowPerInstanceOf })[0] ?? []).map((row) => [
					row.instance,
					...Object.values(row).filter((cell) => cell === 'x.jpg'),
				]);
			expect(rowsPer('f7')).toEqual([[1], [2, 'x.jpg']]);
			// If the rows are the instances of the other section, each row has the photo.
			expect(rowsPer('f2')).toEqual([
				[1, 'x.jpg'],
				[2, 'x.jpg'],
			]);
		},
	);

	it('repeat answers to removed questions in each row, because their section is unknown', () => {
		const room = repeatable('Room', text('Colour'), repeatable('Doors', text('Width')));
		const nested = templateOf([page('Page', room)]);
		const items = [
			stored({ field_id: 'f3' }, 'red', 1),
			stored({ field_id: 'f3' }, 'blue', 2),
			stored({ path: 'Page/Room/Old' }, 'gone', 2),
			stored({ path: 'Page/Room/Doors/Old' }, 'oak', 3),
			stored({ path: 'Page/Old' }, 'kept'),
		];
		const [rows = []] = rowLists([withData({ items })], nested, { rowPerInstanceOf: 'Room' });
		expect(rows.map((row) => Object.values(row).slice(1 + ROW_KEYS.length))).toEqual([
			[1, 'red', '', 'gone', 'oak', 'kept'],
			[2, 'blue', '', 'gone', 'oak', 'kept'],
		]);
	});
});

describe("a cell that a spreadsheet can't hold", () => {
	const many = Array.from({ length: 3_000 }, (_, n) => [
		`Who#${String(n + 1)}`,
		`Ana 😀${String(n)}`,
	]);

	it("is cut to Excel's limit for a different section, so that Create rejects it", () => {
		const [row = {}] = rowsPerFinding({ 'What#1': 'Crack', ...Object.fromEntries(many) }, WALK);
		const cell = String(row['People']);
		expect(cell.length).toBeLessThanOrEqual(32_767);
		expect(cell.length).toBeGreaterThan(32_700);
		expect(cell).toMatch(/^\[\{"Who":"Ana 😀0"\}.*… \[cut, 3000 in all\]$/u);
		expect(cell.isWellFormed()).toBe(true);
		expect(problemOf(() => requestOf(FORM, [rowOf({ People: cell })]))).toContain(
			"isn't an instance of the section",
		);
		expect(longCells(row, 'inspection Walk 1')).toEqual([
			expect.stringMatching(
				/^"People" of inspection Walk 1 has more instances than fit into a cell/,
			),
		]);
	});

	it('is reported with its column in the inspection', () => {
		expect(longCells({ Site: 'x'.repeat(32_767) }, 'inspection Walk 1')).toEqual([]);
		expect(longCells({ Site: 'x'.repeat(40_000), Area: 1 }, 'inspection Walk 1')).toEqual([
			expect.stringMatching(/^"Site" of inspection Walk 1 has 40,000 characters, but a cell/),
		]);
	});

	it.each([
		['in any column without a choice of columns', [], ['created_by', 'Site']],
		['in a chosen column', ['Site'], ['Site']],
		['in no other column', ['id'], []],
	])("is only reported if it's in the output: %s", (_, fields, columns) => {
		const [site, by] = ['s'.repeat(40_000), 'b'.repeat(40_000)];
		const inspection = { ...inspectionOf([]), created_by: by };
		const read = { ...inspection, data: { items: [stored({ field_id: 'f1' }, site)] } };
		const problems: string[] = [];
		rowsOf(
			[read],
			new Map([[guid(0), formOf(TEMPLATE)]]),
			{ columnNames: 'label', fields },
			(problem) => problems.push(problem),
		);
		expect(
			problems.map((problem) => /^"(.+?)" of inspection .* 40,000/.exec(problem)?.[1]),
		).toEqual(columns);
	});

	it("lists only the failed downloads if it's about files", () => {
		const files = Array.from({ length: 300 }, (_, n) => ({
			id: guid(n),
			kind: 'image',
			...(n % 100 === 7 ? { error: 'gone' } : { file_name: 'x'.repeat(100) }),
		}));
		const failed_files = [7, 107, 207].map((n) => ({ id: guid(n), error: 'gone' }));
		const cell = downloadedFilesCell(files);
		expect(JSON.parse(cell)).toEqual({ downloaded: 297, failed: 3, failed_files });
		const lost = files.map(({ id }) => ({ id, error: 'y'.repeat(500) }));
		expect(downloadedFilesCell(lost).length).toBeLessThanOrEqual(32_767);
		expect(downloadedFilesCell(files.slice(0, 2))).toBe(JSON.stringify(files.slice(0, 2)));
	});
});

describe('the option Row per Instance Of', () => {
	/**
	 * Returns a form with one page per label, which has a repeatable section with that label. The sections' field IDs are
	 * f2, f5, and f8.
	 */
	const sectionsOf = (...labels: string[]) =>
		formWith(
			...labels.map((label, n) => page(`Page ${String(n + 1)}`, repeatable(label, text('Note')))),
		);

	it.each([
		['f2', ['Room', 'Page 1/Room']],
		['f5', ['ROOM', 'f5', 'section:f5', guid(5), `{${guid(5).toUpperCase()}}`]],
		['f8', ['hall', ' Hall ']],
		[undefined, ['Attic', 'Room:2']],
	])('finds %s of the sections Room, ROOM, " Hall" by each of %j', (fieldId, names) => {
		const form = sectionsOf('Room', 'ROOM', ' Hall');
		const found = names.map((name) => sectionsNamed(form, name).map((section) => section.fieldId));
		expect(found).toEqual(names.map(() => (fieldId === undefined ? [] : [fieldId])));
	});

	it('requires a choice if several sections have the name', () => {
		expect(ambiguousSection(sectionsOf('Room', 'ROOM'), 'room')).toBe(
			'Row per Instance Of: 2 sections are named "room". Choose from these instead: "Page 1/Room", "Page 2/ROOM".',
		);
		const twice = formWith(page('P', repeatable('Room', text('A')), repeatable('Room', text('B'))));
		const names = ['P/Room (f2)', 'P/Room (f4)'];
		expect(ambiguousSection(twice, 'P/Room')).toContain(`instead: "${names.join('", "')}".`);
		const found = names.map((name) => sectionsNamed(twice, name).map(({ fieldId }) => fieldId));
		expect(found).toEqual([['f2'], ['f4']]);
	});

	it('needs the name of an existing section, from the list in the message', () => {
		expect(missingSection([FORM], 'Finding')).toMatch(
			/^Row per Instance Of: "Finding" isn't a repeatable section\. Repeatable sections: "Findings", "People"\./,
		);
		expect(missingSection([formWith(text('Site')), FORM], 'Findings')).toBeUndefined();
		expect(missingSection([formWith(text('Site'))], 'Findings')).toMatch(
			/isn't a repeatable section\. The templates of these inspections have no repeatable sections\./,
		);
	});
});
