import { createHash } from 'crypto';

import { isRecord, type JsonRecord } from '../json';
import {
	compareTimestamps,
	floorToMs,
	floorToSecond,
	type Timestamp,
	timestampOf,
} from '../timestamp';

/**
 * Characters that stand for an id: 60 bits of its SHA-256. Ids are only compared with those of the same
 * timestamp, so even among 10,000 inspections changed in one instant the chance that a new one is taken for a
 * known one is below 10^-13; an id written out would take three times the room.
 */
const MARK_LENGTH = 10;
/** `2023-04-05T20:41:42`: what the marks of one second are kept under. */
const SECOND_LENGTH = 19;
/** A second's key with its quotes, colon and comma. */
const SECOND_OVERHEAD = SECOND_LENGTH + 6;

/** What an id is remembered by. */
export function markOf(id: string): string {
	return createHash('sha256').update(id).digest('base64url').slice(0, MARK_LENGTH);
}

/** Marks in one text, as `SeenVersions` and the memory of `oncePerInspection` keep them. */
export function marksIn(text: string): string[] {
	const marks: string[] = [];
	for (let start = 0; start + MARK_LENGTH <= text.length; start += MARK_LENGTH) {
		marks.push(text.slice(start, start + MARK_LENGTH));
	}
	return marks;
}

/**
 * The versions (id and exact timestamp) that a trigger has dealt with and may meet again.
 *
 * Text form: for each second, `fraction:marks` of each of its timestamps, with blanks between them. Example: two
 * inspections at 10:00:30.5 and one at 10:00:30.75 are `{"2026-03-01T10:00:30": "5:<mark><mark> 75:<mark>"}`.
 */
export class SeenVersions {
	private readonly marks = new Map<Timestamp, Set<string>>();

	/** From the text form; undefined where it is none. */
	static parse(value: unknown): SeenVersions | undefined {
		if (!isRecord(value)) return undefined;
		const seen = new SeenVersions();
		for (const [second, text] of Object.entries(value)) {
			if (typeof text !== 'string' || !seen.parseSecond(second, text)) return undefined;
		}
		return seen;
	}

	/** How many versions of one second. */
	countWithin(second: Timestamp): number {
		let count = 0;
		for (const [stamp, marks] of this.marks) {
			if (floorToSecond(stamp) === second) count += marks.size;
		}
		return count;
	}

	/** The latest timestamp remembered; undefined where nothing is. */
	latest(): Timestamp | undefined {
		return [...this.marks.keys()].sort(compareTimestamps).at(-1);
	}

	has(stamp: Timestamp, id: string): boolean {
		return this.marks.get(stamp)?.has(markOf(id)) ?? false;
	}

	add(stamp: Timestamp, id: string): void {
		this.addMark(stamp, markOf(id));
	}

	/** Forgets what is earlier than the watermark. */
	forgetBefore(watermark: Timestamp): void {
		for (const stamp of this.marks.keys()) {
			if (compareTimestamps(stamp, watermark) < 0) this.marks.delete(stamp);
		}
	}

	/**
	 * Forgets whole timestamps earlier than `before`, the oldest first, until the text form has at most
	 * `maxCharacters`. Returns the latest timestamp forgotten.
	 */
	shrink(maxCharacters: number, before: Timestamp): Timestamp | undefined {
		let size = this.size();
		let forgotten: Timestamp | undefined;
		for (const stamp of [...this.marks.keys()].sort(compareTimestamps)) {
			if (size <= maxCharacters || compareTimestamps(stamp, before) >= 0) break;
			size -= this.sizeOf(stamp);
			this.marks.delete(stamp);
			forgotten = stamp;
		}
		return forgotten;
	}

	/** Forgets versions of one millisecond, those added first, until the text form has at most `maxCharacters`. */
	shrinkWithin(millisecond: Timestamp, maxCharacters: number): void {
		let excess = Math.max(0, Math.ceil((this.size() - maxCharacters) / MARK_LENGTH));
		for (const [stamp, marks] of this.marks) {
			if (floorToMs(stamp) !== millisecond) continue;
			for (const mark of [...marks].slice(0, excess)) {
				marks.delete(mark);
				excess -= 1;
			}
			if (marks.size === 0) this.marks.delete(stamp);
		}
	}

	/** Characters of the text form; a few more than it has, never fewer. */
	size(): number {
		const seconds = new Set<string>();
		let size = 0;
		for (const stamp of this.marks.keys()) {
			seconds.add(stamp.slice(0, SECOND_LENGTH));
			size += this.sizeOf(stamp);
		}
		return size + seconds.size * SECOND_OVERHEAD;
	}

	/** The text form: the same versions give the same text. */
	toJson(): JsonRecord {
		const seconds: Record<string, string> = {};
		for (const stamp of [...this.marks.keys()].sort(compareTimestamps)) {
			const second = stamp.slice(0, SECOND_LENGTH);
			const fraction = stamp.slice(SECOND_LENGTH + 1, -1);
			const group = `${fraction}:${[...(this.marks.get(stamp) ?? [])].join('')}`;
			seconds[second] = seconds[second] === undefined ? group : `${seconds[second]} ${group}`;
		}
		return seconds;
	}

	private sizeOf(stamp: Timestamp): number {
		return (this.marks.get(stamp)?.size ?? 0) * MARK_LENGTH + stamp.length - SECOND_LENGTH + 1;
	}

	private parseSecond(second: string, text: string): boolean {
		for (const group of text.split(' ')) {
			const [fraction = '', marks = ''] = group.split(':');
			const stamp = timestampOf(`${second}${fraction === '' ? '' : `.${fraction}`}Z`);
			if (stamp === undefined || marks === '' || marks.length % MARK_LENGTH !== 0) return false;
			for (const mark of marksIn(marks)) this.addMark(stamp, mark);
		}
		return true;
	}

	private addMark(stamp: Timestamp, mark: string): void {
		const marks = this.marks.get(stamp);
		if (marks === undefined) this.marks.set(stamp, new Set([mark]));
		else marks.add(mark);
	}
}
