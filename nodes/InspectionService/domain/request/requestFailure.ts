export type ServiceOperation =
	| 'getTemplate'
	| 'createInspection'
	| 'listInspections'
	| 'getFileUrl'
	| 'testCredential'
	| 'downloadFile';

export interface Asked {
	operation: ServiceOperation;
	/** Empty where no address is known yet. */
	baseUrl: string;
	path: string;
	/** By the ID or identifier that the user gave. */
	template?: string;
}

interface FailureFacts {
	message: string;
	description: string;
	/** The status of the response, or `ETIMEDOUT` where the time was over. */
	httpCode?: string;
	/** n8n's scheduler (2.38 and later) goes by it. */
	cause?:
		| 'rate-limited'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
	retryAfterMs?: number | undefined;
	/** In all (`ATTEMPTS`); undefined where no other one can help. */
	attempts?: number | undefined;
	inDoubt?: boolean;
	/** The response was larger than any that is read. */
	isTooLarge?: boolean;
}

/** Why a request failed. It is judged once, where it is noticed, and thrown; it never changes. */
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

/** The failure of a request. Of one that reads nothing is in doubt, and the storage is not called the service. */
export function failureOf({ operation }: Asked, facts: FailureFacts): RequestFailure {
	const message =
		operation === 'downloadFile'
			? facts.message.replace(/^The service/, 'The file storage')
			: facts.message;
	const inDoubt = facts.inDoubt === true && operation === 'createInspection';
	return new RequestFailure({ ...facts, message, inDoubt });
}

export const CANCELLED_BEFORE = new RequestFailure({
	message: 'Not sent: the execution was cancelled before',
	description: 'Whoever stopped the execution stopped this request with it.',
});

/** The failure of a request that is not sent, because the response to another one asks for too long a pause. */
export function heldBack(failure: RequestFailure, retryAfterMs: number): RequestFailure {
	const message = `Not sent: ${failure.facts.message}`;
	const description = `This was the response to another request. ${failure.facts.description}`;
	return failure.with({ message, description, retryAfterMs, inDoubt: false });
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
	if (!(error instanceof RequestFailure)) return false;
	return statuses.some((status) => String(status) === error.facts.httpCode);
}

export function isInDoubt(error: unknown): error is RequestFailure {
	return error instanceof RequestFailure && error.facts.inDoubt === true;
}

export const ATTEMPTS = {
	/** In trouble of the service or the network. The waits between are 1.75 to 3.5 s in all. */
	trouble: 4,
	/** After 429. Many, because other workflows may use up the same limit, and a refused request did nothing. */
	throttled: 12,
	/** Where a signed URL was refused, or its file broke off: one more URL. */
	url: 2,
} as const;

const FIRST_WAIT_MS = 500;
export const LONGEST_BACKOFF_MS = 15_000;
/** So that executions refused together do not retry together. */
const SPREAD_MS = 100;

/** Milliseconds to wait before the next attempt; undefined to give up: a create in doubt is never repeated. */
export function retryWaitMs(
	{ facts }: RequestFailure,
	{ attempt, random }: { attempt: number; random: number },
): number | undefined {
	if (facts.inDoubt === true || attempt >= (facts.attempts ?? 1)) return undefined;
	const asked = facts.retryAfterMs ?? 0;
	if (asked > 0) return asked + Math.round(SPREAD_MS * random);
	const wait = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
	return Math.round(wait / 2 + (wait / 2) * random);
}

/** Whether a response holds back all requests: 429 (too many requests), or 503 with a time to come back. */
export function holdsBackAll({ facts }: RequestFailure): boolean {
	if (facts.attempts === undefined) return false;
	return facts.httpCode === '429' || (facts.httpCode === '503' && (facts.retryAfterMs ?? 0) > 0);
}
