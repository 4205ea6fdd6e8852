import { DateTime, Info } from 'luxon';

import { isRecord } from '../json';
import { foldName, plainText, trimmedEnd, withoutAccents } from '../normalizeText';
import type { ValueProblem } from '../problem';
import { clockTime, earlyDay } from './spreadsheetDate';

/** Maximum characters of a date in a cell. */
const MAX_TEXT_LENGTH = 60;
/** Luxon's tokens for a time of day. Quoted text is removed from the format before this test. */
const TIME_TOKEN = /[HhmsSuTtFfXx]/;
const QUOTED = /'[^']*'/g;
const LOCALE = 'en';

/**
 * Reads a date in a format of Luxon's tokens (`dd.MM.yyyy`), in `timeZone` (IANA) if it has no zone. The text can omit
 * leading zeros if that isn't ambiguous. It can also omit the format's time, or have a time if the format has none.
 * Text without a time is a day.
 */
export function dateInFormat(
	given: string,
	format: string,
	timeZone: string,
): { date: DateTime; isDay: boolean } | undefined {
	if (given.length > MAX_TEXT_LENGTH) return undefined;
	const text = withEnglishMonth(plainText(given));
	for (const way of waysToRead(plainText(format))) {
		const options = { zone: timeZone, setZone: true, locale: LOCALE };
		const date = DateTime.fromFormat(text, way, options);
		if (date.isValid) return { date, isDay: !hasTime(way) };
	}
	return undefined;
}

/** Standalone two-digit tokens: `dd.MM.yyyy` also reads 1.5.2026. In `ddMMyyyy`, a single digit would be ambiguous. */
const TWO_DIGITS = /(?<![a-z])(?:dd|mm|hh)(?![a-z])/gi;

/** Each way to write a format, followed by the same without leading zeros. */
function waysToRead(format: string): Set<string> {
	const shorter = (way: string) => way.replace(TWO_DIGITS, (token) => token.charAt(0));
	const ways = waysToWrite(format).map(withShortMonth);
	return new Set(ways.flatMap((way) => [way, shorter(way)]));
}

/** Times after a day. A comma can separate the two, as in `toLocaleString`. */
const CLOCKS = ['HH:mm', 'HH:mm:ss', 'hh:mm a', 'hh:mm:ss a'];
const TIMES = [' ', ', '].flatMap((between) => CLOCKS.map((clock) => `${between}${clock}`));
const TIME_AFTER_DAY = / (?=h)/i;

/** The format, and the same with a time added or removed: a sheet can have columns of both kinds. */
function waysToWrite(format: string): string[] {
	if (!hasTime(format)) return [format, ...TIMES.map((time) => `${format}${time}`)];
	const at = format.search(TIME_AFTER_DAY);
	const day = at === -1 ? format : trimmedEnd(format.slice(0, at).trimEnd(), ',');
	return hasTime(day) ? [format] : [format, day];
}

/** Languages in which month names are read. Luxon uses the first one for everything else. */
const LANGUAGES = [LOCALE, 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
/** A word that may be a month. The period of `janv.` isn't part of the format, but that of `31.May.2026` is. */
const WORD = /\p{L}[\p{L}\p{M}]{2,}(?:\.(?!\d))?/gu;
/** Month names in a format. Quoted text is kept. */
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
	// Common short forms that Intl doesn't use.
	return new Map([...names, ['sept', 'Sep'], ['mrz', 'Mar']]);
}

function bareMonth(name: string): string {
	return withoutAccents(foldName(name)).replace(/\./g, '');
}

/** Translates the month into English, such as `15 mai 2014` to `15 May 2014`, with or without accents. */
function withEnglishMonth(text: string): string {
	return text.replace(WORD, (word) => {
		englishMonths ??= makeEnglishMonths();
		return englishMonths.get(bareMonth(word)) ?? word;
	});
}

/** Returns the format with short month names, as `withEnglishMonth` writes them. */
function withShortMonth(format: string): string {
	return format.replace(MONTH_TOKEN, (_, quoted: string | undefined) => quoted ?? 'MMM');
}

function hasTime(format: string): boolean {
	return TIME_TOKEN.test(format.replace(QUOTED, ''));
}

/**
 * A format must read these days back from its own text. They're in two years, so that a format without a year, which
 * reads every day in the current year, fails.
 */
const TOLD_DAYS = ['2031-11-23', '2032-12-24'];
/** Capital letters for day and year. In Luxon, `DD` is a whole date, and `Y` is only a letter. */
const CAPITALS = /[DY]/;
/** Luxon's token for a year of any length. It would read the 26 of 31.5.26 as the year 26. */
const LONE_YEAR = /(?<!y)y(?!y)/;

function readsDays(format: string): boolean {
	if (LONE_YEAR.test(format.replace(QUOTED, ''))) return false;
	return TOLD_DAYS.every((day) => {
		const text = DateTime.fromISO(day, { zone: 'utc' }).toFormat(format, { locale: LOCALE });
		return dateInFormat(text, format, 'utc')?.date.toUTC().toISODate() === day;
	});
}

/** Letters for the year (Spanish and French, German and Dutch, Polish) and for the day (jour, Tag, giorno). */
const YEAR_LETTERS = /aaaa|jjjj|rrrr|(?<!y)y(?!y)/g;
const DAY_LETTERS = /(?<![a-z])(?:jj?|tt?|gg?)(?![a-z])/g;

/** Converts a spreadsheet's format to Luxon's tokens: `dd/mm/yyyy`, `jj/mm/aaaa`, and `TT.MM.JJJJ`. */
function inLuxonTokens(format: string): string {
	const lower = format.toLowerCase().replace(YEAR_LETTERS, 'yyyy');
	const english = lower.replace(DAY_LETTERS, (letters) => 'd'.repeat(letters.length));
	const [day = '', ...times] = english.split(/(?=h)/);
	const time = times.join('');
	// With AM and PM, hours go up to 12.
	return day.replaceAll('m', 'M') + (time.includes('a') ? time : time.replaceAll('h', 'H'));
}

/** Returns the option Date Format in Luxon's tokens. Also accepts formats as spreadsheets write them. */
export function checkedFormat(given: string): { format: string; problem?: string } {
	if (CAPITALS.test(given.replace(QUOTED, ''))) {
		const small = given.replace(/[DY]/g, (letter) => letter.toLowerCase());
		const problem = `has capital letters for day or year; use lowercase letters, such as ${small}`;
		return { format: given, problem };
	}
	// Excel's letters for AM and PM. The M of `AM` would be read as the month.
	const written = given.replace(/am\/pm/i, 'a');
	const format = [written, inLuxonTokens(written)].find(readsDays);
	if (format !== undefined) return { format };
	const problem =
		"doesn't show the order of day, month, and year; write dd, MM, and yyyy in the order of your dates, such as dd.MM.yyyy";
	return { format: given, problem };
}

const DAY_FORMATS = [
	'dd.MM.yyyy',
	'MM/dd/yyyy',
	'dd/MM/yyyy',
	'dd-MM-yyyy',
	'MM-dd-yyyy',
	'yyyy-MM-dd',
	'yyyy/MM/dd',
	'yyyy.MM.dd',
	'dd.MM.yy',
	'MM/dd/yy',
	'dd/MM/yy',
	'dd-MMM-yyyy',
	'dd-MMM-yy',
	'dd.MMM.yyyy',
	'dd/MMM/yyyy',
	'dd MMM yyyy',
	'dd MMM yy',
	'dd. MMMM yyyy',
	'dd MMMM yyyy',
	"dd 'de' MMMM 'de' yyyy",
	'MMM dd, yyyy',
	'MMMM dd, yyyy',
];
/** Common date formats in sheets, each with the shape of a date in that format. */
const SEEN_FORMATS = DAY_FORMATS.flatMap((day) =>
	['', ...TIMES].map((time) => {
		const format = `${day}${time}`;
		// Don't create a Luxon date here: the first one takes longer than loading the rest of the package.
		const sample = format
			.replace(/'[^']*'/g, 'word')
			.replace('yyyy', '2031')
			.replace(/M{3,4}/, 'May')
			.replace(/\b\w\w\b/g, '23')
			.replace(/\ba$/, 'PM');
		return { format, shape: dateShape(sample) };
	}),
);

/**
 * Returns the kinds of characters in text, such as `9.9.year` for 1.5.2026. Only formats of the same shape are tried.
 */
function dateShape(text: string): string {
	const words = text.replace(/\p{L}+/gu, 'word');
	return words.replace(/\d{3,}/g, 'year').replace(/\d{1,2}/g, '9');
}

function formatsOfShape(text: string): string[] {
	const shape = dateShape(text);
	return SEEN_FORMATS.filter((seen) => seen.shape === shape).map(({ format }) => format);
}

/** Why a value isn't a date, and how to fix it. `iso` is an ISO 8601 example, used if no Date Format is set. */
export function dateProblem(
	given: unknown,
	iso: string,
	dateFormat: string | undefined,
): Omit<ValueProblem, 'value'> {
	const time = timeOfDay(given);
	if (time !== undefined) {
		const message = `is a time without a day${time}; put day and time into one cell, such as =A2+B2 in Excel`;
		return { message, kind: 'time without a day' };
	}
	const isShort = typeof given === 'string' && given.length <= MAX_TEXT_LENGTH;
	const text = isShort ? withEnglishMonth(plainText(given)) : '';
	const readings = dateFormat === undefined ? readingsOf(text) : [];
	if (readings.length > 0) {
		const fixes = readings.map(([day, format]) => `to ${format} to read ${day}`);
		const message = `is not a date; set the option Date Format ${fixes.join(', or ')}`;
		// Report values that need different formats separately.
		const kind = readings.map(([, format]) => format).join();
		return { message, kind, option: 'Date Format' };
	}
	const early = typeof given === 'number' ? earlyDay(given) : undefined;
	if (early !== undefined) {
		const message = `is not a date; as a spreadsheet's date it would be ${early}, but numbers aren't read as days before 1950, because they might be years or counts; write ${early} as text`;
		return { message, kind: 'early day' };
	}
	if (isOutsideMonth(text, dateFormat)) {
		return { message: "isn't a day in the calendar; correct the day" };
	}
	if (dateFormat === undefined) {
		return { message: `is not a date; write year, month, and day, such as ${iso}` };
	}
	const example = DateTime.utc(2026, 5, 31, 14, 30).toFormat(dateFormat, { locale: LOCALE });
	return { message: `is not a date; write it as ${dateFormat}, such as ${example}` };
}

const TIME_TEXT = /^\s*\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?\s*$/i;

/**
 * Returns the suffix of a message about a time without a day, or undefined if the value isn't one. For a spreadsheet's
 * fraction of a day, the suffix has the time to the minute (0.3541666 is 08:30).
 */
function timeOfDay(given: unknown): string | undefined {
	if (typeof given === 'string') {
		return given.length <= MAX_TEXT_LENGTH && TIME_TEXT.test(given) ? '' : undefined;
	}
	if (typeof given !== 'number' || !(given > 0 && given < 1)) return undefined;
	return ` (${clockTime(given)})`;
}

/** Returns the days that text may mean, each with a format that reads it that way. */
function readingsOf(text: string): [day: string, format: string][] {
	const formats = new Map<string, string>();
	for (const format of formatsOfShape(text)) {
		const day = dateInFormat(text, format, 'utc')?.date.toISODate();
		if (day !== undefined && !formats.has(day)) formats.set(day, format);
	}
	return [...formats];
}

/**
 * Whether text names a day that its month doesn't have, such as 31/02/2026, in `dateFormat`, ISO 8601, or a common
 * format.
 */
function isOutsideMonth(text: string, dateFormat: string | undefined): boolean {
	const formats = dateFormat === undefined ? formatsOfShape(text) : [dateFormat];
	const ways = ['yyyy-MM-dd', ...formats].flatMap((format) => [...waysToRead(format)]);
	return ways.some((way) => {
		const units: unknown = DateTime.fromFormatExplain(text, way, { locale: LOCALE }).result;
		if (!isRecord(units)) return false;
		const month = DateTime.utc(Number(units.year), Number(units.month));
		return Number(units.day) > Number(month.daysInMonth);
	});
}
