import {
	addSeconds,
	BEGINNING_OF_TIME,
	earlierOf,
	floorToSecond,
	isLater,
	secondAfter,
	type Timestamp,
} from '../timestamp';

const MS_PER_SECOND = 1_000;

/**
 * What is known of the service's clock. It shows at least the newest timestamp that was ever seen, plus the time that has
 * passed since then. n8n's own clock is used only to measure durations, because its date may be wrong by days.
 *
 * A timestamp can lie ahead of the service's clock: a device's clock was wrong, or an import had such dates. So a
 * timestamp counts at most as much as the `Date` header of the response that it came with, where there is one.
 */
export class ServiceClock {
	/** Milliseconds of a clock that nobody sets. */
	readonly now: () => number;
	private newest = BEGINNING_OF_TIME;
	private seenAt = 0;

	constructor(now: () => number) {
		this.now = now;
	}

	/** Takes note of a timestamp that the service has just sent, at `sentAt` by its own clock. */
	note(stamp: Timestamp | undefined, sentAt: Timestamp | undefined): void {
		if (stamp === undefined) return;
		const shown = sentAt === undefined ? stamp : earlierOf(stamp, sentAt);
		if (!isLater(shown, this.newest)) return;
		this.newest = shown;
		this.seenAt = this.now();
	}

	/** The newest time that the service's clock has shown, cut to its second. */
	newestSecond(): Timestamp {
		return floorToSecond(this.newest);
	}

	/**
	 * The whole second that the lookback begins with, for a request made at `askedAt`: no change before it can become
	 * visible any more. It is `lookback` seconds before the time that the service's clock shows at least. It is never later
	 * than the second after the newest timestamp, because two clocks agree over a minute, but not over a month.
	 * Before any timestamp was seen it is the beginning of time.
	 *
	 * Example: the newest timestamp is 10:00:30.5 and `lookback` is 60. The result is 09:59:30 at once, 10:00:10 after 40 s,
	 * and 10:00:31 from 61 s on.
	 */
	lookbackStart(askedAt: number, lookback: number): Timestamp {
		if (this.newest === BEGINNING_OF_TIME) return BEGINNING_OF_TIME;
		const elapsed = Math.max(0, Math.floor((askedAt - this.seenAt) / MS_PER_SECOND));
		const second = floorToSecond(this.newest);
		const start = floorToSecond(addSeconds(this.newest, elapsed - lookback) ?? BEGINNING_OF_TIME);
		return earlierOf(start, secondAfter(second));
	}
}
