import { isRecord, type JsonRecord, type JsonValue, textOf } from '../json';
import { floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { isLater } from './moments';
import { SeenVersions } from './seenVersions';

/**
 * The version of the text form. Raise it when this code would misread an older one: a checkpoint of another version is
 * not used.
 */
const VERSION = 1;

/**
 * How far a trigger has come in the service's changes. It is the whole state of a trigger, and valid between any two
 * requests. A version is an inspection as it was at one time: its id, and the time that the changes are sorted by. All
 * times come from the service.
 */
export interface Checkpoint {
	/** Every version earlier than this was dealt with. Null: the service had no inspection yet. */
	watermark: Timestamp | null;
	/**
	 * How many inspections of the watermark's second were dealt with, counted from the first that the service lists. They
	 * are not read again. It is 0 unless one second holds more than can be remembered. Example: 25,000 inspections have
	 * the time 10:00:30; after 20,500 of them the watermark is 10:00:30 and `passed` is 20,500.
	 */
	passed: number;
	/** The versions from the watermark on that were dealt with. */
	seen: SeenVersions;
	/** Set while there is a backlog: the whole second that the next poll goes on from. */
	resumeAt: Timestamp | null;
	/** Marks (`markOf`) of the inspections emitted, the oldest first; empty unless each is to be emitted only once. */
	emitted: string;
}

/** The checkpoint of a trigger that begins with what changed at `startFrom` or later. */
export function checkpointAt(startFrom: Timestamp): Checkpoint {
	return { ...NOTHING_YET, watermark: startFrom, seen: new SeenVersions() };
}

const NOTHING_YET = { watermark: null, passed: 0, resumeAt: null, emitted: '' } as const;

/** The checkpoint of a trigger whose service has no inspection yet. */
export function emptyCheckpoint(): Checkpoint {
	return { ...NOTHING_YET, seen: new SeenVersions() };
}

/** Moves the watermark on, never back, and forgets the versions before it. */
export function raiseWatermark(checkpoint: Checkpoint, to: Timestamp | null): void {
	const { watermark } = checkpoint;
	if (to === null || !isLater(to, watermark)) return;
	if (watermark === null || isLater(floorToSecond(to), watermark)) checkpoint.passed = 0;
	checkpoint.watermark = to;
	checkpoint.seen.forgetBefore(to);
}

/** The text form: the same checkpoint gives the same text. */
export function checkpointToJson(checkpoint: Checkpoint): JsonRecord {
	const { watermark, passed, seen, resumeAt, emitted } = checkpoint;
	return {
		version: VERSION,
		watermark,
		...(passed === 0 ? {} : { passed }),
		seen: seen.toJson(),
		...(resumeAt === null ? {} : { resumeAt }),
		...(emitted === '' ? {} : { emitted }),
	};
}

/** The checkpoint of a text form; undefined for anything that this version did not write. */
export function checkpointOf(value: unknown): Checkpoint | undefined {
	if (!isRecord(value) || value.version !== VERSION) return undefined;
	const watermark = momentOf(value.watermark);
	const seen = SeenVersions.parse(value.seen);
	const resumeAt = momentOf(value.resumeAt ?? null);
	const { passed = 0 } = value;
	if (watermark === undefined || seen === undefined || resumeAt === undefined) return undefined;
	if (typeof passed !== 'number' || !Number.isSafeInteger(passed) || passed < 0) return undefined;
	return { watermark, passed, seen, resumeAt, emitted: textOf(value.emitted) ?? '' };
}

/** Null stays null; undefined for what is neither null nor a timestamp. */
function momentOf(value: JsonValue | undefined): Timestamp | null | undefined {
	return value === null ? null : timestampOf(value);
}
