import {
	ABANDONED_POLL_MS,
	LONGEST_POLL_MS,
	POLL_BUDGET_MS,
	STORING_MS,
} from '../transport/timeLimits';
import type { NodeMemory, PollTimes } from './nodeMemory';

/** A poll that asks for the lock. */
export interface WaitingPoll {
	/** How many ms n8n gives the poll; undefined before n8n 2.38, and for the poll of an activation. */
	budgetMs: number | undefined;
	/** The revision of the checkpoint that n8n shows to the poll; 0 where there is none. */
	revision: number;
}

export interface PollLock {
	/** To be called when the poll has ended, also by an error. */
	release(): void;
}

/** Whether n8n polls by its in-memory engine: no other engine gives this budget. */
export function isInMemory(budgetMs: number | undefined): boolean {
	return budgetMs === undefined || budgetMs === POLL_BUDGET_MS;
}

/**
 * Lets one poll of a node run at a time, within this process. Undefined: another poll is in the way. The next poll will
 * find what this one would have found.
 *
 * - n8n's in-memory engine starts a poll even while the last one still runs, and may have registered a node twice.
 * - n8n's scheduler has a job for each poll time of the node, and runs all overdue jobs at once. Each job gets its own
 *   copy of the static data, made before the other jobs have stored theirs. So a poll that gets an older checkpoint than
 *   the last poll has left does not run, until that checkpoint is stored or counts as lost (`STORING_MS`).
 */
export function takeLock(
	memory: NodeMemory,
	waiting: WaitingPoll,
	now: () => number,
): PollLock | undefined {
	const poll: PollTimes = { startedAt: now() };
	if (isPollInTheWay(memory, waiting, poll.startedAt)) return undefined;
	memory.latestPoll = poll;
	return {
		release: () => {
			poll.endedAt = now();
		},
	};
}

function isPollInTheWay(
	{ latestPoll, left }: NodeMemory,
	{ budgetMs, revision }: WaitingPoll,
	now: number,
): boolean {
	if (latestPoll !== undefined && latestPoll.endedAt === undefined) {
		const longest = isInMemory(budgetMs) ? LONGEST_POLL_MS : ABANDONED_POLL_MS;
		return now - latestPoll.startedAt < longest;
	}
	if (isInMemory(budgetMs) || left === undefined) return false;
	return revision < left.revision && now - left.at < STORING_MS;
}
