import { describe, expect, it } from 'vitest';

import { InputError } from '#connector/domain/inputError.ts';
import {
	choice,
	choices,
	endTime,
	type Field,
	optionalChoice,
	text,
	texts,
	time,
	toggle,
	wholeNumber,
} from '#connector/fields/field.ts';

const ZONE = 'Europe/Berlin';
const read = <Value,>(field: Field<Value>, given: unknown) => field.read(given, ZONE);

describe('a boolean by expression', () => {
	const [off, on] = [false, true].map((preset) =>
		toggle({ displayName: 'Create Task', default: preset }),
	);

	it.each<[boolean, unknown[]]>([
		[true, [true, 'true', 'TRUE', ' True ', 1, '1', 'yes', 'Yes']],
		[false, [false, 'false', 'FALSE', 0, '0', 'no', 'NO']],
	])('is %s for each of %j, whatever the default', (value, all) => {
		for (const field of [off, on]) {
			expect(all.map((given) => field?.read(given, ZONE))).toEqual(all.map(() => value));
		}
	});

	it.each([undefined, null, '', ' \u00a0'])('has its default where %j is given', (given) => {
		expect([off, on].map((field) => field?.read(given, ZONE))).toEqual([false, true]);
		expect(read(toggle({ displayName: 'Create Task' }), given)).toBe(false);
	});

	it.each(['perhaps', 2, -1, 'ja', {}, [], [true], ['true'], NaN])(
		'refuses %j and names the field and the cure',
		(given) => {
			expect(() => off?.read(given, ZONE)).toThrow(InputError);
			expect(() => off?.read(given, ZONE)).toThrow(
				/^Create Task: .* is neither true nor false\. Give true or false/,
			);
		},
	);
});

describe('a text by expression', () => {
	const field = text({ displayName: 'File Name' });

	it.each([
		[' a ', 'a'],
		[7, '7'],
		[0, '0'],
		['', undefined],
		[' ', undefined],
		[null, undefined],
	])('%j is %j', (given, name) => {
		expect(read(field, given)).toBe(name);
	});

	it.each([{}, [1], true])('refuses %j and names the field', (given) => {
		expect(() => read(field, given)).toThrow(/^File Name: .* is no name\. Give a text/);
	});
});

describe('a whole number by expression', () => {
	const field = wholeNumber({ displayName: 'Days', min: 0, max: 9, default: 3 });

	it.each([
		[0, 0],
		['9', 9],
		[undefined, 3],
		[null, 3],
	])('%j is %j', (given, number) => {
		expect(read(field, given)).toBe(number);
	});

	it.each([-1, 10, 2.5, '', ' ', 'many', true])('refuses %j', (given) => {
		expect(() => read(field, given)).toThrow(/^Days: .* is not a whole number from 0 to 9\.$/);
	});

	it('says where its range has no end', () => {
		const open = wholeNumber({ displayName: 'Size', min: 1, default: 1 });
		expect(() => read(open, 0)).toThrow('Size: 0 is not a whole number of 1 or more.');
	});
});

describe('choices by expression', () => {
	const options = ['utc', 'local'].map((value) => ({ name: value.toUpperCase(), value }));
	const shown = { displayName: 'Style', options, default: 'utc' };

	it('are found in any case, and one that is not given is the default, or undefined', () => {
		expect(['LOCAL', ''].map((given) => read(choice(shown), given))).toEqual(['local', 'utc']);
		expect(read(optionalChoice(shown), undefined)).toBeUndefined();
		expect(read(choices(shown), ' Utc,,local ')).toEqual(['utc', 'local']);
		expect(read(choices(shown), ['local'])).toEqual(['local']);
		expect(read(choices(shown), null)).toEqual([]);
	});

	it.each([['gmt'], [{ value: 'utc' }]])('refuse %j and name what there is', (given) => {
		for (const field of [choice(shown), choices(shown)]) {
			expect(() => field.read(given, ZONE)).toThrow(/^Style: .* is none of utc, local\.$/);
		}
	});
});

it('texts stand between commas', () => {
	expect(read(texts({ displayName: 'Words' }), ' x, ,ja,7')).toEqual(['x', 'ja', '7']);
	expect(read(texts({ displayName: 'Words' }), ['x', 7, ''])).toEqual(['x', '7']);
});

it('a time without a zone is in the workflow’s', () => {
	const field = time({ displayName: 'Updated After' });
	expect(read(field, '2026-05-31T09:00')).toBe('2026-05-31T07:00:00.000Z');
	expect(read(field, '')).toBeUndefined();
	expect(() => read(field, 'soon')).toThrow(/^Updated After: "soon" is not a date\./);
});

it.each([
	['2026-05-31', '2026-05-31T21:59:59.999Z'],
	['2026-05-31T09:00', '2026-05-31T07:00:00.000Z'],
	['2026-05-31T00:00:00', '2026-05-30T22:00:00.000Z'],
	['2026-05-31T07:00:00.1234567Z', '2026-05-31T07:00:00.1234567Z'],
	['', undefined],
])('an upper bound covers a day without a time: %j', (given, end) => {
	expect(read(endTime({ displayName: 'Updated Before' }), given)).toBe(end);
});
