import { listText } from '../listText';
import { nameAndMeant } from '../nearestName';
import type { TemplateForm } from './templateForm';

/** Columns that a message names. Chosen: a sheet may have many more columns than the template has questions. */
const SHOWN_COLUMNS = 12;
/**
 * Columns among which those that resemble a question are looked for. Chosen: a sheet hardly has more, and a webhook's
 * body may have thousands.
 */
const COMPARED_COLUMNS = 100;

/** Each column in quotes, with the question whose name is nearest: `"Wether" (did you mean "Weather"?)`. */
export function namedColumns(form: TemplateForm, keys: readonly string[]): string[] {
	return keys.map((key) => nameAndMeant(key, form.nearest(key)));
}

/**
 * Says which columns match no question, as a sentence without its full stop. Of the first columns (COMPARED_COLUMNS),
 * those that resemble a question come first. Undefined where there are no columns.
 */
export function unmatchedColumns(form: TemplateForm, keys: readonly string[]): string | undefined {
	const compared = keys.slice(0, COMPARED_COLUMNS);
	const byLikeness = compared.toSorted((a, b) => likeness(form, b) - likeness(form, a));
	const shown = namedColumns(form, byLikeness.slice(0, SHOWN_COLUMNS));
	const [first] = shown;
	if (first === undefined) return undefined;
	if (keys.length === 1) return `The column ${first} matches no question`;
	return `These columns match no question: ${listText(shown, keys.length)}`;
}

function likeness(form: TemplateForm, key: string): number {
	return form.nearest(key) === undefined ? 0 : 1;
}
