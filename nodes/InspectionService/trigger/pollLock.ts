import {
	ABANDONED_POLL_MS,
	LONGEST_POLL_MS,
	POLL_BUDGET_MS,
	STORING_MS,
} from '../transport/timeLimits';
import type { NodeMemory, PollTimes } from './nodeMemory';

/** A poll that wants to run. */
export interface WaitingPoll {
	/** What n8n lets the poll take; undefined before 2.38, and in an activation. */
	budgetMs: number | undefined;
	/** Of the checkpoint that the poll would go on from; 0 where it has none. */
	revision: number;
}

export interface PollLock {
	/** To be called when the poll is over, however it ended; with the revision that it left to be stored. */
	release(revision: number | undefined): void;
}

/** Whether n8n polls by its in-memory engine: only that gives this budget. */
export function isInMemory(budgetMs: number | undefined): boolean {
	return budgetMs === undefined || budgetMs === POLL_BUDGET_MS;
}

/**
 * Polls of one node one at a time, within this process. Undefined: another poll has the lock, and the next one will
 * find what this one would have.
 *
 * n8n's in-memory engine starts a poll although the last one still runs, and may have registered a node twice. Its
 * scheduler has a job for each poll time of the node, and runs all that are overdue at once: each has a copy of the
 * static data of its own, made before the others stored theirs, and n8n does not compare them afterwards.
 */
export function takeLock(
	memory: NodeMemory,
	waiting: WaitingPoll,
	now: () => number,
): PollLock | undefined {
	const before = memory.latestPoll;
	const poll: PollTimes = { startedAt: now() };
	if (before !== undefined && isInTheWay(before, waiting, poll.startedAt)) return undefined;
	memory.latestPoll = poll;
	return {
		release: (revision) => {
			poll.endedAt = now();
			poll.revision = revision;
		},
	};
}

function isInTheWay(before: PollTimes, { budgetMs, revision }: WaitingPoll, now: number): boolean {
	if (isInMemory(budgetMs)) {
		return before.endedAt === undefined && now - before.startedAt < LONGEST_POLL_MS;
	}
	if (before.endedAt === undefined) return now - before.startedAt < ABANDONED_POLL_MS;
	const isBehind = before.revision !== undefined && revision < before.revision;
	return isBehind && now - before.endedAt < STORING_MS;
}
