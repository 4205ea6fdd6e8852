import { isoOf } from '../answer/answer';
import { hasLostDigits, shortenedNumberIn } from '../answer/numbers';
import { encodingFix, hasLostCharacters } from '../encoding';
import { CORRECT_FAILED, failedPartOfKey } from '../failedValue';
import { cleanLine, shownValue } from '../formatting';
import { jsonText } from '../json';
import { foldName, isBlank, plainText } from '../normalizeText';
import type { ValueProblem } from '../problem';

/**
 * Matches a Luxon date as text, in the workflow's zone. n8n (2.41) converts dates in a collection, such as Options, to
 * this text.
 */
const LUXON_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:\d{2})$/;
/** Matches a letter or digit. Text without any, such as `-`, `?`, or a ditto mark, identifies nothing. */
const HAS_CHARACTER = /[\p{L}\p{N}]/u;
/**
 * Matches words that people write for a missing value, in several languages. Compared without case. Two letters need
 * their signs, because `NA` and `KA` are also names of places.
 */
const PLACEHOLDER =
	/^(?:[nksob]\.? ?[./-] ?[adcbvn]\.?|н ?[./] ?д\.?|nil|none|null|tb[acd]\.?|unknown|undefined|missing|not (?:applicable|available|known)|ditto|dt?o\.|unbekannt|keine?(?: angabe)?|fehlt|inconnue?|aucune?|desconocid[oa]|ningun[oa]|sconosciut[oa]|nessun[oa]|desconhecid[oa]|nenhum[oa]?|onbekend|geen|nieznan[yae]|brak|ukendt|ukjent|okänd|neznám[ýáé]|ismeretlen|неизвестно|нет)$/u;

/**
 * Returns the text by which unique keys and values of Group Rows By are compared (docs/no-duplicates.md). Letters keep
 * their case, and a date becomes text in UTC. Undefined for a blank value, and for a value that can't be converted to
 * JSON.
 */
export function comparedText(value: unknown): string | undefined {
	if (isBlank(value)) return undefined;
	const json = () => (typeof value === 'object' ? jsonText(value) : plainText(String(value)));
	const text = isoOf(value) ?? json();
	const ms = text !== undefined && LUXON_TEXT.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}

/**
 * Returns why a value that isn't blank can't identify an inspection: as a group, a unique key, or a column of a unique
 * key. Undefined if it can. `column` is the column that contains the value.
 */
export function whyNoIdentity(given: unknown, column?: string): ValueProblem | undefined {
	const why = reasonOf(given, comparedText(given) ?? '');
	if (why === undefined) return undefined;
	const message = column === undefined ? why : `in the column "${column}" ${why}`;
	return { value: shownValue(given), message, kind: 'no identity' };
}

function reasonOf(given: unknown, text: string): string | undefined {
	const failed = failedPartOfKey(text);
	if (failed !== undefined) {
		return failed === text ? `was ${CORRECT_FAILED}` : `contains ${failed}, ${CORRECT_FAILED}`;
	}
	if (hasLostCharacters(text)) {
		return `could stand for different values. ${encodingFix([text]) ?? ''}`;
	}
	if (hasLostDigits(given) || shortenedNumberIn(text) !== undefined) {
		return "is a long number that lost its last digits, so it isn't unique. Format the column as text in Excel, and save the file again";
	}
	if (!HAS_CHARACTER.test(text) || PLACEHOLDER.test(foldName(text))) {
		return 'stands for a missing value, so different inspections can have it. Enter a value that only this inspection has';
	}
	return undefined;
}

/** Maximum characters of a value that is compared by its look. Keys are far shorter. */
const MAX_LOOK = 200;
/** Maximum characters of a group's value or a key in a message. */
export const SHOWN_VALUE = 40;

/**
 * Returns the same text for values that look alike: they differ only in case, width, spaces, dashes, apostrophes, quotes,
 * or leading zeros. Such values are different inspections, but most likely one is a mistake.
 */
export function lookOf(text: string): string {
	if (text.length > MAX_LOOK) return text;
	return foldName(text.normalize('NFKC'))
		.replace(/[\p{Pd}\u2212]/gu, '-')
		.replace(/[‘’‚‛′`´ʼ]/g, "'")
		.replace(/[“”„‟″«»]/g, '"')
		.replace(/\s/g, '')
		.replace(/(?<![\p{N}.,])0+(?=\d)/gu, '');
}

/** Returns each value that looks like an earlier one, with that one: `"V-103" (row 2) and "v-103" (row 7)`. */
export function lookalikes(values: readonly { value: string; where: string }[]): string[] {
	const firsts = new Map<string, { value: string; where: string }>();
	return values.flatMap(({ value, where }) => {
		const look = lookOf(value);
		const first = firsts.get(look);
		if (first === undefined) firsts.set(look, { value, where });
		if (first === undefined || first.value === value) return [];
		return [lookalike(first, { value, where })];
	});
}

/** Formats two values that look alike, each with where it is. */
export function lookalike(...pair: readonly { value: string; where: string }[]): string {
	const shown = pair.map(({ value, where }) => `"${cleanLine(value, SHOWN_VALUE)}" (${where})`);
	return shown.join(' and ');
}
