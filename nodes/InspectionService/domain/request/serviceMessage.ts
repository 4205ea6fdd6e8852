import { cleanLine } from '../formatting';
import { isRecord, parseJson } from '../json';

/** Maximum characters of the service's message in an error: two or three lines of n8n's panel. */
const MAX_WORDS = 300;
/**
 * Only this many characters of a response are searched for a message. The message is near the beginning, and a response
 * can have megabytes.
 */
export const MAX_SEARCHED = 20_000;
/** Maximum nesting of a message. The common shape `{errors: [{error: {message}}]}` has four levels. */
const MAX_DEPTH = 5;
const MAX_ENTRIES = 5;
/** The keys under which services send error messages, most likely first. */
const NAMES = ['message', 'error', 'error_description', 'detail', 'title', 'reason', 'errors'];

/**
 * Returns the error message in a response: from any common JSON shape, from the title of a web page, or the plain text
 * itself. Calls `redact` before it shortens the message, so that no part of an API key remains.
 */
export function serviceMessage(
	body: string,
	redact: (text: string) => string = (text) => text,
): string | undefined {
	const json = parseJson(body);
	const words = json === undefined ? textWords(body) : jsonWords(json);
	const beginning = (words ?? '').slice(0, MAX_SEARCHED);
	return cleanLine(redact(beginning), MAX_WORDS) || undefined;
}

/** Whether a response is a web page and not JSON. A short HTML comment can precede its first tag. */
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
	// Errors by field, as validators return them: `{name: ["is too long"]}`.
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

/**
 * Returns the title, heading, or message of a web page or XML. Returns other text unchanged, but undefined for broken
 * JSON. The limits in the pattern keep its running time linear.
 */
function textWords(body: string): string | undefined {
	const text = body.slice(0, MAX_SEARCHED);
	if (!/^\s*</.test(text)) return /^\s*[[{]/.test(text) ? undefined : text;
	return /<(title|h1|message)\b[^>]{0,200}>([^<]{1,1000})<\/\1>/i.exec(text)?.[2];
}
