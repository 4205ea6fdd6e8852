import { durationText } from '../formatting';
import type { RequestInfo } from './requestInfo';
import { type RequestEvent, type RetryPolicy, retryPolicyFor } from './retryPolicy';

/** Minimum total wait for a sentence about it. The value is arbitrary. */
const LEAST_WAIT_SECONDS = 2;

interface FailureDetails {
	message: string;
	description: string;
	/** The status of the response, or `ETIMEDOUT` if the request reached its time limit. */
	httpCode?: string;
	/** How long the response asks clients to wait, in ms. */
	retryAfterMs?: number | undefined;
	/** Whether the response was larger than allowed. */
	isTooLarge?: boolean;
	/** Whether the response is JSON, but not what was requested. */
	isWrongShape?: boolean;
}

type FailureFacts = FailureDetails & RetryPolicy;

/** The error of a failed request. The code that detects a failure creates this error, and no later code changes it. */
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

	/** Returns the same error without further retries, for a request that was already retried as often as is useful. */
	withoutRetries(): RequestFailure {
		return this.with({ attempts: undefined, pausesAllRequests: false });
	}
}

/** Creates the error of a failed request. For a download, the message names the file storage instead of the service. */
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
	message: 'Not sent: the execution was canceled before this request',
	description: 'Stopping the execution also stopped this request.',
	...retryPolicyFor('createInspection', 'canceledBeforeSending'),
});

/**
 * Creates the error of a request that isn't sent, because the response to an earlier request asks for a wait that is
 * too long.
 */
export function pausedFailure(failure: RequestFailure, retryAfterMs: number): RequestFailure {
	const message = `Not sent: ${failure.facts.message}`;
	const description = `The service rejected an earlier request, so this one wasn't sent. ${failure.facts.description}`;
	return failure.with({ message, description, retryAfterMs, outcomeUnknown: false });
}

/** Adds the sentence of `waitText` to the description. */
export function withWait(failure: RequestFailure, waitedMs: number): RequestFailure {
	const wait = waitText(waitedMs);
	return wait === undefined
		? failure
		: failure.with({ description: `${failure.facts.description} ${wait}` });
}

/** Returns a sentence about the time that requests have waited, in ms. Undefined for a short time. */
export function waitText(waitedMs: number): string | undefined {
	const seconds = Math.round(waitedMs / 1000);
	if (seconds < LEAST_WAIT_SECONDS) return undefined;
	return `The service asked for waits, so this run waited ${durationText(seconds * 1000)} in total.`;
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
	if (!(error instanceof RequestFailure)) return false;
	return statuses.some((status) => String(status) === error.facts.httpCode);
}

export function isOutcomeUnknown(error: unknown): error is RequestFailure {
	return error instanceof RequestFailure && error.facts.outcomeUnknown === true;
}
