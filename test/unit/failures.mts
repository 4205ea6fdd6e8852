import type { NetworkTrouble } from '#connector/domain/request/networkFailure.ts';
import type { RequestFailure, StatusFailure } from '#connector/domain/request/requestFailure.ts';

/** A response with an error status. */
export const status = (code: number, others: Partial<StatusFailure> = {}): StatusFailure => ({
	...{ kind: 'status', status: code, body: '', ...others },
});

/** A connection that failed. */
export const network = (code: string, others: Partial<NetworkTrouble> = {}) => ({
	...{ kind: 'network' as const, trouble: { code, detail: '', ...others } },
});

/** Why requests fail: one of each kind, and of what differs within it. */
export const FAILURES: readonly RequestFailure[] = [
	...[202, 302, 304, 401, 403, 404, 408, 416, 429, 500, 503, 504].map((code) =>
		status(code, { body: '<html><title>No</title></html>', location: 'https://elsewhere' }),
	),
	...['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'CERT_HAS_EXPIRED', ''].map((code) =>
		network(code),
	),
	network('EPROTO', { detail: 'wrong version number' }),
	{ kind: 'response', status: 200, reason: 'is empty', broken: true },
	{ kind: 'throttled', by: status(429, { retryAfterMs: 1000 }) },
	{ kind: 'timeUp' },
	{ kind: 'cancelled', sent: true },
	{ kind: 'cancelled', sent: false },
	{ kind: 'notSent', detail: '' },
	{ kind: 'blockedAddress', target: '' },
	{ kind: 'cutOff', detail: '' },
];
