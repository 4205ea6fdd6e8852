import { isRecord, type JsonRecord } from '../json';
import { MARK_LENGTH, markOf } from '../mark';
import { compareTimestamps, floorToSecond, type Timestamp, timestampOf } from '../timestamp';

const SECOND_LENGTH = '2023-04-05T20:41:42'.length;

export function marksIn(text: string): string[] {
	const marks: string[] = [];
	for (let start = 0; start + MARK_LENGTH <= text.length; start += MARK_LENGTH) {
		marks.push(text.slice(start, start + MARK_LENGTH));
	}
	return marks;
}

/**
 * The versions (id and exact timestamp) that a trigger has dealt with and may meet again. As text, two inspections at
 * 10:00:30.5 and one at 10:00:30.75 are `{"2026-03-01T10:00:30": ".5Z:<mark><mark> .75Z:<mark>"}`.
 */
export class SeenVersions {
	private readonly marks = new Map<Timestamp, Set<string>>();

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
				seen.marks.set(stamp, new Set(marksIn(marks)));
			}
		}
		return seen;
	}

	countWithin(second: Timestamp): number {
		const within = [...this.marks].filter(([stamp]) => floorToSecond(stamp) === second);
		return within.reduce((sum, [, { size }]) => sum + size, 0);
	}

	hasBefore(moment: Timestamp): boolean {
		return [...this.marks.keys()].some((stamp) => compareTimestamps(stamp, moment) < 0);
	}

	has(stamp: Timestamp, id: string): boolean {
		return this.marks.get(stamp)?.has(markOf(id)) ?? false;
	}

	add(stamp: Timestamp, id: string): void {
		const marks = this.marks.get(stamp) ?? new Set();
		this.marks.set(stamp, marks.add(markOf(id)));
	}

	forgetBefore(watermark: Timestamp): void {
		for (const stamp of this.marks.keys()) {
			if (compareTimestamps(stamp, watermark) < 0) this.marks.delete(stamp);
		}
	}

	/** Forgets whole timestamps, the earliest first, down to `most` versions. Returns the latest that was forgotten. */
	forgetEarliest(most: number): Timestamp | undefined {
		const inOrder = this.inOrder();
		let tooMany = inOrder.reduce((sum, [, { size }]) => sum + size, -most);
		let forgotten: Timestamp | undefined;
		for (const [stamp, { size }] of inOrder) {
			if (tooMany <= 0) break;
			tooMany -= size;
			this.marks.delete(stamp);
			forgotten = stamp;
		}
		return forgotten;
	}

	/** The same versions give the same text. */
	toJson(): JsonRecord {
		const seconds: Record<string, string> = {};
		for (const [stamp, marks] of this.inOrder()) {
			const second = stamp.slice(0, SECOND_LENGTH);
			const group = `${stamp.slice(SECOND_LENGTH)}:${[...marks].join('')}`;
			seconds[second] = seconds[second] === undefined ? group : `${seconds[second]} ${group}`;
		}
		return seconds;
	}

	private inOrder(): [Timestamp, Set<string>][] {
		return [...this.marks].sort(([a], [b]) => compareTimestamps(a, b));
	}
}
