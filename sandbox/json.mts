/** JSON values, for the sandbox, the benchmarks, and tests. They don't use the connector's code to judge it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonRecord;

export interface JsonRecord {
	[key: string]: JsonValue | undefined;
}

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list. Empty if the value isn't a list. */
export const recordsOf = (value: unknown): JsonRecord[] =>
	Array.isArray(value) ? value.filter(isRecord) : [];

/** A text that isn't empty. */
export const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** Undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
