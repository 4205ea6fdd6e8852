/**
 * A text without the characters at its end that are among `cut`, such as the zeros of `1.500`. Linear in the length. A
 * pattern such as `/0+$/` tries every run of zeros anew, which takes time with the square of the length.
 */
export function trimmedEnd(text: string, cut: string): string {
	let end = text.length;
	while (end > 0 && cut.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
