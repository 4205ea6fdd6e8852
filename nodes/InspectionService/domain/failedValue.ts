/**
 * Matches errors of spreadsheets, such as `#N/A` or `#BEZUG!`. Excel translates them into about thirty languages.
 * Nearly all have a `#`, capital letters, and `!` or `?`. The pattern requires at least three letters, so that `#1`,
 * `#B2?`, and `#Gate!` don't match.
 * Errors without `!` or `?` are listed by language: English, German, Dutch, French and others, Russian, Danish and
 * Norwegian, Greek, Turkish, Hungarian, Czech. `Err:502` is from LibreOffice, and `####` is from a column that is too
 * narrow.
 */
const FORMULA_ERROR =
	/#[¡¿]?\p{Lu}[\p{Lu}\p{M}_]{2,}(?:\/0)?[!?]|#(?:AD\?|(?:GETTING_DATA|N\/A|NV|N\/B|N\/D(?:ISP|!)?|Н\/Д|I\/T|Δ\/Υ|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI)(?![\p{L}\p{N}]))|#{4,}|(?<![\p{L}\p{N}])Err:5\d\d(?!\d)/u;
/** Matches text that JavaScript and Luxon write for a missing or unreadable value. */
const SCRIPT_ERROR =
	/(?<![\p{L}\p{N}])(?:undefined|NaN|Invalid (?:DateTime|Date|Duration|Interval))(?![\p{L}\p{N}])|\[object \w+\]/u;
/** Matches text that is an error only if nothing else is in the cell. In German text, `null` can mean zero. */
const WHOLE_CELL = /^\s*(?:#{2,}|null|NULL|Loading\.\.\.)\s*$/;
/** Matches `null` anywhere in a key, because keys don't contain the German word for zero. */
const NULL_IN_KEY = /(?<![\p{L}\p{N}])null(?![\p{L}\p{N}])/u;

/** The end of a message about a value that `failedValueIn` found. */
export const CORRECT_FAILED =
	'left by a failed formula or expression. Correct the cell or the expression';

/**
 * Returns the first error of a failed formula or expression in text, such as `#REF!` or `Invalid DateTime`. Undefined
 * if there is none.
 */
export function failedValueIn(text: string): string | undefined {
	for (const failure of [FORMULA_ERROR, SCRIPT_ERROR, WHOLE_CELL]) {
		const [found] = failure.exec(text) ?? [];
		if (found !== undefined) return found.trim();
	}
	return undefined;
}

/** Like `failedValueIn`, for a unique key or the value of a group. Here, `null` is always an error. */
export function failedPartOfKey(text: string): string | undefined {
	return failedValueIn(text) ?? NULL_IN_KEY.exec(text)?.[0];
}
