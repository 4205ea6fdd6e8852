import type { ServiceOperation } from './requestInfo';

export interface RetryPolicy {
	/** The total number of attempts. Undefined if a retry is useless. */
	readonly attempts?: number | undefined;
	/** Whether the service might have processed a Create request. Then the request is never repeated. */
	readonly outcomeUnknown?: boolean;
	/** Whether all requests of the connection wait until this request is retried. */
	readonly pausesAllRequests?: boolean;
	/** Whether the next attempt needs a new signed URL from the service. */
	readonly needsNewUrl?: boolean;
	/** The cause of the failure, as passed to n8n's scheduler (2.38 and later). */
	readonly cause?:
		| 'rate-limited'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
}

/**
 * A problem that often disappears without a change. The waits between the attempts add up to 1.75 to 3.5 seconds.
 */
const TEMPORARY = { cause: 'temporarily-unavailable', attempts: 4 } as const;
/** Fetches a file once more, with a new URL. */
const NEW_URL = { attempts: 2, needsNewUrl: true } as const;
/** A problem that stays until a person changes a setting or a value. */
const PERMANENT = { cause: 'configuration-invalid' } as const;

/** The retry policy for each way in which a request can fail. */
const POLICIES = {
	canceledBeforeSending: {},
	canceledAfterSending: { outcomeUnknown: true },
	/** n8n didn't send the request: for example, because its settings block the address. */
	notSent: PERMANENT,
	connectionFailed: TEMPORARY,
	connectionLost: { ...TEMPORARY, outcomeUnknown: true },
	/** The connection isn't encrypted, or its certificate isn't trusted. */
	connectionInsecure: PERMANENT,
	/**
	 * Allows many attempts, because other workflows can use up the same rate limit. The service didn't process the
	 * rejected request.
	 */
	rateLimited: { cause: 'rate-limited', attempts: 12, pausesAllRequests: true },
	serviceFailed: { ...TEMPORARY, outcomeUnknown: true },
	serviceFailedUntil: { ...TEMPORARY, outcomeUnknown: true, pausesAllRequests: true },
	notSupported: { cause: 'temporarily-unavailable', outcomeUnknown: true },
	rejected: PERMANENT,
	/** A proxy or filter responded instead of the service. */
	blocked: PERMANENT,
	keyRejected: { cause: 'credential-invalid' },
	urlRejected: { ...PERMANENT, ...NEW_URL },
	/** A status such as 202 (accepted) or 303 (see other). */
	statusUnclear: { ...PERMANENT, outcomeUnknown: true },
	/**
	 * The response has an unexpected shape. This counts as temporary, because a maintenance page can have status 200, and
	 * a trigger must continue polling.
	 */
	responseUnusable: { cause: 'temporarily-unavailable', outcomeUnknown: true },
	/** The response isn't JSON, or was cut off. */
	responseBroken: { ...TEMPORARY, outcomeUnknown: true },
	/** The file was cut off or compressed, or the storage sent something else instead of it. */
	fileBroken: { cause: 'temporarily-unavailable', ...NEW_URL },
	fileTooLarge: PERMANENT,
} as const satisfies Readonly<Record<string, RetryPolicy>>;

export type RequestEvent = keyof typeof POLICIES;

/**
 * Returns the retry policy of a failed request. No other code decides about retries. Only a Create request can have an
 * unknown outcome.
 */
export function retryPolicyFor(operation: ServiceOperation, event: RequestEvent): RetryPolicy {
	const policy: RetryPolicy = POLICIES[event];
	const isCreate = operation === 'createInspection';
	return { ...policy, outcomeUnknown: isCreate && policy.outcomeUnknown === true };
}

/** The statuses that file storages send for an expired or unknown signed URL. Google Cloud Storage sends 400. */
const EXPIRED: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/**
 * Classifies an error status. After 303, 408, or 5xx, the service might have created an inspection. After any other
 * redirect or 4xx status, it didn't.
 */
export function eventOfStatus(
	operation: ServiceOperation,
	status: number,
	retryAfterMs = 0,
): RequestEvent {
	if (status === 429) return 'rateLimited';
	if (status === 501 || status === 505) return 'notSupported';
	if (isServerError(status)) {
		return status === 503 && retryAfterMs > 0 ? 'serviceFailedUntil' : 'serviceFailed';
	}
	if (status < 300 || status === 303) return 'statusUnclear';
	// The file storage never receives the API key, so its status can't mean that the key is wrong.
	if (operation === 'downloadFile') return EXPIRED.has(status) ? 'urlRejected' : 'rejected';
	return status === 401 || status === 403 ? 'keyRejected' : 'rejected';
}

/** Whether a status means that the service failed. Includes 408, because the service then gave up on the request. */
export const isServerError = (status: number) => status === 408 || status >= 500;

const FIRST_WAIT_MS = 500;
export const LONGEST_BACKOFF_MS = 15_000;
/**
 * Maximum random delay before a retry, in ms. Without it, executions that were rejected together would retry together.
 */
const SPREAD_MS = 100;

/** Returns how long to wait before the next attempt, in ms. Returns undefined if there must be no further attempt. */
export function retryWaitMs(
	{ facts }: { facts: RetryPolicy & { readonly retryAfterMs?: number | undefined } },
	{ attempt, random }: { attempt: number; random: number },
): number | undefined {
	if (facts.outcomeUnknown === true || attempt >= (facts.attempts ?? 1)) return undefined;
	const requested = facts.retryAfterMs ?? 0;
	if (requested > 0) return requested + Math.round(SPREAD_MS * random);
	const wait = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
	return Math.round(wait / 2 + (wait / 2) * random);
}
