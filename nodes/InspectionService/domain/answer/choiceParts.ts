/** A piece of a text between two separators; positions in the text. */
export interface TextPart {
	/** Its first character that is no blank; in a part of blanks only, its end. */
	readonly from: number;
	/** After its last character that is no blank; in a part of blanks only, its beginning, so that `to` <= `from`. */
	readonly to: number;
	/** Where the separator after it stands, or the text ends. */
	readonly end: number;
}

const SEPARATOR = /\r\n|[,;\r\n]/g;

/** How many separators are in a text. */
export function separatorsIn(text: string): number {
	return text.match(SEPARATOR)?.length ?? 0;
}

/** The parts of a text between commas, semicolons and line breaks, empty ones included; at least one. */
export function partsOf(text: string): TextPart[] {
	const parts: TextPart[] = [];
	let start = 0;
	const add = (end: number, next: number) => {
		const part = text.slice(start, end);
		const from = end - part.trimStart().length;
		parts.push({ from, to: start + part.trimEnd().length, end });
		start = next;
	};
	for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
		add(index, index + separator.length);
	}
	add(text.length, text.length);
	return parts;
}

/** A text in double quotes, and the part after it. */
export interface QuotedPart {
	inner: string;
	/** Index of the part that follows. */
	next: number;
}

/**
 * The text in double quotes that a part begins with, a doubled quote being one quote, as in CSV; it may go on over
 * separators. Undefined where there is none, or something other than blanks stands between it and the next separator.
 *
 * Linear when asked for every part: the quotes that would close one part's text stand at the beginning of the next.
 */
export function quotedAt(
	text: string,
	parts: readonly TextPart[],
	at: number,
): QuotedPart | undefined {
	const first = parts[at];
	if (first === undefined || text[first.from] !== '"') return undefined;
	let quote = text.indexOf('"', first.from + 1);
	while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
	if (quote < 0) return undefined;
	let last = at;
	while ((parts[last]?.end ?? text.length) < quote) last++;
	const end = parts[last]?.end ?? text.length;
	if (text.slice(quote + 1, end).trim() !== '') return undefined;
	const inner = text.slice(first.from + 1, quote).replaceAll('""', '"');
	return { inner, next: last + 1 };
}
