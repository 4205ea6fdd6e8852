import { describe, expect, test } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import {
	hasTemplateGuid,
	isMadeFrom,
	isOfTemplate,
	mayBeOfTemplate,
	saysTemplate,
	templateIdOf,
} from '#connector/domain/template/templateOfInspection.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const NAMES = { id: ID, identifier: 'WALK-1', name: 'Daily Walk' };

describe('the template of an inspection', () => {
	test.each<[JsonRecord, boolean]>([
		[{ template: ID }, true],
		[{ template: { id: `{${ID.toUpperCase()}}` } }, true],
		[{ template_id: ID }, true],
		[{ template: { template_id: ID, name: 'Renamed' } }, true],
		[{ template: 'walk-1' }, true],
		[{ template: { template_id: 'Walk-1' } }, true],
		[{ template: { name: 'daily walk' } }, true],
		[{ template_id: 'WALK-1' }, true],
		[{ template: { id: OTHER, name: 'Daily Walk' } }, false],
		[{ template: { id: OTHER }, template_id: 'WALK-1' }, false],
		[{ template: { name: 'Daily Tour' } }, false],
		[{ template: null }, false],
		[{}, false],
	])('%j is told by its GUID, else by identifier or name', (inspection, isMade) => {
		expect(isMadeFrom(inspection, NAMES)).toBe(isMade);
	});

	test('is not told by an identifier or name that is not known', () => {
		expect(isMadeFrom({ template: 'walk-1' }, { id: ID })).toBe(false);
		expect(isMadeFrom({ template: { name: 'Daily Walk' } }, { id: ID })).toBe(false);
	});

	test('may be any where nothing is said', () => {
		const template = { id: ID, template_id: 'WALK-1', name: 'Daily Walk' };
		expect(mayBeOfTemplate({}, template)).toBe(true);
		expect(mayBeOfTemplate({ template: '' }, template)).toBe(true);
		expect(mayBeOfTemplate({ template: 'walk-1' }, template)).toBe(true);
		expect(mayBeOfTemplate({ template: { name: 'DAILY WALK' } }, template)).toBe(true);
		expect(mayBeOfTemplate({ template: { name: 'Tour' } }, template)).toBe(false);
		expect(mayBeOfTemplate({ template: OTHER }, template)).toBe(false);
	});

	test.each<[JsonRecord, string | undefined, boolean, boolean]>([
		[{}, undefined, false, false],
		[{ template: { name: 'Walk' } }, undefined, true, false],
		[{ template: { id: 'x' }, template_id: ID }, 'x', true, true],
		[{ template_id: ID }, ID, true, true],
		[{ template: ID }, ID, true, true],
	])('%j: id %s, said %s, by a GUID %s', (inspection, id, isSaid, isGuid) => {
		expect(templateIdOf(inspection)).toBe(id);
		expect(saysTemplate(inspection)).toBe(isSaid);
		expect(hasTemplateGuid(inspection)).toBe(isGuid);
	});

	test('is the one with the id in any form', () => {
		expect(isOfTemplate({ template: ID.toUpperCase() }, `{${ID}}`)).toBe(true);
		expect(isOfTemplate({ template: 'Walk-1' }, 'WALK-1')).toBe(true);
		expect(isOfTemplate({ template: OTHER }, ID)).toBe(false);
		expect(isOfTemplate({}, ID)).toBe(false);
	});
});
