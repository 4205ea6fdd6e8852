import { describe, expect, it } from 'vitest';

import {
	causesIn,
	headerCure,
	headerRow,
	namedColumns,
	ownColumns,
	sheetCure,
	unmappedRows,
} from '#connector/domain/create/unusedColumns.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { formWith, page, repeatable, text } from './generatedTemplate.mts';
import { rowOf } from './madeOfRows.mts';

const formOf = (...labels: string[]) => formWith(...labels.map((label) => text(label)));
const FORM = formOf('Site', 'Weather');

const problemOf = (items: JsonRecord[], form = FORM) => {
	const rows = items.map((values, n) => rowOf(values, { number: n + 1 }));
	return unmappedRows(form, rows, (key) => key === 'Team');
};
const told = (...how: Parameters<typeof problemOf>) => problemOf(...how)?.wrong;

describe('rows of one inspection in which nothing is a question', () => {
	it.each<[string, JsonRecord[], RegExp]>([
		[
			'are told by their columns, with the questions that were meant',
			[{ Wether: 'Wet' }],
			/^"Wether" \(did you mean "Weather"\?\) matches no question\. Give the columns the names/,
		],
		[
			'are told by all columns of all rows',
			[
				{ Team: 'North', Wether: 'Wet' },
				{ Place: 'Gate', Wether: 'Dry' },
			],
			/^"Wether" \(did you mean "Weather"\?\), "Place" match no question\. Give/,
		],
		['are told to be empty', [{}, {}], /^The item is empty\. Take empty rows out .* Filter node;/],
		[
			'are not told to be empty where every column has another use',
			[{ Team: 'North' }],
			/^No column is a question\. Give the columns the names/,
		],
		[
			'are told how to read the sheet where its lines were not divided',
			[{ 'Site;Weather': 'Gate;Wet' }],
			/^All of the line is one column: set the option Delimiter .* ";"\. "Site;Weather" matches/,
		],
		[
			'are told once how to read a sheet without headers',
			[{ __EMPTY: 'Gate', __EMPTY_1: 'Wet' }],
			/^The header must stand [^.]*above it[^.]*$/,
		],
	])('%s', (_, rows, message) => {
		expect(told(rows)).toMatch(message);
	});

	it('are told by the columns that are near a question, of the first hundred, and by the number of all', () => {
		const columns = (count: number) =>
			Array.from({ length: count }, (_, n) => `Column ${String(n)}`);
		const itemOf = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, 'x']));
		const item = itemOf(...columns(99), 'Wether', ...columns(8_000));
		expect(told([item], formOf('Site', 'Weather'))).toMatch(
			/^"Wether" \(did you mean "Weather"\?\), "Column 0", .*"Column 10" and 7989 more match no question\./,
		);
	});

	it.each(['toolCallId', 'row_number'])('are not told of n8n’s own field %s', (key) => {
		expect(told([{ [key]: 'x' }])).toMatch(/^The item is empty/);
		expect(told([{ [key]: 'x', Wether: 'Wet' }])).toMatch(/^"Wether" \(/);
		expect(told([{ [key]: 'x' }], formOf(key))).toBeUndefined();
	});

	it('are accepted where one of them has a question, or the template has none', () => {
		expect(told([{ Place: 'Gate' }, { Weather: '' }])).toBeUndefined();
		expect(told([{ Place: 'Gate' }], formOf())).toBeUndefined();
	});
});

describe('an item’s field "error"', () => {
	it.each([
		['No connection', '"No connection"'],
		[{ code: 4 }, '{"code":4}'],
	])('is the error of a node before: %j', (error, shown) => {
		const wrong = expect.stringContaining(
			`The item carries an error: ${shown}. Take such items out`,
		);
		const item = { Site: 'Gate', error };
		expect(problemOf([item])).toEqual({ wrong, rows: undefined });
		expect(problemOf([{ Site: 'x' }, item])).toEqual({ wrong, rows: [2] });
	});

	it.each([{}, { error: '' }, { error: null }, { error: false }])('is none in %j', (item) => {
		expect(told([{ Site: 'Gate', ...item }])).toBeUndefined();
	});

	it('is an answer where a question is called so', () => {
		expect(told([{ error: 'Rust' }], formOf('Error'))).toBeUndefined();
	});
});

describe('columns of no question', () => {
	const SECOND = 'n8n’s name for a second column';

	it.each<[string, string[], string]>([
		['has the question that is near', ['Wether'], '"Wether" (did you mean "Weather"?)'],
		['has none where none is near', ['Place'], '"Place"'],
		[
			'is a second one of a question',
			['Site_1'],
			`"Site_1" (${SECOND} "Site": give it a header of its own)`,
		],
		[
			'is a second one of a column',
			['Place', 'Place_12'],
			`"Place", "Place_12" (${SECOND} "Place": give it a header of its own)`,
		],
		[
			'is called so by hand',
			['Place_1', 'Weather_0', 'Weather_123'],
			'"Place_1", "Weather_0" (did you mean "Weather"?), "Weather_123"',
		],
		['has no header', ['__EMPTY', '__EMPTY_1'], '"__EMPTY", "__EMPTY_1"'],
	])('are named: one that %s', (_, keys, named) => {
		expect(namedColumns(FORM, keys).join(', ')).toBe(named);
	});

	it('are told as a problem, after what to do about the headers', () => {
		const wrong = 'is a column that matches no question';
		const unmatched = { kind: 'unmatched columns', isCause: true, wrong };
		expect(causesIn(FORM, [])).toEqual([]);
		expect(causesIn(FORM, ['__EMPTY', 'Place', 'Wether'])).toEqual([
			{ isCause: true, wrong: expect.stringMatching(/^The header must stand in the first line/) },
			{ ...unmatched, value: '"Wether" (did you mean "Weather"?)' },
			{ ...unmatched, value: '"Place"' },
		]);
		const many = causesIn(
			FORM,
			Array.from({ length: 15 }, (_, index) => `Column ${String(index)}`),
		);
		expect(many).toHaveLength(13);
		expect(many.at(-1)).toMatchObject({ value: '3 more columns', wrong: 'match no question' });
	});
});

describe('columns that the rows of Get Many have themselves', () => {
	const form = formWith(
		page('Header', text('Team'), text('Status')),
		repeatable('Room', text('Name')),
	);

	it.each<[string, JsonRecord, string[]]>([
		[
			'are told with the name that the question goes by',
			{ team: 'North', '\ufeffstatus': 'ok' },
			['"team"', '"status"'],
		],
		[
			'are not told where another column has the answer',
			{ team: 'North', 'Header/Team': 'South', status: 'x' },
			['"status"'],
		],
		[
			'are not told where they are empty, or no question is called so',
			{ team: '', id: 'x', Team: 'y' },
			[],
		],
	])('%s', (_, item, told) => {
		expect(ownColumns(form, item)).toEqual(told);
	});

	it('are not told where two questions are called so', () => {
		const two = formWith(page('A', text('Team')), page('B', text('Team')));
		expect(ownColumns(two, { team: 'North' })).toEqual([]);
		expect(ownColumns(formWith(repeatable('Team', text('Name'))), { team: 'x' })).toEqual([]);
	});
});

it.each<[string[], RegExp]>([
	[['Site;Weather'], /^All of the line is one column: .* to ";"$/],
	[['Site\tWeather'], /^All of the line .* a tab \("\\t"\)$/],
	[['Site', '__EMPTY'], /^The header must stand in the first line that is read: /],
	[['__EMPTY_12'], /^The header must stand in the first line that is read: /],
	[['Pr\ufffdfer'], /^Characters were lost /],
])('of the columns %j it is told: %s', (names, cure) => {
	expect(sheetCure(names)).toMatch(cure);
});

it.each([[['Site;Weather', 'Note']], [['Site']], [[]], [['x__EMPTY', '__EMPTY_x', '__EMPTY_1x']]])(
	'of the columns %j nothing is told',
	(names) => {
		expect(sheetCure(names)).toBeUndefined();
	},
);

it('the row in which the header seems to stand is named', () => {
	const rows = [
		{ Title: 'In May' },
		{ Title: 'Site', __EMPTY: 'Weather', __EMPTY_1: 'Note', x: 2 },
	];
	const header = headerRow(rows, (cell) => cell === 'Weather');
	expect(headerCure(['Title', '__EMPTY'], header)).toMatch(
		/ to their number\. The header seems to stand in row 2 of the data \("Site", "Weather" and 1 more\)$/,
	);
	expect(headerRow(rows.slice(0, 1), (cell) => cell === 'Weather')).toBeUndefined();
});

it('of single columns only what their headers show is told', () => {
	expect(headerCure(['Site;Weather'])).toBeUndefined();
});
