import { shownTime } from '../formatting';
import {
	addSeconds,
	BEGINNING_OF_TIME,
	earlierOf,
	earliestOf,
	floorToSecond,
	isLater,
	secondAfter,
	type Timestamp,
} from '../timestamp';

const MS_PER_SECOND = 1_000;
/** Chosen: network-synchronized clocks differ by less, and a wrong clock usually differs by more. */
const FAR_SECONDS = 600;

interface N8nClocks {
	/** Monotonic clock, in ms. */
	now(): number;
	/** The date and time, which can be wrong by days. */
	today(): Timestamp;
}

export function isFarAfter(moment: Timestamp, other: Timestamp): boolean {
	const end = addSeconds(other, FAR_SECONDS);
	return end !== undefined && isLater(moment, end);
}

/**
 * Estimates the service's clock: at least the newest timestamp seen so far, plus the time since then ("When a clock
 * is wrong" in docs/how-it-reads.md).
 */
export class ServiceClock {
	/** Set while the service sends a time that is far from n8n's clock. */
	warning: string | undefined;
	readonly n8n: N8nClocks;
	private newest = BEGINNING_OF_TIME;
	private seenAt = 0;
	private sentAt: Timestamp | undefined;

	constructor(n8n: N8nClocks) {
		this.n8n = n8n;
	}

	/** Whether the last recorded response had a `Date` header. */
	get hasDate(): boolean {
		return this.sentAt !== undefined;
	}

	/** Records the `Date` header of a response and its latest timestamp, limited by that header and n8n's clock. */
	record(stamp: Timestamp | undefined, sentAt: Timestamp | undefined): void {
		const today = this.n8n.today();
		this.sentAt = sentAt;
		const ahead = [stamp, sentAt].find((time) => time !== undefined && isFarAfter(time, today));
		const far = ahead ?? (sentAt && isFarAfter(today, sentAt) ? sentAt : undefined);
		// Keep the text for the first such time, so that a persistent difference is logged once.
		this.warning =
			far &&
			(this.warning ??
				`The service sent a time that is far from n8n's clock: ${shownTime(far)}, when n8n's clock showed ${shownTime(today)}. The trigger uses the earlier of the two, so nothing is missed and nothing is returned twice. If n8n's clock is wrong, correct it. While it's slow, each poll rereads all changes after n8n's time, and Wait Until Unchanged delays them.`);
		const shown = stamp && earliestOf([stamp, sentAt, today]);
		if (shown === undefined || !isLater(shown, this.newest)) return;
		this.newest = shown;
		this.seenAt = this.n8n.now();
	}

	/** Forgets the newest timestamp. Returns how long it was the newest, in seconds. */
	restart(): number {
		const hasShown = this.newest !== BEGINNING_OF_TIME;
		this.newest = BEGINNING_OF_TIME;
		return hasShown ? (this.n8n.now() - this.seenAt) / MS_PER_SECOND : 0;
	}

	/**
	 * Returns the whole second `lookback` seconds before the service's time at `moment`. `moment` is on the monotonic
	 * clock, and can be earlier than when the newest timestamp was seen. The result is never later than the second
	 * after the newest timestamp, because two clocks stay in sync for a minute, but not for a month. Example:
	 * 10:00:30.5 was just seen and `lookback` is 60. The result is 09:59:30 now, 10:00:10 after 40 s, and 10:00:31
	 * after 61 s or more.
	 */
	lookbackStart(moment: number, lookback: number): Timestamp {
		const start = floorToSecond(this.newestPlus(moment, -lookback));
		return earlierOf(start, secondAfter(floorToSecond(this.newest)));
	}

	/**
	 * Returns the whole second `settle` seconds before the service's current time. The current time is the last
	 * response's `Date`, or else the newest timestamp plus the time since it was seen. n8n's clock limits both.
	 */
	settledUntil(settle: number): Timestamp {
		const shown = this.sentAt ?? this.newestPlus(this.n8n.now(), 0);
		const settled = addSeconds(earlierOf(shown, this.n8n.today()), -settle);
		return floorToSecond(settled ?? BEGINNING_OF_TIME);
	}

	private newestPlus(moment: number, seconds: number): Timestamp {
		if (this.newest === BEGINNING_OF_TIME) return BEGINNING_OF_TIME;
		const elapsed = Math.floor((moment - this.seenAt) / MS_PER_SECOND);
		return addSeconds(this.newest, elapsed + seconds) ?? BEGINNING_OF_TIME;
	}
}
