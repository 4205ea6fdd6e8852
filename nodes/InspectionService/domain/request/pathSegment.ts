import { InputError } from '../inputError';

/**
 * A value as exactly one segment of a path: nothing in it can reach another endpoint. `name` is what the user
 * sees as the field's name. Throws InputError for blanks and for `.` and `..`, which clients resolve as folders.
 */
export function pathSegment(name: string, value: string): string {
	const text = value.trim();
	if (text === '') throw new InputError(`${name} is empty. Enter the value to look up`);
	if (text === '.' || text === '..') {
		throw new InputError(`${name} "${text}" cannot be looked up. Enter an ID or identifier`);
	}
	return encodeURIComponent(wellFormed(text));
}

/** Half of a surrogate pair cannot be encoded for a URL: it becomes the replacement character. */
export function wellFormed(text: string): string {
	return Array.from(text, (character) =>
		/^[\ud800-\udfff]$/.test(character) ? '\ufffd' : character,
	).join('');
}
