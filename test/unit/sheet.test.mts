import { expect, it } from 'vitest';

import { sheetFacts, sheetFix } from '#connector/domain/create/sheet.ts';
import { formWith } from '#harness/forms.mts';
import { control, text } from '#harness/generatedTemplate.mts';

it.each<[string[], RegExp]>([
	[['Site;Weather'], /^Each line of the file was read as a single column: .* to ";"$/],
	[['Site\tWeather'], /^Each line of the file .* the expression \{\{ "\\t" \}\}$/],
	[['Site', '__EMPTY'], /^The header row must be in the first line that is read: /],
	[['__EMPTY_12'], /^The header row must be in the first line that is read: /],
	[['Pr\ufffdfer'], /^Characters were lost /],
])('the columns %j have the fix: %s', (names, fix) => {
	expect(sheetFix(names)).toMatch(fix);
});

it('only the columns of a misread sheet have a fix', () => {
	const names = [['Site;Weather', 'Note'], ['Site'], [], ['x__EMPTY', '__EMPTY_x', '__EMPTY_1x']];
	expect(names.map((columns) => sheetFix(columns))).toEqual(names.map(() => undefined));
});

it('the fix for a title shows the row that seems to have the column names', () => {
	const title = { Title: 'In May' };
	const names = { Title: 'Site', __EMPTY: 'Weather', __EMPTY_1: 'Note', x: 2 };
	const form = formWith(text('Weather'));
	expect(sheetFacts(form, [title, names]).titleFix).toMatch(
		/ to the number of these lines\. The column names seem to be in row 2 of the data \("Site", "Weather" and 1 more\)$/,
	);
	expect(sheetFacts(form, [title, { __EMPTY: 'Wet' }]).titleFix).toBeUndefined();
});

it("a column of a question is known even if it's empty", () => {
	const isMapped = (...rows: Record<string, string>[]) =>
		sheetFacts(formWith(text('Site'), text('Name')), rows).unmatched === undefined;
	expect(isMapped({ Place: 'Gate' }, { site: '' })).toBe(true);
	expect(isMapped({ Place: 'Gate' }, { name: 'x' })).toBe(false);
	const defects = formWith(control('checkbox', 'Defects', { choices: ['Crack', 'Rust'] }));
	expect(sheetFacts(defects, [{ Crack: 'x' }]).unmatched).toBeUndefined();
	expect(sheetFacts(defects, [{ 'Defects/Dent': 'x' }]).unmatched).toBeUndefined();
	expect(sheetFacts(defects, [{ Crack: 'x', 'Pr\ufffdfer': 'Kim' }]).unmatched).toBeUndefined();
	const garbled = sheetFacts(defects, [{ 'D\ufffdfects': 'x' }]).unmatched;
	expect(garbled?.message).toMatch(/^Characters were lost /);
});
