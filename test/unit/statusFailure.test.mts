/** Tests the messages of responses with an error status, and how long such a response asks the client to wait. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { RequestInfo, ServiceOperation } from '#connector/domain/request/requestInfo.ts';
import { requestedWaitMs } from '#connector/domain/request/statusFailure.ts';
import {
	failureOf,
	network,
	outOfTime,
	status,
	throttled,
	type Trouble,
	TROUBLES,
} from './failures.mts';

const CALLS = ['getTemplate', 'createInspection', 'listInspections', 'getFileUrl'] as const;

const report = (operation: ServiceOperation, trouble: Trouble, info: Partial<RequestInfo> = {}) =>
	failureOf(operation, trouble, info).facts;

test('every status of every operation has a message with a fix', () => {
	const operations = fc.constantFrom<ServiceOperation>(...CALLS, 'downloadFile');
	const statuses = fc.integer({ min: 100, max: 999 });
	fc.assert(
		fc.property(operations, statuses, fc.string(), (operation, code, body) => {
			const failure = report(operation, status(code, { body, retryAfterMs: 7000 }));
			expect(failure.message).toContain(String(code));
			expect(failure.description.length).toBeGreaterThan(20);
			expect(failure.httpCode).toBe(String(code));
			expect(failure.cause).toBeDefined();
			const mayWait = code === 408 || code === 429 || code >= 500;
			expect(failure.retryAfterMs).toBe(mayWait ? 7000 : undefined);
		}),
	);
});

describe('an error that the document lists for an operation', () => {
	test.each([
		['getTemplate', 400, /template ID or identifier/, /ID.*20 characters/],
		['getTemplate', 404, /template was not found/, /template's ID or identifier/],
		[
			'createInspection',
			403,
			/doesn't have permission to create this inspection/,
			/was not created/,
		],
		[
			'testCredential',
			403,
			/doesn't have permission to list inspections/,
			/Give the user of the API key/,
		],
		['testCredential', 404, /Nothing responds at/, /without the path of a page/],
		['listInspections', 403, /doesn't have permission for this/, /Give the user/],
		['getFileUrl', 403, /doesn't have permission to read files/, /Give the user of the API key/],
		['getFileUrl', 404, /inspection or the file was not found/, /Check both IDs/],
		['downloadFile', 403, /storage refused the signed download URL/, /refused a new URL/],
		['downloadFile', 418, /418/, /file still exists in the inspection/],
		['createInspection', 400, /refused the inspection/, /1000.*50/],
		['createInspection', 401, /refused the API key/, /^The inspection was not created\. Check the/],
		['createInspection', 404, /or belongs to a different team/, /published, and not/],
		['createInspection', 405, /can't be created at this address/, /and 'Create Path'/],
		['createInspection', 413, /larger than the service accepts/, /fewer answers/],
		[
			'listInspections',
			407,
			/proxy between n8n and the service requires a login/,
			/proxy settings/,
		],
		['listInspections', 400, /filters of the list/, /dates, team, statuses/],
		[
			'listInspections',
			404,
			/list of inspections was not found/,
			/team in the filters and the base URL/,
		],
		['getFileUrl', 400, /inspection ID or file ID/, /An ID looks like .*instacount/],
		['getFileUrl', 401, /refused the API key/, /access to the requested data/],
	] as const)('has a specific message: %s %d', (operation, code, message, description) => {
		const failure = report(operation, status(code));
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(description);
	});

	test("suggests that the base URL leads elsewhere if it's a web page", () => {
		const descriptionFor = (body: string) =>
			report('listInspections', status(404, { body })).description;
		expect(descriptionFor('<!doctype html><title>Shop</title>')).toMatch(/web page: the base URL/);
		expect(descriptionFor('<Error/>')).not.toMatch(/web page/);
	});

	test("doesn't blame the API key for status 403 if it's a web page", () => {
		const body = '<html><title>Access denied by WebGuard</title></html>';
		const failure = report('listInspections', status(403, { body }));
		expect(failure.message).toBe(
			'A proxy or filter blocked the request (403): Access denied by WebGuard',
		);
		expect(failure.description).toMatch(/^Ask the n8n administrator to allow/);
		expect(failure.description).not.toMatch(/API key|permission/);
		expect(failure.cause).toBe('configuration-invalid');
	});

	test('shows how long to wait for status 503', () => {
		const { description } = report('listInspections', status(503, { retryAfterMs: 90_000 }));
		expect(description).toMatch(/^Wait 90 seconds before the next run\. If this continues, ask/);
	});

	test.each(CALLS)("mentions the base URL if something wasn't found: %s", (operation) => {
		expect(report(operation, status(404)).description).toContain('base URL');
	});

	test("lists the template that wasn't found, one of several", () => {
		const failure = report('getTemplate', status(404), { template: ' WALK-7\n' });
		expect(failure.message).toBe('The template "WALK-7" was not found (404)');
	});
});

test.each([
	[undefined, 'Wait a while before'],
	[0, 'Wait a while before'],
	[6_001, 'Wait 7 seconds before'],
	[119_000, 'Wait 119 seconds before'],
	[120_000, 'Wait 2 minutes before'],
	[121_000, 'Wait 3 minutes before'],
])(
	'too many requests with a wait of %s ms have the fix that begins with "%s"',
	(retryAfterMs, fix) => {
		const failure = report('listInspections', status(429, { retryAfterMs }));
		expect(failure.message).toMatch(/is receiving too many requests/);
		expect(failure.description).toContain(fix);
	},
);

describe('a failed create', () => {
	test('shows that nothing was created if the service rejected it', () => {
		const statusesMentioning = (operation: ServiceOperation) =>
			[302, 399, 400, 404, 408, 429, 499, 500].filter((code) => {
				const { description } = report(operation, status(code));
				return description.includes('The inspection was not created.');
			});
		expect(statusesMentioning('createInspection')).toEqual([400, 404, 429, 499]);
		expect(statusesMentioning('listInspections')).toEqual([]);
	});

	test.each(Object.entries(TROUBLES))('never recommends resending it: %s', (_, trouble) => {
		const { message, description } = report('createInspection', trouble);
		expect(`${message} ${description}`).not.toMatch(/retry on fail|try again|run [^.]*again/i);
		expect(description.length).toBeGreaterThan(20);
	});
});

describe('a failure of the file storage', () => {
	const storage = (trouble: Trouble, baseUrl = 'https://files') =>
		report('downloadFile', trouble, { baseUrl, path: '' });

	const ownFaults = Object.entries(TROUBLES).filter(
		([name]) => !/^(unusable|cancelled)/.test(name),
	);
	test.each(ownFaults)('blames neither the service nor the credential: %s', (_, trouble) => {
		const failure = storage(trouble);
		expect(failure.message).not.toMatch(/service/);
		expect(failure.description).not.toMatch(/base URL|credential|API key/);
		expect(failure.cause).not.toBe('credential-invalid');
	});

	test.each<[Trouble, RegExp, RegExp, string?]>([
		[network('ENOTFOUND'), /^The file storage at https:\/\/files could not/, /server .*DNS/],
		[network('CERT_HAS_EXPIRED'), /^The file storage/, /certificate/],
		[
			status(503, { body: 'Down' }),
			/^The file storage couldn't process the request \(503\): Down$/,
			/./,
		],
		[throttled(503), /^Not sent: The file storage couldn't process the request \(503\)$/, /./],
		// An empty base URL: the timeout occurred before the file's address was known.
		[outOfTime, /^The file storage could not be reached: .* \(ETIMEDOUT\)$/, /./, ''],
	])('has separate fixes: %#', (trouble, message, description, baseUrl?: string) => {
		expect(storage(trouble, baseUrl).message).toMatch(message);
		expect(storage(trouble, baseUrl).description).toMatch(description);
	});
});

test.each([
	[300, 'https://old.example/api/v1?page=1', ' to https://old.example/api/v1'],
	[302, '/other/v1/inspections', ' to http://old.example/other/v1/inspections'],
	[302, 'https://login.example/start?next=secret', ' to https://login.example/start'],
	[302, 'javascript:alert(1)', ''],
	[302, 'http://', ''],
	[399, undefined, ''],
])('a redirect with %i to %s is described without its query string', (code, location, target) => {
	const base = { baseUrl: 'http://old.example/api', path: '/v1/inspections?page=1' };
	const failure = report('listInspections', status(code, { location }), base);
	expect(failure.message).toBe(
		`The service redirects requests (${String(code)}). The redirect isn't followed, because it would pass on the API key${target}`,
	);
	expect(failure.description).toMatch(
		/^Set the base URL .* only if you know that it's yours\. .*http/,
	);
});

const now = Date.UTC(2026, 0, 1, 12);

test.each<[string | undefined, number | undefined]>([
	['5', 5000],
	[' 1.25 ', 1250],
	['0', 0],
	['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
	['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
	['Sun Nov  6 08:49:37 1994', 37_000],
	['Sun, 06 Nov 1994 08:48:00 GMT', 0],
	[' Sun, 06 Nov 1994 09:49:37 +0100\t', 37_000],
	['Sun, 06 Nov 1994 08:49:37 UTC', 37_000],
	['Sun, 06 Nov 1994 07:49:37 -0100', 37_000],
	['5 s', undefined],
	['99999999999', 2 ** 31 - 1],
	['9'.repeat(400), 2 ** 31 - 1],
	['Sun, 06 Nov 2094 08:48:00 GMT', 2 ** 31 - 1],
	...['soon', 'Sunday 6', '-3', ''].map((header): [string, undefined] => [header, undefined]),
	['Sun, 06 Nov 2094 08:49 GMT', undefined],
	['Sun, 06 Nov 2094 8:49:37 GMT', undefined],
	['Sun, 06 Nov 2094 08:49:7 GMT', undefined],
	['x Sun, 06 Nov 1994 08:49:37 GMT', undefined],
	[undefined, undefined],
])('the HTTP header Retry-After: %s requests a wait of %s ms', (header, expected) => {
	const headers = { 'retry-after': header, date: 'Sun, 06 Nov 1994 08:49:00 GMT' };
	expect(requestedWaitMs({ status: 503, headers, receivedAt: now })).toBe(expected);
});

const unix = now / 1000;

test.each([
	[429, { 'ratelimit-reset': '7' }, 7_000],
	[429, { 'x-ratelimit-reset': String(unix + 9) }, 9_000],
	[429, { 'x-ratelimit-reset': String(unix - 9) }, 0],
	[429, { 'x-ratelimit-reset': ` ${String(unix + 9)} ` }, 9_000],
	[429, { 'ratelimit-reset': String(now + 9_000) }, 9_000],
	[429, { 'x-ratelimit-reset': `${String(now + 9_000)}000` }, 9_000],
	[429, { 'x-ratelimit-reset': `${String(now + 9_000)}000000` }, 9_000],
	[429, { 'x-ratelimit-reset': '9'.repeat(400) }, 2 ** 31 - 1],
	[429, { 'x-ratelimit-reset': '1000000000' }, 0],
	[429, { 'x-ratelimit-reset': '999999999' }, 2 ** 31 - 1],
	[429, { 'ratelimit-reset': String(unix + 9), date: 'Thu, 01 Jan 2026 12:00:05 GMT' }, 4_000],
	[429, { 'retry-after': '2', 'ratelimit-reset': '7' }, 2_000],
	[429, { 'ratelimit-reset': 'soon', 'x-ratelimit-reset': '3' }, 3_000],
	[429, { 'ratelimit-reset': ['7'] }, undefined],
	[503, { 'ratelimit-reset': '7' }, undefined],
	[503, { 'retry-after': '2' }, 2_000],
	// The wait is measured with n8n's clock if the HTTP header `date` is missing.
	[503, { 'retry-after': 'Thu, 01 Jan 2026 12:00:10 GMT' }, 10_000],
])('the HTTP headers of %d with %j request a wait of %s ms', (code, headers, expected) => {
	expect(requestedWaitMs({ status: code, headers, receivedAt: now })).toBe(expected);
});
