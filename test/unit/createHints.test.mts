import { describe, expect, it } from 'vitest';

import { describeCreated } from '#connector/actions/inspection/create/attempts.ts';
import { CreateHints } from '#connector/actions/inspection/create/hints.ts';
import type { CreatedInspection } from '#connector/domain/create/createdInspection.ts';
import type { Hint } from '#connector/domain/notices.ts';
import { formWith } from '#harness/forms.mts';
import { text } from '#harness/generatedTemplate.mts';

const WELL: CreatedInspection = {
	id: 'i',
	name: 'Roof',
	status: 'new',
	task_id: null,
	warnings: [],
	unstored_responses: [],
	already_existed: false,
};
const FORM = formWith(text('Weather'));
const names = (count: number) => Array.from({ length: count }, (_, n) => `N${String(n)}`);

const shown = (hints: readonly Hint[]) => hints.map(({ message, type }) => `${type}: ${message}`);
const hintsOf = (each: readonly Partial<CreatedInspection>[]) => {
	const hints = new CreateHints([], each.length);
	const redact = (text: string) => text.replace('secret', '[API key]');
	for (const facts of each) hints.addCreated({ ...WELL, ...facts }, redact);
	return shown(hints.hints(each.length));
};
const columnHints = (...columns: string[]) => {
	const hints = new CreateHints([], 3);
	for (const unmatched of [[], columns, columns]) {
		hints.addRequest(FORM, { unmatched, reserved: [], suspicious: [] });
	}
	return shown(hints.ignoredHints());
};

describe('hints after a Create run', () => {
	it('show warnings of the service without the API key', () => {
		expect(hintsOf([{ warnings: ['Key secret expires'] }])).toEqual([
			'warning: 1 of 1 inspection: warnings: Key [API key] expires',
		]);
	});

	const left = ['Weather', 'Weather', null].map((label) => ({ label }));
	it.each<[string, Partial<CreatedInspection>[], string[]]>([
		['nothing if everything is fine', [{}, {}], []],
		[
			"the questions whose answers weren't stored",
			[{ unstored_responses: left }],
			['warning: 1 of 1 inspection: the service didn\'t store the answers to "Weather", ""'],
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
				"info: 1 of 5 inspections: the service's response contained no answers, so the stored answers couldn't be checked",
				'info: 2 of 5 inspections already existed (same unique key): nothing was sent for them.',
				'warning: 2 of 5 inspections: warnings: a · b',
			],
		],
		[
			'three of four warnings',
			[{ warnings: names(4) }, { warnings: names(3) }],
			['warning: 2 of 2 inspections: warnings: N0 · N1 · N2 · 1 more under "warnings"'],
		],
	])('mention %s', (_, created, hints) => {
		expect(hintsOf(created)).toEqual(hints);
	});

	it('list twenty columns with the questions that they most likely mean, and count the rest', () => {
		const hintsWith = (columns: string) => [
			`info: Ignored: ${columns} ${columns.includes(',') ? 'match' : 'matches'} no question.`,
		];
		const named = names(20)
			.map((name) => `"${name}"`)
			.join(', ');
		expect(columnHints(...names(20))).toEqual(hintsWith(named));
		expect(columnHints(...names(25))).toEqual(hintsWith(`${named} and 5 more`));
		expect(columnHints('Wether')).toEqual(hintsWith('"Wether" (did you mean "Weather"?)'));
	});

	it('list after a failure what was created, and from which rows', () => {
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
