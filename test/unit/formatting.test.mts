import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	cleanLine,
	htmlList,
	htmlText,
	messageText,
	shownValue,
	textOfHtml,
} from '#connector/domain/formatting.ts';
import { anyText } from '#harness/anyText.mts';

const outside = fc.oneof(
	anyText(),
	fc
		.array(fc.constantFrom('<', '>', '&', '<img src=x>', '</b>', '<!--', '\u001b[31m', '\n', 'a'))
		.map((parts) => parts.join('')),
);
/**
 * Control and format characters, lone surrogates, and Unicode's line breaks. They can have an effect in a terminal, a
 * log, or an HTML parser.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

describe('external text', () => {
	test("is one line without invisible characters wherever it's shown", () => {
		fc.assert(
			fc.property(outside, (text) => {
				for (const shown of [cleanLine(text, 50), messageText(text), htmlText(text)]) {
					expect(shown).not.toMatch(INVISIBLE);
				}
				expect(cleanLine(text, 50).length).toBeLessThanOrEqual(50);
				expect(messageText(text)).not.toMatch(/<[a-z/!?]/i);
				expect(htmlText(text)).not.toMatch(/[<>]/);
			}),
		);
	});

	test('has no tags in a message, but is otherwise unchanged', () => {
		expect(messageText('"<img src=x>" is not one of "< 5 mm", "> 5 mm"')).toBe(
			'"‹img src=x>" is not one of "< 5 mm", "> 5 mm"',
		);
	});

	test('is short, however long it was', () => {
		const long = 'x <b> '.repeat(1_000_000);
		expect(messageText(long).length).toBe(2_000);
		expect(messageText(long)).toMatch(/…$/);
		expect(htmlText(long).length).toBeLessThan(20_000);
		expect(cleanLine(`${'\n'.repeat(1_000_000)}here`, 10)).toBe('here');
		expect(cleanLine(`a${'\n'.repeat(100)}b`, 10)).toBe('a…');
		expect(cleanLine('ten or not', 10)).toBe('ten or not');
		expect(cleanLine('cut inside of 😀 here', 16)).toBe('cut inside of…');
	});
});

test('a list has one escaped entry per text, with a count of the omitted ones', () => {
	expect(htmlList(['a & b', '<b>'])).toBe('<ul><li>a &amp; b</li><li>&lt;b&gt;</li></ul>');
	const list = htmlList(Array(100).fill('x'.repeat(1_000)));
	expect(list.match(/<li>/g)).toHaveLength(11);
	expect(list).toMatch(/<li>… and 90 more<\/li><\/ul>$/);
});

test('text escaped as HTML for n8n renders as the original text', () => {
	fc.assert(
		fc.property(fc.array(outside, { minLength: 1, maxLength: 5 }), (entries) => {
			const lines = entries.map((entry) => cleanLine(entry, 2000));
			expect(textOfHtml(htmlList(entries))).toBe(lines.join(' '));
			expect(textOfHtml(htmlText(entries[0] ?? ''))).toBe(lines[0]);
		}),
	);
});

test.each<[string, unknown]>([
	['"a "b""', 'a "b"'],
	['5', 5],
	['NaN', Number.NaN],
	['5', 5n],
	['null', null],
	['undefined', undefined],
	['true', true],
	['{"a":[1]}', { a: [1] }],
	["a value that isn't JSON", () => 1],
	['an invalid date', new Date('soon')],
	[`"${'x'.repeat(80)}"`, 'x'.repeat(80)],
	[`"${'x'.repeat(79)}…"`, 'x'.repeat(81)],
])('a message repeats a value as %s', (shown, given) => {
	expect(shownValue(given)).toBe(shown);
});
