export type JsonValue = string | number | boolean | null | JsonValue[] | JsonRecord;

/** A JSON object. Keys that were not sent read as `undefined`. */
export interface JsonRecord {
	[key: string]: JsonValue | undefined;
}

/** True for a JSON object: not null, not an array, not a class instance such as a Date. */
export function isRecord(value: unknown): value is JsonRecord {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** True for any object, also an array or a class instance, which other code may hand over. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

export function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A value as JSON text; undefined where it has no JSON, such as one that is nested some thousand levels deep. */
export function jsonText(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

export function recordsOf(value: unknown): JsonRecord[] {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}
