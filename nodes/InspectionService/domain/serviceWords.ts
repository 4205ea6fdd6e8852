import { isRecord, parseJson } from './json';
import { cleanLine } from './shownText';

/** Characters of the service's own words that an error shows: two or three lines in n8n's panel. */
const MAX_WORDS = 300;
/** Characters from outside that an error is made from. Words come early in a text or web page, which can be megabytes. */
export const MAX_SEARCHED = 20_000;
/** `{errors: [{error: {message}}]}` has four levels. */
const MAX_DEPTH = 5;
const MAX_ENTRIES = 5;
/** Names under which services put what went wrong. The first that holds text counts. */
const NAMES = ['message', 'error', 'error_description', 'detail', 'title', 'reason', 'errors'];

/**
 * Returns what the service says went wrong: the message of any usual JSON shape, the title of a web page, or plain text.
 * `redact` gets the words before they are cut: part of an API key must not remain.
 */
export function serviceWords(
	body: string,
	redact: (text: string) => string = (text) => text,
): string | undefined {
	const json = parseJson(body);
	const words = json === undefined ? textWords(body) : jsonWords(json);
	const beginning = (words ?? '').slice(0, MAX_SEARCHED);
	return cleanLine(redact(beginning), MAX_WORDS) || undefined;
}

/** True for a body that is a web page rather than a response of an API. A short comment may stand before its first tag. */
export function isHtml(body: string): boolean {
	return /^\s*(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(
		body.slice(0, MAX_SEARCHED),
	);
}

function jsonWords(value: unknown, depth = MAX_DEPTH): string | undefined {
	if (typeof value === 'string') return value.trim() || undefined;
	if (depth === 0) return undefined;
	const inside = (inner: unknown) => jsonWords(inner, depth - 1);
	if (Array.isArray(value)) return joined(value.slice(0, MAX_ENTRIES).map(inside));
	const members = isRecord(value) ? Object.entries(value) : [];
	for (const messageName of NAMES) {
		const words = inside(members.find(([name]) => name.toLowerCase() === messageName)?.[1]);
		if (words !== undefined) return words;
	}
	// `{name: ["is too long"]}`: problems by field, as validators write them.
	const fields = members.filter(([, member]) => Array.isArray(member)).slice(0, MAX_ENTRIES);
	return joined(
		fields.map(([name, member]) => {
			const words = inside(member);
			return words && `${name}: ${words}`;
		}),
	);
}

function joined(words: readonly (string | undefined)[]): string | undefined {
	return words.filter(Boolean).join('; ') || undefined;
}

/** The title, heading or message of a web page or XML; any other text but broken JSON as it is. The numbers keep it linear. */
function textWords(body: string): string | undefined {
	const text = body.slice(0, MAX_SEARCHED);
	if (!/^\s*</.test(text)) return /^\s*[[{]/.test(text) ? undefined : text;
	return /<(title|h1|message)\b[^>]{0,200}>([^<]{1,1000})<\/\1>/i.exec(text)?.[2];
}
