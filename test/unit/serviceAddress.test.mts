import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	checkDestination,
	normaliseBaseUrl,
	normaliseCreatePath,
	pathSegment,
} from '#connector/domain/request/serviceAddress.ts';
import { anyText } from '#harness/anyText.mts';
import { problemOf } from '#harness/madeOfRows.mts';

describe('a value as one path segment', () => {
	it.each([
		[' WALK-1 ', 'WALK-1'],
		['a\ud800b\udfffc\u{1f600}', 'a%EF%BF%BDb%EF%BF%BDc%F0%9F%98%80'],
	])('turns %j into %s', (value, segment) => {
		expect(pathSegment('Template', value)).toBe(segment);
	});

	it.each(['', ' \n', '.', ' .. '])('rejects %j', (value) => {
		expect(() => pathSegment('Template', value)).toThrow(
			`The field 'Template' has the value "${value.trim()}", which can't be an ID or an identifier. Enter the ID or identifier`,
		);
	});

	it('is one segment for any value', () => {
		fc.assert(
			fc.property(anyText(), (id) => {
				fc.pre(!['', '.', '..'].includes(id.trim()));
				const { pathname } = new URL(`https://host/a/${pathSegment('ID', id)}/b`);
				expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'a', id.trim(), 'b']);
			}),
		);
	});
});

describe('the base URL', () => {
	it.each([
		[' https://api.example.com/ ', 'https://api.example.com'],
		['api.example.com', 'https://api.example.com'],
		['HTTPS://API.example.com:8443/sub/path//', 'https://api.example.com:8443/sub/path'],
		['http://[::1]:5000/', 'http://[::1]:5000'],
		['https://api.example.com/v1/', 'https://api.example.com'],
		['https://api.example.com/v1/sub', 'https://api.example.com/v1/sub'],
		['https://api.example.com/http:x', 'https://api.example.com/http:x'],
		['https://bücher.example', 'https://xn--bcher-kva.example'],
		['localhost:3000', 'https://localhost:3000'],
		['http.example', 'https://http.example'],
	])('reads %s as %s', (given, expected) => {
		expect(normaliseBaseUrl(given)).toBe(expected);
	});

	it.each([undefined, null, 7, '', ' \n'])('rejects %j', (given) => {
		expect(() => normaliseBaseUrl(given)).toThrow(/^The credential has no base URL\. Enter/);
	});

	it.each([
		'https://',
		'http:/h',
		'https:h',
		'ftp://x',
		'a b',
		'https://u:p@x',
		'https://u@x',
		'https://:p@x',
		'https://x?y',
		'https://x#y',
	])('rejects %s with an example', (given) => {
		expect(() => normaliseBaseUrl(given)).toThrow(/credential/);
	});

	it.each([
		['https://api.exa\u200bmple.com', 16, 'U+200B'],
		['\u200bhttps://api.example.com', 1, 'U+200B'],
		['https://api.example.com/\u202egpj', 25, 'U+202E'],
		['https://api.example.com/a\ufe0f', 26, 'U+FE0F'],
		['https://api.exa\nmple.com', 16, 'U+000A'],
		['https://api.exa\u00a0mple.com', 16, 'U+00A0'],
		['https://api.exa\ud800mple.com', 16, 'U+D800'],
	])('rejects %j, because character %i is %s, which is invisible', (given, position, code) => {
		expect(() => normaliseBaseUrl(given)).toThrow(
			`Character ${position} of the base URL in the credential (${code}) is invisible`,
		);
	});

	it.each([
		['a b', '"a b"'],
		['ftp://host/path', '"ftp://host/path"'],
		['https://host/path?team=1', '"https://host/path…"'],
		['ftp://user:password@host', '"ftp://…"'],
	])('has for %s an error that shows %s', (given, shown) => {
		expect(() => normaliseBaseUrl(given)).toThrow(`The base URL ${shown} in the credential`);
	});

	it.each([
		'https://h/?access-token=KEY',
		'https://h/#KEY',
		'ftp://h?KEY',
		'a b?KEY',
		'a://u:KEY@h',
		'https://u:a/KEY@h',
		'https://u:KEY/b@h',
		'https://u:a?KEY@h',
		'https://u:KEY#@h',
		'https://u:KEY@b@h',
		'u:KEY/b@h',
		'u:KEY://b@h',
		'http:\\\\u:KEY/b@h',
	])("has for %s an error that doesn't repeat its key", (given) => {
		expect(() => normaliseBaseUrl(given)).toThrow(/^(?!.*KEY)/);
		expect(() => normaliseCreatePath(given)).toThrow(/^(?!.*KEY)/);
	});
});

describe('the create path', () => {
	it.each([
		[undefined, '/v1/inspections'],
		['', '/v1/inspections'],
		['v2/new', '/v2/new'],
		[' /v1/inspections/create ', '/v1/inspections/create'],
		...['/v1/my%20path', '/v1/%C3%BC', '/v1/a..b', '/v1/...', '/v1/a:b', '/v1//b', '/v1/%25a'].map(
			(path): [string, string] => [path, path],
		),
	])('reads %s as %s', (given, expected) => {
		expect(normaliseCreatePath(given)).toBe(expected);
	});

	it.each([
		'https://evil.example/x',
		'//evil.example',
		'/a/../b',
		'/a b',
		'/a?b',
		'\\\\x',
		'x+1.y-2:z',
		'/%2e%2e/x',
		'/a/%2E',
		'%2e%2e',
		'/a/.%2e/b',
		'/..%2fb',
		'/a%5c..%5cb',
		'/a%0d%0ab',
		'/%252e%252e/x',
		'/a/%25252e',
		'/a%zz',
		'/a%ff',
	])('rejects %s', (given) => {
		expect(() => normaliseCreatePath(given)).toThrow(/is not a path/);
	});
});

const BASE = 'https://api.example.com/sub';
type Destination = Parameters<typeof checkDestination>[0];
const check = (request: Destination, baseUrl = BASE) => {
	checkDestination(request, normaliseBaseUrl(baseUrl));
};

describe('the API key', () => {
	it.each<[string, Destination, string?]>([
		['to the base URL', { url: `${BASE}/v1/inspections?a=b` }],
		['to another path of its server', { uri: 'https://api.example.com/health' }],
		['in another case and with the usual port', { uri: 'HTTPS://API.Example.COM:443/v1' }],
		['with the credential’s port', { url: 'http://h:8080/v1' }, 'http://h:8080'],
		['to a relative URL', { url: '/v1/inspections', baseURL: BASE }],
		['to a relative URI without its slash', { uri: 'v1/inspections', baseURL: BASE }],
		['to the base alone', { url: '', baseURL: BASE }],
		['to a whole URL next to a base', { url: `${BASE}/v1`, baseURL: BASE }],
		['to a URL with a user', { url: 'https://u:p@api.example.com/v1' }],
		['to a URL object', { url: new URL(BASE) }],
		['with other headers', { url: BASE, headers: { accept: 'x', Host: 'API.example.com' } }],
		['with blanks in the headers', { url: BASE, headers: { ' Host ': ' api.example.com ' } }],
		['with a certificate', { url: BASE, agentOptions: { rejectUnauthorized: false } }],
		['without a proxy', { url: BASE, proxy: false }],
		['with an empty proxy', { url: BASE, proxy: '' }],
		['without a base or headers', { url: BASE, baseURL: '', uri: null, headers: null }],
	])('is sent along %s', (_, request, baseUrl) => {
		check(request, baseUrl);
	});
});

describe('the API key for another address', () => {
	it.each<[string, Destination, string]>([
		['another host', { url: 'https://evil.example/v1' }, 'goes to https://evil.example.'],
		['another host by the older option', { uri: 'https://evil.example/v1' }, 'evil.example.'],
		['the second of two', { url: BASE, uri: 'https://evil.example' }, 'evil.example.'],
		['another base, unused', { url: BASE, baseURL: 'https://evil.example' }, 'evil.example.'],
		['another port', { url: 'https://api.example.com:444/v1' }, 'https://api.example.com:444.'],
		['no scheme and no base', { url: '//evil.example/v1' }, 'goes to an incomplete address.'],
		['another scheme', { url: 'file:///etc/passwd' }, 'goes to file:.'],
		['a path alone', { url: '/v1/inspections' }, 'goes to an incomplete address.'],
		['nothing', {}, 'goes to an incomplete address.'],
		['a proxy', { url: BASE, proxy: 'http://evil.example' }, "Remove the option 'Proxy'"],
		[
			'a proxy object',
			{ url: BASE, proxy: { host: 'evil', port: 1 } },
			"Remove the option 'Proxy'",
		],
		['a Host header', { url: BASE, headers: { ' hOST ': 'evil' } }, 'Remove this header'],
		...['host', 'port', 'path', 'lookup', 'socketPath'].map(
			(name): [string, Destination, string] => {
				const agentOptions = { [name]: 'evil.example' };
				return [
					name,
					{ url: BASE, agentOptions },
					`the setting "${name}" under agentOptions, which changes the server that n8n connects to. Remove this setting`,
				];
			},
		),
	])("isn't sent if the destination has %s", (_, request, words) => {
		const refusal = problemOf(() => check(request));
		expect(refusal).toMatch(/^The credential's API key is only sent to https:..api.example.com, /);
		expect(refusal).toContain(words);
	});

	it("isn't sent, with an error that hides the address's secrets", () => {
		for (const url of ['https://u:KEY@evil.example/KEY?KEY', 'x:KEY@h', '/a?KEY']) {
			expect(problemOf(() => check({ url }))).toMatch(/^The credential's API key (?!.*KEY)/);
		}
	});

	it("isn't sent to a different server, however a client combines the base URL with the path", () => {
		const parts = fc.constantFrom(
			'https:',
			'http:',
			'/',
			'//',
			'\\',
			'@',
			':',
			'.',
			' ',
			'\t',
			'#',
			'?',
			'evil',
			'443',
			'api.example.com',
			BASE,
		);
		const addresses = fc.array(parts, { maxLength: 8 }).map((all) => all.join(''));
		const bases = fc.option(addresses, { nil: undefined });
		fc.assert(
			fc.property(addresses, bases, (url, baseURL) => {
				if (problemOf(() => check({ url, baseURL })) !== 'no problem') return;
				const isWhole = /^([a-z][a-z\d+.-]*:)?\/\//i.test(url);
				const base = baseURL ?? '';
				// Combines the base URL and the path as axios does. `read` also contains the address that a URL parser builds
				// from both.
				const joined =
					base === '' || isWhole ? url : `${base.replace(/\/?\/$/, '')}/${url.replace(/^\/+/, '')}`;
				// Omits addresses that can't be parsed, because an HTTP client couldn't send a request to them.
				const read = [
					...(URL.canParse(joined) ? [new URL(joined)] : []),
					...(URL.canParse(url, base || undefined) ? [new URL(url, base || undefined)] : []),
				];
				expect(read.map(({ origin }) => origin)).toEqual(read.map(() => 'https://api.example.com'));
			}),
			{ numRuns: 5_000 },
		);
	});
});
