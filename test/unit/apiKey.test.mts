import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { normaliseApiKey, redactorOf } from '#connector/domain/request/apiKey.ts';

describe('the API key', () => {
	test.each([
		[' abcdefgh ', 'abcdefgh'],
		['abcd efgh\r\n', 'abcd efgh'],
		[12345678, '12345678'],
	])('%j', (given, expected) => {
		expect(normaliseApiKey(given)).toBe(expected);
	});

	test.each([
		['abcd\nefgh', 'Character 5', 'U+000A'],
		['abcd\u200befgh', 'Character 5', 'U+200B'],
		['\u0000abcdefgh', 'Character 1', 'U+0000'],
		['abcdefghä', 'Character 9', 'U+00E4'],
		['😀😀abcdefgh', 'Character 1', 'U+1F600'],
	])('%j is refused: its %s is %s', (given, place, code) => {
		const told = new RegExp(`^(?!.*efgh).*${place} .*${code.replace('+', '.')}`);
		expect(() => normaliseApiKey(given)).toThrow(told);
	});

	test('of 4,096 characters is taken out of texts, and a longer one is refused', () => {
		const key = 'k'.repeat(4_096);
		expect(redactorOf(normaliseApiKey(key))(`<${key}>`)).toBe('<[API key]>');
		expect(() => normaliseApiKey(`${key}k`)).toThrow('has 4097 characters, and 4096 is the most');
	});

	test.each([undefined, null, '', ' ', true, {}])('%j is refused', (given) => {
		expect(() => normaliseApiKey(given)).toThrow(/has no API key/);
	});
});

test('a secret leaves no trace in text, JSON or URLs', () => {
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

test('a text of less than 8 characters is no secret', () => {
	expect(redactorOf(' abcdefg ')('abcdefg stays')).toBe('abcdefg stays');
	expect(redactorOf(' abcdefgh ')('abcdefgh goes')).toBe('[API key] goes');
});

describe('a secret is taken out in whatever spelling it comes back', () => {
	const secret = 'ab.d+e/f&g<h"i\\j=k>l\'m n=';
	const inUrl = encodeURIComponent(secret);
	const json = JSON.stringify(secret);

	test.each([
		['a URL in lower case', inUrl.toLowerCase()],
		['JSON within JSON', JSON.stringify(json)],
		['JSON of PHP within JSON', JSON.stringify(json.replaceAll('/', '\\/'))],
		['JSON of .NET', json.replace(/[+&<"]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)],
		['a form', inUrl.replaceAll('%20', '+')],
		['base64', btoa(secret)],
		['base64 in a URL', btoa(secret).replaceAll('+', '-').replaceAll('/', '_')],
	])('%s', (_name, text) => {
		const told = redactorOf(` ${secret}\n`)(`<p>${text}</p>`);
		expect(told).toMatch(/^<p>"?(?:\\*"|\\u0022)?\[API key\]/);
	});

	test('and the JSON around it stays the same', () => {
		const escapedAnyhow = (text: string) =>
			text.replace(/\\.|[^"\\{}:,\d]/g, (c) =>
				c.startsWith('\\') ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
			);
		const texts = fc.string({ unit: fc.constantFrom(...'"\\/+%&u0026n', '\n', 'ä', '😀') });
		fc.assert(
			fc.property(texts, texts, (before, after) => {
				const value = { [before]: `${before} ${secret} ${after}` };
				const answer = { [before]: `${before} [API key] ${after}` };
				const redact = redactorOf(secret);
				const plain = JSON.stringify(value);
				for (const body of [plain, plain.replaceAll('/', '\\/'), escapedAnyhow(plain)]) {
					expect(JSON.parse(redact(body))).toEqual(answer);
				}
			}),
		);
	});
});
