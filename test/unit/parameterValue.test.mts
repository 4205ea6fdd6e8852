import { describe, expect, it } from 'vitest';

import { InputError } from '#connector/domain/inputError.ts';
import { booleanOf, endOf, nameOf, wholeNumberOf } from '#connector/fields/parameterValue.ts';

describe('a boolean by expression', () => {
	it.each<[boolean, unknown[]]>([
		[true, [true, 'true', 'TRUE', ' True ', 1, '1', 'yes', 'Yes']],
		[false, [false, 'false', 'FALSE', 0, '0', 'no', 'NO']],
	])('is %s for each of %j, whatever the default', (value, all) => {
		for (const given of all) expect(booleanOf('Create Task', given, !value)).toBe(value);
	});

	it.each([undefined, null, '', ' \u00a0'])('has its default where %j is given', (given) => {
		expect([true, false].map((preset) => booleanOf('Create Task', given, preset))).toEqual([
			true,
			false,
		]);
	});

	it.each(['perhaps', 2, -1, 'ja', {}, [], [true], ['true'], NaN])(
		'refuses %j and names the field and the cure',
		(given) => {
			const read = () => booleanOf('Create Task', given, false);
			expect(read).toThrow(InputError);
			expect(read).toThrow(/^Create Task: .* is neither true nor false\. Give true or false/);
		},
	);
});

describe('a name by expression', () => {
	it.each([
		[' a ', 'a'],
		[7, '7'],
		[0, '0'],
		['', undefined],
		[' ', undefined],
		[null, undefined],
	])('%j is %j', (given, name) => {
		expect(nameOf('File Name', given)).toBe(name);
	});

	it.each([{}, [1], true])('refuses %j and names the field', (given) => {
		expect(() => nameOf('File Name', given)).toThrow(/^File Name: .* is no name\. Give a text/);
	});
});

it('the error for a limit of null says null', () => {
	expect(() => wholeNumberOf('Limit', null, { min: 1 })).toThrow(
		'Limit: null is not a whole number of 1 or more.',
	);
});

it.each([
	['2026-05-31', '2026-05-31T21:59:59.999Z'],
	['2026-05-31T09:00', '2026-05-31T07:00:00.000Z'],
	['2026-05-31T00:00:00', '2026-05-30T22:00:00.000Z'],
	['2026-05-31T07:00:00.1234567Z', '2026-05-31T07:00:00.1234567Z'],
	['', undefined],
])('an upper bound covers a day without a time: %j', (given, end) => {
	expect(endOf('Updated Before', given, 'Europe/Berlin')).toBe(end);
});
