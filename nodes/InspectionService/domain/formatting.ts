import { jsonText } from './json';

/** Maximum characters of a value in a message. Few choices are longer. */
const MAX_VALUE = 80;
/** Maximum characters of a message: about one screen of n8n's error panel. */
const MAX_MESSAGE = 2_000;
/** Maximum characters of a description: enough for 50 problems of 200 characters. */
const MAX_DESCRIPTION = 10_000;
/** `cleanLine` reads at most the line's length times this factor, because external text can have megabytes. */
const READ_AHEAD = 4;

/**
 * Returns external text as one line of at most `length` characters. Whitespace and invisible characters in a row become
 * one space.
 */
export function cleanLine(text: string, length = MAX_VALUE): string {
	const beginning = text.trimStart().slice(0, length * READ_AHEAD);
	const line = beginning.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
	if (line.length <= length && beginning.length === text.trimStart().length) return line;
	return `${line.slice(0, length - 1).replace(/[\p{Cs}\s]{1,2}$/u, '')}…`;
}

/** Formats a value for a message: text in quotes, other values as JSON. Shortens long values. */
export function shownValue(given: unknown): string {
	if (typeof given === 'string') return `"${cleanLine(given)}"`;
	if (given === undefined || ['bigint', 'number'].includes(typeof given)) return String(given);
	const json = jsonText(given);
	if (json === undefined) return "a value that isn't JSON";
	// The JSON of an invalid JavaScript or Luxon date is `null`.
	return given !== null && json === 'null' ? 'an invalid date' : cleanLine(json);
}

/**
 * Formats the message of an error, or a line of n8n's log. Replaces the `<` of a tag with `‹`, because the editor's
 * pop-up renders messages as HTML.
 */
export function messageText(text: string): string {
	return cleanLine(text, MAX_MESSAGE).replace(/<(?=[a-z/!?])/gi, '‹');
}

/** Matches the `c` of `canceled` and `cancelled`, also inside a longer word. */
const CANCELED = /c(?=ancell?ed)/g;

/**
 * Returns text that n8n doesn't interpret as a cancellation. If the message of an error contains `canceled` or
 * `cancelled` in lowercase, n8n stores the execution as canceled instead of failed. The code is in `workflow-execute`
 * and `workflow-runner` (n8n 1.100.1 and 2.41.1). A capital letter is the smallest change that prevents this.
 */
export function withoutCanceled(text: string): string {
	return text.replace(CANCELED, 'C');
}

/** Escapes plain text that n8n renders as HTML, such as the description of an error, a hint, or a notice. */
export function htmlText(text: string): string {
	return escapeHtml(cleanLine(text, MAX_DESCRIPTION));
}

/** Formats several lines as an HTML list. Limits the length of the list like `htmlText`. */
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

/** Converts HTML from `htmlText` or `htmlList` to plain text, for the fields of an item. */
export function textOfHtml(html: string): string {
	const text = html.replaceAll('</li><li>', ' ').replace(/<[^<>]*>/g, '');
	return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Returns the position and the code of the first character that a pattern matches, such as 5 and U+200B. Messages show
 * the code, because many of these characters are invisible. Returns an empty array without a match.
 */
export function characterIn(text: string, refused: RegExp): readonly string[] {
	const [character] = refused.exec(text) ?? [];
	if (character === undefined) return [];
	const position = Array.from(text).indexOf(character) + 1;
	const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return [String(position), `U+${number}`];
}

/** Formats an ISO time in UTC for a message: `2026-05-31 11:00 UTC`. Returns other text as one line. */
export function shownTime(iso: string): string {
	const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z$/.exec(iso) ?? [];
	return day === undefined ? cleanLine(iso, 40) : `${day} ${minute ?? ''} UTC`;
}

/** Formats a shortened list, such as "a, b and 3 more". `total` is the number of all items. */
export function listText(shown: readonly string[], total: number, between = ', '): string {
	const more = total - shown.length;
	return `${shown.join(between)}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

/** Whether `listText` shortened a list in a text, or `cleanLine` the text. A text of a user can look the same. */
export function isShortened(text: string): boolean {
	return /\d more\b|…$/.test(text);
}

/** Maximum names in a list in a message: a few lines of n8n's panel. */
export const SHOWN_NAMES = 12;

/** Lists names in quotes, such as `"Site", "Weather" and 3 more`. */
export function quotedList(names: readonly string[], between = ', '): string {
	const shown = names.slice(0, SHOWN_NAMES).map((name) => `"${cleanLine(name)}"`);
	return listText(shown, names.length, between);
}

/** Formats a duration for a message, rounded up: `59 seconds`, `11 minutes`. */
export function durationText(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	if (seconds === 1) return '1 second';
	return seconds < 120
		? `${String(seconds)} seconds`
		: `${String(Math.ceil(seconds / 60))} minutes`;
}
