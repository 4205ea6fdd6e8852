/** More marks in a row than any language has (Unicode Standard Annex 15, "Stream-Safe Text Format", allows 30). */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/**
 * Text with letters and accents in one form, NFC: `é` is one character, however it was typed. Text with too many marks
 * in a row stays as it is, because the time to sort them grows with the square of their number.
 */
export function composedText(text: string): string {
	return TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}
