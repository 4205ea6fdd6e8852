import { meaningOf, type NetworkTrouble } from './networkFailure';
import { isServerTrouble, type RequestFailure } from './requestFailure';

/**
 * Attempts where the service or the network is in trouble: the first and three repeats, about 4 s with the
 * waits below. A longer outage is for n8n's own "Retry On Fail" or the next poll.
 */
const MAX_ATTEMPTS = 4;
/**
 * Attempts of one request that keeps being told to slow down. High, because other workflows may use the same
 * limit and each refusal was harmless; the waits between them are the service's own.
 */
export const MAX_THROTTLED_ATTEMPTS = 12;
/** First wait; it doubles with each attempt (the usual exponential backoff; TooManyRequests of docs/service.openapi.yaml names no wait). */
const FIRST_WAIT_MS = 500;
/** Longest wait that this side chooses itself. */
export const LONGEST_BACKOFF_MS = 15_000;
/**
 * Longest wait that the service may ask for within one execution. Beyond a minute it is a quota rather than
 * a throttle: the error then carries the wait, and n8n's scheduler keeps to it.
 */
export const LONGEST_WAIT_MS = 60_000;

/** Added at random to the service's own wait, so that executions that were refused together do not return together. */
const SPREAD_MS = 100;

export interface FailedAttempt {
	/** True for a request that changes nothing, so that it can be sent twice. */
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
	if (attempt >= (isThrottle(failure) ? MAX_THROTTLED_ATTEMPTS : MAX_ATTEMPTS)) return undefined;
	const asked = failure.kind === 'status' ? (failure.retryAfterMs ?? 0) : 0;
	return asked > 0 ? asked + Math.round(SPREAD_MS * random) : backoffMs(attempt, random);
}

/** True for the response that says "too many requests": the request did nothing. */
export function isThrottle(failure: RequestFailure): boolean {
	return failure.kind === 'status' && failure.status === 429;
}

function isWorthRepeating(failure: RequestFailure, safe: boolean): boolean {
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

/** 501 and 505 say that the service will never do it. */
function isHealing(status: number): boolean {
	return isServerTrouble(status) && status !== 501 && status !== 505;
}

/** A certificate does not become valid within seconds; a lost connection may be there again. */
function isPassing(trouble: NetworkTrouble, safe: boolean): boolean {
	const { lasting, unsent } = meaningOf(trouble);
	return !lasting && (safe || unsent);
}

/** Half of the wait is fixed and half is chance. */
function backoffMs(attempt: number, random: number): number {
	const wait = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
	return Math.round(wait / 2 + (wait / 2) * random);
}
