/*
 * All time limits, in ms. They are chosen, because the service documents none. They include waits before retries.
 *
 *   an execution     no limit: it ends when it's done or canceled
 *   a poll           POLL_BUDGET_MS in memory, 36 seconds in n8n's scheduler
 *     └ reading      READING_MS, or half of it with downloads. After that, the poll only renders what it read
 *         └ request  REQUEST_LIMITS, or the time left in the poll if that's less, but at least MIN_REQUEST_MS
 *     └ download     REQUEST_LIMITS.wholeFile, also in an execution
 *   the editor       EDITOR_BUDGET_MS in total for loading a list or a mapping
 */

/** The time limit of a poll in n8n's in-memory engine (2.41). Also used if n8n has no `getPollBudgetMs`. */
export const POLL_BUDGET_MS = 300_000;
/**
 * A poll counts as abandoned after its time limit multiplied by this factor. Then another poll can start. The factor is
 * that of n8n's scheduler (2.41), which has a limit of 36 seconds and abandons a poll after 45 seconds. A poll in n8n's
 * in-memory engine counts as abandoned after 375 seconds.
 */
export const POLL_LEASE_FACTOR = 1.25;
/** If n8n hasn't saved a checkpoint after this time, the checkpoint counts as lost. The value is arbitrary. */
export const SAVING_MS = 5_000;
/**
 * How long a poll reads. The time ends before n8n starts the next poll in memory (after a minute) or abandons this
 * poll. The next poll reads the rest.
 */
export const READING_MS = 40_000;
/** Tolerance for a timer that fires a few milliseconds early, compared with the clock. */
export const TIMER_SLACK_MS = 50;

/** The time limit for an editor lookup. A user is waiting for a list, so an error is better than minutes of waiting. */
export const EDITOR_BUDGET_MS = 20_000;

export const REQUEST_LIMITS = {
	read: 60_000,
	/** Longer than `read`, because a Create request isn't retried after a timeout. */
	create: 120_000,
	/** The time until the file storage starts its response. */
	openFile: 60_000,
	/** In each interval of this length, at least `MIN_FILE_BYTES` of a file must arrive. */
	idleFile: 60_000,
	/** The time for a whole file. The largest file (2,000 MB) then needs 4.7 Mbit/s. Servers have more. */
	wholeFile: 3_600_000,
};
/**
 * This many bytes of a file must arrive per minute: about 1 kB per second. Even a modem of 1994 (14.4 kbit/s) transfers
 * 105 kB per minute. Without a minimum, a download could take hours.
 */
export const MIN_FILE_BYTES = 64 * 1024;
/**
 * The minimum time limit of a request, even if less time is left in the poll. A request with less time would almost
 * always fail.
 */
export const MIN_REQUEST_MS = 1_000;

/**
 * The longest wait before a retry. A service that asks for a longer wait probably has a quota. The error then contains
 * the wait, and n8n's scheduler respects it.
 */
export const LONGEST_WAIT_MS = 60_000;
/**
 * How much longer the wait can be. A date in a header has whole seconds, so a minute can become 61 seconds. And retries
 * are spread over up to 100 ms (`retryWaitMs`).
 */
export const WAIT_TOLERANCE_MS = 1_500;
