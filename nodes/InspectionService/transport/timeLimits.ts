/*
 * All time limits, in ms. The service documents none, so they are chosen. A wait before a retry lies inside of them.
 *
 *   an execution     no limit: it ends when it is done or cancelled
 *   a poll           POLL_BUDGET_MS in memory; n8n's scheduler gives 36 s, and abandons by POLL_LEASE_FACTOR
 *     └ reading      READING_MS: no further page after that; what was read is still rendered. Half with downloads
 *         └ request  REQUEST_LIMITS, shortened to what is left of the poll, but MIN_REQUEST_MS at least
 *   the editor       EDITOR_BUDGET_MS for everything that a list or a mapping loads
 */

/** Of n8n's in-memory engine (2.41). Taken also where n8n does not say (`getPollBudgetMs`). */
export const POLL_BUDGET_MS = 300_000;
/**
 * After so many times its budget a poll counts as abandoned. n8n's scheduler gives 36 s and abandons after 45 s (2.41). In
 * memory that leaves 75 s for what can't be interrupted.
 */
export const POLL_LEASE_FACTOR = 1.25;
/** Chosen: a checkpoint that n8n hasn't saved by then counts as lost. */
export const SAVING_MS = 5_000;
/** Ends before n8n starts the next poll in memory (a minute) or abandons this one. The next poll reads the rest. */
export const READING_MS = 40_000;
/** A timer may fire some milliseconds early, as seen by the clock. */
export const TIMER_SLACK_MS = 50;

/** Somebody looks at a dropdown that is loading: better an error than a spinner for minutes. */
export const EDITOR_BUDGET_MS = 20_000;

export const REQUEST_LIMITS = {
	read: 60_000,
	/** Longer than for reading, because a create is not retried after it. */
	create: 120_000,
	/** Until the storage begins its response. */
	openFile: 60_000,
	/** In each of these intervals `MIN_FILE_BYTES` of a file have to come. */
	idleFile: 60_000,
};
/** 1 kB a second: a modem of 1994 (14.4 kbit/s) brings 105 kB a minute. At one byte, a storage could last for hours. */
export const MIN_FILE_BYTES = 64 * 1024;
/** Also where less is left of the poll: with less a request could hardly succeed. */
export const MIN_REQUEST_MS = 1_000;

/** A longer wait that a service asks for is a quota: the error carries it, and n8n keeps to it. */
export const LONGEST_WAIT_MS = 60_000;
