/** A character's number, such as U+200B, for a message: many of the characters that are refused are invisible. */
export function codePoint(character: string): string {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
