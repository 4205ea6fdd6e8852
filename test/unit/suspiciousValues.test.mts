import { expect, it } from 'vitest';

import { formWith } from '#harness/forms.mts';
import { text } from '#harness/generatedTemplate.mts';
import { requestOf, rowOf } from '#harness/madeOfRows.mts';

const FORM = formWith(text('Site'));
const findSuspiciousValues = (value: unknown, additionalFields = {}) =>
	requestOf(FORM, [rowOf({ Site: value }, { number: 7, additionalFields })]).suspicious;

it.each([
	['Gate #REF!', 'failedValue', '"Gate #REF!"'],
	['Gate \ufffd', 'encoding', '"Gate \ufffd"'],
	[46173, 'spreadsheetNumber', '46173'],
])('reports the answer %j of a text question as a %s', (given, kind, value) => {
	expect(findSuspiciousValues(given)).toMatchObject([
		{ kind, subject: '"Site"', rows: [7], value },
	]);
});

it.each([
	[{ name: 'Walk #N/A' }, 'Name', '"Walk #N/A"'],
	[{ locations: '[{"site": "#REF!"}]' }, 'Locations', '[{"site":"#REF!"}]'],
])('reports a failed value in the fields %j', (fields, subject, value) => {
	expect(findSuspiciousValues('Gate', fields)).toMatchObject([
		{ kind: 'failedValue', subject, rows: [7], value },
	]);
});

it.each(['Gate #1', '#Gate!', '– 5 €', 'Zürich'])('reports nothing for %j', (given) => {
	expect(findSuspiciousValues(given)).toEqual([]);
});
