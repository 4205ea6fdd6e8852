import { inspect } from 'node:util';

import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';

import { comparedText } from '#connector/domain/create/identity.ts';
import {
	InspectionsByKey,
	KEY_FIELD,
	keyOfInspection,
	keyOfRows,
	uniqueKeyOf,
	withUniqueKey,
} from '#connector/domain/create/uniqueKey.ts';
import { STAND_IN } from '#connector/domain/id.ts';
import type { JsonRecord } from '#connector/domain/json.ts';

function inspectionWith(value: string, created_at = '2026-05-01T10:00:00Z', id = 'a') {
	return { id, created_at, custom_fields: [{ name: KEY_FIELD, value }] };
}

describe('a key', () => {
	test('reads back from the inspection that it was sent to', () => {
		const fields = fc.array(fc.record({ name: fc.string(), value: fc.string() }));
		const keys = fc.string().map((text) => `A${text}`);
		fc.assert(
			fc.property(fc.oneof(keys, fc.integer()), fields, (key, others) => {
				const custom_fields = others.filter(({ name }) => name !== KEY_FIELD);
				const body = withUniqueKey({ name: 'Roof', custom_fields }, uniqueKeyOf(key));
				expect(keyOfInspection(body)).toBe(comparedText(key));
				expect(body).toMatchObject({ name: 'Roof' });
				expect(body['custom_fields']).toHaveLength(custom_fields.length + 1);
			}),
		);
	});

	test.each(['', '  ', null, undefined, '\u00a0'])('such as %j is empty', (value) => {
		expect(() => uniqueKeyOf(value)).toThrow(/^'Unique Key' has no value\. Fill in/);
	});

	test.each([{}, ['a']])('rejects %j', (value) => {
		expect(() => uniqueKeyOf(value)).toThrow(
			`Unique Key: ${JSON.stringify(value)} isn't text. Enter text or a number.`,
		);
	});

	const broken = ['undefined-2026-05-01', 'NaN', '7 null', '[object Object]-1'];
	test.each(broken)('rejects %j: an expression failed', (value) => {
		expect(() => uniqueKeyOf(value)).toThrow(/left by a failed formula or expression/);
	});

	test.each([
		['#N/A', 'was left by a failed formula or expression'],
		['V-#BEZUG!', 'contains #BEZUG!, left by a failed formula or expression'],
		['Roof-Invalid DateTime', 'contains Invalid DateTime, left by a failed formula or expression'],
		['Roof-4.00638E+12', 'is a long number that lost its last digits'],
		[4006381333931000000, 'is a long number that lost its last digits'],
		['M\ufffdller', 'could stand for different values. Characters were lost'],
	])('rejects %j, because other inspections would have it too', (value, message) => {
		expect(() => uniqueKeyOf(value)).toThrow(message);
	});

	test.each(['nullable', 'NULL-7', 'Nan 3', '#7', 'N/A-1', '4006381333931', 'E+12', '1e5'])(
		'accepts %j',
		(value) => {
			expect(uniqueKeyOf(value)).toBe(value);
		},
	);

	test('ignores spaces, Unicode forms, or zones, but not the case of letters', () => {
		const texts = ['Ä 1', 'ä 1', ' A\u0308 \u00a0 1'].map((text) => uniqueKeyOf(text));
		expect(texts).toEqual(['Ä 1', 'ä 1', 'Ä 1']);
		const noon = DateTime.utc(2026, 5, 31, 12);
		const there = noon.setZone('America/New_York');
		const dates = [noon, there, noon.toJSDate(), '2026-05-31T12:00:00.000Z', there.toISO()];
		const keyed = dates.map((date) => uniqueKeyOf(date));
		expect(new Set(keyed)).toEqual(new Set(['2026-05-31T12:00:00.000Z']));
		// These strings aren't dates in the form that n8n writes, so they stay unchanged.
		for (const text of ['2026-05-31T08:00:00-04:00', '2026-13-31T12:00:00.000Z']) {
			expect(uniqueKeyOf(text)).toBe(text);
		}
	});

	test('rejects a manually entered custom field of the same name with a message about both', () => {
		const body = { custom_fields: [{ name: KEY_FIELD, value: 'mine' }] };
		expect(() => withUniqueKey(body, uniqueKeyOf('A'))).toThrow(
			/the node stores the unique key in the custom field "Unique key".*Remove that custom field/,
		);
	});
});

describe('inspections by key', () => {
	const template = { id: '11111111-1111-4111-8111-111111111111', name: 'Walk' };
	/** Returns the inspections that are kept by key if only the keys `wanted` are needed. */
	const keptOf = (inspections: JsonRecord[], ...wanted: string[]) => {
		const kept = new InspectionsByKey();
		kept.add(inspections, new Set(wanted));
		return kept;
	};
	const keyedA = (inspections: JsonRecord[]) => keptOf(inspections, 'A').get('A', template);

	test('forget the creation times of too many others without hiding it', () => {
		const kept = new InspectionsByKey(2);
		kept.add([inspectionWith('A'), inspectionWith('B'), inspectionWith('C')], new Set('A'));
		expect([kept.hasForgottenPassed(), kept.passedAt('B').length]).toEqual([false, 1]);
		kept.add([inspectionWith('D')], new Set('A'));
		expect([kept.hasForgottenPassed(), kept.passedAt('B').length]).toEqual([true, 0]);
		expect(kept.get('A', template)).toBeDefined();
	});

	test('only keep wanted keys, plus the creation times of the rest', () => {
		const [one, ...others] = [inspectionWith('A'), inspectionWith('B'), inspectionWith('C')];
		const kept = keptOf([one, ...others], 'A');
		expect(kept.get('A', template)).toBe(one);
		expect(kept.get('B', template)).toBeUndefined();
		expect(kept.passedAt('B')).toEqual(['2026-05-01T10:00:00Z']);
		expect(kept.passedAt('A')).toEqual([]);
		kept.forgetPassed('B');
		expect(kept.passedAt('B')).toEqual([]);
	});

	test('take little memory each, however long their keys are', () => {
		const keys = Array.from({ length: 100 }, (_, n) => `${String(n)} ${'x'.repeat(100_000)}`);
		const inspections = keys.map((key) => inspectionWith(key));
		const kept = keptOf(inspections, 'A');
		expect(kept.passedAt(keys[7] ?? '')).toEqual(['2026-05-01T10:00:00Z']);
		const whole = inspect(kept, { depth: null, maxArrayLength: null, maxStringLength: null });
		expect(whole.length).toBeLessThan(100 * 250);
	});

	describe('inspections with wanted keys', () => {
		const large = (id: string, megabytes: number): JsonRecord => ({
			...inspectionWith('A', undefined, id),
			pad: 'x'.repeat(megabytes * 1024 * 1024),
		});

		test('can take 64 MB in total before an error with a fix appears', () => {
			const message = /these unique keys are too large .* Loop Over Items/;
			expect(() => keptOf([large('a', 40), large('b', 40)], 'A')).toThrow(message);
		});

		test('count once if they are read again', () => {
			const kept = keptOf([large('a', 40)], 'A');
			for (let read = 0; read < 3; read++) kept.add([large('a', 40)], new Set(['A']));
			expect(kept.get('A', template)).toHaveProperty('pad');
		});

		test('only keep an outline if they were just created, because their create must not fail', () => {
			const kept = keptOf([large('b', 40)], 'A');
			kept.keep('C', { ...large('c', 40), name: 'Roof', status: 'new' });
			const created_at = '2026-05-01T10:00:00Z';
			expect(kept.get('C', template)).toEqual({
				id: 'c',
				name: 'Roof',
				status: 'new',
				template_id: null,
				created_at,
			});
		});
	});

	test('are kept without a creation time, whether or not they are wanted', () => {
		const timeless = inspectionWith('A', '');
		expect(keptOf([{ custom_fields: [] }, timeless]).get('A', template)).toBe(timeless);
	});

	test('count as they were last read, if they are read twice', () => {
		const renamed = { ...inspectionWith('A'), name: 'Roof' };
		expect(keyedA([inspectionWith('A'), renamed])).toBe(renamed);
	});

	test('are represented by the first created one if they have the same key, whatever the order', () => {
		const [first, second] = ['2026-05-01T10:00:00.0000001Z', '2026-05-01T10:00:00.0000002Z'];
		const created = { a: second, c: first, b: first, d: '', e: '' };
		const inspections = Object.entries(created).map(([id, at]) => inspectionWith('A', at, id));
		fc.assert(
			fc.property(fc.shuffledSubarray(inspections, { minLength: 5 }), (read) => {
				expect(keyedA(read)).toMatchObject({ id: 'b' });
			}),
		);
	});

	test.each<[string, JsonRecord, boolean]>([
		['that was renamed', { template: { id: template.id, name: 'Renamed' } }, true],
		['that is unknown', {}, true],
		['with another name', { template: { name: 'Tour' } }, false],
	])('count if they use a template %s: %j', (_, members, isFound) => {
		expect(keyedA([{ ...inspectionWith('A'), ...members }]) !== undefined).toBe(isFound);
	});

	test('cause an error without a usable ID, unless another inspection has the key', () => {
		const unusable = { ...inspectionWith('A', '2026-01-01T00:00:00Z'), id: `${STAND_IN}1` };
		const message = /already has this unique key without a usable ID/;
		expect(() => keyedA([unusable])).toThrow(message);
		expect(() => keptOf([unusable], 'A').all('A')).toThrow(message);
		expect(keyedA([unusable, inspectionWith('A')])).toMatchObject({ id: 'a' });
		expect(keptOf([unusable], 'A').get('B', template)).toBeUndefined();
	});

	describe('inspections with custom fields that the list omits', () => {
		const hidden = (id: string, members: JsonRecord = { template_id: template.id }) => ({
			id,
			custom_fields_count: 1,
			...members,
		});
		const message = /The service's list leaves out custom fields/;

		test('cause an error if they use the template, unless another inspection has the key', () => {
			const kept = keptOf([hidden('h')], 'A');
			expect(() => kept.get('A', template)).toThrow(message);
			expect(() => kept.all('A')).toThrow(message);
			expect(keyedA([hidden('h'), inspectionWith('A')])).toMatchObject({ id: 'a' });
			expect(keptOf([hidden('h'), inspectionWith('A')], 'A').all('A')).toHaveLength(1);
		});

		test('are ignored if they use another template', () => {
			const other = { template: { id: '22222222-2222-4222-8222-222222222222' } };
			const kept = keptOf([hidden('h', other), hidden('i', other), hidden('h', other)], 'A');
			expect(kept.get('A', template)).toBeUndefined();
		});

		test('are known once the list shows the fields', () => {
			const kept = keptOf([hidden('a')], 'A');
			kept.add([inspectionWith('A')], new Set(['A']));
			expect(kept.get('A', template)).toMatchObject({ id: 'a' });
			expect(kept.get('B', template)).toBeUndefined();
		});

		test("aren't hidden if they have none", () => {
			const none = { custom_fields_count: 0 };
			const empty = { custom_fields_count: 2, ...inspectionWith('A') };
			const kept = keptOf(
				[hidden('h', none), hidden('i', { custom_fields_count: 'x' }), empty],
				'A',
			);
			expect(kept.get('B', template)).toBeUndefined();
			expect(kept.get('A', template)).toBe(empty);
		});

		test('cause an error if there are more than a thousand', () => {
			const inspections = (count: number) =>
				Array.from({ length: count }, (_, n) => hidden(`h${String(n)}`));
			expect(() => keptOf(inspections(1_000))).not.toThrow();
			expect(() => keptOf(inspections(1_001))).toThrow(message);
		});
	});

	describe('inspections with a lookalike key', () => {
		const keyed = (value: string, template_id?: string) => ({
			...inspectionWith(value),
			...(template_id !== undefined && { template_id }),
		});

		test('are found by the other key, whether or not they are wanted', () => {
			const kept = keptOf([keyed('V-103'), keyed('0007')], '0007');
			expect(kept.lookalikeOf('v‑103', template)).toBe('V-103');
			expect(kept.lookalikeOf('7', template)).toBe('0007');
			expect(kept.lookalikeOf('V-104', template)).toBeUndefined();
		});

		test('are found if they were just created', () => {
			const kept = keptOf([]);
			kept.keep('V-103', keyed('V-103'));
			expect(kept.lookalikeOf('v-103', template)).toBe('V-103');
		});

		test("aren't found by the same key, or with another template", () => {
			const kept = keptOf([keyed('V-103'), keyed('W-1', '22222222-2222-4222-8222-222222222222')]);
			expect(kept.lookalikeOf('V-103', template)).toBeUndefined();
			expect(kept.lookalikeOf('w-1', template)).toBeUndefined();
		});

		test('are named by the first key that differs, of the first three', () => {
			const kept = keptOf(['v-1', 'v-1', 'V-1', 'v - 1', 'V - 1'].map((key) => keyed(key)));
			expect(kept.lookalikeOf('v-1', template)).toBe('V-1');
			expect(kept.lookalikeOf('v-01', template)).toBe('v-1');
			const [other, ...wanted] = ['x-1', 'X-1', 'x - 1', 'X - 1'].map((key) => {
				return keyed(key, key === 'X - 1' ? template.id : '22222222-2222-4222-8222-222222222222');
			});
			expect(keptOf([...wanted, other ?? {}]).lookalikeOf('x-01', template)).toBe('X - 1');
			expect(keptOf([other ?? {}, ...wanted]).lookalikeOf('x-01', template)).toBeUndefined();
		});

		test('are shortened in the message', () => {
			const kept = keptOf([keyed(`V${'1'.repeat(100)}`)]);
			expect(kept.lookalikeOf(`v${'1'.repeat(100)}`, template)).toBe(`V${'1'.repeat(38)}…`);
		});
	});

	test('are listed of all templates for one key like for several', () => {
		const [late, early] = [
			{ ...inspectionWith('A', '2026-05-02T10:00:00Z', 'late'), template: { name: 'Tour' } },
			inspectionWith('A', '2026-05-01T10:00:00Z', 'early'),
		];
		const kept = keptOf([late, early, inspectionWith('B', undefined, 'b')], 'A', 'B');
		expect(kept.all('A')).toEqual([early, late]);
		expect(kept.all('C')).toEqual([]);
		const idsOf = (...keys: string[]) => kept.withKeys(new Set(keys)).map(({ id }) => id);
		expect(idsOf('A', 'B', 'C').toSorted()).toEqual(['b', 'early', 'late']);
		expect(idsOf('B')).toEqual(['b']);
	});

	test('created at the same time are in the order of their IDs', () => {
		const ids = ['c', 'a', 'b'].map((id) => inspectionWith('A', undefined, id));
		expect(
			keptOf(ids, 'A')
				.all('A')
				.map(({ id }) => id),
		).toEqual(['a', 'b', 'c']);
	});

	test.each([
		{},
		{ custom_fields: null },
		{ custom_fields: 'Unique key' },
		{ custom_fields: [null, 3, { name: KEY_FIELD }, { name: KEY_FIELD, value: { a: 1 } }] },
	])('exclude %j, which has no key', (inspection) => {
		expect(keyOfInspection(inspection)).toBeUndefined();
	});
});

describe('the key of several rows', () => {
	/** Returns the key of several rows, which are numbered from 3. */
	const keyOf = (...values: unknown[]) =>
		keyOfRows([...values.entries()].map(([n, value]) => ({ row: n + 3, value })));
	const error = (message: string, problem: object) =>
		expect.objectContaining({ message, problems: [expect.objectContaining(problem)] });

	test("is the first one that isn't empty", () => {
		expect(keyOf('', 'A1', ' A1 ')).toBe('A1');
	});

	test('is missing if no row has one', () => {
		expect(() => keyOf('', undefined)).toThrow(/^'Unique Key' has no value\. Fill in/);
	});

	test('is unique, so that a second one is reported with both rows', () => {
		const message =
			'row 3 has "A1" and row 4 has "a1". The rows of one inspection need the same key';
		const problem = { subject: 'Unique Key', message, kind: 'conflict' };
		expect(() => keyOf('A1', 'a1')).toThrow(error(`Unique Key: ${message}.`, problem));
	});

	test("causes a report with its row if it can't be read", () => {
		const message = 'row 3: Unique Key: {"a":1} isn\'t text. Enter text or a number.';
		expect(() => keyOf({ a: 1 }, 'A')).toThrow(error(message, { rows: [3] }));
	});
});
