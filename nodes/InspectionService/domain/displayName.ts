import { isRecord, textOf } from './json';

/** Of a user, team or template inside an inspection, whose shape is not known (Inspection of docs/service.openapi.yaml). */
export function displayName(value: unknown): string | null {
	if (!isRecord(value)) return textOf(value) ?? null;
	return textOf(value.name) ?? textOf(value.email) ?? textOf(value.id) ?? null;
}

export function nestedId(value: unknown): string | undefined {
	return textOf(isRecord(value) ? value.id : value);
}

/** The name of a template or team in an inspection; where only its id is there, that of `known`, if it has the same id. */
export function nameOrOf(value: unknown, known: unknown): string | null {
	const name = displayName(value);
	const isIdOnly = name === nestedId(value) && name === nestedId(known);
	return isIdOnly ? displayName(known) : name;
}
