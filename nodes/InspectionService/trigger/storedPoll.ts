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
import type { UnkeptCursor } from './unkeptCursor';

/** Where n8n keeps the cursor. Both work on what n8n holds in memory, so neither waits. */
export interface CursorStorage {
	read(): StoredCursor;
	write(own: JsonRecord, copy: JsonRecord): void;
}

export interface StoredPoll<Output> {
	storage: CursorStorage;
	unkept: UnkeptCursor;
	owner: CursorOwner;
	/** Where a trigger without a cursor begins; undefined: with what changes from now on. */
	startFrom: Timestamp | undefined;
	round: Omit<PollRound<Output>, 'cursor'>;
}

export interface StoredPollOutcome<Output> {
	/** Oldest first; empty where there is nothing to start the workflow with. */
	outputs: Output[];
	/** What the caller has to throw: nothing was dealt with, and nothing was stored. */
	failure: unknown;
	/** What ended the poll early, for the log: it goes on behind what was dealt with, and meets this first. */
	setback: unknown;
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
export async function runStoredPoll<Output>(
	poll: StoredPoll<Output>,
): Promise<StoredPollOutcome<Output>> {
	const { storage, unkept, owner, startFrom, round } = poll;
	const { scope } = round.question;
	const stored = storage.read();
	const mark = storedMark(stored);
	const reading = readCursor({ ...stored, unkept: unkept.read(mark) }, owner, scope);
	const warnings = reading.isLost
		? [
				'What this trigger had stored is not readable (another version of the node, or damaged). It starts anew with what changes from now on.',
			]
		: [];
	const cursor = reading.cursor ?? firstCursor(reading.isLost ? undefined : startFrom, scope);
	const result = await runPollRound({ ...round, cursor });
	const { outputs, failure, hasMore } = result;
	warnings.push(...result.warnings);
	const nothing = { outputs: [], hasMore: true, warnings, setback: undefined, revision: undefined };
	// n8n drops what a poll that throws leaves: what was dealt with counts only where it does not.
	const isFailed = failure !== undefined && outputs.length === 0 && !result.hasAdvanced;
	if (isFailed) return { ...nothing, failure };
	if (storedMark(storage.read()) !== mark) return { ...nothing, failure: undefined };
	const next = storeCursor(reading, result.cursor, owner, outputs.length > 0);
	if (next !== undefined) {
		storage.write(next.own, next.copy);
		unkept.write(mark, outputs.length > 0 ? undefined : next.own);
	}
	const revision = next?.revision;
	return { outputs, failure: undefined, setback: failure, hasMore, warnings, revision };
}

function firstCursor(startFrom: Timestamp | undefined, scope: CursorScope): Cursor | undefined {
	return startFrom === undefined ? undefined : cursorFrom(startFrom, scope);
}
