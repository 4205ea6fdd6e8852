import { expect, it } from 'vitest';

import { shownValue } from '#connector/domain/answer/shownValue.ts';

it.each<[string, unknown]>([
	['"a "b""', 'a "b"'],
	['5', 5],
	['NaN', Number.NaN],
	['5', 5n],
	['null', null],
	['undefined', undefined],
	['true', true],
	['{"a":[1]}', { a: [1] }],
	['a value that is no JSON', () => 1],
	['an invalid date', new Date('soon')],
	[`"${'x'.repeat(80)}"`, 'x'.repeat(80)],
	[`"${'x'.repeat(79)}…"`, 'x'.repeat(81)],
])('a message repeats a value as %s', (shown, given) => {
	expect(shownValue(given)).toBe(shown);
});
