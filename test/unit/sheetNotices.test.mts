import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type NoticeKind, SheetNotices } from '#connector/domain/create/sheetNotices.ts';

const names = (count: number) => Array.from({ length: count }, (_, n) => `N${String(n)}`);

function noticesOf(...values: [kind: NoticeKind, text: string, row?: number][]) {
	const notices = new SheetNotices();
	for (const value of values) notices.add(...value);
	return notices;
}
const ignored = (...columns: string[]) =>
	noticesOf(...columns.map((column): [NoticeKind, string] => ['ignored', `"${column}"`]));
const shown = (notices: SheetNotices) =>
	notices.hints(3).map(({ message, type }) => `${type}: ${message}`);

describe('columns that match no question', () => {
	it('are listed once, twelve at most, with a count of the rest', () => {
		const list = names(12).map((name) => `"${name}"`);
		expect(shown(ignored(...names(12), 'N3'))).toEqual([
			`info: Ignored: ${list.join(', ')} match no question.`,
		]);
		expect(shown(ignored(...names(15)))).toEqual([
			`info: Ignored: ${list.join(', ')} and 3 more match no question.`,
		]);
		expect(shown(ignored('Nr'))).toEqual(['info: Ignored: "Nr" matches no question.']);
	});

	it('explain an error after its problems', () => {
		expect(ignored('Nr').ofErrors()).toEqual({
			first: [],
			last: ['Ignored: "Nr" matches no question.'],
		});
	});
});

it('a notice counts inspections among all of the run, with the values of all once', () => {
	const notices = new SheetNotices();
	notices.addInspection('unstored', ['"Site"', '"Weather"']);
	notices.addInspection('unstored', ['"Site"']);
	expect(shown(notices)).toEqual([
		'warning: 2 of 3 inspections: the service didn\'t store the answers to "Site", "Weather".',
	]);
});

it('rows of totals are one sentence with their rows', () => {
	expect(shown(noticesOf(['total', '"Razem"', 6]))).toEqual([
		'warning: Row 6 ("Razem") looks like a total: remove it with a Filter node before this one.',
	]);
	const both = noticesOf(['total', '"Suma"', 9], ['total', '"Razem"', 6], ['total', '"Suma"', 9]);
	expect(both.ofErrors().first).toEqual([
		'Rows 6 and 9 ("Suma", "Razem") look like totals: remove them with a Filter node before this one.',
	]);
});

it('each piece of advice is a separate notice', () => {
	const notices = noticesOf(['advice', 'Group the rows.'], ['advice', 'Compare the days']);
	expect(shown(notices)).toEqual(['warning: Group the rows.', 'warning: Compare the days.']);
	expect(notices.ofErrors()).toEqual({ first: ['Group the rows.', 'Compare the days.'], last: [] });
});

it.each<[string, RegExp]>([
	[
		'"Z\ufffdrich"',
		/^warning: Characters were lost \(.\), .* sends these values unchanged: "Z.rich"\.$/,
	],
	['"ZÃ¼rich"', /^warning: The file is UTF-8, but was read as Latin1: .* unchanged: "ZÃ¼rich"\.$/],
])('garbled values have the fix of their encoding: %s', (value, told) => {
	expect(shown(noticesOf(['encoding', value]))).toEqual([expect.stringMatching(told)]);
});

it("notices that can't explain problems aren't in any error", () => {
	const kinds: NoticeKind[] = [
		'failedValue',
		'encoding',
		'spreadsheetNumber',
		'misencoded',
		'longNumber',
	];
	const notices = noticesOf(...kinds.map((kind): [NoticeKind, string] => [kind, 'x']));
	expect(notices.ofErrors()).toEqual({ first: [], last: [] });
	expect(notices.hints(3)).toHaveLength(kinds.length);
});

it('notices keep a bounded number of values of each kind', () => {
	const notices = noticesOf(
		...names(5_000).map((name): [NoticeKind, string] => ['misencoded', name]),
	);
	expect(shown(notices)[0]).toMatch(
		/^info: .* N11 and 988 more, as if the file had the encoding Windows-1252\. Check them\./,
	);
});

it('notices are the same for a run as for its rows individually', () => {
	const kind = fc.constantFrom<NoticeKind>('total', 'failedValue', 'misencoded', 'reserved');
	const value = fc.tuple(
		kind,
		fc.constantFrom('"a"', '"b"', '"c"'),
		fc.integer({ min: 1, max: 3 }),
	);
	const rows = fc.array(fc.record({ values: fc.array(value), isExisting: fc.boolean() }));
	fc.assert(
		fc.property(rows, (each) => {
			const [run, whole] = [new SheetNotices(), new SheetNotices()];
			for (const { values, isExisting } of each) {
				const ofRow = noticesOf(...values);
				if (isExisting) ofRow.addInspection('existed');
				run.addAll(ofRow);
				for (const one of values) whole.add(...one);
				if (isExisting) whole.addInspection('existed');
			}
			expect(run.hints(3)).toEqual(whole.hints(3));
			const { first, last } = run.ofErrors();
			const messages = run.hints(3).map(({ message }) => message);
			expect(messages).toEqual(expect.arrayContaining([...first, ...last]));
			expect(new Set(messages).size).toBe(messages.length);
		}),
	);
});
