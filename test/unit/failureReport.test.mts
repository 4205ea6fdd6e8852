import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { normaliseApiKey } from '../../nodes/InspectionService/domain/request/apiKey.ts';
import { normaliseBaseUrl } from '../../nodes/InspectionService/domain/request/baseUrl.ts';
import { normaliseCreatePath } from '../../nodes/InspectionService/domain/request/createPath.ts';
import { reportOf } from '../../nodes/InspectionService/domain/request/failureReport.ts';
import { pathSegment } from '../../nodes/InspectionService/domain/request/pathSegment.ts';
import { redactorOf } from '../../nodes/InspectionService/domain/request/redaction.ts';
import { redirectTarget } from '../../nodes/InspectionService/domain/request/redirect.ts';
import type {
	RequestFailure,
	ServiceOperation,
} from '../../nodes/InspectionService/domain/request/requestFailure.ts';
import { serviceWords } from '../../nodes/InspectionService/domain/serviceWords.ts';

const OPERATIONS: ServiceOperation[] = [
	'getTemplate',
	'createInspection',
	'listInspections',
	'getFileUrl',
	'downloadFile',
];

describe('the service’s words', () => {
	test.each([
		['{"code":404,"message":"Template not found"}', 'Template not found'],
		['{"error":{"code":1,"message":"No"}}', 'No'],
		['{"error":"invalid","error_description":"too long"}', 'invalid'],
		['{"errors":[{"message":"a"},{"detail":"b"}]}', 'a; b'],
		['{"errors":{"name":["is long","is odd"]}}', 'name: is long; is odd'],
		['{"title":"Bad Request","detail":"No team"}', 'No team'],
		['{"Message":"Upper"}', 'Upper'],
		['{"message":" ","detail":"No team"}', 'No team'],
		['"just text"', 'just text'],
		['["a",null,7,"b"]', 'a; b'],
		['{"error":[],"detail":"No team"}', 'No team'],
		['<body><h1 class="big">Gone</h1></body>', 'Gone'],
		['["a","b","c","d","e","f"]', 'a; b; c; d; e'],
		['[[[[["inside"]]]]]', 'inside'],
		['[[[[[["too deep"]]]]]]', undefined],
		['plain  text\n\twith\u0000 noise', 'plain text with noise'],
		['<html><head><title>502 Bad\nGateway</title></head></html>', '502 Bad Gateway'],
		['<?xml version="1.0"?><Error><Message>Expired</Message></Error>', 'Expired'],
		['{"message":"cut of', undefined],
		['{"code":500}', undefined],
		['{"message":{"message":{}}}', undefined],
		['', undefined],
		['null', undefined],
		['42', undefined],
		['<p>no title</p>', undefined],
	])('%s', (body, words) => {
		expect(serviceWords(body)).toBe(words);
	});

	test('are one short clean line, whatever comes', () => {
		fc.assert(
			fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.string()), (body) => {
				const words = serviceWords(body);
				if (words === undefined) return;
				expect(words.length).toBeLessThanOrEqual(300);
				expect(words).toBe(words.trim());
				expect(words).not.toMatch(/[\p{Cc}\p{Cs}]/u);
			}),
		);
		expect(serviceWords('😀'.repeat(400))).not.toMatch(/\p{Cs}/u);
	});
});

test('every status of every operation has words and a cure', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...OPERATIONS),
			fc.integer({ min: 100, max: 999 }),
			fc.string(),
			(operation, status, body) => {
				const request = { operation, baseUrl: 'https://host', path: '/v1/x' };
				const report = reportOf(request, { kind: 'status', status, body });
				expect(report.message).toContain(String(status));
				expect(report.description.length).toBeGreaterThan(20);
				expect(report.httpCode).toBe(String(status));
				expect(report.failure).toBeDefined();
			},
		),
	);
});

test.each([
	['listInspections', 401, { cause: 'credential-invalid' }],
	['listInspections', 403, { cause: 'credential-invalid' }],
	['listInspections', 404, { cause: 'configuration-invalid' }],
	['listInspections', 429, { cause: 'rate-limited', retryAfterMs: 7000 }],
	['listInspections', 503, { cause: 'temporarily-unavailable', retryAfterMs: 7000 }],
	['downloadFile', 403, { cause: 'configuration-invalid' }],
] as const)('n8n is told the cause of %s failing with %d: %j', (operation, status, failure) => {
	const request = { operation, baseUrl: 'https://host', path: '/v1/x' };
	const report = reportOf(request, { kind: 'status', status, body: '', retryAfterMs: 7000 });
	expect(report.failure).toEqual(failure);
});

test.each([
	['ECONNRESET', 'temporarily-unavailable'],
	['ECONNREFUSED', 'temporarily-unavailable'],
	['', 'temporarily-unavailable'],
	['CERT_HAS_EXPIRED', 'configuration-invalid'],
])('n8n is told whether a failed connection (%j) may do better later: %s', (code, cause) => {
	const request = { operation: 'listInspections' as const, baseUrl: 'https://host', path: '/' };
	const report = reportOf(request, { kind: 'network', trouble: { code, detail: '' } });
	expect(report.failure).toEqual({ cause });
});

test.each([true, false])(
	'a response of the wrong kind tells n8n to poll again later (%s)',
	(broken) => {
		const request = { operation: 'listInspections' as const, baseUrl: 'https://host', path: '/' };
		const report = reportOf(request, {
			kind: 'response',
			status: 200,
			reason: 'it is odd',
			broken,
		});
		expect(report.failure).toEqual({ cause: 'temporarily-unavailable' });
	},
);

describe('each error that the document lists for an operation has an explanation of its own', () => {
	test.each([
		['getTemplate', 400, /template ID or identifier/, /GUID.*20 characters/],
		['createInspection', 400, /refused the inspection/, /1000.*50/],
		[
			'createInspection',
			401,
			/refused the API key/,
			/^The inspection was not created\. Check the API key/,
		],
		['listInspections', 400, /filters of the list/, /dates, the team, the statuses/],
		['listInspections', 401, /or it may not access these inspections/, /Check the API key/],
		['listInspections', 404, /no such list/, /team in the filters, and the base URL/],
		['getFileUrl', 400, /inspection ID or file ID/, /UUIDs.*instacount/],
		['getFileUrl', 401, /or the organization may not view this inspection/, /Check the API key/],
	] as const)('%s %d', (operation, status, message, description) => {
		const request = { operation, baseUrl: 'https://host', path: '/v1/x' };
		const report = reportOf(request, { kind: 'status', status, body: '' });
		expect(report.message).toMatch(message);
		expect(report.description).toMatch(description);
	});

	test('and a web page says that the base URL may lead elsewhere', () => {
		const request = { operation: 'listInspections' as const, baseUrl: 'https://host', path: '/' };
		const told = (body: string) =>
			reportOf(request, { kind: 'status', status: 404, body }).description;
		expect(told('<!doctype html><title>Shop</title>')).toMatch(/web page: the base URL/);
		expect(told('<Error/>')).not.toMatch(/web page/);
	});

	test.each(['getTemplate', 'createInspection', 'listInspections', 'getFileUrl'] as const)(
		'%s names the base URL where a 404 is not the service’s own',
		(operation) => {
			const told = (body: string) =>
				reportOf(
					{ operation, baseUrl: 'https://host/wrong', path: '/v1/x' },
					{ kind: 'status', status: 404, body },
				).description;
			const bodies = [
				'',
				'Not Found',
				'{"message":"Cannot GET /wrong/v1/x"}',
				'{"code":7}',
				'<html>',
			];
			for (const body of bodies) expect(told(body)).toContain('base URL');
		},
	);

	test.each(['getTemplate', 'getFileUrl'] as const)(
		'%s blames the ID alone where the 404 is the service’s own',
		(operation) => {
			const body = '{"code":404,"message":"Template not found"}';
			const request = { operation, baseUrl: 'https://host', path: '/v1/x' };
			const { description } = reportOf(request, { kind: 'status', status: 404, body });
			expect(description).not.toContain('base URL');
		},
	);

	test('and only a create that may have happened is in doubt', () => {
		const request = { baseUrl: 'https://h', path: '/' };
		const isInDoubt = (operation: ServiceOperation, failure: RequestFailure) =>
			reportOf({ ...request, operation }, failure).inDoubt ?? false;
		expect(isInDoubt('createInspection', { kind: 'timeUp' })).toBe(true);
		expect(isInDoubt('createInspection', { kind: 'notSent', detail: '' })).toBe(false);
		expect(isInDoubt('listInspections', { kind: 'timeUp' })).toBe(false);
	});

	test('and a create that may have happened says how to find the inspection', () => {
		const request = { operation: 'createInspection' as const, baseUrl: 'https://h', path: '/' };
		const at = new Date(Date.UTC(2026, 1, 3, 4, 5, 6));
		const told = (name?: string) =>
			reportOf({ ...request, created: { name, at } }, { kind: 'timeUp' }).description;
		expect(told('Floor 3')).toContain('named "Floor 3" created at about 2026-02-03T04:05:06.000Z');
		expect(told()).toContain('a name made of the template name and the time created at about 2026');
	});
});

describe('trouble with the storage of files', () => {
	const request = { operation: 'downloadFile' as const, baseUrl: 'https://files', path: '' };
	const troubles: RequestFailure[] = [
		...[202, 302, 304, 401, 403, 404, 408, 416, 429, 500, 503].map((status) => ({
			kind: 'status' as const,
			status,
			body: '<html><title>No</title></html>',
			location: 'https://elsewhere',
		})),
		...['ENOTFOUND', 'ECONNREFUSED', 'CERT_HAS_EXPIRED', 'EPROTO', 'ECONNRESET'].map((code) => ({
			kind: 'network' as const,
			trouble: { code, detail: 'wrong version number' },
		})),
		{ kind: 'throttled', by: { kind: 'status', status: 429, body: '', retryAfterMs: 1000 } },
		{ kind: 'timeUp' },
		{ kind: 'notSent', detail: '' },
		{ kind: 'cutOff', detail: '' },
	];

	test.each(troubles)('is no fault of the service or the credential: %j', (failure) => {
		const report = reportOf(request, failure);
		expect(report.message).not.toMatch(/service/);
		expect(report.description).not.toMatch(/base URL|credential|API key/);
		expect(report.failure?.cause).not.toBe('credential-invalid');
	});

	test('has its own cures', () => {
		const network = (code: string) =>
			reportOf(request, { kind: 'network', trouble: { code, detail: '' } });
		expect(network('ENOTFOUND').message).toMatch(/^The file storage at https:\/\/files could not/);
		expect(network('ENOTFOUND').description).toMatch(/n8n's server .* DNS/);
		expect(network('CERT_HAS_EXPIRED').description).toMatch(/certificate/);
		const status = reportOf(request, { kind: 'status', status: 503, body: 'Down for an hour' });
		expect(status.message).toBe('The file storage has trouble of its own (503): Down for an hour');
	});

	test('is told without an address before one is known', () => {
		const { message } = reportOf({ ...request, baseUrl: '' }, { kind: 'timeUp' });
		expect(message).toMatch(/^The file storage could not be reached: .* \(ETIMEDOUT\)$/);
	});
});

const FAILURES: RequestFailure[] = [
	...[408, 429, 500, 503, 504].map((status) => ({ kind: 'status' as const, status, body: '' })),
	...['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'EPROTO', ''].map((code) => ({
		kind: 'network' as const,
		trouble: { code, detail: '' },
	})),
	{ kind: 'response', status: 200, reason: 'is empty', broken: true },
	{ kind: 'throttled', by: { kind: 'status', status: 429, body: '', retryAfterMs: 1000 } },
	{ kind: 'timeUp' },
	{ kind: 'cancelled', sent: true },
	{ kind: 'cancelled', sent: false },
	{ kind: 'notSent', detail: '' },
];

test.each(FAILURES)('nobody is told to send a create once more: %j', (failure) => {
	const created = { name: 'Floor 3', at: new Date(0) };
	const request = { operation: 'createInspection' as const, baseUrl: 'https://host', path: '/' };
	const { message, description } = reportOf({ ...request, created }, failure);
	expect(`${message} ${description}`).not.toMatch(/retry on fail|try again|run [^.]*again/i);
	expect(description.length).toBeGreaterThan(20);
});

describe('a failure of the network is told in words', () => {
	test.each([
		['ETIMEDOUT', /could not be made in time \(ETIMEDOUT\)$/],
		['ECONNREFUSED', /the connection was refused/],
	])('%s while connecting', (code, message) => {
		const request = { operation: 'listInspections' as const, baseUrl: 'https://host', path: '/' };
		const trouble = { code, detail: '', syscall: 'connect' };
		expect(reportOf(request, { kind: 'network', trouble }).message).toMatch(message);
	});

	test.each([
		['ECONNREFUSED', '', /the connection was refused, nothing listens .* \(ECONNREFUSED\)$/],
		['EMFILE', '', /too many files or connections open \(EMFILE\)$/],
		['EPERM', '', /n8n's server may not connect to it \(EPERM\)$/],
		['HPE_INVALID_CONSTANT', 'Parse Error', /what came back is not HTTP \(HPE_INVALID_CONSTANT\)$/],
		['ERR_NEW', 'Nobody\nknows <b>', /the connection failed: Nobody knows <b> \(ERR_NEW\)$/],
		['', '', /the connection failed$/],
	])('%s %j', (code, detail, message) => {
		const request = { operation: 'listInspections' as const, baseUrl: 'https://host', path: '/' };
		const report = reportOf(request, { kind: 'network', trouble: { code, detail } });
		expect(report.message).toMatch(message);
		expect(report.description).toMatch(/base URL|proxy/);
	});
});

describe('a redirect', () => {
	const request = { baseUrl: 'http://old.example/api', path: '/v1/inspections?page=1' };

	test.each([
		['https://old.example/api/v1/inspections?page=1', 'https://old.example/api'],
		['https://new.example/v1/inspections/', 'https://new.example'],
		['/other/v1/inspections', 'http://old.example/other'],
		['https://login.example/start?next=secret', undefined],
		['http://old.example/api/v1/inspections?page=1', undefined],
	])('to %s', (location, baseUrl) => {
		const target = redirectTarget(request, location);
		expect(target?.baseUrl).toBe(baseUrl);
		expect(target?.address).not.toContain('?');
	});

	test.each([undefined, 'javascript:alert(1)', 'http://'])('to %s has no target', (location) => {
		expect(redirectTarget(request, location)).toBeUndefined();
	});

	const cureOf = (baseUrl: string, location: string) =>
		reportOf(
			{ operation: 'listInspections', baseUrl, path: '/v1/inspections' },
			{ kind: 'status', status: 302, body: '', location },
		).description;

	test.each([
		'http://api.example/v1/inspections',
		'http://elsewhere.example/v1/inspections',
		'http://api.example:8443/sub/v1/inspections',
	])('from https to %s is no address to enter', (location) => {
		const cure = cureOf('https://api.example', location);
		expect(cure).toMatch(/not encrypted \(http\): do not enter it/);
		expect(cure).not.toContain('http://');
	});

	test('to another host warns before anybody enters it', () => {
		const cure = cureOf('https://api.example', 'https://elsewhere.example/v1/inspections');
		expect(cure).toMatch(/^That is another host .*only if you know/);
		expect(cure).not.toContain('elsewhere');
	});

	test.each([
		['http://api.example', 'https://api.example/v1/inspections', 'https://api.example'],
		['https://api.example', '/sub/v1/inspections', 'https://api.example/sub'],
	])('from %s to %s is told with the base URL', (baseUrl, location, wanted) => {
		expect(cureOf(baseUrl, location)).toBe(`Set the base URL in the credential to ${wanted}`);
	});
});

describe('the base URL', () => {
	test.each([
		['https://api.example.com', 'https://api.example.com'],
		[' https://api.example.com/ ', 'https://api.example.com'],
		['api.example.com', 'https://api.example.com'],
		['HTTPS://API.example.com:8443/sub/path//', 'https://api.example.com:8443/sub/path'],
		['http://[::1]:5000/', 'http://[::1]:5000'],
		['https://api.example.com/v1/', 'https://api.example.com'],
		['https://bücher.example', 'https://xn--bcher-kva.example'],
		['localhost:3000', 'https://localhost:3000'],
		['http.example', 'https://http.example'],
	])('%s', (given, expected) => {
		expect(normaliseBaseUrl(given)).toBe(expected);
	});

	test.each([undefined, null, 7, '', ' \n'])('%j is none', (given) => {
		expect(() => normaliseBaseUrl(given)).toThrow(/^The credential has no base URL\. Enter/);
	});

	test.each([
		'https://',
		'http:/h',
		'https:h',
		'ftp://x',
		'a b',
		'https://u:p@x',
		'https://x?y',
		'https://x#y',
	])('%s is refused with an example', (given) => {
		expect(() => normaliseBaseUrl(given)).toThrow(/credential/);
	});

	test.each([
		['https://api.exa\u200bmple.com', 'Character 16', 'U+200B'],
		['\u200bhttps://api.example.com', 'Character 1', 'U+200B'],
		['https://api.example.com\u00ad', 'Character 24', 'U+00AD'],
		['https://api.example\u2060.com', 'Character 20', 'U+2060'],
		['https://api.example.com/\u202egpj', 'Character 25', 'U+202E'],
		['https://api.example.com/a\ufe0f', 'Character 26', 'U+FE0F'],
		['https://api.exa\nmple.com', 'Character 16', 'U+000A'],
		['https://api.exa\u00a0mple.com', 'Character 16', 'U+00A0'],
		['https://api.exa\ud800mple.com', 'Character 16', 'U+D800'],
	])('%j is refused: its %s is %s, which nobody sees', (given, place, code) => {
		expect(() => normaliseBaseUrl(given)).toThrow(
			`${place} of the base URL in the credential (${code}) cannot be seen`,
		);
	});

	test.each([
		['a b', '"a b"'],
		['ftp://host/path', '"ftp://host/path"'],
		['https://host/path?team=1', '"https://host/path…"'],
		['ftp://user:password@host', '"ftp://…"'],
	])('the error about %s shows %s', (given, shown) => {
		expect(() => normaliseBaseUrl(given)).toThrow(`The base URL ${shown} in the credential`);
	});

	test.each([
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
	])('the error about %s does not repeat the key in it', (given) => {
		expect(() => normaliseBaseUrl(given)).toThrow(/^(?!.*KEY)/);
		expect(() => normaliseCreatePath(given)).toThrow(/^(?!.*KEY)/);
	});
});

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
		expect(() => normaliseApiKey(given)).toThrow(
			new RegExp(`${place} .*${code.replace('+', '.')}`),
		);
		expect(() => normaliseApiKey(given)).toThrow(/^(?!.*efgh)/);
	});

	test.each([undefined, null, '', ' ', true, {}])('%j is refused', (given) => {
		expect(() => normaliseApiKey(given)).toThrow(/has no API key/);
	});
});

describe('the create path', () => {
	test.each([
		[undefined, '/v1/inspections'],
		['', '/v1/inspections'],
		['v2/new', '/v2/new'],
		[' /v1/inspections/create ', '/v1/inspections/create'],
	])('%s', (given, expected) => {
		expect(normaliseCreatePath(given)).toBe(expected);
	});

	test.each([
		...['https://evil.example/x', '//evil.example', '/a/../b', '/a b', '/a?b', '\\\\x'],
		...['/%2e%2e/x', '/a/%2E', '%2e%2e', '/a/.%2e/b', '/..%2fb', '/a%5c..%5cb', '/a%0d%0ab'],
		...['/%252e%252e/x', '/a/%25252e', '/a%zz', '/a%ff'],
	])('%s is refused', (given) => {
		expect(() => normaliseCreatePath(given)).toThrow(/is not a path/);
	});

	test.each(['/v1/my%20path', '/v1/%C3%BC', '/v1/a..b', '/v1/...'])('%s is taken', (given) => {
		expect(normaliseCreatePath(given)).toBe(given);
	});
});

test('an id stays one segment of a path', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (id) => {
			fc.pre(!['', '.', '..'].includes(id.trim()));
			const url = new URL(`https://host/a/${pathSegment('ID', id)}/b`);
			expect(url.pathname.split('/')).toHaveLength(4);
			expect(url.search + url.hash).toBe('');
		}),
	);
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

test('a secret with letters that a URL writes as several bytes leaves no trace either', () => {
	const url = `https://x/?key=${encodeURIComponent('schlüssel-検査')}`;
	expect(redactorOf('schlüssel-検査')(url)).toBe('https://x/?key=[API key]');
});

describe('a secret is taken out in whatever spelling it comes back', () => {
	const secret = 'ab.d+e/f&g<h"i\\j==';
	const inUrl = encodeURIComponent(secret);
	const numbered = (format: (code: number) => string) =>
		Array.from(secret, (character) => format(character.charCodeAt(0))).join('');
	const json = JSON.stringify(secret);

	test.each([
		['plain', secret],
		['a URL', inUrl],
		['a URL in lower case', inUrl.toLowerCase()],
		['a URL within a URL', encodeURIComponent(inUrl)],
		['JSON', json],
		['JSON within JSON', JSON.stringify(json)],
		['JSON of PHP', json.replaceAll('/', '\\/')],
		['JSON of PHP within JSON', JSON.stringify(json.replaceAll('/', '\\/'))],
		['JSON of .NET', json.replace(/[+&<"]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)],
		[
			'JSON in numbers',
			numbered((code) => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`),
		],
		['HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
		['HTML in JSON of .NET', secret.replaceAll('&', '\\u0026amp;').replaceAll('<', '\\u0026lt;')],
		[
			'HTML in numbers',
			secret.replace(/[+/&<"\\=]/g, (c) => `&#x${c.charCodeAt(0).toString(16)};`),
		],
	])('%s', (_name, text) => {
		expect(redactorOf(` ${secret}\n`)(`<p>${text}</p>`)).toMatch(/^<p>"?(\\*")?\[API key\]/);
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
