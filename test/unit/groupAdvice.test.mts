import { expect, it } from 'vitest';

import { groupAdvice, NO_ANSWER } from '#connector/domain/create/groupAdvice.ts';
import type { SheetRow } from '#connector/domain/create/groupRows.ts';

/** Rows by what they have: `18 Site` is a row with 18 in the column "Nr." and an answer to "Site". */
const rowsOf = (texts: readonly string[]): SheetRow[] =>
	texts.map((text, n) => ({
		...(text !== '' && { row_number: n + 2 }),
		...(/^\w+/.test(text) && { 'Nr.': text.split(' ')[0] }),
		...(text.includes('Site') && { Site: 'x' }),
		...(text.includes('Result') && { Result: 'x' }),
	}));

/** The advice for rows in which "Site" and "Result" are required. */
function adviceFor(rows: readonly SheetRow[]) {
	const refused = rows.map((row, place) => ({
		place,
		problems: ['Site', 'Result']
			.filter((label) => row[label] === undefined)
			.map((label) => ({ subject: `"${label}"`, wrong: 'required', kind: NO_ANSWER })),
	}));
	const unanswered = refused.filter(({ problems }) => problems.length > 0);
	return groupAdvice(rows, unanswered);
}

it.each([
	['rows with the same value answer in turn', ['18 Site', '18 Result', '19 Site', '19 Result']],
	[
		'the first row has what the whole inspection has',
		['A Site Result', 'A', 'A', 'B Site Result', '', 'B', 'C Site Result', 'Total'],
	],
	['all rows together make one inspection', ['A Site', 'A Result']],
])('Group Rows By is offered where %s', (_, rows) => {
	expect(adviceFor(rowsOf(rows))).toBe(
		'Rows with the same "Nr." look like one inspection each. To make one of them, set the option Group Rows By to "Nr.".',
	);
});

it('Group Rows By is offered for values that differ in type and blanks alone', () => {
	const [site, result] = [{ Site: 'x' }, { Result: 'x' }];
	const values = [19, '19 ', 20, ' 20'];
	const rows = values.map((value, n) => ({ 'Nr.': value, ...(n % 2 === 0 ? site : result) }));
	expect(adviceFor(rows)).toContain('Group Rows By to "Nr."');
});

it.each([
	['one cell is empty', ['A Site Result', 'A Site', 'B Site Result']],
	['a question is answered twice for a value', ['A Site Result', 'A Site Result', 'A Site']],
	['nobody answers a question', ['A Site', 'A Site']],
	['rows of one value lie apart', ['A Site', 'B Site', 'A Result', 'B Result']],
	['a row has no value', ['A Site', ' Result']],
	['nothing is missing', ['A Site Result']],
])('Group Rows By is not offered where %s', (_, rows) => {
	expect(adviceFor(rowsOf(rows))).toBeUndefined();
});
