/** Marks in a row that text of people has at most (Unicode Standard Annex 15, "Stream-Safe Text Format": 30). */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/**
 * Text with letters and accents in one form, NFC: `é` as one character, however it was typed. Text with more marks in
 * a row than any language has stays as it is, because sorting them takes the square of their number.
 */
export function composedText(text: string): string {
	return TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}
