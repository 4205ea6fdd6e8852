import { isoOf } from '../answer/answer';
import { plainText } from '../columnName';
import { jsonText } from '../json';

/** A date of Luxon as text. n8n (2.41) makes it of each date in a collection, such as Options, in the workflow's zone. */
const LUXON_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The text by which a unique key or a value of Group Rows By is compared (docs/create.md): without outer blanks, every
 * run of blanks as one blank, accents in one Unicode form. Letters keep their case, and the number 7 is the text "7". A
 * date is its UTC text, whatever its zone. Undefined for a value that says nothing, and for one without JSON.
 */
export function comparedText(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'object') return utcText(value) ?? jsonText(value);
	const text = plainText(String(value));
	if (text === '') return undefined;
	return LUXON_TEXT.test(text) ? (utcOf(text) ?? text) : text;
}

/** A date of JavaScript or Luxon as ISO 8601 text in UTC; undefined for anything else. */
export function utcText(value: unknown): string | undefined {
	const iso = isoOf(value);
	return iso === undefined ? undefined : utcOf(iso);
}

function utcOf(iso: string): string | undefined {
	const ms = Date.parse(iso);
	return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
