/*
 * All time limits, in ms. They are chosen, because the service documents none. They include waits before retries.
 *
 *   an execution     no limit: it ends when it is done or canceled
 *   a poll           POLL_BUDGET_MS in memory. n8n's scheduler allows 36 s, and abandons by POLL_LEASE_FACTOR
 *     └ reading      READING_MS: fetches no more pages after that, but still renders what was read. Half with downloads
 *         └ request  REQUEST_LIMITS, shortened to the time left in the poll, but at least MIN_REQUEST_MS
 *   the editor       EDITOR_BUDGET_MS in total for loading a list or a mapping
 */

/** Used by n8n's in-memory engine (2.41). Also the default if n8n doesn't provide a budget (`getPollBudgetMs`). */
export const POLL_BUDGET_MS = 300_000;
/**
 * A poll counts as abandoned after this multiple of its budget. n8n's scheduler allows 36 s and abandons a poll after
 * 45 s (2.41). In memory, this leaves 75 s for work that can't be interrupted.
 */
export const POLL_LEASE_FACTOR = 1.25;
/** Chosen: a checkpoint counts as lost if n8n hasn't saved it by then. */
export const SAVING_MS = 5_000;
/**
 * Ends before n8n starts the next poll in memory (after a minute) or abandons this one. The next poll reads the rest.
 */
export const READING_MS = 40_000;
/** A timer can fire a few milliseconds early according to the clock. */
export const TIMER_SLACK_MS = 50;

/** A user is waiting for a dropdown to load: an error is better than a spinner that runs for minutes. */
export const EDITOR_BUDGET_MS = 20_000;

export const REQUEST_LIMITS = {
	read: 60_000,
	/** Longer than for reads, because a create isn't retried after a timeout. */
	create: 120_000,
	/** Until the storage starts its response. */
	openFile: 60_000,
	/** At least `MIN_FILE_BYTES` of a file must arrive in each interval of this length. */
	idleFile: 60_000,
};
/**
 * About 1 kB per second. A 1994 modem (14.4 kbit/s) transfers 105 kB per minute. With a limit of one byte, a download
 * could take hours.
 */
export const MIN_FILE_BYTES = 64 * 1024;
/** Applies even if less time is left in the poll, because a shorter request could hardly succeed. */
export const MIN_REQUEST_MS = 1_000;

/** A service that asks for a longer wait is enforcing a quota. The error includes the wait, and n8n respects it. */
export const LONGEST_WAIT_MS = 60_000;
