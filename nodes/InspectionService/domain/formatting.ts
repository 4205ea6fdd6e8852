import { jsonText } from './json';

/** Maximum characters of a value in a message. Choices are rarely longer. */
const MAX_VALUE = 80;
/** A screen of n8n's error panel. */
const MAX_MESSAGE = 2_000;
/** 50 problems of 200 characters each. */
const MAX_DESCRIPTION = 10_000;
/** Reads at most this many times a line's length, because external text can have megabytes. */
const READ_AHEAD = 4;

/**
 * Returns external text as one line of at most `length` characters. Runs of whitespace and invisible characters become
 * one space.
 */
export function cleanLine(text: string, length = MAX_VALUE): string {
	const beginning = text.trimStart().slice(0, length * READ_AHEAD);
	const line = beginning.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
	if (line.length <= length && beginning.length === text.trimStart().length) return line;
	return `${line.slice(0, length - 1).replace(/[\p{Cs}\s]{1,2}$/u, '')}…`;
}

/** Formats a value for a message: text in quotes, anything else as JSON. Cuts long values. */
export function shownValue(given: unknown): string {
	if (typeof given === 'string') return `"${cleanLine(given)}"`;
	if (given === undefined || ['bigint', 'number'].includes(typeof given)) return String(given);
	const json = jsonText(given);
	if (json === undefined) return "a value that isn't JSON";
	// An invalid JavaScript or Luxon date becomes `null` in JSON.
	return given !== null && json === 'null' ? 'an invalid date' : cleanLine(json);
}

/**
 * Formats an error's message or a line of n8n's log. The editor's pop-up renders it as HTML, so a tag's `<` becomes
 * `‹`.
 */
export function messageText(text: string): string {
	return cleanLine(text, MAX_MESSAGE).replace(/<(?=[a-z/!?])/gi, '‹');
}

/** The beginning of `canceled` and `cancelled`, also inside a longer word. */
const CANCELED = /c(?=ancell?ed)/g;

/**
 * Returns text that n8n doesn't read as a cancellation. n8n (1.100.1 and 2.41.1, `workflow-execute` and
 * `workflow-runner`) searches an error's message for `canceled` and `cancelled` in lower case. If it finds one, it
 * stores the execution as canceled instead of failed. A capital letter is the smallest change that prevents that.
 */
export function withoutCanceled(text: string): string {
	return text.replace(CANCELED, 'C');
}

/** Escapes plain text that n8n renders as HTML: the description of an error, a hint, a notice. */
export function htmlText(text: string): string {
	return escapeHtml(cleanLine(text, MAX_DESCRIPTION));
}

/** Formats several strings as an HTML list, at most as long as one `htmlText`. */
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

/** Converts HTML back to plain text, for an item's fields. */
export function textOfHtml(html: string): string {
	const text = html.replaceAll('</li><li>', ' ').replace(/<[^<>]*>/g, '');
	return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Returns the position and code of the first character that a pattern matches, such as U+200B, because many are
 * invisible.
 */
export function characterIn(text: string, refused: RegExp): readonly string[] {
	const [character] = refused.exec(text) ?? [];
	if (character === undefined) return [];
	const position = Array.from(text).indexOf(character) + 1;
	const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return [String(position), `U+${number}`];
}

/** Formats an ISO time in UTC for people: `2026-05-31 11:00 UTC`. Returns any other text as one line. */
export function shownTime(iso: string): string {
	const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z$/.exec(iso) ?? [];
	return day === undefined ? cleanLine(iso, 40) : `${day} ${minute ?? ''} UTC`;
}

/** Formats some of `total` items: "a, b and 3 more". */
export function listText(shown: readonly string[], total: number, between = ', '): string {
	const more = total - shown.length;
	return `${shown.join(between)}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
