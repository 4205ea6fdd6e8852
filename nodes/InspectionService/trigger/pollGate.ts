/** What n8n's in-memory engine gives a poll, always (2.38 and later); its scheduler gives less. */
const IN_MEMORY_BUDGET_MS = 300_000;
/** When n8n's scheduler abandons a poll, by default. */
const ABANDONED_MS = 45_000;
/**
 * Between a poll's return and the moment from which later polls read what it stored lie two database transactions:
 * milliseconds, or seconds on a busy machine. Beyond that, what was not stored has failed to be.
 */
const STORING_MS = 5_000;

interface LatestPoll {
	startedAt: number;
	/** Undefined while it runs. */
	endedAt: number | undefined;
	/** Of the cursor that it left to be stored; undefined where it left none. */
	revision: number | undefined;
}

const running = new WeakSet<object>();
const latest = new Map<string, LatestPoll>();

/** A poll that wants its turn. */
export interface PollSeat {
	/** The object that n8n gave the poll as its node's static data. */
	data: object;
	/** Names the node among all that this process polls. */
	nodeKey: string;
	/** What n8n lets the poll take; undefined before 2.38. */
	budgetMs: number | undefined;
	/** Of the cursor that the poll would go on from; 0 where it has none. */
	revision: number;
}

export interface PollTurn {
	/** To be called behind the poll, however it ended; with the revision of the cursor that it left to be stored. */
	end(revision: number | undefined): void;
}

/**
 * Polls of one node one at a time, within this process. Undefined: it is not this poll's turn, and the next one
 * will find what this one would have.
 *
 * n8n's in-memory engine starts a poll although the last one still runs: both have the same static data object. Its
 * scheduler has a job for each poll time of the node, and runs all that are overdue at once: each has a copy of the
 * static data of its own, made before the others stored theirs, and n8n does not compare them afterwards.
 */
export function takeTurn(seat: PollSeat, now: () => number): PollTurn | undefined {
	const { data, budgetMs = IN_MEMORY_BUDGET_MS } = seat;
	if (running.has(data)) return undefined;
	const isScheduled = budgetMs !== IN_MEMORY_BUDGET_MS;
	const poll = isScheduled ? scheduledTurn(seat, now()) : newPoll(now());
	if (poll === undefined) return undefined;
	running.add(data);
	return {
		end: (revision) => {
			running.delete(data);
			poll.endedAt = now();
			poll.revision = revision;
		},
	};
}

function scheduledTurn({ nodeKey, revision }: PollSeat, now: number): LatestPoll | undefined {
	const before = latest.get(nodeKey);
	if (before !== undefined && isInTheWay(before, revision, now)) return undefined;
	const poll = newPoll(now);
	latest.set(nodeKey, poll);
	return poll;
}

function isInTheWay(before: LatestPoll, revision: number, now: number): boolean {
	if (before.endedAt === undefined) return isWithin(now - before.startedAt, ABANDONED_MS);
	const isBehind = before.revision !== undefined && revision < before.revision;
	return isBehind && isWithin(now - before.endedAt, STORING_MS);
}

/** A clock that was set back in between measures nothing. */
function isWithin(elapsed: number, limit: number): boolean {
	return elapsed >= 0 && elapsed < limit;
}

function newPoll(now: number): LatestPoll {
	return { startedAt: now, endedAt: undefined, revision: undefined };
}
