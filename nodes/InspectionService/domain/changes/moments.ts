import {
	addSeconds,
	compareTimestamps,
	earlierOf,
	type Timestamp,
	timestampOf,
} from '../timestamp';

/** More fractional digits than any service sends. So no timestamp lies between `…30.5Z` and `…30.5000000000001Z`. */
const BEYOND_PRECISION = 12;

/** Whether a moment is later than another one. Null stands for the beginning of time. */
export function isLater(moment: Timestamp | null, than: Timestamp | null): boolean {
	if (moment === null) return false;
	return than === null || compareTimestamps(moment, than) > 0;
}

export function secondAfter(second: Timestamp): Timestamp {
	return addSeconds(second, 1) ?? second;
}

/** A moment that is later than this one, and earlier than any later one that a service can send. */
export function justAfter(moment: Timestamp): Timestamp {
	const [whole = '', fraction = ''] = moment.slice(0, -1).split('.');
	return timestampOf(`${whole}.${fraction.padEnd(BEYOND_PRECISION, '0')}1Z`) ?? moment;
}

/** The earlier of two moments; null stands for none. */
export function earliest(a: Timestamp | null, b: Timestamp | null): Timestamp | null {
	return a === null || b === null ? (a ?? b) : earlierOf(a, b);
}
