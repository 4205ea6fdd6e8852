/**
 * A JSON value. The sandbox, the benchmarks, and the tests don't use the connector's JSON types, so that they stay
 * independent of the connector's code.
 */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonRecord;

export interface JsonRecord {
	[key: string]: JsonValue | undefined;
}

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list, or an empty list if the value isn't a list. */
export const recordsOf = (value: unknown): JsonRecord[] =>
	Array.isArray(value) ? value.filter(isRecord) : [];

/** Returns the value if it's text that isn't empty, else undefined. */
export const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** Parses JSON. Returns undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
