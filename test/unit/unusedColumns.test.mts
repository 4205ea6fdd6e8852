import { describe, expect, it } from 'vitest';

import {
	headerFix,
	headerRow,
	namedColumns,
	reservedColumns,
	reservedColumnsFix,
	sheetFix,
	unmappedRows,
} from '#connector/domain/create/unusedColumns.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { OWN_KEYS } from '#connector/domain/rowKeys.ts';
import { formWith } from '#harness/forms.mts';
import { page, repeatable, text } from '#harness/generatedTemplate.mts';
import { rowOf } from '#harness/madeOfRows.mts';

const formOf = (...labels: string[]) => formWith(...labels.map((label) => text(label)));
const FORM = formOf('Site', 'Weather');
const columns = (count: number) => Array.from({ length: count }, (_, n) => `Column ${String(n)}`);

const problemOf = (items: JsonRecord[], form = FORM) => {
	const rows = items.map((values, n) => rowOf(values, { number: n + 1 }));
	return unmappedRows(form, rows, (key) => key === 'Team', {});
};
const messageFor = (...how: Parameters<typeof problemOf>) => problemOf(...how)?.message;

describe('rows of one inspection without any question', () => {
	it.each<[JsonRecord[], RegExp]>([
		[
			[{ Team: 'North', Wether: 'Wet' }, { Place: 'Gate' }],
			/^"Wether" \(did you mean "Weather"\?\), "Place" match no question\. Give the columns the names of the questions/,
		],
		[[{}, {}], /^The row is empty\. Remove empty rows .* Filter node\./],
		[
			[{ Team: 'North' }],
			/^No column matches a question\. Give the columns the names of the questions/,
		],
		[
			[{ 'Site;Weather': 'Gate;Wet' }],
			/^Each line of the file was read as a single column: set the option 'Delimiter' .* ";"\. "Site;Weather" matches no/,
		],
		[[{ __EMPTY: 'Gate', __EMPTY_1: 'Wet' }], /^The header must be [^.]*above it[^.]*$/],
	])('are reported by their columns, or by how the sheet is misread: %j', (rows, message) => {
		expect(messageFor(rows)).toMatch(message);
	});

	it('are reported by columns close to a question, of the first hundred, and by the total number', () => {
		const keys = [...columns(99), 'Wether', ...columns(8_000)];
		const item = Object.fromEntries(keys.map((key) => [key, 'x']));
		expect(messageFor([item], formOf('Site', 'Weather'))).toMatch(
			/^"Wether" \(did you mean "Weather"\?\), "Column 0", .*"Column 10" and 7989 more match no question\./,
		);
	});

	it.each(['toolCallId', 'row_number'])("aren't reported for n8n’s own field %s", (key) => {
		expect(messageFor([{ [key]: 'x' }])).toMatch(/^The row is empty/);
		expect(messageFor([{ [key]: 'x', Wether: 'Wet' }])).toMatch(/^"Wether" \(/);
		expect(messageFor([{ [key]: 'x' }], formOf(key))).toBeUndefined();
	});

	it('are accepted if one of them has a question, or if the template has none', () => {
		expect(messageFor([{ Place: 'Gate' }, { Weather: '' }])).toBeUndefined();
		expect(messageFor([{ Place: 'Gate' }], formOf())).toBeUndefined();
	});
});

describe('an item’s field "error"', () => {
	it.each([
		['No connection', '"No connection"'],
		[{ code: 4 }, '{"code":4}'],
	])("is a previous node's error: %j", (error, shown) => {
		const message = expect.stringContaining(
			`has an error from a previous node: ${shown}. Remove such rows`,
		);
		const item = { Site: 'Gate', error };
		expect(problemOf([item])).toEqual({ message, rows: undefined });
		expect(problemOf([{ Site: 'x' }, item])).toEqual({ message, rows: [2] });
	});

	it.each([{}, { error: '' }, { error: null }, { error: false }])(
		"isn't an error in %j",
		(item) => {
			expect(messageFor([{ Site: 'Gate', ...item }])).toBeUndefined();
		},
	);

	it('is an answer if a question has that name', () => {
		expect(messageFor([{ error: 'Rust' }], formOf('Error'))).toBeUndefined();
	});
});

describe('columns of no question', () => {
	const second = (name: string, first: string) =>
		`"${name}" (n8n's name for a second column "${first}": give it a unique header)`;

	it.each([
		['Wether Place', '"Wether" (did you mean "Weather"?), "Place"'],
		[
			'Site_1 Place_12 Place',
			`${second('Site_1', 'Site')}, ${second('Place_12', 'Place')}, "Place"`,
		],
		['Place_1 Weather_123', '"Place_1", "Weather_123"'],
		['Weather_0', '"Weather_0" (did you mean "Weather"?)'],
		['__EMPTY __EMPTY_1', '"__EMPTY", "__EMPTY_1"'],
	])(
		'%s are listed with the nearest question, and a second one with the same name as a duplicate',
		(keys, named) => {
			expect(namedColumns(FORM, keys.split(' ')).join(', ')).toBe(named);
		},
	);
});

describe("a column reserved for the inspection that shares a question's name", () => {
	const fix = (names: string, instead: string) =>
		`${names} is reserved for the inspection itself. To answer the question with this name, rename the column to ${instead}, or choose 'Map Each Column Manually'`;

	it.each([...OWN_KEYS])(
		'is reported with the key that answers the question, alone in its row: %s',
		(name) => {
			expect(messageFor([{ [name]: 'x' }], formWith(text('Site'), text(name)))).toBe(
				fix(`The column "${name}"`, '"f2"'),
			);
			const inPage = formWith(page('Header', text(name)));
			expect(messageFor([{ [name]: 'x' }], inPage)).toBe(
				fix(`The column "${name}"`, `"Header/${name}"`),
			);
		},
	);

	it('is listed before the columns that match no question', () => {
		expect(messageFor([{ name: 'x', Colour: 'red' }], formOf('name'))).toBe(
			`${fix('The column "name"', '"f1"')}. "Colour" matches no question`,
		);
	});

	const header = page('Header', text('Team'), text('Status'));
	const form = formWith(header, repeatable('Room', text('Name')));

	it.each<[string, JsonRecord, string[]]>([
		['if a question has its name', { team: 'A', '\ufeffstatus': 'x' }, ['team', 'status']],
		['unless another column answers', { team: 'A', 'Header/Team': 'B', status: 'x' }, ['status']],
		['unless it is empty or no question has its name', { team: '', id: 'x', Team: 'y' }, []],
	])('is pointed out %s', (_, item, own) => {
		expect(reservedColumns(form, item)).toEqual(own);
	});

	it('is pointed out if two questions or a section have its name, until one of them is answered', () => {
		const two = formWith(page('A', text('Team')), page('B', text('Team')));
		expect(reservedColumns(two, { team: 'North' })).toEqual(['team']);
		expect(reservedColumnsFix(two, ['team'])).toBe(
			fix('The column "team"', '"A/Team" or "B/Team"'),
		);
		expect(reservedColumns(two, { team: 'North', 'A/Team': '', 'B/Team': '' })).toEqual([]);
		const section = formWith(repeatable('Team', text('Member')));
		expect(reservedColumns(section, { team: '[{"Member": "Kim"}]' })).toEqual(['team']);
		expect(reservedColumns(section, { team: 'North', Member: 'Kim' })).toEqual([]);
	});
});

it.each<[string[], RegExp]>([
	[['Site;Weather'], /^Each line of the file was read as a single column: .* to ";"$/],
	[['Site\tWeather'], /^Each line of the file .* the expression \{\{ "\\t" \}\}$/],
	[['Site', '__EMPTY'], /^The header must be in the first line that is read: /],
	[['__EMPTY_12'], /^The header must be in the first line that is read: /],
	[['Pr\ufffdfer'], /^Characters were lost /],
])('in the columns %j is reported: %s', (names, fix) => {
	expect(sheetFix(names)).toMatch(fix);
});

it("isn't reported in other columns, and mixed columns only report what their headers show", () => {
	const names = [['Site;Weather', 'Note'], ['Site'], [], ['x__EMPTY', '__EMPTY_x', '__EMPTY_1x']];
	expect(names.map((columns) => sheetFix(columns))).toEqual(names.map(() => undefined));
	expect(headerFix(['Site;Weather'])).toBeUndefined();
});

it('reports the row that seems to have the header', () => {
	const title = { Title: 'In May' };
	const rows = [title, { Title: 'Site', __EMPTY: 'Weather', __EMPTY_1: 'Note', x: 2 }];
	const header = headerRow(rows, (cell) => cell === 'Weather');
	expect(headerFix(['Title', '__EMPTY'], header)).toMatch(
		/ to the number of these lines\. The header seems to be in row 2 of the data \("Site", "Weather" and 1 more\)$/,
	);
	expect(headerRow([title], (cell) => cell === 'Weather')).toBeUndefined();
});
