import { expect, test } from 'vitest';

import { headerCure, sheetCure } from '#connector/domain/misreadSheet.ts';

test.each<[string[], RegExp]>([
	[['Site;Weather'], /^\. All of the line is one column: .* to ";"$/],
	[['Site\tWeather'], /^\. All of the line .* a tab \("\\t"\)$/],
	[['Site;Weather', 'Note'], /^$/],
	[['Site'], /^$/],
	[[], /^$/],
	[['Site', '__EMPTY'], /^\. Some columns have no header: /],
	[['__EMPTY_12'], /^\. Some columns have no header: /],
	[['x__EMPTY', '__EMPTY_x', '__EMPTY_1x'], /^$/],
	[['Pr\ufffdfer'], /^\. Characters were lost /],
])('of the columns %j it is told: %s', (names, cure) => {
	expect(sheetCure(names)).toMatch(cure);
});

test('of single columns only what their headers show is told', () => {
	expect(headerCure(['Site;Weather'])).toBe('');
});
