import { isRecord, textOf } from './json';

/**
 * Returns the name of a user, team, or template in an inspection, or its email or ID. Null if there is none. The API
 * doesn't document the shape of these objects (Inspection of docs/service.openapi.yaml).
 */
export function displayName(value: unknown): string | null {
	if (!isRecord(value)) return textOf(value) ?? null;
	return textOf(value.name) ?? textOf(value.email) ?? textOf(value.id) ?? null;
}

export function nestedId(value: unknown): string | undefined {
	return textOf(isRecord(value) ? value.id : value);
}

/**
 * Returns the name of a template or team in an inspection. If the inspection contains only an ID, uses the name from
 * `known` if its ID is the same.
 */
export function nameOrOf(value: unknown, known: unknown): string | null {
	const name = displayName(value);
	const isIdOnly = name === nestedId(value) && name === nestedId(known);
	return isIdOnly ? displayName(known) : name;
}
