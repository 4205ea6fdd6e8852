import { describe, expect, it } from 'vitest';

import { groupAdvice, NO_ANSWER } from '#connector/domain/create/groupAdvice.ts';
import type { SheetRow } from '#connector/domain/create/groupRows.ts';

/** The advice for rows in which "Site" and "Result" are required. */
function adviceFor(...rows: SheetRow[]) {
	const refused = rows.map((row, place) => ({
		place,
		problems: ['Site', 'Result']
			.filter((label) => row[label] === undefined)
			.map((label) => ({ subject: `"${label}"`, wrong: 'required', kind: NO_ANSWER })),
	}));
	return groupAdvice(
		rows,
		refused.filter(({ problems }) => problems.length > 0),
	);
}

describe('Group Rows By is offered', () => {
	it('where rows with the same value answer in turn', () => {
		expect(
			adviceFor(
				{ Team: 'N', 'Nr.': 18, Site: 'A' },
				{ Team: 'N', 'Nr.': 18, Result: 'Pass' },
				{ Team: 'N', 'Nr.': '19 ', Site: 'B' },
				{ Team: 'N', 'Nr.': 19, Result: 'Fail' },
			),
		).toBe(
			'Rows with the same "Nr." look like one inspection each. To make one of them, set the option Group Rows By to "Nr.".',
		);
	});

	it('where the first row has what the whole inspection has', () => {
		expect(
			adviceFor(
				{ row_number: 2, Walk: 'A', Site: 'A', Result: 'Pass' },
				{ row_number: 3, Walk: 'A' },
				{ row_number: 4, Walk: 'A' },
				{ row_number: 5, Walk: 'B', Site: 'B', Result: 'Pass' },
				{},
				{ row_number: 7, Walk: 'B' },
				{ row_number: 8, Walk: 'C', Site: 'C', Result: 'Pass' },
				{ row_number: 9, Walk: 'Total' },
			),
		).toContain('Group Rows By to "Walk".');
	});

	it('for all rows together, where they make one inspection', () => {
		expect(adviceFor({ Walk: 'A', Site: 'A' }, { Walk: 'A', Result: 'Pass' })).toContain('Walk');
	});
});

describe('it is not offered', () => {
	it.each<[string, SheetRow[]]>([
		[
			'where one cell is empty',
			[
				{ Team: 'N', Site: 'A', Result: 'Pass' },
				{ Team: 'N', Site: 'B' },
				{ Team: 'S', Site: 'C', Result: 'Pass' },
			],
		],
		[
			'where a question is answered twice for a value',
			[
				{ Team: 'N', Site: 'A', Result: 'Pass' },
				{ Team: 'N', Site: 'B', Result: 'Pass' },
				{ Team: 'N', Site: 'C' },
			],
		],
		[
			'where nobody answers a question',
			[
				{ Walk: 'A', Site: 'A' },
				{ Walk: 'A', Site: 'A' },
			],
		],
		[
			'where rows of one value lie apart',
			[
				{ Walk: 'A', Site: 'A' },
				{ Walk: 'B', Site: 'B' },
				{ Walk: 'A', Result: 'Pass' },
				{ Walk: 'B', Result: 'Pass' },
			],
		],
		['where a row has no value', [{ Walk: 'A', Site: 'A' }, { Result: 'Pass' }]],
		['where nothing is missing', [{ Walk: 'A', Site: 'A', Result: 'Pass' }]],
	])('%s', (_, rows) => {
		expect(adviceFor(...rows)).toBeUndefined();
	});
});
