import { DateTime, Info } from 'luxon';

import { foldName, plainText, trimmedEnd, withoutAccents, withPlainDigits } from '../normalizeText';

/** Maximum characters of a date in a cell. */
export const MAX_DATE_TEXT = 60;
/** Matches Luxon's tokens for a time of day. Remove quoted text from the format before this test. */
const TIME_TOKEN = /[HhmsSuTtFfXx]/;
const QUOTED = /'[^']*'/g;
export const LOCALE = 'en';

/**
 * Reads a date in a format with Luxon's tokens, such as `dd.MM.yyyy`. Uses `timeZone` (IANA) for text without a zone.
 * The text can omit leading zeros if that isn't ambiguous. It can also omit the format's time, or have a time if the
 * format has none. `isDay` is true for text without a time.
 */
export function dateInFormat(
	given: string,
	format: string,
	timeZone: string,
): { date: DateTime; isDay: boolean } | undefined {
	if (given.length > MAX_DATE_TEXT) return undefined;
	const text = withEnglishMonth(withPlainDigits(given));
	for (const way of waysToRead(plainText(format))) {
		const options = { zone: timeZone, setZone: true, locale: LOCALE };
		const date = DateTime.fromFormat(text, way, options);
		if (date.isValid) return { date, isDay: !hasTime(way) };
	}
	return undefined;
}

/**
 * Matches two-digit tokens with no other token next to them, because `dd.MM.yyyy` also reads 1.5.2026. `ddMMyyyy`
 * doesn't match, because a single digit would be ambiguous.
 */
const TWO_DIGITS = /(?<![a-z])(?:dd|mm|hh)(?![a-z])/gi;

/** Formats of a time that follows a day. A comma can separate the day and the time, as in `toLocaleString`. */
const CLOCKS = ['HH:mm', 'HH:mm:ss', 'hh:mm a', 'hh:mm:ss a'];
const TIMES = [' ', ', '].flatMap((between) => CLOCKS.map((clock) => `${between}${clock}`));
const TIME_AFTER_DAY = / (?=h)/i;

/**
 * Returns a format, and variants with a time added or removed, because a sheet can have dates with and without times.
 * Each is followed by the same format without leading zeros: `dd.MM.yyyy`, `d.M.yyyy`.
 */
function waysToRead(format: string): Set<string> {
	const shorter = (way: string) => way.replace(TWO_DIGITS, (token) => token.charAt(0));
	const at = format.search(TIME_AFTER_DAY);
	const day = at === -1 ? format : trimmedEnd(format.slice(0, at).trimEnd(), ',');
	const withTimes = hasTime(format) ? [] : TIMES.map((time) => `${format}${time}`);
	const ways = [format, ...withTimes, ...(hasTime(day) ? [] : [day])].map(withShortMonth);
	return new Set(ways.flatMap((way) => [way, shorter(way)]));
}

/** Languages whose month names are recognized. */
const LANGUAGES = [LOCALE, 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
/**
 * Matches a word that may be a month, including the period of an abbreviation such as `janv.`. In `31.May.2026`, the
 * period is part of the format instead.
 */
const WORD = /\p{L}[\p{L}\p{M}]{2,}(?:\.(?!\d))?/gu;
/** Matches the tokens for month names in a format, and quoted text, which stays unchanged. */
const MONTH_TOKEN = /('[^']*')|(?<![ML])[ML]{3,4}(?![ML])/g;

let englishMonths: ReadonlyMap<string, string> | undefined;

/** Maps month names in all languages, lengths, and grammatical forms to short English names. */
function makeEnglishMonths(): ReadonlyMap<string, string> {
	const english = Info.months('short', { locale: LOCALE });
	const lists = LANGUAGES.flatMap((locale) =>
		(['long', 'short'] as const).flatMap((length) => [
			Info.monthsFormat(length, { locale }),
			Info.months(length, { locale }),
		]),
	);
	const names = lists.flatMap((list) =>
		english.map((month, index) => [bareMonth(list[index] ?? month), month] as const),
	);
	// Add common short forms that Intl doesn't use.
	return new Map([...names, ['sept', 'Sep'], ['mrz', 'Mar']]);
}

function bareMonth(name: string): string {
	return withoutAccents(foldName(name)).replace(/\./g, '');
}

/**
 * Translates the name of a month into English: `15 mai 2014` becomes `15 May 2014`. Accents in the name are optional.
 */
export function withEnglishMonth(text: string): string {
	return text.replace(WORD, (word) => {
		englishMonths ??= makeEnglishMonths();
		return englishMonths.get(bareMonth(word)) ?? word;
	});
}

/** Replaces the tokens for month names with `MMM`, because `withEnglishMonth` writes short names. */
function withShortMonth(format: string): string {
	return format.replace(MONTH_TOKEN, (_, quoted: string | undefined) => quoted ?? 'MMM');
}

function hasTime(format: string): boolean {
	return TIME_TOKEN.test(format.replace(QUOTED, ''));
}

/**
 * Days to test a format with: a valid format writes each as text, and reads the same day from this text. The days have
 * different years, so that a format without a year fails for at least one of them: it always reads the current year.
 */
const SAMPLE_DAYS = ['2031-11-23', '2032-12-24'];
/**
 * Matches capital letters for day and year: in Luxon, `DD` is a whole date, and `Y` is plain text. Also matches Luxon's
 * token for a year of any length: in 31.5.26, it would read 26 as the year 26.
 */
const NO_TOKENS = /[DY]|(?<!y)y(?!y)/;

function readsDays(format: string): boolean {
	if (NO_TOKENS.test(format.replace(QUOTED, ''))) return false;
	try {
		return SAMPLE_DAYS.every((day) => {
			const text = DateTime.fromISO(day, { zone: 'utc' }).toFormat(format, { locale: LOCALE });
			return dateInFormat(text, format, 'utc')?.date.toUTC().toISODate() === day;
		});
	} catch {
		// Luxon throws if a format mixes a month with a day of the year, as in `do MMM yyyy`.
		return false;
	}
}

/**
 * Match the letters for the year: `aaaa` in Spanish and French, `jjjj` in German and Dutch, `rrrr` in Polish. For the
 * day: `j` in French, `t` in German, `g` in Italian.
 */
const YEAR_LETTERS = /aaaa|jjjj|rrrr|(?<!y)y(?!y)/g;
const DAY_LETTERS = /(?<![a-z])(?:jj?|tt?|gg?)(?![a-z])/g;

/** Converts a spreadsheet's format to Luxon's tokens: `dd/mm/yyyy`, `jj/mm/aaaa`, and `TT.MM.JJJJ`. */
function inLuxonTokens(format: string): string {
	const lower = format.toLowerCase().replace(YEAR_LETTERS, 'yyyy');
	const english = lower.replace(DAY_LETTERS, (letters) => 'd'.repeat(letters.length));
	const [day = '', ...times] = english.split(/(?=h)/);
	const time = times.join('');
	// With AM and PM, keep the `h`, because hours go up to 12.
	return day.replaceAll('m', 'M') + (time.includes('a') ? time : time.replaceAll('h', 'H'));
}

/**
 * Converts the option Date Format to Luxon's tokens. Also accepts formats as spreadsheets write them. Undefined for a
 * format that doesn't show the order of day, month, and year.
 */
export function luxonFormat(given: string): string | undefined {
	// Replace Excel's letters for AM and PM, because the M of `AM` would be read as the month.
	const written = given.replace(/am\/pm/i, 'a');
	return [written, inLuxonTokens(written)].find(readsDays);
}
