import { describe, expect, it } from 'vitest';

import { guidAsGiven, guidOf, idKey } from '#connector/domain/id.ts';
import { team, templateReference } from '#connector/fields/locators.ts';
import { detailsBody } from '#harness/madeOfRows.mts';

const GUID = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f';
const UPPER = GUID.toUpperCase();
const DIGITS = UPPER.replaceAll('-', '');
const FORMS = [GUID, UPPER, DIGITS, `{${GUID}}`, ` {${DIGITS}} `, `\n${GUID}\t`, `{ ${GUID} }`];

describe('a GUID', () => {
	it.each(FORMS)('is the same in the form %j', (form) => {
		expect(guidOf(form)).toBe(GUID);
		expect(idKey(form)).toBe(GUID);
	});

	it('keeps its letters if a service might compare it as text', () => {
		expect(FORMS.map(guidAsGiven)).toEqual([GUID, UPPER, UPPER, GUID, UPPER, GUID, GUID]);
	});

	it.each([
		`{${GUID}`,
		`${GUID}}`,
		`x${GUID}}`,
		`{${GUID}x`,
		GUID.slice(1),
		`${GUID}0`,
		'SITE-SAFETY',
		7,
		GUID.replace('3', 'g'),
	])('rejects %j', (text) => {
		expect(guidOf(text)).toBeUndefined();
	});

	it.each(FORMS)('is accepted in the form %j wherever an ID is accepted', (form) => {
		expect(templateReference({ mode: 'id', value: form })).toBe(GUID);
		expect(templateReference(form)).toBe(GUID);
		expect(team('').read({ mode: 'list', value: form }, 'UTC')).toBe(GUID);
		expect(detailsBody({ teamId: form })).toEqual({ body: { team_id: GUID }, problems: [] });
	});
});

it('an identifier is not case-sensitive', () => {
	expect(idKey('SITE-Safety')).toBe(idKey('site-safety'));
});

it.each([{ id: GUID }, { mode: 'id', value: { id: GUID } }, '[object Object]'])(
	'an object such as %j is rejected as an ID',
	(given) => {
		expect(() => team('').read(given, 'UTC')).toThrow(
			/^Team: (an object|\{.*\}) is not an ID such as/,
		);
		expect(() => templateReference(given)).toThrow(
			/^Template: (an object|\{.*\}) isn't a template\./,
		);
	},
);
