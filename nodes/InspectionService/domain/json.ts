export type JsonValue = string | number | boolean | null | JsonValue[] | JsonRecord;

/** A JSON object. A key that wasn't sent has the value `undefined`. */
export interface JsonRecord {
	[key: string]: JsonValue | undefined;
}

/** Whether a value is a JSON object: not null, not an array, and not an instance of a class such as Date. */
export function isRecord(value: unknown): value is JsonRecord {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is any object, including arrays and instances of classes. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

export function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Parses JSON. Returns undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * Matches the beginning of an integer that can be above 2^53. A match within a string does no harm, because it only
 * makes parsing slower.
 */
const LONG_INTEGER = /[:,[\s]-?\d{16}/;

/**
 * Like `parseJson`, but an integer that a JavaScript number can't represent becomes text. Node before version 21
 * doesn't provide the digits of a number, so there the integer is rounded.
 */
export function parseJsonWithLongIntegers(text: string): unknown {
	if (!LONG_INTEGER.test(text)) return parseJson(text);
	try {
		return JSON.parse(text, keepDigits);
	} catch {
		// The parser needs more stack with `keepDigits`, so parse deeply nested values without it.
		return parseJson(text);
	}
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
	const source = context?.source;
	if (typeof value !== 'number' || source === undefined || !/^-?\d+$/.test(source)) return value;
	if (Number.isSafeInteger(value)) return value;
	return Number.isFinite(value) && String(BigInt(value)) === source ? value : source;
}

/**
 * Converts a value to JSON. Returns undefined if that fails, for example because the value is nested thousands of
 * levels deep.
 */
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

/**
 * The keys under which a response can contain an inspection or an array of them, because the API doesn't document the
 * key. The value can also be one level deeper: `{data: {items: [...]}}`.
 */
export const ENVELOPE_NAMES = ['data', 'items', 'inspections', 'results'] as const;
