import type { RequestFailure, StatusFailure } from '../domain/request/requestFailure';
import { isThrottle, retryWaitMs } from '../domain/request/retryPolicy';
import type { Answer } from '../domain/request/serviceAnswer';
import type { Patience } from './patience';
import type { RequestQueue } from './requestQueue';

export interface RequestPlan<Value> {
	/** True for a request that changes nothing. */
	safe: boolean;
	/** Sends it once. Never throws. */
	send(): Promise<Answer<Value>>;
}

/** Sends a request until it succeeds, or the retry policy, the time or a cancellation ends it. */
export async function persistentRequest<Value>(
	{ safe, send }: RequestPlan<Value>,
	{ queue, patience }: { queue: RequestQueue; patience: Patience },
): Promise<Answer<Value>> {
	for (let attempt = 1; ; attempt++) {
		const entry = await queue.enter(attempt > 1);
		if ('kind' in entry) return { failure: entry };

		const answer = await send();
		const failure = 'failure' in answer ? answer.failure : undefined;
		if (failure === undefined) {
			queue.leave(true);
			return answer;
		}
		const waitMs = retryWaitMs({ safe, attempt, failure, random: patience.timing.random() });
		const pauses = wantsPause(failure);
		if (pauses) queue.slowDown(entry, failure, waitMs);
		queue.leave(false);
		if (waitMs === undefined || waitMs > patience.longestWaitMs()) return answer;
		// A pause for all is the queue's: the next attempt waits there.
		if (!pauses) await patience.wait(waitMs);
		if (patience.isCancelled()) return answer;
	}
}

/** A service that is down until a certain time, or says that there is too much, says it to all. */
function wantsPause(failure: RequestFailure): failure is StatusFailure {
	if (failure.kind !== 'status') return false;
	return isThrottle(failure) || (failure.status === 503 && (failure.retryAfterMs ?? 0) > 0);
}
