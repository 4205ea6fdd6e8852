import { expect, test } from 'vitest';

import { headerCure, headerRow, sheetCure } from '#connector/domain/create/unusedColumns.ts';

test.each<[string[], RegExp]>([
	[['Site;Weather'], /^All of the line is one column: .* to ";"$/],
	[['Site\tWeather'], /^All of the line .* a tab \("\\t"\)$/],
	[['Site', '__EMPTY'], /^The header must stand in the first line that is read: /],
	[['__EMPTY_12'], /^The header must stand in the first line that is read: /],
	[['Pr\ufffdfer'], /^Characters were lost /],
])('of the columns %j it is told: %s', (names, cure) => {
	expect(sheetCure(names)).toMatch(cure);
});

test.each([
	[['Site;Weather', 'Note']],
	[['Site']],
	[[]],
	[['x__EMPTY', '__EMPTY_x', '__EMPTY_1x']],
])('of the columns %j nothing is told', (names) => {
	expect(sheetCure(names)).toBeUndefined();
});

test('the row in which the header seems to stand is named', () => {
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

test('of single columns only what their headers show is told', () => {
	expect(headerCure(['Site;Weather'])).toBeUndefined();
});
