import { describe, expect, it, test } from 'vitest';

import { InputError } from '#connector/domain/inputError.ts';
import {
	addedToggle,
	choice,
	choices,
	collection,
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

test('a toggle that is on when it is added is off in a collection without it', () => {
	const added = addedToggle({ displayName: 'Check Only' });
	const { property, read: readAll } = collection({ displayName: 'Options' }, { added });
	expect(property.options).toMatchObject([{ default: true }]);
	const values = [{}, { added: true }, { added: false }, { added: '' }];
	expect(values.map((given) => readAll(given, ZONE).added)).toEqual([false, true, false, true]);
});

describe('a boolean from an expression', () => {
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

	it.each([undefined, null, '', ' \u00a0'])('has its default for %j', (given) => {
		expect([off, on].map((field) => field?.read(given, ZONE))).toEqual([false, true]);
		expect(read(toggle({ displayName: 'Create Task' }), given)).toBe(false);
	});

	it('shows for text how to compare it in the expression', () => {
		expect(() => off?.read('Alta', ZONE)).toThrow(
			'Create Task: "Alta" is neither true nor false. Enter true or false, or compare the value in the expression: {{ … === "Alta" }}.',
		);
	});

	it.each(['perhaps', 2, -1, 'ja', {}, [], [true], ['true'], NaN])(
		'rejects %j with the fix for the field',
		(given) => {
			expect(() => off?.read(given, ZONE)).toThrow(InputError);
			expect(() => off?.read(given, ZONE)).toThrow(
				/^Create Task: .* is neither true nor false\. Enter true or false/,
			);
		},
	);
});

describe('text from an expression', () => {
	const field = text({ displayName: 'File Name' });

	it.each([
		[' a ', 'a'],
		[7, '7'],
		[0, '0'],
		['', undefined],
		[' ', undefined],
		[null, undefined],
	])('reads %j as %j', (given, name) => {
		expect(read(field, given)).toBe(name);
	});

	it.each([{}, [1], true])("rejects %j with the field's name", (given) => {
		expect(() => read(field, given)).toThrow(/^File Name: .* isn't text\. Enter text/);
	});
});

describe('a whole number from an expression', () => {
	const field = wholeNumber({ displayName: 'Days', min: 0, max: 9, default: 3 });

	it.each([
		[0, 0],
		['9', 9],
		[undefined, 3],
		[null, 3],
	])('reads %j as %j', (given, number) => {
		expect(read(field, given)).toBe(number);
	});

	it.each([-1, 10, 2.5, '', ' ', 'many', true])('rejects %j', (given) => {
		expect(() => read(field, given)).toThrow(/^Days: .* is not a whole number from 0 to 9\.$/);
	});

	it('reports a range without an upper limit', () => {
		const open = wholeNumber({ displayName: 'Size', min: 1, default: 1 });
		expect(() => read(open, 0)).toThrow('Size: 0 is not a whole number of 1 or more.');
	});
});

describe('choices from an expression', () => {
	const options = ['utc', 'local'].map((value) => ({ name: value.toUpperCase(), value }));
	const shown = { displayName: 'Style', options, default: 'utc' };

	it('are not case-sensitive, with a default for a missing one', () => {
		expect(['LOCAL', ''].map((given) => read(choice(shown), given))).toEqual(['local', 'utc']);
		expect(read(optionalChoice(shown), undefined)).toBeUndefined();
		expect(read(choices(shown), ' Utc,,local ')).toEqual(['utc', 'local']);
		expect(read(choices(shown), ['local'])).toEqual(['local']);
		expect(read(choices(shown), null)).toEqual([]);
	});

	it.each([['gmt'], [{ value: 'utc' }]])('reject %j with a list of the options', (given) => {
		for (const field of [choice(shown), choices(shown)]) {
			expect(() => field.read(given, ZONE)).toThrow(
				/^Style: .* is not one of these: utc, local\.$/,
			);
		}
	});
});

it('the elements of a list in text are separated by commas', () => {
	expect(read(texts({ displayName: 'Words' }), ' x, ,ja,7')).toEqual(['x', 'ja', '7']);
	expect(read(texts({ displayName: 'Words' }), ['x', 7, ''])).toEqual(['x', '7']);
});

it('a time without a zone is in the workflow’s zone', () => {
	const field = time({ displayName: 'Updated After' });
	expect(read(field, '2026-05-31T09:00')).toBe('2026-05-31T07:00:00.000Z');
	expect(read(field, '')).toBeUndefined();
	expect(() => read(field, 'soon')).toThrow(
		'Updated After: "soon" is not a date. Pick a date, or write 2026-11-01.',
	);
});

it.each([
	['13.11.2026', '2026-11-12T23:00:00.000Z'],
	['11/13/2026', '2026-11-12T23:00:00.000Z'],
	['5-5-2026', '2026-05-04T22:00:00.000Z'],
])('a date with a single possible order of day or month is read: %s', (given, moment) => {
	expect(read(time({ displayName: 'Created After' }), given)).toBe(moment);
	const end = new Date(Date.parse(moment) + 86_400_000 - 1).toISOString();
	expect(read(time({ displayName: 'Created Before', isEnd: true }), given)).toBe(end);
});

it.each([
	['01.11.2026', '2026-11-01 or 2026-01-11'],
	['11/01/2026', '2026-01-11 or 2026-11-01'],
])('a date that could mean two different dates is rejected: %s', (given, days) => {
	expect(() => read(time({ displayName: 'Created After' }), given)).toThrow(
		`Created After: "${given}" could mean two different dates. Pick a date, or write ${days}.`,
	);
});

it.each(['31.02.2026', '32.13.2026', '13.13.2026'])(
	'a day that no calendar has is rejected: %s',
	(given) => {
		expect(() => read(time({ displayName: 'Created After' }), given)).toThrow('is not a date');
	},
);

it.each([
	['2026-05-31', '2026-05-31T21:59:59.999Z'],
	['2026-05-31T09:00', '2026-05-31T07:00:00.000Z'],
	['2026-05-31T00:00:00', '2026-05-30T22:00:00.000Z'],
	['2026-05-31T07:00:00.1234567Z', '2026-05-31T07:00:00.1234567Z'],
	['', undefined],
])('an upper bound includes the whole day if it has no time: %j', (given, end) => {
	expect(read(time({ displayName: 'Updated Before', isEnd: true }), given)).toBe(end);
});
