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
/** Clocks that are set by a network differ by less, and one that is wrong is wrong by more. */
const FAR_SECONDS = 600;

export interface N8nClocks {
	/** Milliseconds of a clock that nobody sets. */
	now(): number;
	/** The date and time, which may be wrong by days. */
	today(): Timestamp;
}

export function isFarAfter(moment: Timestamp, other: Timestamp): boolean {
	const end = addSeconds(other, FAR_SECONDS);
	return end !== undefined && isLater(moment, end);
}

/**
 * What is known of the service's clock: it shows at least the newest timestamp that was ever seen, plus the time that has
 * passed since then ("When a clock is wrong" in docs/how-it-reads.md).
 */
export class ServiceClock {
	warning: string | undefined;
	readonly n8n: N8nClocks;
	private newest = BEGINNING_OF_TIME;
	private seenAt = 0;

	constructor(n8n: N8nClocks) {
		this.n8n = n8n;
	}

	note(stamp: Timestamp | undefined, sentAt: Timestamp | undefined): void {
		const today = this.n8n.today();
		const ahead = [stamp, sentAt].find((time) => time !== undefined && isFarAfter(time, today));
		const far = ahead ?? (sentAt && isFarAfter(today, sentAt) ? sentAt : undefined);
		// Worded with the first time that was far off, so that it stays the same text while that lasts.
		this.warning =
			far &&
			(this.warning ??
				`The service has sent a time that is far from n8n's clock: ${shownTime(far)}, while it was ${shownTime(today)} by n8n's clock. The trigger goes by the earlier of the two. Nothing is missed and nothing comes twice. Where n8n's clock is the wrong one, set it right: while it is behind, each poll reads all changes again that are later than n8n's time.`);
		const shown = stamp && earliestOf([stamp, sentAt, today]);
		if (shown === undefined || !isLater(shown, this.newest)) return;
		this.newest = shown;
		this.seenAt = this.n8n.now();
	}

	/** Forgets what the service's clock has shown. Returns for how many seconds it has shown nothing later. */
	restart(): number {
		const hasShown = this.newest !== BEGINNING_OF_TIME;
		this.newest = BEGINNING_OF_TIME;
		return hasShown ? (this.n8n.now() - this.seenAt) / MS_PER_SECOND : 0;
	}

	/**
	 * The whole second that the lookback begins with, for a request made at `askedAt`. It is never later than the second
	 * after the newest timestamp, because two clocks agree over a minute, but not over a month. Example: that is 10:00:30.5
	 * and `lookback` 60. The result is 09:59:30 at once, 10:00:10 after 40 s, and 10:00:31 from 61 s on.
	 */
	lookbackStart(askedAt: number, lookback: number): Timestamp {
		if (this.newest === BEGINNING_OF_TIME) return BEGINNING_OF_TIME;
		const elapsed = Math.max(0, Math.floor((askedAt - this.seenAt) / MS_PER_SECOND));
		const start = floorToSecond(addSeconds(this.newest, elapsed - lookback) ?? BEGINNING_OF_TIME);
		return earlierOf(start, secondAfter(floorToSecond(this.newest)));
	}
}
