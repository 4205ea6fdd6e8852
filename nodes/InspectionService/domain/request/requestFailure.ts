export type ServiceOperation =
	| 'getTemplate'
	| 'createInspection'
	| 'listInspections'
	| 'getFileUrl'
	| 'testCredential'
	| 'downloadFile';

export interface RequestInfo {
	operation: ServiceOperation;
	/** Empty if the address isn't known yet. */
	baseUrl: string;
	path: string;
	/** The template ID or identifier that the user entered. */
	template?: string;
}

interface FailureFacts {
	message: string;
	description: string;
	/** The status of the response, or `ETIMEDOUT` if the time limit was reached. */
	httpCode?: string;
	/** Used by n8n's scheduler (2.38 and later). */
	cause?:
		| 'rate-limited'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
	retryAfterMs?: number | undefined;
	/** Attempts in total (`ATTEMPTS`). Undefined if a retry can't help. */
	attempts?: number | undefined;
	outcomeUnknown?: boolean;
	/** Whether the response exceeded a size limit. */
	isTooLarge?: boolean;
}

/** Why a request failed. The code that detects the failure classifies it once and throws it. Immutable. */
export class RequestFailure extends Error {
	readonly facts: Readonly<FailureFacts>;

	constructor(facts: FailureFacts) {
		super(facts.message);
		this.name = 'RequestFailure';
		this.facts = facts;
	}

	with(changes: Partial<FailureFacts>): RequestFailure {
		return new RequestFailure({ ...this.facts, ...changes });
	}
}

/**
 * Creates the failure of a request. Only a create can be in doubt. For downloads, the message names the file storage
 * instead of the service.
 */
export function failureOf({ operation }: RequestInfo, facts: FailureFacts): RequestFailure {
	const message =
		operation === 'downloadFile'
			? facts.message.replace(/^The service/, 'The file storage')
			: facts.message;
	const outcomeUnknown = facts.outcomeUnknown === true && operation === 'createInspection';
	return new RequestFailure({ ...facts, message, outcomeUnknown });
}

export const CANCELLED_BEFORE = new RequestFailure({
	message: 'Not sent: the execution was cancelled before',
	description: 'Whoever stopped the execution stopped this request with it.',
});

/**
 * Creates the failure of a request that isn't sent, because the response to an earlier request requires too long a
 * pause.
 */
export function rateLimitedFailure(failure: RequestFailure, retryAfterMs: number): RequestFailure {
	const message = `Not sent: ${failure.facts.message}`;
	const description = `This was the response to another request. ${failure.facts.description}`;
	return failure.with({ message, description, retryAfterMs, outcomeUnknown: false });
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
	if (!(error instanceof RequestFailure)) return false;
	return statuses.some((status) => String(status) === error.facts.httpCode);
}

export function isOutcomeUnknown(error: unknown): error is RequestFailure {
	return error instanceof RequestFailure && error.facts.outcomeUnknown === true;
}

export const ATTEMPTS = {
	/** For failures of the service or the network. The waits between attempts add up to 1.75 to 3.5 s. */
	trouble: 4,
	/**
	 * After a 429. High, because other workflows can use up the same limit, and a rejected request had no effect.
	 */
	throttled: 12,
	/** If a signed URL was rejected, or its file was cut off: requests one more URL. */
	url: 2,
} as const;

const FIRST_WAIT_MS = 500;
export const LONGEST_BACKOFF_MS = 15_000;
/** Keeps executions that were rejected together from retrying together. */
const SPREAD_MS = 100;

/**
 * Returns how long to wait before the next attempt, in ms, or undefined to give up. A create in doubt is never
 * repeated.
 */
export function retryWaitMs(
	{ facts }: RequestFailure,
	{ attempt, random }: { attempt: number; random: number },
): number | undefined {
	if (facts.outcomeUnknown === true || attempt >= (facts.attempts ?? 1)) return undefined;
	const asked = facts.retryAfterMs ?? 0;
	if (asked > 0) return asked + Math.round(SPREAD_MS * random);
	const wait = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
	return Math.round(wait / 2 + (wait / 2) * random);
}

/** Whether a response holds back all requests: 429 (too many requests), or 503 with a wait time. */
export function pausesAllRequests({ facts }: RequestFailure): boolean {
	if (facts.attempts === undefined) return false;
	return facts.httpCode === '429' || (facts.httpCode === '503' && (facts.retryAfterMs ?? 0) > 0);
}
