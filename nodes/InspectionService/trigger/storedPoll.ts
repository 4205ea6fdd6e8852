import { cursorFrom } from '../domain/cursor/cursorScan';
import type { CursorScope } from '../domain/cursor/cursorScope';
import type { Cursor } from '../domain/cursor/cursorState';
import {
	readCursor,
	storeCursor,
	storedMark,
	type CursorOwner,
	type StoredCursor,
} from '../domain/cursor/cursorStore';
import type { JsonRecord } from '../domain/json';
import type { Timestamp } from '../domain/timestamp';
import { runPollRound, type PollRound } from './pollRound';

/** Where n8n keeps the cursor. Both work on what n8n holds in memory, so neither waits. */
export interface CursorStorage {
	read(): StoredCursor;
	write(own: JsonRecord, copy: JsonRecord): void;
}

export interface StoredPoll<Output> {
	storage: CursorStorage;
	owner: CursorOwner;
	/** Where a trigger without a cursor begins; undefined: with what changes from now on. */
	startFrom: Timestamp | undefined;
	round: Omit<PollRound<Output>, 'cursor'>;
}

export interface StoredPollOutcome<Output> {
	/** Oldest first; empty where there is nothing to start the workflow with. */
	outputs: Output[];
	/** Set where the poll ended early. With outputs it is for the log: the next poll meets it first. */
	failure: unknown;
	/** True where the service has more than this poll has read. */
	hasMore: boolean;
	/** What had to be given up, in words for a log. */
	warnings: string[];
	/** Of the cursor that was stored; undefined where none was. */
	revision: number | undefined;
}

/**
 * One poll from stored cursor to stored cursor. The cursor is read once, before anything else, and written once,
 * behind the last wait, so that a poll which fails or is abandoned leaves nothing. Where another poll has stored its
 * cursor in the meantime (n8n's in-memory engine lets polls overlap), this one's result is dropped: the other
 * has emitted it, or the next will.
 */
export async function runStoredPoll<Output>({
	storage,
	owner,
	startFrom,
	round,
}: StoredPoll<Output>): Promise<StoredPollOutcome<Output>> {
	const { scope } = round.question;
	const reading = readCursor(storage.read(), owner, scope);
	const warnings = reading.isLost
		? [
				'What this trigger had stored is not readable (another version of the node, or damaged). It starts anew with what changes from now on.',
			]
		: [];
	const cursor = reading.cursor ?? firstCursor(reading.isLost ? undefined : startFrom, scope);
	const { outputs, failure, ...result } = await runPollRound({ ...round, cursor });
	warnings.push(...result.warnings);
	const isFailed = failure !== undefined && outputs.length === 0;
	const nothing = { outputs: [], hasMore: true, warnings, revision: undefined };
	if (isFailed) return { ...nothing, failure };
	if (storedMark(storage.read()) !== reading.mark) {
		return { ...nothing, failure: undefined };
	}
	const stored = storeCursor(reading, result.cursor, owner, outputs.length > 0);
	if (stored !== undefined) storage.write(stored.own, stored.copy);
	return { outputs, failure, hasMore: result.hasMore, warnings, revision: stored?.revision };
}

function firstCursor(startFrom: Timestamp | undefined, scope: CursorScope): Cursor | undefined {
	return startFrom === undefined ? undefined : cursorFrom(startFrom, scope);
}
