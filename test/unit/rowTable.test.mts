import { describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { knownTemplate, type RowOptions, rowsOf } from '#connector/domain/row/row.ts';
import { emptyRow } from '#connector/domain/row/rowTable.ts';
import { ROW_KEYS } from '#connector/domain/rowKeys.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { templateOf } from './generatedTemplate.mts';

/** f1 Site · f2 Room (repeatable) · f3 Colour · f4 Doors (repeatable) · f5 Width */
const TEMPLATE = templateOf([
	{ type: 'text', label: 'Site' },
	{
		type: 'section',
		label: 'Room',
		options: { is_repeatable: true },
		children: [{ type: 'text', label: 'Colour' }],
	},
	{
		type: 'section',
		label: 'Doors',
		options: { is_repeatable: true },
		children: [{ type: 'number', label: 'Width' }],
	},
]);

const OPTIONS: RowOptions = {
	columnNames: 'label',
	rowPerInstanceOf: undefined,
	hasFiles: false,
	hasDownloads: false,
};

/** The columns of the rows of one inspection, without the row's own. */
function columnsOf(items: JsonRecord[], options: Partial<RowOptions> = {}, template?: JsonRecord) {
	const known = template === undefined ? [] : [['t', knownTemplate(template)] as const];
	const inspection = { id: 'i', template: { id: 't' }, data: { items } };
	const [rows = []] = rowsOf([inspection], new Map(known), { ...OPTIONS, ...options });
	return rows.map((row) =>
		Object.fromEntries(Object.entries(row).filter(([key]) => !ROW_KEYS.some((own) => own === key))),
	);
}

const stored = (about: JsonRecord, value: string, order = 1): JsonRecord => ({
	...about,
	...{ response: { value }, repeat_section_order: order },
});

describe('the columns of a row', () => {
	it('of answers whose question is not known go by path, label or id', () => {
		expect(
			columnsOf([
				stored(
					{ field_id: 'f7', template_control_id: 'c7', path: 'Page/Wind', label: 'Wind' },
					'NW',
				),
				stored({ field_id: 'f8', label: 'Rain' }, 'none'),
				stored({ template_control_id: 'c9' }, 'x'),
				stored({ field_id: 'f8', label: 'Rain' }, 'some', 2),
			]),
		).toEqual([{ 'Page/Wind': 'NW', Rain: 'none', 'Rain:2': 'some', c9: 'x' }]);
	});

	it('of such answers are there without a value, too', () => {
		expect(columnsOf([stored({ field_id: 'f7', label: 'Wind' }, '')])).toEqual([{ Wind: '' }]);
	});

	it('of such answers go by their ids where ids are wanted', () => {
		const items = [
			stored({ field_id: 'f7', path: 'Page/Wind', label: 'Wind' }, 'NW'),
			stored({ template_control_id: 'c9', label: 'Rain' }, 'some'),
		];
		expect(columnsOf(items, { columnNames: 'fieldId' })).toEqual([{ f7: 'NW', c9: 'some' }]);
	});

	it('have an id behind a name that two answers have, and a number where that is not enough', () => {
		const items = [
			stored({ field_id: 'a', label: 'Wind' }, '1'),
			stored({ field_id: 'b', label: 'Wind' }, '2'),
			stored({ field_id: 'c', label: 'Wind (b)' }, '3'),
			stored({ field_id: 'Wind (b)', label: 'Wind (b)' }, '4'),
			stored({ field_id: 'name', label: 'name' }, '5'),
		];
		expect(columnsOf(items)).toEqual([
			{
				Wind: '1',
				'Wind (b)': '2',
				'Wind (b) (c)': '3',
				'Wind (b) (Wind (b))': '4',
				'name (name)': '5',
			},
		]);
	});

	it('are never called like a key that stands behind them', () => {
		const template = templateOf([{ type: 'text', label: 'warnings' }]);
		expect(columnsOf([], { keysBehind: ['warnings'] }, template)).toEqual([{ f1: null }]);
	});

	it('of questions come in the order of the form, each instance beside the first', () => {
		const items = [
			stored({ field_id: 'f5' }, '90'),
			stored({ field_id: 'f3' }, 'blue', 2),
			stored({ field_id: 'f3' }, 'red', 1),
		];
		const [row = {}] = columnsOf(items, {}, TEMPLATE);
		expect(Object.entries(row)).toEqual([
			['Site', null],
			['Colour', 'red'],
			['Colour:2', 'blue'],
			['Width', 90],
		]);
	});

	it('with a row per instance have each other section as a list, in the first row', () => {
		const items = [
			stored({ field_id: 'f1' }, 'Gate'),
			stored({ field_id: 'f5' }, '90', 1),
			stored({ field_id: 'f5' }, '80', 2),
			stored({ field_id: 'f3' }, 'blue', 2),
			stored({ field_id: 'f3' }, 'red', 1),
		];
		expect(columnsOf(items, { rowPerInstanceOf: 'Room' }, TEMPLATE)).toEqual([
			{ instance: 1, Site: 'Gate', Colour: 'red', Doors: '[{"Width":90},{"Width":80}]' },
			{ instance: 2, Site: 'Gate', Colour: 'blue', Doors: null },
		]);
	});

	it('count files only where they were read, and leave room for downloads', () => {
		const options = { ...OPTIONS, hasFiles: true, hasDownloads: true };
		const inspections = [{ id: 'a', files: [{ id: 'f' }] }, { id: 'b' }];
		const rows = rowsOf(inspections, new Map(), options).flat();
		expect(rows.map((row) => [row['files_count'], row['downloaded_files']])).toEqual([
			[1, null],
			[null, null],
		]);
	});
});

describe('an empty row', () => {
	it('has a column for each question, and for each instance of one that repeats', () => {
		const columns = { Site: '', Colour: '', 'Colour:2': '', Width: '', 'Width:2': '' };
		expect(Object.entries(emptyRow(formOf(TEMPLATE), 2))).toEqual(Object.entries(columns));
	});
});
