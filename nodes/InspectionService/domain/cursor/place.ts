import {
	addSeconds,
	compareTimestamps,
	earlierOf,
	timestampOf,
	type Timestamp,
} from '../timestamp';

/** More digits than any service sends: nothing lies between a timestamp and the one made with them. */
const BEYOND_PRECISION = 12;

/** Where a poll stopped before it had read everything: the next one goes on from here. */
export interface Place {
	/** Start of the range read, a whole second; null is the beginning of time. */
	after: Timestamp | null;
	/** Page within the range; more than 1 only where a second holds more inspections than a page. */
	page: number;
	/** Pages are read in falling order: the second look at a range of several pages. */
	back: boolean;
	/** Too many to be remembered: the range is not looked at a second time. */
	once: boolean;
}

export function placeAt(after: Timestamp | null): Place {
	return { after, page: 1, back: false, once: false };
}

/** True where a reading that goes on at `place` comes to `other` later. */
export function isBehind(place: Place, other: Place): boolean {
	if (place.after !== other.after) return isLater(other.after, place.after);
	return !place.back && (other.back || place.page < other.page);
}

/** Null on the left is never later; everything is later than null on the right. */
export function isLater(moment: Timestamp | null, than: Timestamp | null): boolean {
	if (moment === null) return false;
	return than === null || compareTimestamps(moment, than) > 0;
}

export function secondAfter(second: Timestamp | null): Timestamp | null {
	return second && (addSeconds(second, 1) ?? second);
}

/** Where the range ends for a reader who came as far as `reached`: within its second more may follow. */
export function endOfRange(after: Timestamp | null, reached: Timestamp): Timestamp {
	return earlierOf(justAfter(reached), secondAfter(after) ?? reached);
}

/** Later than the moment, and earlier than anything later that a service can send. */
export function justAfter(moment: Timestamp): Timestamp {
	const [whole = '', fraction = ''] = moment.slice(0, -1).split('.');
	return timestampOf(`${whole}.${fraction.padEnd(BEYOND_PRECISION, '0')}1Z`) ?? moment;
}
