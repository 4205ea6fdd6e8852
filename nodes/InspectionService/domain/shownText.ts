/** Longest error message (characters): a screen of n8n's error panel. */
const MAX_MESSAGE = 2_000;
/** Longest description or hint (characters): 50 problems of a row with 200 characters each. */
const MAX_DESCRIPTION = 10_000;
/** Text from outside may be megabytes. A line is made of this many times its own length, at most. */
const READ_AHEAD = 4;

/**
 * Text from outside as one line of at most `length` characters: blanks, line breaks and invisible characters (control
 * characters, escape codes of a terminal, half of a surrogate pair) become one blank each run.
 */
export function cleanLine(text: string, length: number): string {
	const beginning = text.trimStart().slice(0, length * READ_AHEAD);
	const line = beginning.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
	if (line.length <= length && beginning.length === text.trimStart().length) return line;
	return `${line.slice(0, length - 1).replace(/[\p{Cs}\s]+$/u, '')}…`;
}

/**
 * An error's message, or a line of n8n's log. n8n shows a message as text in the node's panel, and as HTML in the
 * editor's pop-up, so that escaping would show in one of them: what would begin a tag (`<b`, `</b`, `<!--`) begins with
 * `‹` instead.
 */
export function messageText(text: string): string {
	return cleanLine(text, MAX_MESSAGE).replace(/<(?=[a-z/!?])/gi, '‹');
}

/** Plain text for what n8n renders as HTML: the description of an error, a hint, a notice. */
export function htmlText(text: string): string {
	return escapeHtml(cleanLine(text, MAX_DESCRIPTION));
}

/** Several plain texts as a list of HTML, at most as long as one `htmlText`. */
export function htmlList(entries: readonly string[]): string {
	let left = MAX_DESCRIPTION;
	const lines: string[] = [];
	for (const entry of entries) {
		const line = cleanLine(entry, MAX_MESSAGE);
		if (left < line.length) break;
		left -= line.length;
		lines.push(`<li>${escapeHtml(line)}</li>`);
	}
	const more = entries.length - lines.length;
	return `<ul>${lines.join('')}${more > 0 ? `<li>… and ${String(more)} more</li>` : ''}</ul>`;
}

/** What `htmlText` and `htmlList` made HTML of, as plain text again: for an item's own fields, which nobody renders. */
export function plainText(html: string): string {
	const text = html.replaceAll('</li><li>', ' ').replace(/<[^<>]*>/g, '');
	return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** n8n puts the text between tags, never into an attribute: quotes may stay. */
function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
