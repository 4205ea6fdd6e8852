import { isRecord, jsonText } from './json';
import { composedText } from './normalizeText';

/**
 * Matches control characters that don't occur in normal text. If a Windows-1252 file is read as Latin1, they replace
 * characters such as `–`, `€`, and `“`.
 */
const C1_CONTROLS = /[\u0080-\u009f]/g;
/** The characters 80 to 9F of Windows-1252, in order. Five codes aren't assigned, so text with them is lost. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';
/** Maximum nesting of the lists and objects to repair. Rows have only a few levels. */
const MAX_LEVELS = 20;

/** The second and later bytes of UTF-8 characters, as they appear if the text is read as Latin1 or Windows-1252. */
const LATER_BYTE = `\\u0080-\\u00bf\ufffd${WINDOWS_1252.replaceAll('\ufffd', '')}`;
/**
 * The bytes in `LATER_BYTE` that aren't punctuation. Punctuation can follow a letter in correct text, such as `JÄ…`.
 */
const ODD_BYTE = '\\u0080-\\u009f\ufffdƒ†‡ˆ‰ŠŒŽšœžŸ¢£¤¥¦¨¬\\u00ad¯±´µ¶¸¼½¾';
/**
 * Matches UTF-8 text that was read as Latin1 or Windows-1252: `Ã¤` for ä, `Â°` for °, `Å¼` for ż, `ÐŸ` for П, `â€“` for
 * –.
 */
const MISREAD_UTF8 = new RegExp(
	`[ÂÃ][${LATER_BYTE}]|[ÄÅÎÏÐÑ][${ODD_BYTE}]|\\p{Ll}[ÄÅÎÏÐÑ][${LATER_BYTE}]|â[${LATER_BYTE}]{2}`,
	'u',
);

const LOST_CHARACTER = '\ufffd';

/**
 * Matches marks that show nothing, from copied text: soft hyphens, zero-width spaces, direction marks, and byte order
 * marks. Not the joiners U+200C and U+200D, because words of some languages and emoji need them.
 */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/**
 * Returns text that enters Create as all rules read it. Replaces C1 control characters with the characters that they
 * stand for in Windows-1252: `5 \u0096 6 mm` becomes `5 – 6 mm`. Removes invisible marks, and composes accents (NFC).
 * In misread UTF-8, invisible marks are parts of characters, so they stay.
 */
export function readableText(text: string): string {
	if (PLAIN.test(text)) return text;
	const readable = text.replace(C1_CONTROLS, (control) => {
		return WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80);
	});
	return isMisreadUtf8(readable) ? readable : composedText(readable.replace(INVISIBLE, ''));
}

const PLAIN = /^[\0-\x7f]*$/;

/** Applies `readableText` to all text of a row, including column names. Returns the same object if nothing changed. */
export function withReadableText<Value>(value: Value): Value;
export function withReadableText(value: unknown): unknown {
	return readableValue(value, MAX_LEVELS);
}

function readableValue(value: unknown, levels: number): unknown {
	if (typeof value === 'string') return readableText(value);
	if (levels === 0) return value;
	if (Array.isArray(value)) {
		const elements: unknown[] = value.map((element) => readableValue(element, levels - 1));
		return elements.every((element, index) => element === value[index]) ? value : elements;
	}
	if (!isRecord(value)) return value;
	const members = Object.entries(value);
	const names = new Set(Object.keys(value));
	const fixed = members.map(([name, member]) => {
		// Two names can differ only in invisible marks. Then both columns stay.
		const newName = readableText(name);
		const isTaken = newName !== name && names.has(newName);
		names.add(newName);
		return [isTaken ? name : newName, readableValue(member, levels - 1)] as const;
	});
	const isSame = fixed.every(
		([name, member], index) => name === members[index]?.[0] && member === members[index][1],
	);
	return isSame ? value : Object.fromEntries(fixed);
}

/** Returns the names of columns in which `withReadableText` replaced C1 control characters. */
export function changedNames(
	before: Readonly<Record<string, unknown>>,
	after: Readonly<Record<string, unknown>>,
): string[] {
	if (before === after) return [];
	return Object.entries(before).flatMap(([name, value]) =>
		after[name] !== value && hasC1Controls([name, value]) ? [readableText(name)] : [],
	);
}

function hasC1Controls(value: unknown): boolean {
	return (jsonText(value) ?? '').search(C1_CONTROLS) >= 0;
}

/** Whether text is UTF-8 that was read as Latin1 or Windows-1252, such as `GrÃ¶ÃŸe`. */
export function isMisreadUtf8(text: string): boolean {
	return MISREAD_UTF8.test(text);
}

/** Whether text contains characters that were lost when its file was read (`�`). */
export function hasLostCharacters(text: string): boolean {
	return text.includes(LOST_CHARACTER);
}

/**
 * Matches text of another language that was read as Latin1: a sign inside a word, such as `Wroc³aw`, or many accented
 * letters in a row, such as `Ïðèâåò`. Most Polish and Czech words can't be told from correct text.
 */
const NOT_WESTERN =
	/\p{L}{2}[¡£¥¦¬¯¶¹³¼¾¿]{1,2}\p{Ll}|\p{L}[¡£¥¦¬¯¶¹³¼¾¿]{1,2}\p{Ll}{2}|[À-ÖØ-öø-ÿ]{5}/u;

const ENCODING = "set the option 'Encoding' of the node that reads the file to";
const SAVE_AS_UTF8 = "save the file from Excel as 'CSV UTF-8'";
/** The causes of unreadable text, and the fix of each. Latin1 only helps with Western languages, so it comes last. */
const CAUSES: readonly (readonly [isCause: (text: string) => boolean, fix: string])[] = [
	[
		(text) => text.includes('\0'),
		`The file has the encoding UTF-16: ${ENCODING} 'UTF16LE', or ${SAVE_AS_UTF8}`,
	],
	[isMisreadUtf8, `The file is UTF-8, but was read as Latin1: ${ENCODING} 'UTF-8'`],
	[
		(text) => NOT_WESTERN.test(text),
		`The file isn't in a Western language, but was read as Latin1: ${SAVE_AS_UTF8}`,
	],
	[
		hasLostCharacters,
		`Characters were lost (�), because the file isn't UTF-8: ${SAVE_AS_UTF8}. Only for Western languages, you can ${ENCODING} 'Latin1' instead`,
	],
];

/**
 * Returns a sentence about how to fix text that was read with the wrong encoding. The sentence has no final period.
 * Undefined if all text is correct.
 */
export function encodingFix(texts: readonly string[]): string | undefined {
	return CAUSES.find(([isCause]) => texts.some(isCause))?.[1];
}

/**
 * Separators that n8n's Extract from File reads as part of the cell, because it expects a comma. Excel writes semicolons
 * in much of Europe. The node's field doesn't read `\t` as a tab (n8n 2.41).
 */
const DELIMITERS = { ';': '";"', '|': '"|"', '\t': 'the expression {{ "\\t" }}' };
/** Matches the first line of a CSV file that tells Excel its delimiter. A delimiter that was read as such is missing. */
const DELIMITER_LINE = /^sep=[;|\t,]?$/i;

/**
 * Explains how to read a CSV file that was read with the wrong delimiter, so that its whole header is one column. Also
 * for a header that only tells the delimiter. The sentence has no final period. Undefined for other columns.
 */
export function delimiterFix([first = '', ...others]: readonly string[]): string | undefined {
	const [, delimiter] = Object.entries(DELIMITERS).find(([sign]) => first.includes(sign)) ?? [];
	const isUnsplit = delimiter !== undefined && others.length === 0;
	if (DELIMITER_LINE.test(first)) {
		const options = `${isUnsplit ? `'Delimiter' to ${delimiter} and ` : ''}'Starting Line' to 2`;
		return `The first line of the file is only for Excel (${first.slice(0, 4)}…): in the node that reads the file, set ${options}. If you delete the line, 'Starting Line' isn't needed`;
	}
	if (!isUnsplit) return undefined;
	const garbled = encodingFix([first]);
	return `${garbled === undefined ? '' : `${garbled}. `}Each line of the file was read as a single column: set the option 'Delimiter' of the node that reads the file to ${delimiter}`;
}
