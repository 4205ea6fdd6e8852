import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Asked, ServiceOperation } from '#connector/domain/request/requestFailure.ts';
import {
	blocked,
	cancelledBefore,
	cancelledUnderway,
	failureOf,
	network,
	notSent,
	outOfTime,
	status,
	throttled,
	type Trouble,
	TROUBLES,
	unusable,
} from './failures.mts';

const CALLS = ['getTemplate', 'createInspection', 'listInspections', 'getFileUrl'] as const;

const report = (operation: ServiceOperation, trouble: Trouble, asked: Partial<Asked> = {}) =>
	failureOf(operation, trouble, asked).facts;

test('every status of every operation has words and a cure', () => {
	const operations = fc.constantFrom<ServiceOperation>(...CALLS, 'downloadFile');
	fc.assert(
		fc.property(
			operations,
			fc.integer({ min: 100, max: 999 }),
			fc.string(),
			(operation, code, body) => {
				const told = report(operation, status(code, { body }));
				expect(told.message).toContain(String(code));
				expect(told.description.length).toBeGreaterThan(20);
				expect(told.httpCode).toBe(String(code));
				expect(told.cause).toBeDefined();
			},
		),
	);
});

const busy = { retryAfterMs: 7000 };
const later = { cause: 'temporarily-unavailable' };
const wrong = { cause: 'configuration-invalid' };

test.each<[string, ServiceOperation, Trouble, object]>([
	['401', 'listInspections', status(401), { cause: 'credential-invalid' }],
	['403', 'listInspections', status(403), { cause: 'credential-invalid' }],
	['404', 'listInspections', status(404), wrong],
	['429', 'listInspections', status(429, busy), { cause: 'rate-limited', ...busy }],
	['503', 'listInspections', status(503, busy), { ...later, ...busy }],
	['403 of the storage', 'downloadFile', status(403), wrong],
	['a reset', 'listInspections', network('ECONNRESET'), later],
	['no connection', 'listInspections', network('ECONNREFUSED'), later],
	['no code', 'listInspections', network(''), later],
	['a certificate', 'listInspections', network('CERT_HAS_EXPIRED'), wrong],
	['a broken response', 'listInspections', unusable(true), later],
	['an odd response', 'listInspections', unusable(false), later],
	['nothing sent', 'listInspections', notSent(), wrong],
	['an address that is refused', 'downloadFile', blocked(), wrong],
	['a redirect', 'listInspections', status(300), wrong],
])(
	'n8n is told the cause, by which it polls again later or not: %s',
	(_, operation, trouble, cause) => {
		const { cause: told, retryAfterMs } = report(operation, trouble);
		expect({ cause: told, retryAfterMs }).toEqual({ retryAfterMs: undefined, ...cause });
	},
);

describe('an error that the document lists for an operation', () => {
	test.each([
		['getTemplate', 400, /template ID or identifier/, /GUID.*20 characters/],
		['getTemplate', 401, /refused the API key/, /Check the/],
		['getTemplate', 404, /template was not found/, /template's ID or identifier/],
		['createInspection', 403, /may not create this inspection/, /was not created/],
		['testCredential', 403, /may not list inspections/, /Give the user of the API key/],
		['testCredential', 404, /Nothing answers at/, /without the path of a page/],
		['listInspections', 403, /may not do this/, /Give the user/],
		['getFileUrl', 403, /may not read files/, /Give the user of the API key/],
		['getFileUrl', 404, /inspection or the file was not found/, /Check both IDs/],
		['downloadFile', 403, /storage refused the signed download URL/, /asked/],
		['downloadFile', 418, /418/, /file still exists in the inspection/],
		['createInspection', 400, /refused the inspection/, /1000.*50/],
		['createInspection', 401, /refused the API key/, /^The inspection was not created\. Check the/],
		['createInspection', 404, /or the team is not the one of the template/, /published and not/],
		['createInspection', 405, /cannot be created at this address/, /and the create path/],
		['createInspection', 413, /larger than the service takes/, /fewer answers/],
		['listInspections', 407, /proxy between n8n and the service wants a login/, /proxy settings/],
		['listInspections', 400, /filters of the list/, /dates, the team, the statuses/],
		['listInspections', 404, /no such list/, /team in the filters, and the base URL/],
		['getFileUrl', 400, /inspection ID or file ID/, /UUIDs.*instacount/],
		['getFileUrl', 401, /refused the API key/, /may not view what was asked for/],
	] as const)('has an explanation of its own: %s %d', (operation, code, message, description) => {
		const told = report(operation, status(code));
		expect(told.message).toMatch(message);
		expect(told.description).toMatch(description);
	});

	test('that is a web page says that the base URL may lead elsewhere', () => {
		const told = (body: string) => report('listInspections', status(404, { body })).description;
		expect(told('<!doctype html><title>Shop</title>')).toMatch(/web page: the base URL/);
		expect(told('<Error/>')).not.toMatch(/web page/);
	});

	test.each(CALLS)('names the base URL where something was not found: %s', (operation) => {
		const cannotGet = '{"message":"Cannot GET /wrong/v1/x"}';
		for (const body of ['', 'Not Found', cannotGet, '{"code":7}', '<html>']) {
			expect(report(operation, status(404, { body })).description).toContain('base URL');
		}
	});
});

test.each([
	[undefined, 'Wait a while before'],
	[0, 'Wait a while before'],
	[6_001, 'Wait 7 s before'],
	[119_000, 'Wait 119 s before'],
	[120_000, 'Wait 2 minutes before'],
	[121_000, 'Wait 3 minutes before'],
])('too many requests: with a wait of %s ms the cure begins with "%s"', (retryAfterMs, cure) => {
	const told = report('listInspections', status(429, { retryAfterMs }));
	expect(told.message).toMatch(/is receiving too many requests/);
	expect(told.description).toContain(cure);
});

describe('a failed create', () => {
	test('alone is in doubt', () => {
		expect(report('listInspections', outOfTime).inDoubt).toBe(false);
	});

	test.each([
		[302, false],
		[399, false],
		[400, true],
		[404, true],
		[408, false],
		[429, true],
		[499, true],
		[500, false],
	])(
		'says that nothing was created where the service has refused it: %d, %s',
		(code, isRefused) => {
			const NOT_CREATED = 'The inspection was not created.';
			expect(report('createInspection', status(code)).description.includes(NOT_CREATED)).toBe(
				isRefused,
			);
			expect(report('listInspections', status(code)).description).not.toContain(NOT_CREATED);
		},
	);

	test.each(Object.entries(TROUBLES))('never advises to send it once more: %s', (_, trouble) => {
		const { message, description } = report('createInspection', trouble);
		expect(`${message} ${description}`).not.toMatch(/retry on fail|try again|run [^.]*again/i);
		expect(description.length).toBeGreaterThan(20);
	});
});

describe('trouble with the storage of files', () => {
	const storage = (trouble: Trouble, baseUrl = 'https://files') =>
		report('downloadFile', trouble, { baseUrl, path: '' });

	test.each(
		Object.entries(TROUBLES).filter(
			([name]) => name !== 'unusable' && !name.startsWith('cancelled'),
		),
	)('is no fault of the service or the credential: %s', (_, trouble) => {
		const told = storage(trouble);
		expect(told.message).not.toMatch(/service/);
		expect(told.description).not.toMatch(/base URL|credential|API key/);
		expect(told.cause).not.toBe('credential-invalid');
	});

	test.each([
		[network('ENOTFOUND'), /^The file storage at https:\/\/files could not/, /server .* DNS/],
		[network('CERT_HAS_EXPIRED'), /^The file storage/, /certificate/],
		[
			status(503, { body: 'Down for an hour' }),
			/^The file storage has trouble of its own \(503\): Down for an hour$/,
			/./,
		],
	])('has its own cures: %#', (trouble, message, description) => {
		expect(storage(trouble).message).toMatch(message);
		expect(storage(trouble).description).toMatch(description);
	});

	test('is told without an address before one is known', () => {
		const { message } = storage(outOfTime, '');
		expect(message).toMatch(/^The file storage could not be reached: .* \(ETIMEDOUT\)$/);
	});
});

test.each([
	['ETIMEDOUT', { syscall: 'connect' }, /did not respond in time \(ETIMEDOUT\)$/],
	['ECONNREFUSED', { syscall: 'connect' }, /the connection was refused/],
	['ECONNREFUSED', {}, /connection was refused, nothing listens .* \(ECONNREFUSED\)$/],
	['ENOTFOUND', {}, /no server of that name was found \(ENOTFOUND\)$/],
	['EAI_AGAIN', {}, /its host name could not be looked up \(EAI_AGAIN\)$/],
	['EHOSTUNREACH', {}, /there is no way to its host \(EHOSTUNREACH\)$/],
	['CERT_HAS_EXPIRED', {}, /its certificate has expired/],
	['DEPTH_ZERO_SELF_SIGNED_CERT', {}, /its certificate is self-signed/],
	['SELF_SIGNED_CERT_IN_CHAIN', {}, /its certificate is self-signed/],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', {}, /from an authority that n8n does not know/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, /from an authority that n8n does not know/],
	['ECONNRESET', {}, /the connection was closed before the response was/],
	['CERT_REVOKED', {}, /certificate is not one that n8n trusts \(CERT_REVOKED\)$/],
	['HPE_INVALID_URL', { detail: 'Parse Error' }, /failed: Parse Error \(HPE_INVALID_URL\)$/],
	['ERR_NEW', { detail: 'Nobody\nknows <b>' }, /failed: Nobody knows <b> \(ERR_NEW\)$/],
	['', {}, /the connection failed$/],
])('a failure of the network is told in words: %s %j', (code, trouble, message) => {
	const told = report('listInspections', network(code, trouble));
	expect(told.message).toMatch(message);
	expect(told.description).toMatch(/base URL|proxy/);
});

test.each([
	['https://old.example/api/v1/inspections?page=1', ': to https://old.example/api/v1/inspections'],
	['/other/v1/inspections', ': to http://old.example/other/v1/inspections'],
	['https://login.example/start?next=secret', ': to https://login.example/start'],
	['javascript:alert(1)', ''],
	['http://', ''],
	[undefined, ''],
])('a redirect to %s is told without its query string', (location, target) => {
	const base = { baseUrl: 'http://old.example/api', path: '/v1/inspections?page=1' };
	const told = report('listInspections', status(302, { location }), base);
	expect(told.message).toBe(
		`The service sends requests elsewhere (302), and they are not followed, because the API key would go along${target}`,
	);
	expect(told.description).toMatch(
		/^Set the base URL .* only if you know that it is yours, .*http/,
	);
});

test.each<[ServiceOperation, Trouble, string, string]>([
	[
		'listInspections',
		notSent(' no\ncredential '),
		'n8n did not send the request: no credential',
		'Check the credential of this node, and what n8n allows it to reach.',
	],
	[
		'downloadFile',
		notSent(),
		'n8n did not send the request: no reason given',
		'Check what n8n allows it to reach.',
	],
	[
		'listInspections',
		blocked(),
		'n8n did not send the request: it is set to refuse https://host',
		'Where that is a server of your own, whoever runs n8n can allow it: ',
	],
	[
		'downloadFile',
		blocked('169.254.169.254'),
		'n8n did not send the request: it is set to refuse 169.254.169.254',
		'The service gave this address. Where that is a server of your own, ',
	],
])('a request that n8n did not send: %s, %#', (operation, trouble, message, description) => {
	const told = report(operation, trouble);
	expect(told.message).toBe(message);
	expect(told.description.startsWith(description)).toBe(true);
	// No setting to copy: the service chooses where its files lie.
	expect(told.description).not.toMatch(/=|\d\./);
});

test.each<[ServiceOperation, Trouble, string]>([
	[
		'listInspections',
		unusable(false),
		'The response of the service (200) cannot be used: it is odd',
	],
	['listInspections', throttled(429), 'Not sent: The service is receiving too many requests (429)'],
	['downloadFile', throttled(503), 'Not sent: The file storage has trouble of its own (503)'],
	[
		'listInspections',
		cancelledUnderway,
		'The execution was cancelled before the service had responded',
	],
	['listInspections', cancelledBefore, 'Not sent: the execution was cancelled before'],
])('what happened is told in one line: %s, %#', (operation, trouble, message) => {
	expect(report(operation, trouble).message).toBe(message);
});

test('of several templates the one that was not found is named', () => {
	const told = report('getTemplate', status(404), { template: ' WALK-7\n' });
	expect(told.message).toBe('The template "WALK-7" was not found (404)');
});

test.each([300, 302, 399])(
	'a redirect with %i is told as one; that of the storage is not',
	(code) => {
		expect(report('listInspections', status(code)).message).toMatch(/sends requests elsewhere/);
		expect(report('downloadFile', status(code)).message).not.toMatch(/elsewhere/);
	},
);
