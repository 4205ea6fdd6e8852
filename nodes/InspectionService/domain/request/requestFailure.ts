import type { RequestInfo } from './requestInfo';
import { type RequestEvent, type RetryPolicy, retryPolicyFor } from './retryPolicy';

interface FailureDetails {
	message: string;
	description: string;
	/** The status of the response, or `ETIMEDOUT` if the time limit was reached. */
	httpCode?: string;
	/** How long the response asks clients to wait. */
	retryAfterMs?: number | undefined;
	/** Whether the response exceeded a size limit. */
	isTooLarge?: boolean;
}

type FailureFacts = FailureDetails & RetryPolicy;

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

	/** For a request that was already retried as often as that helps. */
	withoutRetries(): RequestFailure {
		return this.with({ attempts: undefined, pausesAllRequests: false });
	}
}

/** Creates the failure of a request. For downloads, the message names the file storage instead of the service. */
export function failureOf(
	{ operation }: RequestInfo,
	event: RequestEvent,
	details: FailureDetails,
): RequestFailure {
	const message =
		operation === 'downloadFile'
			? details.message.replace(/^The service/, 'The file storage')
			: details.message;
	return new RequestFailure({ ...details, message, ...retryPolicyFor(operation, event) });
}

export const CANCELLED_BEFORE = new RequestFailure({
	message: 'Not sent: the execution was canceled first',
	description: 'Stopping the execution also stopped this request.',
	...retryPolicyFor('createInspection', 'canceledBeforeSending'),
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
