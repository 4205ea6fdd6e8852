/**
 * A text without the characters at its end that are among `cut`, such as the zeros of `1.500`. Linear in the length:
 * a pattern such as `/0+$/` tries every run of the character anew and takes the square of it.
 */
export function trimmedEnd(text: string, cut: string): string {
	let end = text.length;
	while (end > 0 && cut.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
