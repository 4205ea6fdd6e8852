import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	checkDestination,
	type Destination,
	normaliseBaseUrl,
} from '#connector/domain/request/serviceAddress.ts';

const BASE = 'https://api.example.com/sub';
const check = (request: Destination, baseUrl = BASE) => {
	checkDestination(request, normaliseBaseUrl(baseUrl));
};

describe('the API key goes along', () => {
	test.each<[string, Destination, string?]>([
		['to the base URL', { url: `${BASE}/v1/inspections?a=b` }],
		['to another path of its server', { uri: 'https://api.example.com/health' }],
		['in another case and with the usual port', { uri: 'HTTPS://API.Example.COM:443/v1' }],
		['with the credential’s port', { url: 'http://h:8080/v1' }, 'http://h:8080'],
		['to a relative URL', { url: '/v1/inspections', baseURL: BASE }],
		['to a relative URI without its slash', { uri: 'v1/inspections', baseURL: BASE }],
		['to the base alone', { url: '', baseURL: BASE }],
		['to a whole URL beside a base', { url: `${BASE}/v1`, baseURL: BASE }],
		['to a URL with a user of its own', { url: 'https://u:p@api.example.com/v1' }],
		['to a URL object', { url: new URL(BASE) }],
		['with other headers', { url: BASE, headers: { accept: 'x', Host: 'API.example.com' } }],
		['with blanks in the headers', { url: BASE, headers: { ' Host ': ' api.example.com ' } }],
		['with a certificate', { url: BASE, agentOptions: { rejectUnauthorized: false } }],
		['without a proxy', { url: BASE, proxy: false }],
		['with an empty proxy', { url: BASE, proxy: '' }],
		['without a base or headers', { url: BASE, baseURL: '', uri: null, headers: null }],
	])('%s', (_, request, baseUrl) => {
		check(request, baseUrl);
	});
});

describe('the API key stays', () => {
	test.each<[string, Destination, string]>([
		['another host', { url: 'https://evil.example/v1' }, 'goes to https://evil.example.'],
		['another host by the older option', { uri: 'https://evil.example/v1' }, 'evil.example.'],
		['the second of two', { url: BASE, uri: 'https://evil.example' }, 'evil.example.'],
		['a whole URL beside a base', { url: 'https://evil.example', baseURL: BASE }, 'evil.example.'],
		['another base', { url: '/v1', baseURL: 'https://evil.example' }, 'evil.example.'],
		['another base, unused', { url: BASE, baseURL: 'https://evil.example' }, 'evil.example.'],
		['no encryption', { url: 'http://api.example.com/v1' }, 'goes to http://api.example.com.'],
		['another port', { url: 'https://api.example.com:444/v1' }, 'https://api.example.com:444.'],
		['a host below', { url: 'https://api.example.com.evil.example' }, 'com.evil.example.'],
		['a user that looks like it', { url: 'https://api.example.com@evil.example' }, 'evil.example.'],
		['no scheme', { url: '//evil.example/v1', baseURL: BASE }, 'https://evil.example.'],
		['no scheme and no base', { url: '//evil.example/v1' }, 'goes to no whole address.'],
		['backslashes', { url: '\\\\evil.example', baseURL: BASE }, 'https://evil.example.'],
		['a scheme without slashes', { url: 'https:evil.example' }, 'https://evil.example.'],
		['blanks before it', { url: ' \t//evil.example', baseURL: BASE }, 'https://evil.example.'],
		['another scheme', { url: 'file:///etc/passwd' }, 'goes to file:.'],
		['a path alone', { url: '/v1/inspections' }, 'goes to no whole address.'],
		['nothing', {}, 'goes to no whole address.'],
		['a proxy', { url: BASE, proxy: 'http://evil.example' }, 'Remove the option Proxy'],
		['a proxy object', { url: BASE, proxy: { host: 'evil', port: 1 } }, 'Remove the option Proxy'],
		...['host', 'port', 'path', 'lookup', 'socketPath'].map(
			(name): [string, Destination, string] => [
				`a ${name} of the agent`,
				{ url: BASE, agentOptions: { [name]: 'evil.example' } },
				`(${name} of agentOptions). Remove it`,
			],
		),
		['a Host header', { url: BASE, headers: { hOST: 'evil.example' } }, 'Remove the header Host'],
		[
			'a Host in blanks',
			{ url: BASE, headers: { ' Host ': 'evil.example' } },
			'Remove the header Host',
		],
	])('%s', (_, request, words) => {
		expect(() => {
			check(request);
		}).toThrow("The credential's API key is sent to https://api.example.com only");
		expect(() => {
			check(request);
		}).toThrow(words);
	});

	test('its message shows no secrets of the other address', () => {
		for (const url of ['https://u:KEY@evil.example/KEY?KEY', 'x:KEY@h', '/a?KEY']) {
			expect(() => {
				check({ url });
			}).toThrow(/^(?!.*KEY)/);
		}
	});

	test('wherever an address leads by one of its two readings', () => {
		const parts = fc.constantFrom(
			...['https:', 'http:', '/', '//', '\\', '@', ':', '.', ' ', '\t', '#', '?', 'evil', '443'],
			...['api.example.com', BASE],
		);
		const addresses = fc.array(parts, { maxLength: 8 }).map((all) => all.join(''));
		const bases = fc.option(addresses, { nil: undefined });
		fc.assert(
			fc.property(addresses, bases, (url, baseURL) => {
				try {
					check({ url, baseURL });
				} catch {
					return;
				}
				const isWhole = /^([a-z][a-z\d+.-]*:)?\/\//i.test(url);
				const base = baseURL ?? '';
				// As axios joins the two, and as a URL parser does.
				const joined =
					base === '' || isWhole ? url : `${base.replace(/\/?\/$/, '')}/${url.replace(/^\/+/, '')}`;
				// What is no address to one of them is not sent by it.
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
