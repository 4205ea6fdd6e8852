import { meaningOf, type NetworkTrouble } from './networkFailure';
import { isServerTrouble, type RequestFailure } from './requestFailure';

/**
 * Attempts where the service or the network is in trouble: the first one and three retries, whose waits are 1.75 to 3.5 s in
 * all. After a longer outage n8n's own "Retry On Fail" or the next poll tries again.
 */
const MAX_ATTEMPTS = 4;
/**
 * Attempts of one request that the service keeps refusing as one too many (429). Chosen high, because other workflows may
 * use up the same limit, and a refused request did nothing. The service says how long to wait between them.
 */
export const MAX_THROTTLED_ATTEMPTS = 12;
/** Attempts where a signed URL was refused, or its file broke off: one more URL. */
const MAX_URL_ATTEMPTS = 2;
/**
 * First wait. It doubles with each attempt, the usual exponential backoff. No wait is named in
 * TooManyRequests of docs/service.openapi.yaml.
 */
const FIRST_WAIT_MS = 500;
/** Longest wait that the node chooses itself. Only attempt 6 and later ones after 429 reach it. */
export const LONGEST_BACKOFF_MS = 15_000;
/**
 * Longest wait that the service may ask for within one execution. Beyond a minute it is a quota rather than
 * a throttle: the error then carries the wait, and n8n's scheduler keeps to it.
 */
export const LONGEST_WAIT_MS = 60_000;

/** Up to so many ms are added to the service's own wait, so that executions refused together do not retry together. */
const SPREAD_MS = 100;

interface FailedAttempt {
	/** True for a request that changes nothing in the service, so that it may be sent twice. */
	safe: boolean;
	/** The attempt that failed, counted from 1. */
	attempt: number;
	failure: RequestFailure;
	/** Between 0 and 1: spreads the waits of many requests that failed together. */
	random: number;
}

/** Milliseconds to wait before the next attempt, or undefined to give up. */
export function retryWaitMs({ safe, attempt, failure, random }: FailedAttempt): number | undefined {
	if (!isWorthRepeating(failure, safe)) return undefined;
	if (attempt >= maxAttempts(failure)) return undefined;
	const asked = failure.kind === 'status' ? (failure.retryAfterMs ?? 0) : 0;
	return asked > 0 ? asked + Math.round(SPREAD_MS * random) : backoffMs(attempt, random);
}

function maxAttempts(failure: RequestFailure): number {
	if (needsUrl(failure)) return MAX_URL_ATTEMPTS;
	return isThrottle(failure) ? MAX_THROTTLED_ATTEMPTS : MAX_ATTEMPTS;
}

/** Whether another signed URL may help: the storage refused it, or the file broke off. */
export function needsUrl(failure: RequestFailure): boolean {
	return failure.kind === 'cutOff' || (failure.kind === 'status' && failure.refusesUrl === true);
}

/** True for the response that says "too many requests": the request did nothing. */
export function isThrottle(failure: RequestFailure): boolean {
	return failure.kind === 'status' && failure.status === 429;
}

function isWorthRepeating(failure: RequestFailure, safe: boolean): boolean {
	if (needsUrl(failure)) return true;
	switch (failure.kind) {
		case 'status':
			return failure.status === 429 || (safe && isHealing(failure.status));
		case 'response':
			return safe && failure.broken;
		case 'timeUp':
			return safe;
		case 'network':
			return isPassing(failure.trouble, safe);
		default:
			return false;
	}
}

/** Whether another try may succeed. After 501 and 505 none will: the service does not support the request. */
function isHealing(status: number): boolean {
	return isServerTrouble(status) && status !== 501 && status !== 505;
}

/** Whether a failure of the network may pass within seconds: a lost connection may, an invalid certificate may not. */
function isPassing(trouble: NetworkTrouble, safe: boolean): boolean {
	const { lasting, unsent } = meaningOf(trouble);
	return !lasting && (safe || unsent);
}

/** Half of the wait is fixed and half is chance. */
function backoffMs(attempt: number, random: number): number {
	const wait = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
	return Math.round(wait / 2 + (wait / 2) * random);
}
