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
/**
 * Two times that differ by more than this number of seconds are far apart. Chosen: clocks that are synchronized over a
 * network differ by less, and a wrong clock usually differs by more.
 */
const FAR_SECONDS = 600;

interface N8nClocks {
	/** The time on a monotonic clock, in ms. */
	now(): number;
	/** The current date and time according to n8n's server, whose clock can be wrong by days. */
	today(): Timestamp;
}

export function isFarAfter(moment: Timestamp, other: Timestamp): boolean {
	const end = addSeconds(other, FAR_SECONDS);
	return end !== undefined && isLater(moment, end);
}

/**
 * Estimates the current time on the service's clock ("When a clock is wrong" in docs/dev/reading.md). The estimate is
 * the newest timestamp received so far, plus the time since it was received.
 */
export class ServiceClock {
	/** A warning for n8n's log while the service sends times that are far from n8n's clock. Otherwise undefined. */
	warning: string | undefined;
	readonly n8n: N8nClocks;
	private newest = BEGINNING_OF_TIME;
	private seenAt = 0;
	private sentAt: Timestamp | undefined;

	constructor(n8n: N8nClocks) {
		this.n8n = n8n;
	}

	/**
	 * Records a response: its latest timestamp (`stamp`) and its `Date` header (`sentAt`). If the timestamp is later than
	 * `sentAt` or n8n's clock, the earliest of the three times is used instead.
	 */
	record(stamp: Timestamp | undefined, sentAt: Timestamp | undefined): void {
		const today = this.n8n.today();
		this.sentAt = sentAt;
		const ahead = [stamp, sentAt].find((time) => time !== undefined && isFarAfter(time, today));
		const far = ahead ?? (sentAt && isFarAfter(today, sentAt) ? sentAt : undefined);
		// Keep the text of the first warning, so that the log contains it only once while the clocks differ.
		this.warning =
			far &&
			(this.warning ??
				`The service sent a time that is far from n8n's clock: ${shownTime(far)}, when n8n's clock showed ${shownTime(today)}. The trigger uses the earlier of the two, so nothing is missed and nothing is returned twice. If n8n's clock is wrong, correct it. While n8n's clock is behind, each poll rereads all changes after n8n's time, and the option 'Wait Until Unchanged (Minutes)' delays them.`);
		const shown = stamp && earliestOf([stamp, sentAt, today]);
		if (shown === undefined || !isLater(shown, this.newest)) return;
		this.newest = shown;
		this.seenAt = this.n8n.now();
	}

	/** Forgets the newest timestamp. Returns how many seconds ago it was received, or 0 if there was none. */
	restart(): number {
		const hasShown = this.newest !== BEGINNING_OF_TIME;
		this.newest = BEGINNING_OF_TIME;
		return hasShown ? (this.n8n.now() - this.seenAt) / MS_PER_SECOND : 0;
	}

	/**
	 * Returns the service's time at `moment` minus `lookback` seconds, rounded down to a whole second. `moment` is a time
	 * on the monotonic clock, and can be before the newest timestamp was received.
	 * The result is never later than the second after the newest timestamp. Otherwise, the result would drift away from
	 * the service's clock if no new timestamp arrives for weeks.
	 * Example: 10:00:30.5 was just received and `lookback` is 60. The result is 09:59:30 now, 10:00:10 after 40 seconds,
	 * and 10:00:31 after 61 seconds or more.
	 */
	lookbackStart(moment: number, lookback: number): Timestamp {
		const start = floorToSecond(this.newestPlus(moment, -lookback));
		return earlierOf(start, secondAfter(floorToSecond(this.newest)));
	}

	/**
	 * Returns the service's current time minus `settle` seconds, rounded down to a whole second. The current time is the
	 * `Date` header of the last response. Without this header, the current time is the newest timestamp plus the time
	 * since it was received. If n8n's clock is earlier, n8n's time is used instead.
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
