import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	KeyedInspections,
	keyOfInspection,
	uniqueKeyOf,
	withUniqueKey,
} from '../../nodes/InspectionService/domain/create/uniqueKey.ts';

const FIELD = 'Unique key';

/** What somebody may give as a key and what is left of it. */
const keys = fc.oneof(
	fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
	fc.integer(),
);

function inspectionWith(value: string, created_at = '2026-05-01T10:00:00Z', id = 'a') {
	return { id, created_at, custom_fields: [{ name: FIELD, value }] };
}

describe('a key', () => {
	test('comes back from the inspection that it was put into', () => {
		fc.assert(
			fc.property(
				keys,
				fc.array(fc.record({ name: fc.string(), value: fc.string() })),
				(key, others) => {
					const custom_fields = others.filter(({ name }) => name !== FIELD);
					const body = withUniqueKey({ name: 'Roof', custom_fields }, uniqueKeyOf(key, FIELD));
					expect(keyOfInspection(body, FIELD)).toBe(String(key).trim());
					expect(body).toMatchObject({ name: 'Roof' });
					expect(body['custom_fields']).toHaveLength(custom_fields.length + 1);
				},
			),
		);
	});

	test.each([[''], ['  '], [null], [undefined], ['\u00a0']])('%j is no key', (value) => {
		expect(() => uniqueKeyOf(value, FIELD)).toThrow(/^Unique Key is empty\. Give a value/);
	});

	test.each([[{}], [[]], [['a']], [{ a: 1 }]])('%j is no text', (value) => {
		expect(() => uniqueKeyOf(value, FIELD)).toThrow(/^Unique Key/);
	});

	test('letters keep their case, blanks inside count', () => {
		const texts = ['A 1', 'a 1', 'A  1'].map((text) => uniqueKeyOf(text, FIELD).value);
		expect(new Set(texts).size).toBe(3);
	});

	test('a custom field of its name given by hand is an error that names both', () => {
		const body = { custom_fields: [{ name: FIELD, value: 'mine' }] };
		expect(() => withUniqueKey(body, uniqueKeyOf('A', FIELD))).toThrow(
			/"Unique key" is where Unique Key is kept.*Unique Key Field/,
		);
	});
});

describe('inspections that have a key', () => {
	test('only wanted keys are kept, however many inspections come by', () => {
		const kept = new KeyedInspections(FIELD, new Set(['A']));
		kept.add(['A', 'B', 'C'].map((value) => inspectionWith(value)));
		expect(kept.get('A')).toBeDefined();
		expect(kept.get('B')).toBeUndefined();
	});

	test('of several with one key the first created counts, in whatever order they come', () => {
		const inspections = [
			inspectionWith('A', '2026-05-01T10:00:00.0000002Z', 'a'),
			inspectionWith('A', '2026-05-01T10:00:00.0000001Z', 'c'),
			inspectionWith('A', '2026-05-01T10:00:00.0000001Z', 'b'),
		];
		fc.assert(
			fc.property(fc.shuffledSubarray(inspections, { minLength: 3 }), (shuffled) => {
				const kept = new KeyedInspections(FIELD, new Set(['A']));
				kept.add(shuffled);
				expect(kept.get('A')?.['id']).toBe('b');
			}),
		);
	});

	test.each([
		[{}],
		[{ custom_fields: null }],
		[{ custom_fields: 'Unique key' }],
		[{ custom_fields: [null, 3, { name: FIELD }, { name: FIELD, value: { a: 1 } }] }],
	])('%j has none', (inspection) => {
		expect(keyOfInspection(inspection, FIELD)).toBeUndefined();
	});
});
