/** A piece of a text between two separators; positions in the text. */
export interface TextPart {
	/** Position of the first character that is no blank; the part's end where it has only blanks. */
	readonly from: number;
	/**
	 * Position after the last character that is no blank. The part's beginning where it has only blanks: `to` <= `from`.
	 */
	readonly to: number;
	/** Position of the separator after the part, or of the end of the text. */
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
 * The text in double quotes that a part begins with. As in CSV, it may hold separators, and a doubled quote in it is
 * one quote. Undefined where the part begins with no such text, or where anything but blanks stands between it and the
 * next separator.
 *
 * Linear in total when asked for every part: a search that leaves its part ends no later than where the next such
 * search begins.
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
