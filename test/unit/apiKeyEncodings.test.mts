// Tests that a service's response can't show the API key, however it quotes the request.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { redactorOf } from '#connector/domain/request/apiKey.ts';

const hexOf = (character: string, length: number) =>
	character.charCodeAt(0).toString(16).padStart(length, '0');
const each = (text: string, pattern: RegExp, write: (character: string) => string) =>
	text.replace(pattern, (character) => write(character));
const SYMBOLS = /[^a-z\d]/gi;
const NAMES: Readonly<Record<string, string>> = {
	'+': 'plus',
	'/': 'sol',
	'=': 'equals',
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	'%': 'percnt',
	'\\': 'bsol',
};

/** The ways in which languages and servers write text into JSON, URLs, web pages, and logs. */
const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
	'as it is': (text) => text,
	'as JSON': (text) => JSON.stringify(text),
	"as PHP's JSON": (text) => JSON.stringify(text).replaceAll('/', '\\/'),
	"as .NET's JSON": (text) =>
		each(text, /["&'+<>`\\]/g, (one) => `\\u${hexOf(one, 4).toUpperCase()}`),
	'as JSON with escapes only': (text) => each(text, /[^]/g, (one) => `\\u${hexOf(one, 4)}`),
	"as Python's bytes": (text) => each(text, SYMBOLS, (one) => `\\x${hexOf(one, 2)}`),
	"as JavaScript's code points": (text) => each(text, SYMBOLS, (one) => `\\u{${hexOf(one, 1)}}`),
	'as a part of a URL': encodeURIComponent,
	'as a part of a URL, in lowercase': (text) => each(text, SYMBOLS, (one) => `%${hexOf(one, 2)}`),
	"as Python's quote": (text) => encodeURIComponent(text).replaceAll('%2F', '/'),
	'as a form': (text) => new URLSearchParams({ '': text }).toString().slice(1),
	'as a form that was read, with a space for +': (text) => text.replaceAll('+', ' '),
	"as VBScript's escape": (text) => each(text, SYMBOLS, (one) => `%u${hexOf(one, 4)}`),
	'as HTML': (text) => each(text, /[&<>"]/g, (one) => `&${NAMES[one] ?? ''};`),
	'as HTML with numbers': (text) => each(text, SYMBOLS, (one) => `&#${String(one.charCodeAt(0))};`),
	'as HTML with hexadecimal numbers': (text) =>
		each(text, SYMBOLS, (one) => `&#x${hexOf(one, 1)};`),
	'as HTML with names': (text) =>
		each(text, SYMBOLS, (one) => (NAMES[one] ? `&${NAMES[one]};` : one)),
	'as hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
	'as hexadecimal digits in uppercase': (text) => Buffer.from(text).toString('hex').toUpperCase(),
	'as separate bytes': (text) => [...text].map((one) => hexOf(one, 2)).join(' '),
	'as base64': (text) => Buffer.from(text).toString('base64'),
	'as base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
};
const names = Object.keys(ENCODERS);
const encoded = (text: string, encoders: readonly string[]) =>
	encoders.reduce((done, name) => ENCODERS[name]?.(done) ?? done, text);

/** A key of which every part of 8 characters is different from the text around it. */
const keys = fc.oneof(
	{
		weight: 3,
		arbitrary: fc
			.uint8Array({ minLength: 18, maxLength: 40 })
			.map((bytes) => Buffer.from(bytes).toString('base64')),
	},
	{
		weight: 2,
		arbitrary: fc.string({
			unit: fc.constantFrom(...'aB3%+/=\\"&;<>#x u'),
			minLength: 24,
			maxLength: 40,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.string({
			unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
			minLength: 24,
			maxLength: 60,
		}),
	},
);
const BEFORE = '{"headers":{"access-token":"';
const AFTER = '","accept":"application/json"},"path":"/v1/inspections?page=1"}';

/** Returns everything of a redacted text that isn't a placeholder. */
const shown = (redacted: string) => redacted.split('[API key]').join('');

describe('a key that a response quotes', () => {
	const key = 'Zm9v+YmFy/c2VjcmV0a2V5PQ==';

	test.each(names)('is redacted in the encoding %s', (name) => {
		const redacted = redactorOf(key)(`<p>Wrong key: ${encoded(key, [name])}.</p>`);
		expect(redacted).toMatch(/^<p>Wrong key: "?\[API key\]=*"?\.<\/p>$/);
	});

	test('is redacted in any two encodings, one inside the other, even in truncated text', () => {
		const property = fc.property(
			keys,
			fc.array(fc.constantFrom(...names), { maxLength: 2 }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			fc.boolean(),
			(raw, encoders, at, isCut) => {
				// Backslashes at the ends can stay in the text, because they tell nothing about the key.
				const secret = raw.replace(/^[\\ ]+|[\\ ]+$/g, '');
				fc.pre(secret.length >= 18);
				const whole = encoded(BEFORE + secret + AFTER, encoders);
				const around = encoded(BEFORE + AFTER, encoders).length;
				const cut = isCut ? whole.slice(0, Math.ceil(at * whole.length)) : whole;
				const redacted = redactorOf(secret)(cut);
				// How many characters the encoders write for one character of the key.
				const perCharacter = (whole.length - around) / secret.length;
				const left = Math.max(0, shown(redacted).length - around);
				expect(left, redacted).toBeLessThan(
					Math.max(8, isCut ? 8 * perCharacter : 2 * perCharacter) + 8,
				);
				if (!isCut) expect(redacted).toContain('[API key]');
			},
		);
		fc.assert(property, { numRuns: Number(process.env.KEY_RUNS ?? 1_000) });
	});
});

test('redaction keeps text without the key unchanged', () => {
	const text = String.raw`The access token "Zm9v…" isn't valid (401) \u002B %2B &amp; 5a6d39762b596d Wm05ditZbQ`;
	expect(redactorOf('Zm9v+YmFy/c2VjcmV0a2V5PQ==')(text)).toBe(text);
});
