import type { JsonRecord, JsonValue } from './json';

/**
 * Levels of nesting that an item of n8n may have. Chosen: Inspection of docs/service.openapi.yaml has only six
 * (inspection, data, items, item, response, value). Measured on Node 24: `structuredClone` fails at 2,000 levels,
 * `JSON.stringify` at 5,000 and n8n's `deepCopy` at 10,000.
 */
export const MAX_LEVELS = 200;

/** True where no value of the record is deeper than `MAX_LEVELS`. Linear. Recursion would overflow the stack. */
export function isShallow(record: JsonRecord): boolean {
	let objects: readonly object[] = [record];
	for (let level = 0; objects.length > 0; level++) {
		if (level > MAX_LEVELS) return false;
		objects = objects.flatMap((value) => Object.values(value).filter(isObject));
	}
	return true;
}

/** A copy in which null stands for what is deeper than `MAX_LEVELS`. */
export function shallowCopy(record: JsonRecord): JsonRecord {
	return copyOfRecord(record, 0);
}

function copyOfRecord(record: JsonRecord, level: number): JsonRecord {
	return Object.fromEntries(
		Object.entries(record).map(([key, value]) => [key, copyOf(value ?? null, level + 1)]),
	);
}

function copyOf(value: JsonValue, level: number): JsonValue {
	if (typeof value !== 'object' || value === null) return value;
	if (level > MAX_LEVELS) return null;
	if (Array.isArray(value)) return value.map((element) => copyOf(element, level + 1));
	return copyOfRecord(value, level);
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
