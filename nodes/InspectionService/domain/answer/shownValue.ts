import { jsonText } from '../json';
import { cleanLine } from '../shownText';

/** Characters of a value that a message repeats: a choice is rarely longer. */
const SHOWN_LENGTH = 80;

/** A value as a message repeats it: texts in quotes, the rest as JSON, long ones cut. */
export function shownValue(given: unknown): string {
	if (typeof given === 'string') return `"${shortened(given)}"`;
	if (given === undefined || ['bigint', 'number'].includes(typeof given)) return String(given);
	const json = jsonText(given);
	if (json === undefined) return 'a value that is no JSON';
	// JSON makes `null` of an invalid date, of JavaScript or of Luxon.
	return given !== null && json === 'null' ? 'an invalid date' : shortened(json);
}

export function shortened(text: string): string {
	return cleanLine(text, SHOWN_LENGTH);
}
