import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

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

	test('of 4,096 characters is redacted, and a longer one is rejected', () => {
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

describe('redacts a secret in the forms in which services repeat it', () => {
	const secret = 'ab.d+e/f&g<h"i\\j=k>l\'m n=';
	const inUrl = encodeURIComponent(secret);
	const json = JSON.stringify(secret);

	test.each([
		['as sent', secret],
		['in JSON', json],
		['in JSON within JSON', JSON.stringify(json)],
		['in a URL', inUrl],
		['in a URL in lower case', inUrl.replace(/%../g, (code) => code.toLowerCase())],
		['in base64', btoa(secret)],
		['in base64 for URLs', btoa(secret).replaceAll('+', '-').replaceAll('/', '_')],
	])('%s', (_name, text) => {
		const redacted = redactorOf(` ${secret}\n`)(`<p>${text}</p>`);
		expect(redacted).toMatch(/^<p>"?(?:\\"|"\\")?\[API key\]=*(?:\\")?"?<\/p>$/);
	});
});

describe('redaction takes time linear in the length of the text, whatever the key contains', () => {
	/**
	 * Counts the work of a redaction: the lengths of the texts that are searched as plain text, and how many patterns are
	 * searched.
	 */
	function workOf(redact: (text: string) => string, text: string) {
		const searches = vi.spyOn(String.prototype, 'replaceAll');
		const others = vi.spyOn(String.prototype, 'replace');
		try {
			redact(text);
			const isPattern = ([searched]: unknown[]) => typeof searched !== 'string';
			const patterns = [...others.mock.calls, ...searches.mock.calls].filter(isPattern);
			const lengths = searches.mock.contexts.map((searched) => String(searched).length);
			return { lengths, patterns: patterns.length };
		} finally {
			searches.mockRestore();
			others.mockRestore();
		}
	}

	test.each([
		['backslashes', '\\'.repeat(10)],
		['backslashes before letters', `${'\\'.repeat(10)}abcdefg`],
		['the longest run of backslashes', '\\'.repeat(4_096)],
		['a repeated letter', 'a'.repeat(4_096)],
		['a repeated letter before another', `${'a'.repeat(4_095)}b`],
		['quotes', '"'.repeat(4_096)],
		['percent signs', '%'.repeat(4_096)],
		['spaces between letters', 'a '.repeat(2_048)],
	])('%s', (_, key) => {
		const redact = redactorOf(key);
		for (const character of ['a', '\\', '"', '%', 'u005c']) {
			const text = character.repeat(40);
			const { lengths, patterns } = workOf(redact, text);
			expect(patterns).toBe(0);
			expect(lengths.length).toBeGreaterThan(0);
			expect(lengths.length).toBeLessThanOrEqual(7);
			expect(Math.max(...lengths)).toBeLessThanOrEqual(text.length);
		}
	});
});
