import { addSeconds, earlierOf, floorToSecond, type Timestamp } from '../timestamp';
import { isLater, secondAfter } from './moments';

const MS_PER_SECOND = 1_000;

/**
 * What is known of the service's clock: it shows at least the newest timestamp that was ever seen, and as much more as
 * has passed since. n8n's own clock may be wrong by days, so only durations of it are used.
 */
export class ServiceClock {
	/** Milliseconds of a clock that is never set. */
	readonly now: () => number;
	private newest: Timestamp | undefined;
	private seenAt = 0;

	constructor(now: () => number) {
		this.now = now;
	}

	/** Takes note of a timestamp that the service has sent by now. */
	note(stamp: Timestamp | undefined): void {
		if (stamp === undefined || !isLater(stamp, this.newest ?? null)) return;
		this.newest = stamp;
		this.seenAt = this.now();
	}

	/**
	 * The whole second before which nothing can become visible any more, for a request made at `askedAt`: `lookback`
	 * seconds before what the service's clock shows at least. It goes no further than the second after the newest
	 * timestamp: two clocks run alike over a minute, not over a month. Null where nothing was seen yet.
	 *
	 * Example: newest 10:00:30.5, lookback 60. At once that is 09:59:30, 40 s later 10:00:10, from 61 s on 10:00:31.
	 */
	lookbackStart(askedAt: number, lookback: number): Timestamp | null {
		if (this.newest === undefined) return null;
		const elapsed = Math.max(0, Math.floor((askedAt - this.seenAt) / MS_PER_SECOND));
		const second = floorToSecond(this.newest);
		const start = floorToSecond(addSeconds(this.newest, elapsed - lookback) ?? second);
		return earlierOf(start, secondAfter(second));
	}
}
