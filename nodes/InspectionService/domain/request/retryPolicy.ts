import type { ServiceOperation } from './requestInfo';

export interface RetryPolicy {
	/** Attempts in total. Undefined if a retry can't help. */
	readonly attempts?: number | undefined;
	/** Whether a create might have taken effect. If so, it's never repeated. */
	readonly outcomeUnknown?: boolean;
	/** Whether all requests of the connection wait for the next attempt. */
	readonly pausesAllRequests?: boolean;
	/** Whether the next attempt needs another signed URL from the service. */
	readonly needsNewUrl?: boolean;
	/** Used by n8n's scheduler (2.38 and later). */
	readonly cause?:
		| 'rate-limited'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
}

/** The waits between four attempts add up to 1.75 to 3.5 s. */
const TEMPORARY = { cause: 'temporarily-unavailable', attempts: 4 } as const;
/** Fetches a file a second time, with a new URL. */
const NEW_URL = { attempts: 2, needsNewUrl: true } as const;
/** A person has to change a setting or a value. */
const PERMANENT = { cause: 'configuration-invalid' } as const;

/** Everything that can happen to a request, and what follows from it. */
const POLICIES = {
	canceledBeforeSending: {},
	canceledAfterSending: { outcomeUnknown: true },
	/** n8n rejected the request: for example, because its settings don't allow the address. */
	notSent: PERMANENT,
	connectionFailed: TEMPORARY,
	connectionLost: { ...TEMPORARY, outcomeUnknown: true },
	/** No trusted, encrypted connection. */
	connectionInsecure: PERMANENT,
	connectionInsecureAfterSending: { ...PERMANENT, outcomeUnknown: true },
	/** Many attempts, because other workflows can use up the same limit. A rejected request had no effect. */
	rateLimited: { cause: 'rate-limited', attempts: 12, pausesAllRequests: true },
	serviceFailed: { ...TEMPORARY, outcomeUnknown: true },
	serviceFailedUntil: { ...TEMPORARY, outcomeUnknown: true, pausesAllRequests: true },
	notSupported: { cause: 'temporarily-unavailable', outcomeUnknown: true },
	rejected: PERMANENT,
	keyRejected: { cause: 'credential-invalid' },
	urlRejected: { ...PERMANENT, ...NEW_URL },
	/** For example, 202 (accepted) or 303 (see other). */
	statusUnclear: { ...PERMANENT, outcomeUnknown: true },
	/** Temporary, because a maintenance page can have status 200 and a trigger has to keep polling. */
	responseUnusable: { cause: 'temporarily-unavailable', outcomeUnknown: true },
	/** Not JSON, or cut off. */
	responseBroken: { ...TEMPORARY, outcomeUnknown: true },
	/** Cut off, compressed, or replaced by something else. */
	fileBroken: { cause: 'temporarily-unavailable', ...NEW_URL },
	fileTooLarge: PERMANENT,
} as const satisfies Readonly<Record<string, RetryPolicy>>;

export type RequestEvent = keyof typeof POLICIES;

/** The only place that decides about retries. Only a create can have an unknown outcome. */
export function retryPolicyFor(operation: ServiceOperation, event: RequestEvent): RetryPolicy {
	const policy: RetryPolicy = POLICIES[event];
	const isCreate = operation === 'createInspection';
	return { ...policy, outcomeUnknown: isCreate && policy.outcomeUnknown === true };
}

/**
 * Statuses with which storages reject a signed URL that has expired (Google Cloud Storage: 400) or is no longer
 * known.
 */
const EXPIRED: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/**
 * Classifies a status that isn't a success. A create that got a 4xx or a redirect had no effect. For 303 ("see what
 * became of it"), 408, and 5xx, the effect is unknown.
 */
export function eventOfStatus(
	operation: ServiceOperation,
	status: number,
	retryAfterMs = 0,
): RequestEvent {
	if (status === 429) return 'rateLimited';
	if (status === 501 || status === 505) return 'notSupported';
	if (isServiceFailure(status)) {
		return status === 503 && retryAfterMs > 0 ? 'serviceFailedUntil' : 'serviceFailed';
	}
	if (status < 300 || status === 303) return 'statusUnclear';
	// The storage never receives the API key, so it can't reject it.
	if (operation === 'downloadFile') return EXPIRED.has(status) ? 'urlRejected' : 'rejected';
	return status === 401 || status === 403 ? 'keyRejected' : 'rejected';
}

export const isServiceFailure = (status: number) => status === 408 || status >= 500;

const FIRST_WAIT_MS = 500;
export const LONGEST_BACKOFF_MS = 15_000;
/** Keeps executions that were rejected together from retrying together. */
const SPREAD_MS = 100;

/** Returns how long to wait before the next attempt, in ms, or undefined to give up. */
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
