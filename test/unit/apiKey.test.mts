import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { normaliseApiKey, redactorOf } from '#connector/domain/request/apiKey.ts';

describe('the API key', () => {
	test.each([
		[' abcdefgh ', 'abcdefgh'],
		['abcd efgh\r\n', 'abcd efgh'],
		[12345678, '12345678'],
	])('accepts %j', (given, expected) => {
		expect(normaliseApiKey(given)).toBe(expected);
	});

	test.each([
		['abcd\nefgh', 'Character 5', 'U+000A'],
		['abcd\u200befgh', 'Character 5', 'U+200B'],
		['\u0000abcdefgh', 'Character 1', 'U+0000'],
		['abcdefghä', 'Character 9', 'U+00E4'],
		['😀😀abcdefgh', 'Character 1', 'U+1F600'],
	])('rejects %j, because its %s is %s', (given, part, code) => {
		const told = new RegExp(`^(?!.*efgh).*${part} .*${code.replace('+', '.')}`);
		expect(() => normaliseApiKey(given)).toThrow(told);
	});

	test('is redacted at any accepted length, up to 4,096 characters', () => {
		const key = 'k'.repeat(4_096);
		expect(redactorOf(normaliseApiKey(key))(`<${key}>`)).toBe('<[API key]>');
		expect(() => normaliseApiKey(`${key}k`)).toThrow('has 4097 characters, but the limit is 4096');
	});

	test.each([undefined, null, '', ' ', true, {}])('rejects %j', (given) => {
		expect(() => normaliseApiKey(given)).toThrow(/has no API key/);
	});
});

test("a secret doesn't appear in text, JSON, or URLs", () => {
	fc.assert(
		fc.property(fc.string({ minLength: 8 }), fc.string(), (secret, around) => {
			fc.pre(secret.trim().length >= 8 && !'[API key]'.includes(secret));
			const redact = redactorOf(secret);
			const url = `https://x/?key=${encodeURIComponent(secret)}`;
			expect(redact(`${around} ${secret}`)).toContain('[API key]');
			expect(redact(JSON.stringify({ secret }))).toContain('[API key]');
			expect(redact(url)).toContain('[API key]');
		}),
	);
});

test("text shorter than 8 characters isn't treated as a secret", () => {
	expect(redactorOf(' abcdefg ')('abcdefg stays')).toBe('abcdefg stays');
	expect(redactorOf(' abcdefgh ')('abcdefgh goes')).toBe('[API key] goes');
});
