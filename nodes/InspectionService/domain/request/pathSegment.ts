import { InputError } from '../inputError';

/**
 * A value as exactly one segment of a path, so that no value can lead to another endpoint. `name` is the field's name
 * as the user sees it. Throws InputError for blanks, and for `.` and `..`, because HTTP clients take these for folders.
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
