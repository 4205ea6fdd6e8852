import { type JsonRecord, textOf } from './json';

/** Matches a GUID: 8-4-4-4-12 hexadecimal digits. Some programs omit the dashes. */
const GUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;

/**
 * Maximum characters of an ID. A GUID with braces has 38. The limit is needed because the node keeps IDs in memory
 * longer than responses.
 */
export const MAX_ID_LENGTH = 200;
/** A made-up ID, for messages and placeholders. */
export const EXAMPLE_ID = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f';

/** Text that can't be a path segment of a request (`pathSegment`). */
const NO_SEGMENTS = ['', '.', '..'];
/** Begins a stand-in for a missing or unusable ID (`inspectionPage.ts`). An ID of the service can't begin with it. */
export const STAND_IN = '\u0000';

/**
 * Returns an ID that the service sent. Undefined if it isn't text of 1 to `MAX_ID_LENGTH` characters, or can't be a path
 * segment of a request.
 */
export function sentId(value: unknown): string | undefined {
	const id = textOf(value);
	if (id === undefined || id.length > MAX_ID_LENGTH) return undefined;
	return NO_SEGMENTS.includes(id.trim()) || id.startsWith(STAND_IN) ? undefined : id;
}

/**
 * Returns a GUID with dashes, and its letters as given: a service can compare IDs as text. Also accepts the form with braces that databases and spreadsheets write:
 * `{3F2B8C1E5D4A4C6B9E7F0A1B2C3D4E5F}`. Undefined if the value isn't a GUID.
 */
export function guidAsGiven(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1).trim() : text;
	return GUID.exec(inner)?.slice(1).join('-');
}

/** Like `guidAsGiven`, but in lowercase. */
export function guidOf(value: unknown): string | undefined {
	return guidAsGiven(value)?.toLowerCase();
}

/**
 * Normalizes an ID for comparison: a GUID to its usual form, and any other ID (such as a template's identifier) to
 * lowercase.
 */
export function idKey(id: string): string {
	return guidOf(id) ?? id.toLowerCase();
}

/**
 * Returns the fields of an inspection that identify it, for a response that is too large to keep. Text that is longer
 * than an ID becomes null.
 */
export function outlineOf(inspection: JsonRecord): JsonRecord {
	const names = ['id', 'name', 'status', 'template_id', 'created_at'];
	return Object.fromEntries(names.map((name) => [name, sentId(inspection[name]) ?? null]));
}
