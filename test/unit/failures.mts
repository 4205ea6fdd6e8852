import { thrownFailure, timeUp } from '#connector/domain/request/networkFailure.ts';
import {
	CANCELLED_BEFORE,
	pausedFailure,
	type RequestFailure,
} from '#connector/domain/request/requestFailure.ts';
import type { RequestInfo, ServiceOperation } from '#connector/domain/request/requestInfo.ts';
import { unusableResponse } from '#connector/domain/request/serviceResponse.ts';
import { statusFailure } from '#connector/domain/request/statusFailure.ts';

/** The cause of a failure, such as an error status. It's a function that returns the failure of a request. */
export type Trouble = (info: RequestInfo) => RequestFailure;

/** Returns the failure of a request for this operation. */
export const failureOf = (
	operation: ServiceOperation,
	trouble: Trouble,
	info: Partial<RequestInfo> = {},
) => trouble({ operation, baseUrl: 'https://host', path: '/v1/x', ...info });

/** Simulates a response with an error status. */
export const status =
	(code: number, sent: { body?: string; retryAfterMs?: number; location?: string } = {}): Trouble =>
	(info) => {
		const { body = '', retryAfterMs, location } = sent;
		const wait = retryAfterMs === undefined ? undefined : String(retryAfterMs / 1000);
		const headers = { 'retry-after': wait, location };
		return statusFailure(info, {
			status: code,
			headers,
			body,
			receivedAt: 0,
			redact: (text) => text,
		});
	};

const thrown =
	(error: object, isCancelled = false): Trouble =>
	(info) =>
		thrownFailure(info, error, { isCancelled, redact: (text) => text });

/** Simulates a failed connection. */
export const network = (code: string, { detail = '', syscall = '' } = {}): Trouble =>
	thrown({ isAxiosError: true, cause: { code, message: detail, syscall } });

/** Simulates a response with status 200 and an unusable body. If the body is broken, a retry can succeed. */
export const unusable =
	(broken: boolean): Trouble =>
	(info) =>
		unusableResponse(info, 200, 'it is odd', broken ? 'responseBroken' : 'responseUnusable');

/** Simulates a request that wasn't sent, because the response to a previous request asked for a pause. */
export const throttled =
	(code: number): Trouble =>
	(info) =>
		pausedFailure(status(code)(info), 1000);

export const outOfTime: Trouble = timeUp;
export const cancelledUnderway = thrown({ code: 'ABORT_ERR' }, true);
export const cancelledBefore: Trouble = () => CANCELLED_BEFORE;
export const notSent = (detail = '') => thrown({ message: detail });
export const blocked = (ip = '') => thrown({ name: 'SsrfBlockedIpError', ip });

const WEB_PAGE = { body: '<html><title>No</title></html>', location: 'https://elsewhere' };
const STATUSES = [202, 302, 304, 401, 403, 404, 408, 416, 429, 500, 503, 504];
const CODES = ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'CERT_HAS_EXPIRED', ''];

/** All kinds of failures, each in several variants. */
export const TROUBLES: Readonly<Record<string, Trouble>> = {
	...Object.fromEntries(STATUSES.map((code) => [String(code), status(code, WEB_PAGE)])),
	...Object.fromEntries(CODES.map((code) => [`code ${code}`, network(code)])),
	'no encryption': network('EPROTO', { detail: 'wrong version number' }),
	unusable: unusable(true),
	throttled: throttled(429),
	outOfTime,
	cancelledUnderway,
	cancelledBefore,
	notSent: notSent(),
	blocked: blocked(),
};
