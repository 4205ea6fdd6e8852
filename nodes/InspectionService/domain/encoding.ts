import { isRecord } from './json';

/**
 * Control characters that don't occur in text. A Windows-1252 file that was read as Latin1 has them for `–`, `€`, or
 * `“`.
 */
const C1_CONTROLS = /[\u0080-\u009f]/g;
/** The characters 80 to 9F of Windows-1252. Five aren't assigned, so their text is lost. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';
/** Maximum levels of lists and objects to repair. Rows have a handful. */
const MAX_LEVELS = 20;

/** The later bytes of a UTF-8 character, as Latin1 or Windows-1252 shows them. */
const LATER_BYTE = `\\u0080-\\u00bf\ufffd${WINDOWS_1252.replaceAll('\ufffd', '')}`;
/** The later bytes that aren't punctuation. In `JÄ…`, the `…` is punctuation, so the text isn't misread. */
const ODD_BYTE = '\\u0080-\\u009f\ufffdƒ†‡ˆ‰ŠŒŽšœžŸ¢£¤¥¦¨¬\\u00ad¯±´µ¶¸¼½¾';
/** `Ã¤` for ä, `Â°` for °, `Å¼` for ż, `ÐŸ` for П, `â€“` for –. */
const MISREAD_UTF8 = new RegExp(
	`[ÂÃ][${LATER_BYTE}]|[ÄÅÎÏÐÑ][${ODD_BYTE}]|\\p{Ll}[ÄÅÎÏÐÑ][${LATER_BYTE}]|â[${LATER_BYTE}]{2}`,
	'u',
);

const LOST_CHARACTER = '\ufffd';

/** Reads the C1 control characters of text as Windows-1252: `5 – 6 mm` for `5 \u0096 6 mm`. */
export function repairedText(text: string): string {
	return text.replace(C1_CONTROLS, (control) => {
		return WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80);
	});
}

/** Repairs all text of a row, including column names. Returns the same value if it has no such characters. */
export function repaired<Value>(value: Value): Value;
export function repaired(value: unknown): unknown {
	return repairedValue(value, MAX_LEVELS);
}

function repairedValue(value: unknown, levels: number): unknown {
	if (typeof value === 'string') return repairedText(value);
	if (levels === 0) return value;
	if (Array.isArray(value)) {
		const elements: unknown[] = value.map((element) => repairedValue(element, levels - 1));
		return elements.every((element, place) => element === value[place]) ? value : elements;
	}
	if (!isRecord(value)) return value;
	const members = Object.entries(value);
	const fixed = members.map(([name, member]) => {
		return [repairedText(name), repairedValue(member, levels - 1)] as const;
	});
	const isSame = fixed.every(
		([name, member], place) => name === members[place]?.[0] && member === members[place][1],
	);
	return isSame ? value : Object.fromEntries(fixed);
}

/** Returns the names in a repaired row whose values changed. */
export function changedNames(
	before: Readonly<Record<string, unknown>>,
	after: Readonly<Record<string, unknown>>,
): string[] {
	if (before === after) return [];
	return Object.keys(after).filter((name) => before[name] !== after[name]);
}

/** True for UTF-8 text that was read as Latin1 or Windows-1252: `GrÃ¶ÃŸe`. */
export function isMisreadUtf8(text: string): boolean {
	return MISREAD_UTF8.test(text);
}

/** True for text that lost characters when its file was read. */
export function hasLostCharacters(text: string): boolean {
	return text.includes(LOST_CHARACTER);
}

const LOST_FIX = `Characters were lost (�), because the file isn't UTF-8: save it from Excel as "CSV UTF-8", or set the option Encoding of the node that reads it to Latin1`;
const MISREAD_FIX =
	'The file is UTF-8, but was read as Latin1: set the option Encoding of the node that reads it to UTF-8';

/** Explains how to fix garbled text, without the final period. Undefined if no text is garbled. */
export function encodingFix(texts: readonly string[]): string | undefined {
	if (texts.some(isMisreadUtf8)) return MISREAD_FIX;
	return texts.some(hasLostCharacters) ? LOST_FIX : undefined;
}
