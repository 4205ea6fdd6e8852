import type { JsonRecord, JsonValue } from './json';

/**
 * Levels of nesting that an item of n8n may have. Inspection of docs/service.openapi.yaml has only six
 * (inspection, data, items, item, response, value). Measured on Node 24: `structuredClone` fails at 2,000 levels,
 * `JSON.stringify` at 5,000 and n8n's `deepCopy` at 10,000.
 */
export const MAX_LEVELS = 200;

/** True where no value of the record is deeper than `MAX_LEVELS`. Linear. */
export function isShallow(record: JsonRecord): boolean {
	return isWithin(record, MAX_LEVELS);
}

/**
 * The recursion ends with the levels, so that it cannot overflow the stack. It makes no lists of values: with them it
 * takes seven times as long (measured on Node 24).
 */
function isWithin(value: JsonRecord | JsonValue[], levels: number): boolean {
	if (levels < 0) return false;
	if (Array.isArray(value)) {
		for (const element of value) {
			if (isNested(element) && !isWithin(element, levels - 1)) return false;
		}
		return true;
	}
	for (const key in value) {
		const member = value[key];
		if (isNested(member) && !isWithin(member, levels - 1)) return false;
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

function isNested(value: JsonValue | undefined): value is JsonRecord | JsonValue[] {
	return typeof value === 'object' && value !== null;
}
