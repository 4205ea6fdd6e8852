/** Tests the messages of requests that got no response. */
import { describe, expect, test } from 'vitest';

import { redactorOf } from '#connector/domain/request/apiKey.ts';
import { thrownFailure } from '#connector/domain/request/networkFailure.ts';
import type { ServiceOperation } from '#connector/domain/request/requestInfo.ts';
import { blocked, failureOf, network, notSent, type Trouble } from './failures.mts';

test.each([
	['ETIMEDOUT', { syscall: 'connect' }, /did not respond in time \(ETIMEDOUT\)$/],
	['ECONNREFUSED', {}, /connection was refused, because nothing listens .* \(ECONNREFUSED\)$/],
	['ENOTFOUND', {}, /no server with that name was found \(ENOTFOUND\)$/],
	['EAI_AGAIN', {}, /its host name could not be looked up \(EAI_AGAIN\)$/],
	[
		'EHOSTUNREACH',
		{ detail: 'connect EHOSTUNREACH 10.0.0.7:443', syscall: 'connect' },
		/the connection failed: connect EHOSTUNREACH 10\.0\.0\.7:443 \(EHOSTUNREACH\)$/,
	],
	[
		'CERT_HAS_EXPIRED',
		{ detail: 'certificate has expired' },
		/n8n doesn't trust its certificate: certificate has expired \(CERT_HAS_EXPIRED\)$/,
	],
	['DEPTH_ZERO_SELF_SIGNED_CERT', {}, /n8n doesn't trust its certificate \(/],
	['SELF_SIGNED_CERT_IN_CHAIN', {}, /n8n doesn't trust its certificate \(/],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', {}, /n8n doesn't trust its certificate \(/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, /n8n doesn't trust its certificate \(/],
	['ERR_TLS_CERT_ALTNAME_INVALID', {}, /n8n doesn't trust its certificate \(/],
	['ECONNRESET', {}, /the connection was closed before the response was/],
	['CERT_REVOKED', {}, /n8n doesn't trust its certificate \(CERT_REVOKED\)$/],
	['HPE_INVALID_URL', { detail: 'Parse Error' }, /failed: Parse Error \(HPE_INVALID_URL\)$/],
	['ERR_NEW', { detail: 'Nobody\nknows <b>' }, /failed: Nobody knows <b> \(ERR_NEW\)$/],
	['', {}, /the connection failed$/],
])('a network failure is described: %s %j', (code, trouble, message) => {
	const facts = failureOf('listInspections', network(code, trouble)).facts;
	expect(facts.message).toMatch(message);
	expect(facts.description).toMatch(/base URL|proxy/);
});

describe("a proxy that can't be reached", () => {
	const failed = (cause: object, baseUrl = 'https://host') =>
		thrownFailure(
			{ operation: 'listInspections', baseUrl, path: '/' },
			{ isAxiosError: true, cause },
			{ isCancelled: false, redact: (text) => text },
		);
	const dns = (hostname: string) => ({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname });
	const refused = (port: number) => ({
		code: 'ECONNREFUSED',
		syscall: 'connect',
		address: '10.0.0.7',
		port,
	});

	test.each<[object, RegExp]>([
		[dns('proxy.corp'), /^The proxy proxy\.corp could not be reached: no server .*\(ENOTFOUND\)$/],
		[refused(3128), /^The proxy 10\.0\.0\.7:3128 could not be reached: the connection was refused/],
		[{ code: 'ECONNREFUSED', errors: [refused(3128)] }, /^The proxy 10\.0\.0\.7:3128/],
	])('is named instead of the service: %j', (cause, message) => {
		const { facts } = failed(cause);
		expect(facts.message).toMatch(message);
		expect(facts.description).toMatch(/n8n administrator .* HTTPS_PROXY/);
	});

	test.each<[object, string]>([
		[dns('host'), 'https://host'],
		[refused(443), 'https://host'],
		[refused(8080), 'http://host:8080/path'],
		[refused(80), 'http://host'],
	])("isn't assumed for the service's own address: %j", (cause, baseUrl) => {
		expect(failed(cause, baseUrl).message).toMatch(/^The service at /);
	});
});

test.each(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR__ERROR_FORMAT_PADDING_1'])(
	"a response that can't be decompressed (%s) is damaged, so that it's requested again",
	(code) => {
		const { facts } = failureOf('listInspections', network(code));
		expect(facts.message).toBe(
			`The service sent a damaged response: it can't be decompressed (${code})`,
		);
		expect(facts.description).toMatch(/service administrator/);
		expect(facts.attempts).toBe(4);
		const create = failureOf('createInspection', network(code)).facts;
		expect([create.outcomeUnknown, create.message]).toEqual([true, facts.message]);
	},
);

const REFUSED = 'its settings block the address';
const HOW_TO_ALLOW =
	'If this is the address of your own server, the n8n administrator can allow the address with ';
const GIVEN = `The service provided this address. ${HOW_TO_ALLOW}`;

test.each<[ServiceOperation, Trouble, string, string]>([
	['listInspections', notSent(' no\ncredential '), 'no credential', 'Check the credential of this'],
	['downloadFile', notSent(), 'no reason given', "Check the addresses that n8n's settings allow."],
	['listInspections', blocked(), `${REFUSED} https://host`, HOW_TO_ALLOW],
	['downloadFile', blocked('169.254.169.254'), `${REFUSED} 169.254.169.254`, GIVEN],
])("a request that n8n didn't send has a fix: %s, %#", (operation, trouble, reason, fix) => {
	const { message, description } = failureOf(operation, trouble).facts;
	expect(message).toBe(`n8n did not send the request: ${reason}`);
	expect(description.startsWith(fix)).toBe(true);
	// The fix must not offer a setting with the blocked address, because the service chooses the addresses of its files.
	expect(description).not.toMatch(/=|\d\./);
});

const ASKED = { operation: 'listInspections', baseUrl: 'https://host', path: '/' } as const;
const thrown = (error: Error, how: { isCancelled?: boolean; hasBegun?: boolean } = {}) =>
	thrownFailure(ASKED, error, { isCancelled: false, redact: redactorOf('abcdefghijkl'), ...how });

test("an unsent request shows n8n's message without the API key", () => {
	const error = new Error('No domain for abcdefghijkl');
	const failure = thrown(error);
	expect(failure.message).toBe('n8n did not send the request: No domain for [API key]');
	expect(thrown(failure)).toBe(failure);
	// The request must have been sent if its response has begun.
	expect(thrown(error, { hasBegun: true }).message).toMatch(/failed: No domain for \[API key\]$/);
});

test.each(['ERR_CANCELED', 'ECONNABORTED', 'ABORT_ERR'])(
	'a request that the connector ended (%s) is a timeout, unless someone canceled the execution',
	(code) => {
		const cause = Object.assign(new Error('ended'), { code, isAxiosError: true });
		const error = new Error('wrapped', { cause });
		expect(thrown(error).facts.httpCode).toBe('ETIMEDOUT');
		const { message, facts } = thrown(error, { isCancelled: true });
		expect(message).toMatch(/canceled before the service responded$/);
		expect(facts.httpCode).toBeUndefined();
	},
);
