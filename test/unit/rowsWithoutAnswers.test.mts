import { describe, expect, it } from 'vitest';

import { carriedErrors } from '#connector/domain/create/inspectionRows.ts';
import { sheetFacts, unmatchedColumn } from '#connector/domain/create/sheet.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { OWN_KEYS } from '#connector/domain/rowKeys.ts';
import { formWith } from '#harness/forms.mts';
import { page, repeatable, text } from '#harness/generatedTemplate.mts';
import { groupRequest, problemOf, requestOf, rowOf } from '#harness/madeOfRows.mts';

const formOf = (...labels: string[]) => formWith(...labels.map((label) => text(label)));
const FORM = formOf('Site', 'Weather');
const columns = (count: number) => Array.from({ length: count }, (_, n) => `Column ${String(n)}`);

/** Returns the message about rows without an answer, or another text if they are accepted. */
const messageFor = (rows: JsonRecord[], form = FORM) => {
	const usedColumns = new Set(['Team']);
	const sheet = sheetFacts(form, rows);
	return problemOf(() => groupRequest(form, rows, { usedColumns, sheet }));
};

describe('rows of one inspection without any question', () => {
	it.each<[JsonRecord[], RegExp]>([
		[
			[{ Team: 'North', Colour: 'red' }, { Place: 'Gate' }],
			/^"Team", "Colour", "Place" match no question\. Give the columns the names of the questions/,
		],
		[
			[{ Team: 'North', Wether: 'Wet' }, { Place: 'Gate' }],
			/^"Wether" matches no question, but it resembles "Weather", which no column answers\./,
		],
		[[{}, {}], /^No column matches a question\. Give the columns/],
		[
			[{ Team: 'North' }],
			/^"Team" matches no question\. Give the columns the names of the questions/,
		],
		[
			[{ 'Site;Weather': 'Gate;Wet' }],
			/^Each line of the file was read as a single column: set the option 'Delimiter' .* ";"\. "Site;Weather" matches no/,
		],
		[
			[{ __EMPTY: 'Gate', __EMPTY_1: 'Wet' }],
			/^The header row must be .* lines\. No column matches a question\.$/,
		],
	])(
		'are reported by their columns, or by the reason why the sheet is misread: %j',
		(rows, message) => {
			expect(messageFor(rows)).toMatch(message);
		},
	);

	it('are reported by twelve columns with the number of the rest', () => {
		const item = Object.fromEntries(columns(8_000).map((key) => [key, 'x']));
		expect(messageFor([item], formOf('Site', 'Weather'))).toMatch(
			/^"Column 0", .*"Column 11" and 7988 more match no question\./,
		);
	});

	it.each(['toolCallId', 'row_number'])("aren't reported for n8n’s own field %s", (key) => {
		expect(messageFor([{ [key]: 'x' }])).toMatch(/^No column matches/);
		expect(messageFor([{ [key]: 'x', Colour: 'red' }])).toMatch(/^"Colour" matches/);
		expect(messageFor([{ [key]: 'x' }], formOf(key))).toBe('no problem');
	});

	it('are reported by their columns if other rows of the sheet answer questions', () => {
		expect(messageFor([{ Place: 'Gate', Colour: 'red' }, { Weather: '' }])).toBe(
			'"Place", "Colour" match no question, and no other cell has a value. Fill in an answer, or remove the row with a Filter node before this one.',
		);
	});

	it('are reported as a sheet with a question in each row if they name two questions', () => {
		const rows = ['Site', 'Weather'].map((Question) => ({ Question, Answer: 'x' }));
		expect(messageFor(rows)).toMatch(/^Each row of the sheet has one question, but /);
		const [row] = rows;
		expect(row && messageFor([row])).toMatch(/^"Question", "Answer" match no question\./);
	});

	it('are accepted if they have a column with another use, or if the template has no question', () => {
		expect(messageFor([{ Place: 'Gate', Team: 'North' }, { Weather: '' }])).toBe('no problem');
		expect(messageFor([{ Place: 'Gate' }], formOf())).toBe('no problem');
	});
});

describe('manually mapped rows without an answer', () => {
	const form = formWith(repeatable('Room', text('Name')));
	const room = form.sections[0]?.columnId ?? '';
	const problemFor = (...values: JsonRecord[]) => {
		const [first = rowOf({}), ...others] = values.map((given, n) =>
			rowOf(given, { by: 'columns', number: n + 1, cells: { Place: 'Gate' } }),
		);
		return problemOf(() => requestOf(form, [first, ...others], { groupColumns: ['No'] }));
	};

	it('are reported if no question has a value', () => {
		const message = /^No question that is mapped under 'Answers' has a value\. Fill in a cell/;
		expect(problemFor({ [room]: '' })).toMatch(message);
		expect(problemFor({ [room]: '' }, {})).toMatch(message);
	});

	it('are accepted if a row has an empty list of instances', () => {
		expect(problemFor({ [room]: [] })).toBe('no problem');
		expect(problemFor({ [room]: '' }, { [room]: [] })).toBe('no problem');
	});
});

describe('a mapping of another template', () => {
	const template = formWith(text('Site', { is_required: true }));
	const labels = new Map([['f9', 'Zone']]);
	const problemFor = (values: JsonRecord, options = {}) =>
		problemOf(() => requestOf(template, [rowOf(values, { labels })], options));

	it('is the only problem, because it is the cause of the others', () => {
		const message =
			"The questions under 'Answers' belong to another template. Under 'Answers', choose ⋮ → 'Refresh Question List', then map the columns again.";
		const keyProblems = [{ subject: 'Unique Key', message: 'is empty' }];
		expect(problemFor({ f9: 'North' }, { keyProblems })).toBe(message);
	});

	it('is a problem of the row if only some questions are missing, next to its others', () => {
		expect(problemFor({ f1: '', f9: 'North', f8: 1 })).toMatch(/^The questions under 'Answers'/);
		expect(problemFor({ f1: 'Gate', f9: 'North' })).toBe(
			`"Zone": "North" can't be sent, because the template has no such question. Remove it under 'Answers'.`,
		);
		const both = problemFor({ f1: 'Gate', f9: 'North' }, { keyProblems: [{ message: 'no key' }] });
		expect(both).toMatch(/^2 problems in this row\nno key\.\n"Zone": "North" can't be sent/);
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
		const item = rowOf({ Site: 'Gate', error }, { number: 2 });
		expect(carriedErrors([item])).toEqual([{ message, rows: undefined }]);
		expect(carriedErrors([rowOf({ Site: 'x' }), item])).toEqual([{ message, rows: [2] }]);
	});

	it.each([{}, { error: '' }, { error: null }, { error: false }])(
		"isn't an error in %j",
		(item) => {
			expect(carriedErrors([rowOf({ Site: 'Gate', ...item })])).toEqual([]);
		},
	);

	it('rejects its row', () => {
		const row = rowOf({ Site: 'Gate', error: 'No connection' });
		expect(() => requestOf(FORM, [row])).toThrow('has an error from a previous node');
	});

	it('is an answer if a question has that name', () => {
		expect(requestOf(formOf('Error'), [rowOf({ error: 'Rust' })]).sent).toHaveLength(1);
	});
});

it.each([
	['Wether', '"Wether" (did you mean "Weather"?)'],
	['Weather_1', '"Weather_1" (did you mean "Weather"?)'],
	['Place', '"Place"'],
	['__EMPTY', '"__EMPTY"'],
])('a column of no question is listed with the question that it resembles: %s', (key, shown) => {
	expect(unmatchedColumn(FORM, key)).toBe(shown);
});

describe("a column reserved for the inspection that shares a question's name", () => {
	const reservedIn = (form: ReturnType<typeof formWith>, ...rows: JsonRecord[]) => [
		...sheetFacts(form, rows).reserved.values(),
	];

	it.each([...OWN_KEYS])('has a new name with which it answers the question: %s', (name) => {
		expect(reservedIn(formWith(text('Site'), text(name)), { [name]: 'x' })).toEqual([
			`"${name}" to "f2"`,
		]);
		const inPage = formWith(page('Header', text(name)));
		expect(reservedIn(inPage, { [name]: 'x' })).toEqual([`"${name}" to "Header/${name}"`]);
	});

	it('is reported before the columns that match no question', () => {
		expect(messageFor([{ name: 'x', Colour: 'red' }], formOf('name'))).toMatch(
			/^These column names are reserved .*: "name" to "f1"\. "name", "Colour" match no question\. Give/,
		);
	});

	it('is reported only for the rows that fill it in', () => {
		const form = formOf('Site', 'name');
		const rows = [
			{ Site: 'Gate', name: 'x' },
			{ Site: 'Hall', name: '' },
		];
		const hints = rows.map((row) => {
			return requestOf(form, [rowOf(row)], { sheet: sheetFacts(form, rows) }).hints;
		});
		expect(hints).toEqual([[expect.stringContaining('"name" to "f2"')], []]);
	});

	it.each([true, false])(
		'is reported only in the rows of Create if a sheet also has others, first: %j',
		(isFirst) => {
			const form = formOf('Site', 'Warnings');
			const created = { already_existed: false, unstored_responses: '', warnings: 'Late' };
			const row = { Site: 'Gate', warnings: 'Wet floor' };
			const rows: JsonRecord[] = [{ Site: 'Hall', ...created }, row];
			const sheet = sheetFacts(form, isFirst ? rows : rows.toReversed());
			const requests = rows.map((one) => requestOf(form, [rowOf(one)], { sheet }));
			expect(requests.map(({ sent }) => sent.map(({ value }) => value))).toEqual([
				['Hall'],
				['Gate', 'Wet floor'],
			]);
			expect(requests.map(({ hints }) => hints)).toEqual([
				[expect.stringContaining('"warnings" to "Warnings"')],
				[],
			]);
		},
	);

	const header = page('Header', text('Team'), text('Status'));
	const form = formWith(header, repeatable('Room', text('Name')));

	it.each<[string, JsonRecord, string[]]>([
		['if a question has its name', { team: 'A', status: 'x' }, ['team', 'status']],
		['unless another column answers', { team: 'A', 'Header/Team': 'B', status: 'x' }, ['status']],
		['unless no question has its name', { id: 'x', Team: 'y' }, []],
	])('is pointed out %s', (_, item, own) => {
		expect([...sheetFacts(form, [item]).reserved.keys()]).toEqual(own);
	});

	it('is pointed out if a section or two questions have its name, until one is answered', () => {
		const two = formWith(page('A', text('Team')), page('B', text('Team')));
		expect(reservedIn(two, { team: 'North' })).toEqual(['"team" to "A/Team" or "B/Team"']);
		expect(reservedIn(two, { team: 'North', 'A/Team': '', 'B/Team': '' })).toEqual([]);
		const section = formWith(repeatable('Team', text('Member')));
		expect(reservedIn(section, { team: '[{"Member": "Kim"}]' })).toHaveLength(1);
		expect(reservedIn(section, { team: 'North', Member: 'Kim' })).toEqual([]);
	});
});
