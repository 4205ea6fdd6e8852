import type {
	RequestFailure,
	RequestResult,
	StatusFailure,
} from '../domain/request/requestFailure';
import { isThrottle, retryWaitMs } from '../domain/request/retryPolicy';
import type { Deadline } from './deadline';
import type { RequestQueue } from './requestQueue';

interface RequestPlan<Value> {
	/** True for a request that changes nothing. */
	safe: boolean;
	/** Sends it once. Never throws. */
	send(): Promise<RequestResult<Value>>;
}

/** Sends a request until it succeeds, or the retry policy, the time or a cancellation ends it. */
export async function persistentRequest<Value>(
	{ safe, send }: RequestPlan<Value>,
	{ queue, deadline }: { queue: RequestQueue; deadline: Deadline },
): Promise<RequestResult<Value>> {
	for (let attempt = 1; ; attempt++) {
		const start = await queue.start({ isRetry: attempt > 1 });
		if ('kind' in start) return { failure: start };

		const result = await send();
		const failure = 'failure' in result ? result.failure : undefined;
		if (failure === undefined) {
			queue.finish({ success: true });
			return result;
		}
		const waitMs = retryWaitMs({ safe, attempt, failure, random: deadline.timing.random() });
		const pauses = wantsPause(failure);
		if (pauses) queue.slowDown(start, failure, waitMs);
		queue.finish({ success: false });
		if (waitMs === undefined || waitMs > deadline.longestWaitMs()) return result;
		// A pause holds back all requests, so the queue keeps it: the next attempt waits there.
		if (!pauses) await deadline.wait(waitMs);
		if (deadline.isCancelled()) return result;
	}
}

/** Whether a response holds back all requests: 429 (too many requests), or 503 with a time to come back. */
function wantsPause(failure: RequestFailure): failure is StatusFailure {
	if (failure.kind !== 'status') return false;
	return isThrottle(failure) || (failure.status === 503 && (failure.retryAfterMs ?? 0) > 0);
}
