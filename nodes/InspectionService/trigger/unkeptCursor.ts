import type { JsonRecord } from '../domain/json';

/** What the last poll of a node left to be stored without emitting anything, as long as this process lives. */
export interface UnkeptCursor {
	/** Undefined where there is none, or where something else has been stored in the meantime. */
	read(mark: string): JsonRecord | undefined;
	/** `mark`: `storedMark` of what the poll has read; `cursor` undefined: the poll emits. */
	write(mark: string, cursor: JsonRecord | undefined): void;
}

interface Remembered {
	mark: string;
	cursor: JsonRecord;
}

const remembered = new Map<string, Remembered>();

/**
 * n8n's scheduler without durable cursors discards what a poll leaves that emits nothing. A backlog in which nothing
 * is to be emitted would begin again with every poll. What such a poll has left is good as long as what is stored
 * is the same; behind an emission it is not: that may fail to be saved, and is then to be made again.
 *
 * @param nodeKey names the node among all that this process polls
 */
export function unkeptCursor(nodeKey: string): UnkeptCursor {
	return {
		read: (mark) => {
			const last = remembered.get(nodeKey);
			if (last?.mark === mark) return last.cursor;
			remembered.delete(nodeKey);
			return undefined;
		},
		write: (mark, cursor) => {
			if (cursor === undefined) remembered.delete(nodeKey);
			else remembered.set(nodeKey, { mark, cursor });
		},
	};
}
