import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { meaningOf } from '../../nodes/InspectionService/domain/networkFailure.ts';
import { redactorOf } from '../../nodes/InspectionService/domain/redaction.ts';
import { redirectedBaseUrl } from '../../nodes/InspectionService/domain/redirect.ts';
import {
	reportOf,
	type FailedRequest,
} from '../../nodes/InspectionService/domain/failureReport.ts';
import type { RequestFailure } from '../../nodes/InspectionService/domain/requestFailure.ts';
import { serviceWords } from '../../nodes/InspectionService/domain/serviceWords.ts';

const OPERATIONS = [
	'getTemplate',
	'createInspection',
	'listInspections',
	'getFileUrl',
	'downloadFile',
] as const;

function report(
	operation: FailedRequest['operation'],
	status: number,
	answer: { body?: string; retryAfterMs?: number; location?: string } = {},
) {
	const request = { operation, baseUrl: 'https://api.test', path: '/v1/x' };
	const body = '{"message":"As the service says"}';
	return reportOf(request, { kind: 'status', status, body, ...answer });
}

describe('every status that the interface lists', () => {
	test.each([
		['getTemplate', 400, 'refused the template', 'at most 20 characters'],
		['getTemplate', 401, 'refused the API key', 'expired'],
		['getTemplate', 404, 'template was not found', 'deleted'],
		['getTemplate', 500, 'trouble of its own', 'Retry On Fail'],
		['createInspection', 400, 'refused the inspection', 'assignees (at most 50)'],
		['createInspection', 401, 'refused the API key', 'public API'],
		['createInspection', 403, 'may not create', 'the key may access the team'],
		['createInspection', 404, 'not the one of the template', 'published and not disabled'],
		['createInspection', 500, 'may have been created, or not', 'not sent again'],
		['listInspections', 400, 'refused the filters', 'dates'],
		['listInspections', 401, 'may not access these inspections', 'API key'],
		['listInspections', 404, 'no such list', '/v1'],
		['getFileUrl', 400, 'refused the inspection ID or file ID', 'UUIDs'],
		['getFileUrl', 401, 'may not view this inspection', 'API key'],
		['getFileUrl', 403, 'may not read files', 'inspections:read'],
		['getFileUrl', 404, 'was not found', 'must belong to the inspection'],
	] as const)('%s %d says what happened and what to do', (operation, status, what, cure) => {
		const { message, description, httpCode } = report(operation, status);
		expect(message).toContain(what);
		expect(message).toContain(`(${status}): As the service says`);
		expect(description).toContain(cure);
		expect(httpCode).toBe(String(status));
	});

	test.each([
		[400, 'Nothing was created'],
		[401, 'Nothing was created'],
		[403, 'Nothing was created'],
		[404, 'Nothing was created'],
	])('a create refused with %d says that nothing was created', (status, words) => {
		expect(report('createInspection', status).description).toContain(words);
	});
});

describe('n8n’s scheduler learns the cause', () => {
	test.each([
		[401, { cause: 'credential-invalid' }],
		[403, { cause: 'credential-invalid' }],
		[404, { cause: 'configuration-invalid' }],
		[429, { cause: 'rate-limited', retryAfterMs: 9000 }],
		[500, { cause: 'temporarily-unavailable', retryAfterMs: 9000 }],
	])('%d', (status, failure) => {
		expect(report('listInspections', status, { retryAfterMs: 9000 }).failure).toEqual(failure);
	});
});

test('a create that may have happened says how to find it', () => {
	const request = {
		operation: 'createInspection' as const,
		baseUrl: 'https://api.test',
		path: '/v1/inspections',
		created: { name: 'Roof', at: new Date('2026-01-01T00:00:00Z') },
	};
	const trouble = { code: 'ECONNRESET', detail: 'socket hang up' };
	const { message, description } = reportOf(request, { kind: 'network', trouble });
	expect(message).toMatch(/^The inspection may have been created, or not\./);
	expect(description).toContain('named "Roof" created at about 2026-01-01T00:00:00.000Z');
});

describe('the service’s own words', () => {
	test.each([
		['{"code":400,"message":"Bad date"}', 'Bad date'],
		['{"error":"Bad date"}', 'Bad date'],
		['{"error":{"message":"Bad date"}}', 'Bad date'],
		['{"errors":[{"message":"Bad date"},{"detail":"Bad team"}]}', 'Bad date; Bad team'],
		['{"errors":["Bad date","Bad team"]}', 'Bad date; Bad team'],
		['{"name":["is too long"],"team":["is gone"]}', 'name: is too long; team: is gone'],
		['{"Message":"Bad date"}', 'Bad date'],
		['{"error":"invalid_request","error_description":""}', 'invalid_request'],
		['"Bad date"', 'Bad date'],
		['Bad\r\n  date\u0007', 'Bad date'],
		['<html><head><title>502 Bad Gateway</title></head><body>…</body></html>', '502 Bad Gateway'],
		['<?xml version="1.0"?><Error><Message>Expired</Message></Error>', 'Expired'],
		['{"message":null}', undefined],
		['{"cut off', undefined],
		['[]', undefined],
		['', undefined],
		['<b>', undefined],
	])('%j', (body, words) => {
		expect(serviceWords(body)).toBe(words);
	});

	test('are one line, cut where they are long', () => {
		const words = serviceWords(JSON.stringify({ message: 'very long '.repeat(100) }));
		expect(words).toMatch(/^very long .*…$/);
		expect(words?.length).toBeLessThanOrEqual(300);
	});

	test('are found quickly in megabytes of anything', () => {
		const started = performance.now();
		for (const part of ['<title>', '<!-- ', '[', '{"error":', ' ', '\u202e']) {
			serviceWords(part.repeat(1_000_000));
		}
		expect(performance.now() - started).toBeLessThan(2000);
	});
});

const anyBody = fc.oneof(
	fc.string(),
	fc.json(),
	fc.string({ unit: 'binary' }),
	fc.json().map((json) => json.slice(0, -1)),
	fc.jsonValue().map((value) => JSON.stringify({ error: value })),
);

test('any status and body give an error with a message and a cure, in one line', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...OPERATIONS),
			fc.integer({ min: 100, max: 599 }),
			anyBody,
			(operation, status, body) => {
				const { message, description } = report(operation, status, { body });
				expect(message).toContain(`(${status})`);
				expect(message).not.toMatch(/[\n\r\u2028\u202e]|undefined|\[object/u);
				expect(description.length).toBeGreaterThan(20);
				expect(message.length).toBeLessThan(600);
			},
		),
	);
});

describe('the network’s failures', () => {
	test.each([
		['ENOTFOUND', 'host name does not exist', 'DNS'],
		['EAI_AGAIN', 'could not be looked up', 'DNS'],
		['ECONNREFUSED', 'refused', 'Try again later'],
		['ECONNRESET', 'closed before the answer', 'Try again later'],
		['ECONNABORTED', 'did not answer in time', 'Try again later'],
		['CERT_HAS_EXPIRED', 'certificate has expired', 'certificate'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed', 'NODE_EXTRA_CA_CERTS'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'another host name', 'right host name'],
		['E_NEVER_SEEN', 'connection failed', 'Try again later'],
		['', 'connection failed', 'Try again later'],
	])('%s', (code, what, cure) => {
		const failure: RequestFailure = { kind: 'network', trouble: { code, detail: 'x' } };
		const request = { operation: 'getTemplate' as const, baseUrl: 'https://api.test', path: '/' };
		const { message, description } = reportOf(request, failure);
		expect(message).toContain(`https://api.test could not be reached: `);
		expect(message).toContain(what);
		expect(description).toContain(cure);
	});

	test('a reset while reading is not one while connecting', () => {
		expect(meaningOf({ code: 'ECONNREFUSED', detail: '', syscall: 'connect' }).unsent).toBe(true);
		expect(meaningOf({ code: 'ECONNREFUSED', detail: '', syscall: 'read' }).unsent).toBe(false);
	});
});

describe('a redirect', () => {
	const request = { baseUrl: 'http://api.test', path: '/v1/inspections?page=1' };

	test.each([
		['https://api.test/v1/inspections?page=1', 'https://api.test'],
		['https://new.test/eu/v1/inspections/', 'https://new.test/eu'],
		['https://login.test/?next=%2Fv1', undefined],
		['/v1/inspections', undefined],
	])('to %s names the base URL %s', (location, baseUrl) => {
		expect(redirectedBaseUrl(request, location)?.baseUrl).toBe(baseUrl);
	});

	test('is never told with its query string', () => {
		const { message } = report('listInspections', 302, { location: 'https://x.test/a?token=1' });
		expect(message).toContain('to https://x.test/a');
		expect(message).not.toContain('token');
	});

	test.each(['javascript:alert(1)', 'http://', '', undefined])('to %j goes nowhere', (location) => {
		expect(redirectedBaseUrl(request, location)?.address ?? 'nowhere').not.toMatch(/javascript/);
		expect(report('getTemplate', 301, { location }).message).toContain('sends requests elsewhere');
	});
});

test('a key is taken out of any text, in every form it can have there', () => {
	fc.assert(
		fc.property(fc.string({ minLength: 8 }), fc.string(), fc.string(), (key, before, after) => {
			const redact = redactorOf(key);
			fc.pre(!'[API key]'.includes(key));
			for (const form of [key, JSON.stringify(key), `?k=${encodeURIComponent(key)}`]) {
				const text = redact(before + form + after);
				expect(text.includes(key) && !(before + after).includes(key)).toBe(false);
			}
		}),
	);
});
