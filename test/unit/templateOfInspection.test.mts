import { describe, expect, test } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import {
	hasTemplate,
	hasTemplateGuid,
	matchOf,
	mayBeOfTemplate,
	templateIdOf,
} from '#connector/domain/template/templateOfInspection.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const NAMES = { id: ID, identifier: 'WALK-1', name: 'Daily Walk' };

describe('the template of an inspection', () => {
	/**
	 * The first boolean: whether the inspection certainly uses the template. The second one: whether it possibly uses the
	 * template. Default: the same as the first.
	 */
	test.each<[JsonRecord, boolean, boolean?]>([
		[{ template: ID }, true],
		[{ template: { id: `{${ID.toUpperCase()}}` } }, true],
		[{ template_id: ID }, true],
		[{ template: { template_id: ID, name: 'Renamed' } }, true],
		[{ template: 'walk-1' }, true],
		[{ template: 'daily walk' }, true],
		[{ template: { template_id: 'Walk-1' } }, true],
		[{ template: { name: 'daily walk' } }, true],
		[{ template_id: 'WALK-1' }, true],
		[{ template: OTHER }, false],
		[{ template: { id: OTHER, name: 'Daily Walk' } }, false],
		[{ template: { id: OTHER }, template_id: 'WALK-1' }, false],
		[{ template: { name: 'Daily Tour' } }, false],
		[{ template: { name: 'Daily\n Walk ' } }, true],
		[{ template: { template_id: 'WALK-2', name: 'Daily Walk' } }, false],
		[{ template: { name: 'Daily Walk' }, template_id: 'WALK-2' }, false],
		[{ template: 'Daily Walk', template_id: 'WALK-2' }, false],
		[{ template: { id: 'WALK-2', name: 'Daily Walk' } }, false],
		[{ template: { name: 'Daily Walk' }, template_id: OTHER }, false],
		[{ template: null }, false, true],
		[{ template: '' }, false, true],
		[{}, false, true],
	])(
		'is matched by %j: by its GUID, else by its identifier, else by its name',
		(inspection, isMade, mayBe = isMade) => {
			expect(matchOf(inspection, NAMES) !== undefined).toBe(isMade);
			const template = { id: ID, template_id: NAMES.identifier, name: NAMES.name };
			expect(mayBeOfTemplate(inspection, template)).toBe(mayBe);
		},
	);

	test("isn't matched by an unknown identifier or name", () => {
		expect(matchOf({ template: 'walk-1' }, { id: ID })).toBeUndefined();
		expect(matchOf({ template: { name: 'Daily Walk' } }, { id: ID })).toBeUndefined();
	});

	test.each<[JsonRecord, string | undefined, boolean, boolean]>([
		[{}, undefined, false, false],
		[{ template: { name: 'Walk' } }, undefined, true, false],
		[{ template: { id: 'x' }, template_id: ID }, ID, true, true],
		[{ template: { template_id: 'WALK-1', name: 'Walk' } }, 'WALK-1', true, false],
		[{ template: { name: 'Walk' }, template_id: 'WALK-1' }, 'WALK-1', true, false],
		[{ template_id: ID }, ID, true, true],
		[{ template: ID.toUpperCase() }, ID.toUpperCase(), true, true],
	])(
		'is known by its best identification, %j: ID %s, known %s, by a GUID %s',
		(inspection, id, isSaid, isGuid) => {
			expect(templateIdOf(inspection)).toBe(id);
			expect(hasTemplate(inspection)).toBe(isSaid);
			expect(hasTemplateGuid(inspection)).toBe(isGuid);
		},
	);

	test('is matched by name only without an ID or identifier', () => {
		expect(matchOf({ template: { name: 'Daily Walk' } }, NAMES)).toBe('name');
		expect(matchOf({ template: 'WALK-1' }, NAMES)).toBe('id');
	});
});
