import { describe, expect, it } from 'vitest';

import { addCreated } from '#connector/actions/inspection/create/collectNotices.ts';
import { describeCreated } from '#connector/actions/inspection/create/recordAttempts.ts';
import type { CreatedInspection } from '#connector/domain/create/createdInspection.ts';
import { SheetNotices } from '#connector/domain/create/sheetNotices.ts';
import type { Hint } from '#connector/domain/notices.ts';

const WELL: CreatedInspection = {
	inspection: { id: 'i', name: 'Roof', status: 'new' },
	task_id: null,
	warnings: [],
	unstored_responses: [],
	changed_responses: [],
	unused_columns: [],
	already_existed: false,
};
const names = (count: number) => Array.from({ length: count }, (_, n) => `N${String(n)}`);

const shown = (hints: readonly Hint[]) => hints.map(({ message, type }) => `${type}: ${message}`);
const hintsOf = (each: readonly Partial<CreatedInspection>[]) => {
	const notices = new SheetNotices();
	for (const facts of each) addCreated(notices, { ...WELL, ...facts });
	return shown(notices.hints(each.length));
};
describe('hints after a Create run', () => {
	const left = ['Weather', 'Weather', null].map((label) => ({ label }));
	it.each<[string, Partial<CreatedInspection>[], string[]]>([
		['nothing if everything is fine', [{}, {}], []],
		[
			"the questions whose answers weren't stored",
			[{ unstored_responses: left }],
			['warning: 1 of 1 inspection: the service didn\'t store the answers to "Weather", "".'],
		],
		[
			"separately what couldn't be compared, what already existed, and what has warnings",
			[
				{ unstored_responses: null },
				{ already_existed: true, unstored_responses: left },
				{ already_existed: true, unstored_responses: null },
				{ warnings: ['a', 'b'] },
				{ warnings: ['a'] },
			],
			[
				'info: 2 of 5 inspections already existed (same unique key): nothing was sent for them.',
				"info: 1 of 5 inspections: the stored answers couldn't be compared with the rows.",
				'warning: 2 of 5 inspections: warnings: a · b.',
			],
		],
		[
			'existing inspections with other answers than the rows',
			[
				{ already_existed: true, changed_responses: left },
				{ already_existed: true, changed_responses: null },
				{},
			],
			[
				'info: 2 of 3 inspections already existed (same unique key): nothing was sent for them.',
				'warning: 1 of 3 inspections: the existing answers to "Weather", "" differ from the rows. The API can\'t update an inspection: change these answers in the service.',
				"info: 1 of 3 inspections: the stored answers couldn't be compared with the rows.",
			],
		],
		[
			'three of four warnings',
			[{ warnings: names(4) }, { warnings: names(3) }],
			['warning: 2 of 2 inspections: warnings: N0 · N1 · N2 and 1 more under "warnings".'],
		],
	])('mention %s', (_, created, hints) => {
		expect(hintsOf(created)).toEqual(hints);
	});

	it('list after a failure what was created from which rows', () => {
		expect([...describeCreated([], [], false)]).toEqual([]);
		expect([...describeCreated([[3]], [], false)]).toEqual([
			expect.stringMatching(/^1 inspection was created in this execution \(row 3\)\./),
		]);
		expect([...describeCreated([[1, 2], [3]], [[4]], true)]).toEqual([
			expect.stringMatching(/^2 inspections were created .* \(rows 1 to 3\)\./),
			expect.stringMatching(/^It's unknown whether 1 inspection was created .* \(row 4\)\./),
			expect.stringMatching(/^Another node, or an earlier round of a loop,/),
		]);
	});
});
