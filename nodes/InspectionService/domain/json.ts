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

/** True for any object, including an array or a class instance, which other code may pass. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

export function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * The beginning of an integer that may be above 2^53. Also matches text like that in a string, which only costs time.
 */
const LONG_INTEGER = /[:,[\s]-?\d{16}/;

/**
 * Like `parseJson`, but an integer that JavaScript can't represent becomes its digits as text. Node before 21 doesn't
 * provide a number's source text, so there it's rounded.
 */
export function parseJsonWithLongIntegers(text: string): unknown {
	if (!LONG_INTEGER.test(text)) return parseJson(text);
	try {
		return JSON.parse(text, keepDigits);
	} catch {
		// A reviver needs more of the stack than the parser, so parse deeply nested values without it.
		return parseJson(text);
	}
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
	const source = context?.source;
	if (typeof value !== 'number' || source === undefined || !/^-?\d+$/.test(source)) return value;
	const isRepresentable =
		Number.isSafeInteger(value) || (Number.isFinite(value) && isExact(value, source));
	return isRepresentable ? value : source;
}

function isExact(value: number, source: string): boolean {
	return BigInt(value).toString() === source;
}

/** Returns a value as JSON. Undefined if it can't be JSON, for example if it's nested thousands of levels deep. */
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
