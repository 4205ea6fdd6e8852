import { shownTime } from '../shownText';
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
/** Chosen: clocks that a network sets differ by less, and a wrong clock is usually wrong by more. */
const FAR_SECONDS = 600;

export interface N8nClocks {
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
 * What a process knows of the service's clock: it shows at least the newest timestamp seen so far plus the time since then
 * ("When a clock is wrong" in docs/how-it-reads.md).
 */
export class ServiceClock {
	/** Set while a time of the service is far from n8n's clock. */
	warning: string | undefined;
	readonly n8n: N8nClocks;
	private newest = BEGINNING_OF_TIME;
	private seenAt = 0;
	private sentAt: Timestamp | undefined;

	constructor(n8n: N8nClocks) {
		this.n8n = n8n;
	}

	/** Whether the last response that was noted had a `Date` header. */
	get hasDate(): boolean {
		return this.sentAt !== undefined;
	}

	/** Notes a response: its latest timestamp, and its `Date` header, which only bounds it. */
	note(stamp: Timestamp | undefined, sentAt: Timestamp | undefined): void {
		const today = this.n8n.today();
		this.sentAt = sentAt;
		const ahead = [stamp, sentAt].find((time) => time !== undefined && isFarAfter(time, today));
		const far = ahead ?? (sentAt && isFarAfter(today, sentAt) ? sentAt : undefined);
		// Keeps the text of the first such time, so that it's logged once while that lasts.
		this.warning =
			far &&
			(this.warning ??
				`The service sent a time that is far from n8n's clock: ${shownTime(far)}, when n8n's clock showed ${shownTime(today)}. The trigger uses the earlier of the two, so nothing is missed and nothing comes twice. If n8n's clock is wrong, correct it: while it's behind, each poll rereads all changes later than n8n's time, and Wait Until Unchanged holds them back.`);
		const shown = stamp && earliestOf([stamp, sentAt, today]);
		if (shown === undefined || !isLater(shown, this.newest)) return;
		this.newest = shown;
		this.seenAt = this.n8n.now();
	}

	/** Forgets the newest timestamp. Returns for how many seconds it has been the newest. */
	restart(): number {
		const hasShown = this.newest !== BEGINNING_OF_TIME;
		this.newest = BEGINNING_OF_TIME;
		return hasShown ? (this.n8n.now() - this.seenAt) / MS_PER_SECOND : 0;
	}

	/**
	 * The whole second `lookback` seconds before the service's time at `moment` of the monotonic clock, which can lie before
	 * the newest timestamp was seen. It's never later than the second after the newest timestamp: two clocks agree over a
	 * minute, but not over a month. Example: 10:00:30.5 was just seen and `lookback` is 60. The result is 09:59:30 now,
	 * 10:00:10 after 40 s, and 10:00:31 after 61 s or more.
	 */
	lookbackStart(moment: number, lookback: number): Timestamp {
		const start = floorToSecond(this.newestPlus(moment, -lookback));
		return earlierOf(start, secondAfter(floorToSecond(this.newest)));
	}

	/**
	 * The whole second `settle` seconds before the service's present time. That is the last response's `Date`; without one,
	 * the newest timestamp plus the time since it was seen. n8n's clock bounds both.
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
