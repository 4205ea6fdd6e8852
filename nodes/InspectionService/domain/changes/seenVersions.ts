import { isRecord, type JsonRecord, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import type { SortBy } from '../list/inspectionQuery';
import { MARK_LENGTH, markOf } from '../mark';
import { compareTimestamps, floorToSecond, type Timestamp, timestampOf } from '../timestamp';

const SECOND_LENGTH = '2023-04-05T20:41:42'.length;

/**
 * Returns a mark that identifies a version among those with the same timestamp. The status distinguishes two changes
 * with one timestamp, for services that store whole seconds. The mark of a creation has no status, because it stays
 * the same however the inspection changes.
 */
export function versionMark(inspection: InspectionRecord, sortBy: SortBy): string {
	const { id, status } = inspection;
	return markOf(sortBy === 'created_at' ? id : `${id} ${textOf(status) ?? ''}`);
}

export function splitMarks(text: string): string[] {
	const marks: string[] = [];
	for (let start = 0; start + MARK_LENGTH <= text.length; start += MARK_LENGTH) {
		marks.push(text.slice(start, start + MARK_LENGTH));
	}
	return marks;
}

/**
 * The versions (exact timestamp and mark) that a trigger has handled and can encounter again. Serialized, two
 * versions at 10:00:30.5 and one at 10:00:30.75 are `{"2026-03-01T10:00:30": ".5Z:<mark><mark> .75Z:<mark>"}`.
 */
export class SeenVersions {
	private readonly marks = new Map<Timestamp, Set<string>>();

	/** Returns undefined if any part is damaged. */
	static parse(value: unknown): SeenVersions | undefined {
		if (!isRecord(value)) return undefined;
		const seen = new SeenVersions();
		for (const [second, text] of Object.entries(value)) {
			if (typeof text !== 'string') return undefined;
			for (const group of text.split(' ')) {
				const [rest = '', marks = ''] = group.split(':');
				const stamp = timestampOf(second + rest);
				if (stamp === undefined || marks === '' || marks.length % MARK_LENGTH !== 0)
					return undefined;
				seen.marks.set(stamp, new Set(splitMarks(marks)));
			}
		}
		return seen;
	}

	countWithin(second: Timestamp): number {
		const within = [...this.marks].filter(([stamp]) => floorToSecond(stamp) === second);
		return within.reduce((sum, [, { size }]) => sum + size, 0);
	}

	has(stamp: Timestamp, mark: string): boolean {
		return this.marks.get(stamp)?.has(mark) ?? false;
	}

	add(stamp: Timestamp, mark: string): void {
		const marks = this.marks.get(stamp) ?? new Set();
		this.marks.set(stamp, marks.add(mark));
	}

	forgetBefore(watermark: Timestamp): void {
		for (const stamp of this.marks.keys()) {
			if (compareTimestamps(stamp, watermark) < 0) this.marks.delete(stamp);
		}
	}

	/**
	 * Forgets whole timestamps, earliest first, until at most `most` versions remain. Returns the latest forgotten
	 * timestamp.
	 */
	forgetEarliest(most: number): Timestamp | undefined {
		const sorted = this.sorted();
		let tooMany = sorted.reduce((sum, [, { size }]) => sum + size, -most);
		let forgotten: Timestamp | undefined;
		for (const [stamp, { size }] of sorted) {
			if (tooMany <= 0) break;
			tooMany -= size;
			this.marks.delete(stamp);
			forgotten = stamp;
		}
		return forgotten;
	}

	/** Returns the same JSON for the same versions, regardless of the order in which they were added. */
	serialize(): JsonRecord {
		const seconds: Record<string, string> = {};
		for (const [stamp, marks] of this.sorted()) {
			const second = stamp.slice(0, SECOND_LENGTH);
			const group = `${stamp.slice(SECOND_LENGTH)}:${[...marks].join('')}`;
			seconds[second] = seconds[second] === undefined ? group : `${seconds[second]} ${group}`;
		}
		return seconds;
	}

	private sorted(): [Timestamp, Set<string>][] {
		return [...this.marks].sort(([a], [b]) => compareTimestamps(a, b));
	}
}
