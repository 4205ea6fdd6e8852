/**
 * Errors of spreadsheets, such as `#N/A` or `#BEZUG!`. Excel translates them into about thirty languages. Nearly all
 * are a `#`, capital letters, and `!` or `?`. At least three letters are required, so that `#1`, `#B2?`, and `#Gate!`
 * don't match. Errors without a mark at the end are listed by language: English, German, Dutch, French and others,
 * Russian, Danish and Norwegian, Greek, Turkish, Hungarian, Czech. LibreOffice adds `Err:502`, and a narrow column
 * shows `####`.
 */
const FORMULA_ERROR =
	/#[¡¿]?\p{Lu}[\p{Lu}\p{M}_]{2,}(?:\/0)?[!?]|#(?:AD\?|(?:GETTING_DATA|N\/A|NV|N\/B|N\/D(?:ISP|!)?|Н\/Д|I\/T|Δ\/Υ|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI)(?![\p{L}\p{N}]))|#{4,}|(?<![\p{L}\p{N}])Err:5\d\d(?!\d)/u;
/** The text that JavaScript and Luxon write for a value that is missing or can't be read. */
const SCRIPT_ERROR =
	/(?<![\p{L}\p{N}])(?:undefined|NaN|Invalid (?:DateTime|Date|Duration|Interval))(?![\p{L}\p{N}])|\[object \w+\]/u;
/** Failures only if they fill the whole cell: inside German text, `null` means zero. */
const WHOLE_CELL = /^\s*(?:#{2,}|null|NULL|Loading\.\.\.)\s*$/;
/** In keys, `null` is a failure anywhere, because keys don't contain a zero as a word. */
const NULL_IN_KEY = /(?<![\p{L}\p{N}])null(?![\p{L}\p{N}])/u;

/** The end of a sentence about such a value. */
export const CORRECT_FAILED =
	'left by a failed formula or expression; correct the cell or the expression';

/** Returns the first value in text that a failed formula or expression left, such as `#REF!` or `Invalid DateTime`. */
export function failedValueIn(text: string): string | undefined {
	for (const failure of [FORMULA_ERROR, SCRIPT_ERROR, WHOLE_CELL]) {
		const [found] = failure.exec(text) ?? [];
		if (found !== undefined) return found.trim();
	}
	return undefined;
}

/** Like `failedValueIn`, for a unique key or a group's value. */
export function failedPartOfKey(text: string): string | undefined {
	return failedValueIn(text) ?? NULL_IN_KEY.exec(text)?.[0];
}
