import { isRecord, textOf } from './json';

/**
 * What a person would call a user, team or template that comes with an inspection: its name, else its email,
 * else its id. Their shape inside an inspection is not shown, so text alone is taken too. Null for nothing.
 */
export function displayName(value: unknown): string | null {
	if (!isRecord(value)) return textOf(value) ?? null;
	return textOf(value.name) ?? textOf(value.email) ?? textOf(value.id) ?? null;
}

/** The id of such an object, or the text alone. */
export function nestedId(value: unknown): string | undefined {
	return textOf(isRecord(value) ? value.id : value);
}
