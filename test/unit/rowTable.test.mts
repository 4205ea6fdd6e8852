import { describe, expect, it } from 'vitest';

import { isRecord, type JsonRecord, recordsOf } from '#connector/domain/json.ts';
import { emptyRow, type RowOptions } from '#connector/domain/row/rowTable.ts';
import { ROW_KEYS } from '#connector/domain/rowKeys.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { inspectionOf, plan, rowLists } from './generatedInspection.mts';
import { control, guid, page, repeatable, templateOf, text } from './generatedTemplate.mts';
import { requestOf, rowOf } from './madeOfRows.mts';

const withData = (data: unknown) => ({ ...inspectionOf([]), data }) as JsonRecord & { id: string };

/** The columns of the first row of one inspection, without the row's own. */
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

/** A stored answer: `about` are its label, path and ids. */
const stored = (about: JsonRecord, value: unknown, order?: number) =>
	({
		...about,
		...{ response: { value }, ...(order && { repeat_section_order: order }) },
	}) as JsonRecord;

/** f1 Site · f2 Room (repeatable) · f3 Colour · f4 Doors (repeatable) · f5 Width */
const TEMPLATE = templateOf([
	text('Site'),
	repeatable('Room', text('Colour')),
	repeatable('Doors', control('number', 'Width')),
]);

describe('the columns of questions', () => {
	const namesIn = (...pages: Parameters<typeof templateOf>[0]) =>
		columnsOf([], templateOf(pages)).map(([name]) => name);

	it('go by path where a label is not unique, is a key of the row itself, or is an integer', () => {
		const one = page('One', text('Note'), text('name'), text('Only'), text('10'));
		expect(namesIn(one, page('Two', text('Note')))).toEqual([
			...['One/Note', 'One/name', 'Only', 'One/10', 'Two/Note'],
		]);
	});

	it('are never called like a key that stands behind them', () => {
		const template = templateOf([text('warnings')]);
		expectColumns({ f1: null }, [], template, { keysBehind: ['warnings'] });
	});

	it('keep dangerous names like any other', () => {
		const names = ['__proto__', 'constructor', 'toString'];
		const template = templateOf(names.map((name) => text(name)));
		const answers = names.map((label, n) => stored({ field_id: `f${String(n + 1)}` }, label));
		const [[row = {}] = []] = rowLists([withData({ items: answers })], template);
		expect(Object.entries(row).slice(-3)).toEqual(names.map((name) => [name, name]));
		expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
	});

	it('come in the order of the form, later instances behind all first ones', () => {
		const items = [
			stored({ field_id: 'f5' }, '90', 1),
			stored({ field_id: 'f3' }, 'blue', 2),
			stored({ field_id: 'f3' }, 'red', 1),
		];
		expectColumns({ Site: null, Colour: 'red', Width: 90, 'Colour:2': 'blue' }, items, TEMPLATE);
	});

	it('are there in every row for each instance that is answered anywhere', () => {
		const template = templateOf([repeatable('Room', text('Floor'), text('Wall')), text('After')]);
		const form = formOf(template);
		const short = inspectionOf(plan(form, { After: 'x' }));
		const long = inspectionOf(plan(form, { Floor: 'a', 'Wall#2': 'b' }), { number: 2 });
		const [[first = {}] = [], [second = {}] = []] = rowLists([short, long], template);
		expect(Object.keys(first).slice(ROW_KEYS.length)).toEqual(['Floor', 'Wall', 'After', 'Wall:2']);
		expect(Object.values(second).slice(ROW_KEYS.length)).toEqual(['a', null, null, 'b']);
	});

	it('are there only for instances that occur: 1,000 of one of 200 questions make 1,199', () => {
		const questions = Array.from({ length: 200 }, (_, index) => text(`Question ${String(index)}`));
		const template = templateOf([repeatable('Room', ...questions)]);
		const items = Array.from({ length: 1_000 }, (_, n) => stored({ field_id: 'f2' }, 'x', n + 1));
		expect(columnsOf(items, template)).toHaveLength(1_199);
	});

	it('leave out an instance whose answers are empty, or that has nothing but a photo', () => {
		const at = (label: string, order: number, value: string) => {
			const field_id = label === 'Colour' ? 'f3' : 'photo';
			return stored({ field_id, label, path: `Room/${label}` }, value, order);
		};
		const items = [at('Colour', 1, 'red'), at('Photo', 2, 'x.jpg'), at('Colour', 3, 'blue')];
		expectColumns(
			{
				Site: null,
				Colour: 'red',
				Width: null,
				'Colour:2': 'blue',
				'Room/Photo:3': 'x.jpg',
			},
			[...items, at('Colour', 4, '')],
			TEMPLATE,
		);
	});

	it.each([undefined, null, {}, { items: null }, { item_type: 'question_response', items: [] }])(
		'are empty where an inspection comes without answers (%j)',
		(data) => {
			const [[row = {}] = []] = rowLists([withData(data)], templateOf([text('Site')]));
			expect(Object.entries(row).slice(ROW_KEYS.length)).toEqual(Object.entries({ Site: null }));
		},
	);

	it('take an answer by its control id, in any form, where its field id is another', () => {
		const about = { field_id: 'other', template_control_id: `{${guid(1).toUpperCase()}}` };
		expectColumns({ Site: 'Hall' }, [stored(about, 'Hall')], templateOf([text('Site')]));
	});

	it('take no answer for that of a question where neither has a control id', () => {
		const template = templateOf([text('Site')]);
		for (const one of recordsOf(isRecord(template.data) ? template.data.controls : [])) one.id = '';
		expectColumns({ Site: null, Other: 'x' }, [stored({ label: 'Other' }, 'x')], template);
	});
});

describe('the columns of answers whose question is not known', () => {
	it.each<[string, JsonRecord[], JsonRecord, Partial<RowOptions>?]>([
		[
			'go by path, label or id',
			[
				stored(
					{ field_id: 'f7', template_control_id: 'c7', path: 'Page/Wind', label: 'Wind' },
					'NW',
				),
				stored({ field_id: 'f8', label: 'Rain' }, 'none'),
				stored({ template_control_id: 'c9' }, 'x'),
				stored({ field_id: 'f8', label: 'Rain' }, 'some', 2),
			],
			{ 'Page/Wind': 'NW', Rain: 'none', 'Rain:2': 'some', c9: 'x' },
		],
		[
			'go by their ids where ids are wanted',
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
			{ 'Page/Room/Floor': 1, 'Page/Room/Floor:2': 2, 'Page/Room': 3, 'Page/Room (c)': 4 },
		],
	])('%s', (_, items, columns, options) => {
		expectColumns(columns, items, undefined, options);
	});

	it.each([
		[
			['status', '10', 'Note#a', 'Note#b'],
			['status (status)', '10 (10)', 'Note', 'Note (b)'],
		],
		[
			['A (y)#p', 'A#q', 'y#r', 'y (2)#s', 'A#y'],
			['A (y)', 'A', 'y', 'y (2)', 'y (3)'],
		],
		[
			['#f1', ''],
			['f1', 'answer'],
		],
		[
			['W#a', 'W#b', 'W (b)#c', 'W (b)#W (b)', 'name#name'],
			['W', 'W (b)', 'W (b) (c)', 'W (b) (W (b))', 'name (name)'],
		],
	])(
		'have an id behind a name that is taken, and a number where that is not enough: label#id %j',
		(answers, names) => {
			const items = answers.map((answer, n) => {
				const [label = '', id] = answer.split('#');
				return stored({ label, ...(id && { field_id: id }) }, n);
			});
			expect(columnsOf(items)).toEqual(names.map((name, n) => [name, n]));
		},
	);

	it('stand behind those of the template, and Create takes none of them', () => {
		const template = templateOf([page('Page', text('Site'))]);
		const items = [
			stored({ field_id: 'old', path: 'Page/Old' }, 'kept'),
			stored({ field_id: 'old', path: 'Page/Old:2' }, 'too', 2),
			stored({ field_id: 'photo', path: 'Page/Site' }, [{ id: 'x' }]),
		];
		const columns = columnsOf(items, template);
		expect(columns).toEqual(
			Object.entries({
				Site: null,
				'Page/Old': 'kept',
				'Page/Old:2': 'too',
				'Page/Site (photo)': '[{"id":"x"}]',
			}),
		);
		expect(requestOf(formOf(template), [rowOf(Object.fromEntries(columns))]).sent).toEqual([]);
	});

	it('go by paths alone where the template may not be read', () => {
		const template = templateOf([
			page('One', text('Note'), text('Site')),
			page('Two', text('Note')),
		]);
		const planned = formOf(template).questions.map((question) => ({
			question,
			order: 1,
			value: 'x',
		}));
		const [[row = {}] = []] = rowLists([inspectionOf(planned)]);
		expect(Object.keys(row).slice(ROW_KEYS.length)).toEqual(['One/Note', 'One/Site', 'Two/Note']);
	});
});

it('an empty row has a column for each question, and for each instance of one that repeats', () => {
	const columns = { Site: '', Colour: '', Width: '', 'Colour:2': '', 'Width:2': '' };
	expect(Object.entries(emptyRow(formOf(TEMPLATE), 2))).toEqual(Object.entries(columns));
});
