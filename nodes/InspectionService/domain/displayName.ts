import { isRecord, textOf } from './json';

/**
 * Returns the name of a user, team, or template in an inspection. Without a name, returns the email or the ID. Null if
 * all are missing. The API doesn't document the shape of these objects (`Inspection` in docs/service.openapi.yaml).
 */
export function displayName(value: unknown): string | null {
	if (!isRecord(value)) return textOf(value) ?? null;
	return textOf(value.name) ?? textOf(value.email) ?? textOf(value.id) ?? null;
}

export function nestedId(value: unknown): string | undefined {
	return textOf(isRecord(value) ? value.id : value);
}

/**
 * Returns the name of a template or team in an inspection. If the inspection contains only an ID, and `known` is an
 * object with the same ID, returns the name of `known`.
 */
export function nameOrOf(value: unknown, known: unknown): string | null {
	const name = displayName(value);
	const isIdOnly = name === nestedId(value) && name === nestedId(known);
	return isIdOnly ? displayName(known) : name;
}
