/*
 * All time limits, in ms. The service documents none, so they are chosen. A wait before a retry lies inside of them.
 *
 *   an execution     no limit: it ends when it is done or cancelled
 *   a poll           POLL_BUDGET_MS in memory; n8n's scheduler gives 36 s and abandons after ABANDONED_POLL_MS
 *     └ reading      READING_MS: no further page after that; what was read is still rendered
 *         └ request  REQUEST_LIMITS, shortened to what is left of the poll, but MIN_REQUEST_MS at least
 *   the editor       EDITOR_BUDGET_MS for everything that a list or a mapping loads
 */

/** Of n8n's in-memory engine (2.41). Taken also where n8n does not say (`getPollBudgetMs`). */
export const POLL_BUDGET_MS = 300_000;
/** When n8n's scheduler abandons a poll, by default (2.41). */
export const ABANDONED_POLL_MS = 45_000;
/** By then a poll in memory has ended: its budget, and a minute (chosen) for what cannot be interrupted. */
export const LONGEST_POLL_MS = POLL_BUDGET_MS + 60_000;
/** A checkpoint that n8n has not stored by then counts as lost. */
export const STORING_MS = 5_000;
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
