import { compareTimestamps, isLater, laterOf, type Timestamp } from '../timestamp';

/** Whole seconds of a list: from this one on, up to that one, which is no part of it. Without an end: to the list's. */
interface Stretch {
	readonly from: Timestamp;
	readonly until: Timestamp | undefined;
}

/** The seconds of a list that were read. */
export class Coverage {
	/** In rising order, with a gap between each and the next. */
	private stretches: Stretch[] = [];

	/** Notes that all inspections from one second on, up to another one, were read; without `until` to the list's end. */
	add(from: Timestamp, until?: Timestamp): void {
		if (until !== undefined && !isLater(until, from)) return;
		const sorted = [...this.stretches, { from, until }].sort((a, b) =>
			compareTimestamps(a.from, b.from),
		);
		this.stretches = [];
		for (const stretch of sorted) {
			const last = this.stretches.at(-1);
			if (last === undefined || (last.until !== undefined && isLater(stretch.from, last.until))) {
				this.stretches.push(stretch);
			} else {
				this.stretches[this.stretches.length - 1] = {
					from: last.from,
					until: last.until && stretch.until && laterOf(last.until, stretch.until),
				};
			}
		}
	}

	has(second: Timestamp): boolean {
		return this.stretches.some(
			({ from, until }) =>
				!isLater(from, second) && (until === undefined || isLater(until, second)),
		);
	}

	/** The next second after this one that was read; undefined where none was. */
	nextAfter(second: Timestamp): Timestamp | undefined {
		return this.stretches.find(({ from }) => isLater(from, second))?.from;
	}
}
