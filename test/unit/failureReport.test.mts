import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { redirectTarget, reportOf } from '#connector/domain/request/failureReport.ts';
import type { RequestFailure, ServiceOperation } from '#connector/domain/request/requestFailure.ts';

const OPERATIONS: ServiceOperation[] = [
	'getTemplate',
	'createInspection',
	'listInspections',
	'getFileUrl',
	'downloadFile',
];

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
		{ kind: 'blockedAddress' },
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
	{ kind: 'blockedAddress' },
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
