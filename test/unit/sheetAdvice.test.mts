import { describe, expect, it } from 'vitest';

import { NO_ANSWER } from '#connector/domain/create/checkDraft.ts';
import {
	conflictAdvice,
	groupAdvice,
	mergedAdvice,
	mixedDecimals,
	swappedDays,
} from '#connector/domain/create/sheetAdvice.ts';
import type { SheetRow } from '#connector/domain/create/sheetRow.ts';
import { rowNumbers } from '#connector/domain/rowNumbers.ts';

/** Returns a row for each text. The text `18 Site` means 18 in the column "Nr." and a value in the column "Site". */
const rowsOf = (texts: readonly string[]): SheetRow[] =>
	texts.map((text, n) => ({
		...(text !== '' && { row_number: n + 2 }),
		...(/^\w+/.test(text) && { 'Nr.': text.split(' ')[0] }),
		...(text.includes('Site') && { Site: 'x' }),
		...(text.includes('Result') && { Result: 'x' }),
	}));

/** Returns the advice for rows in which the questions "Site" and "Result" are required. */
function adviceFor(rows: readonly SheetRow[]) {
	const refused = rows.map((row, index) => ({
		items: [index],
		problems: ['Site', 'Result']
			.filter((label) => row[label] === undefined)
			.map((label) => ({ subject: `"${label}"`, message: 'required', kind: NO_ANSWER })),
	}));
	const unanswered = refused.filter(({ problems }) => problems.length > 0);
	return groupAdvice(rows, unanswered);
}

it.each([
	['rows with the same value answer in turn', ['18 Site', '18 Result', '19 Site', '19 Result']],
	[
		'the first row has the values of the whole inspection',
		['A Site Result', 'A', 'A', 'B Site Result', '', 'B', 'C Site Result', 'Total'],
	],
	['all rows together make one inspection', ['A Site', 'A Result']],
])('advice for a sheet suggests Group Rows By if %s', (_, rows) => {
	expect(adviceFor(rowsOf(rows))).toContain(
		'All rows with the same "Nr." seem to belong to one inspection. To combine them, set the option \'Group Rows By\' to "Nr.".',
	);
});

it.each([
	['one cell is empty', ['A Site Result', 'A Site', 'B Site Result']],
	['a question is answered twice for a value', ['A Site Result', 'A Site Result', 'A Site']],
	['no row answers a question', ['A Site', 'A Site']],
	['rows of one value lie apart', ['A Site', 'B Site', 'A Result', 'B Result']],
	['a row has no value', ['A Site', ' Result']],
	['two rows have no value', ['A Site', 'A Result', ' Site', ' Result']],
	['two rows of a value answer', ['A Site', 'A Site', 'A Result', 'B Site', 'B Result']],
	['nothing is missing', ['A Site Result']],
	['there is one row', ['A Site']],
	[
		'a row without a value answers the questions',
		['A Site Result', 'B', ' Site Result', 'C Site Result', 'D', ' Site Result'],
	],
])("advice for a sheet doesn't suggest Group Rows By if %s", (_, rows) => {
	expect(adviceFor(rowsOf(rows))).toBeUndefined();
});

const COLUMNS = Array.from({ length: 50 }, (_, n) => `c${String(n)}`);
const wide = (count: number, row: number) =>
	Object.fromEntries(COLUMNS.slice(0, count).map((column) => [column, row]));

const numbered = (...values: unknown[]) =>
	values.map((value) => ({ Area: 'E', 'Nr.': value, Gate: 'W' }));

it.each<[string, SheetRow[], string | undefined]>([
	['the one that distinguishes the most', numbered(1, 1, 2, 2), '"Nr."'],
	['the first of two alike', Array(2).fill({ Area: 'E', Gate: 'W' }), '"Area"'],
	['not n8n’s own column', Array(2).fill({ toolCallId: 'c' }), undefined],
	['one that differs only in type and spaces', numbered(19, '19 ', 20, ' 20'), '"Nr."'],
	['the 50th', [1, 2].map((row) => ({ ...wide(49, row), 'Nr.': 1 })), '"Nr."'],
	['not the 51st', [1, 2].map((row) => ({ ...wide(50, row), 'Nr.': 1 })), undefined],
])('advice for rows that answer different questions in turn suggests %s', (_, rows, column) => {
	const alternating = rows.map((row, n) => ({ ...row, [n % 2 === 0 ? 'Site' : 'Result']: 'x' }));
	expect(/'Group Rows By' to (.*)\.$/.exec(adviceFor(alternating) ?? '')?.[1]).toBe(column);
});

it("advice for a sheet doesn't suggest Group Rows By for problems of a different kind", () => {
	const rows = rowsOf(['A Site', 'A Result']);
	const problems = [{ subject: '"Site"', message: 'is no number' }];
	expect(groupAdvice(rows, [{ items: [1], problems }])).toBeUndefined();
});

it.each<[string, unknown[], string | undefined]>([
	['both', ['7', '1.200', '12,5 €', '13.5'], '"12,5 €" in row 3, but "13.5" in row 4'],
	['commas alone', ['7', '12,5', '13,5'], undefined],
	['a point in a number', ['12,5', 13.5], undefined],
])('advice for a sheet reports mixed decimal separators if a column has %s', (_, cells, told) => {
	const rows = cells.map((Visitors) => ({ Visitors, Note: '1,5', Size: '2.5' }));
	const message = { value: '"12,5 €"', message: 'is not a number', option: 'Decimal Separator' };
	const refused = rows.map((_row, index) => ({ items: [index], problems: [message] }));
	const advice =
		told &&
		`"Visitors" has both a comma and a point for decimals: ${told}. Use the same one in all rows, because the option 'Decimal Separator' accepts only one.`;
	expect(mixedDecimals(rows, refused, rowNumbers(rows))).toBe(advice);
	const others = [{ items: [0], problems: [{ value: '"12,5 €"', message: 'is not a date' }] }];
	expect(mixedDecimals(rows, others, rowNumbers(rows))).toBeUndefined();
});

describe('days that Excel may have swapped with months', () => {
	const adviceOn = (...days: unknown[]) =>
		swappedDays(
			days.map((Day) => ({ Area: 'A', Day })),
			rowNumbers(days.map(() => ({}))),
		);

	it('are reported if Excel read only the dates with a day up to 12', () => {
		expect(adviceOn('31/05/2026', '', 46148, 46149.5)).toBe(
			'"Day" has dates that Excel read, such as 46148 (2026-05-06) in row 3, and dates that it left as text, such as "31/05/2026" in row 1. Excel most likely read the month first, so day and month may be swapped in the dates that it read. Compare them with the original sheet.',
		);
	});

	it.each([
		['only numbers', [46148, 46149]],
		['only text', ['31/05/2026', '13.05.2026']],
		['a number that is a day above 12', ['31/05/2026', 46148, 46173]],
		['text that Excel would have read', ['31/05/2026', '05/06/2026', 46148]],
		['text with the month first', ['05/31/2026', 46148]],
		["a number that isn't a day", ['31/05/2026', 5, 0.5]],
	])("aren't suspected in a column with %s", (_, days) => {
		expect(adviceOn(...days)).toBeUndefined();
	});
});

it('advice for a sheet suggests filling required columns that are empty below a filled cell in several rows', () => {
	const rows = [
		{ Site: '', Area: '' },
		{ Site: 'A', Area: 'x', Note: 1 },
		{ Site: '', Area: null, Note: 2 },
		{ Note: 'Total' },
		{ Site: 'B', Area: 'y', Note: 3 },
		{ Area: '', Note: 4 },
	];
	const problems = ['"Site"', '"Area"'].map((subject) => ({
		subject,
		message: 'required',
		kind: NO_ANSWER,
	}));
	const adviceFor = (...items: number[]) =>
		mergedAdvice(
			rows,
			items.map((item) => ({ items: [item], problems })),
			rowNumbers(rows),
		);
	expect(adviceFor(0, 2, 3, 5)).toBe(
		`"Site" and "Area" are empty in rows 3 and 6, below a filled cell. If these cells are merged in the sheet, set the option 'Fill Empty Cells From Above' to "Site, Area".`,
	);
	expect(adviceFor(2)).toBeUndefined();
	expect(adviceFor(0, 3)).toBeUndefined();
});

it.each<[string[], string | undefined]>([
	[[], undefined],
	[['"Site"'], '"Site"'],
	[['"Site"', 'Name', '"Site"'], '"Site" and Name'],
	[['"Site"', 'Name', '"Area"', 'Team'], '"Site" and Name and 2 more'],
])('advice for a group whose rows differ in %j names %s', (subjects, named) => {
	const problems = subjects.map((subject) => ({ subject, message: 'differ', kind: 'conflict' }));
	const others = [{ subject: '"Day"', message: 'required', kind: NO_ANSWER }];
	const refused = [{ items: [0, 1], problems: [...problems, ...others] }];
	const advice =
		named &&
		`Rows with the same "Nr" have different values for ${named}. If they are separate inspections, set the option 'Group Rows By' to a different column, or remove the option.`;
	expect(conflictAdvice(['Nr'], refused)).toBe(advice);
});
