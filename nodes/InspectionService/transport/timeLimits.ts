/*
 * All time limits, in ms, from the widest to the narrowest. The service documents none: they end what is lost, and
 * leave room for what is slow. LONGEST_WAIT_MS (domain/request) is how long a retry may wait inside of all of them.
 *
 *   an execution     no limit: it ends when it is done or cancelled
 *   a poll           POLL_BUDGET_MS in memory; n8n's scheduler gives 36 s and abandons after ABANDONED_POLL_MS
 *     └ reading      READING_MS: no further page after that; what was read is still rendered
 *         └ request  REQUEST_LIMITS, shortened to what is left of the poll, but MIN_REQUEST_MS at least
 *   the editor       EDITOR_BUDGET_MS for everything that a list or a mapping loads
 */

/** What n8n's in-memory engine gives a poll, always, and where n8n does not say (its `getPollBudgetMs`, 2.41). */
export const POLL_BUDGET_MS = 300_000;
/** When n8n's scheduler abandons a poll, by default (2.41). */
export const ABANDONED_POLL_MS = 45_000;
/** All requests of a poll in memory have ended by then: its budget, and some time for what cannot be interrupted. */
export const LONGEST_POLL_MS = POLL_BUDGET_MS + 60_000;
/**
 * Between a poll's return and the moment from which later polls read what it left lie two database transactions:
 * milliseconds, or seconds on a busy machine. After that, what was not stored has failed to be.
 */
export const STORING_MS = 5_000;

/**
 * The longest a poll reads on. n8n's in-memory engine starts the next poll after a minute, beside this one, and its
 * scheduler abandons this one; a poll that ends earlier is simply followed by the next.
 */
export const READING_MS = 40_000;
/** A timer may fire some milliseconds before its time, as the clock counts it. */
export const TIMER_SLACK_MS = 50;

/** Somebody looks at a dropdown that is loading: better an error than a spinner for minutes. */
export const EDITOR_BUDGET_MS = 20_000;

/** Of single requests. */
export const REQUEST_LIMITS = {
	/** A page of 100 inspections with all their answers takes seconds. */
	read: 60_000,
	/** Up to 1000 answers and a task; longer than for reading, because a create is not repeated afterwards. */
	create: 120_000,
	/** Until the storage begins its response. */
	openFile: 60_000,
	/** Without a byte in the middle of a file. */
	idleFile: 60_000,
};
/** A request that is started at all gets this long at least. */
export const MIN_REQUEST_MS = 1_000;
