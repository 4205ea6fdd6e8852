import { DateTime } from 'luxon';

import { plainText, trimmedEnd } from '../plainText';

/** A text that was read with a format. */
export interface FormattedDate {
	date: DateTime;
	/** True for a text without a time: it names a day. */
	isDay: boolean;
}

/** Characters of a text that is read with a format: nobody writes a longer date into a cell. */
const MAX_LENGTH = 60;
/** Luxon's tokens for a time of day. Quoted text is taken out of a format before this test. */
const TIME_TOKEN = /[HhmsSuTtFfXx]/;
const QUOTED = /'[^']*'/g;
/**
 * Two-digit tokens that stand alone: `dd.MM.yyyy` reads 1.5.2026 too. In `ddMMyyyy` a single digit would leave doubt.
 */
const TWO_DIGITS = /(?<![a-z])(?:dd|MM|HH|hh)(?![a-z])/gi;
/** Month names are read in English, whatever the language of the machine. */
const LOCALE = 'en';

/**
 * Reads a date from a text in a format of Luxon's tokens (`dd.MM.yyyy`); undefined where the text is not in that
 * format. Text without a zone is read in `timeZone` (IANA).
 *
 * The text may leave out leading zeros where that leaves no doubt. It may leave out the format's time. It may have a
 * time where the format has none.
 */
export function dateInFormat(
	given: string,
	format: string,
	timeZone: string,
): FormattedDate | undefined {
	if (given.length > MAX_LENGTH) return undefined;
	const [text, plain] = [plainText(given), plainText(format)];
	for (const written of [plain, ...otherWays(plain)]) {
		const loose = written.replace(TWO_DIGITS, (token) => token.charAt(0));
		for (const tried of new Set([written, loose])) {
			const date = DateTime.fromFormat(text, tried, {
				zone: timeZone,
				setZone: true,
				locale: LOCALE,
			});
			if (date.isValid) return { date, isDay: !hasTime(written) };
		}
	}
	return undefined;
}

/** Times that may follow a day where the format has none. */
const TIMES = [' HH:mm', ' HH:mm:ss', ' hh:mm a'];
/** Where the time begins in a format such as `dd.MM.yyyy HH:mm`. */
const TIME_AFTER_DAY = / (?=[Hh])/;

/**
 * The format with a time added, or without its time. One option has to serve a sheet with both a column of days and a
 * column of days with times.
 */
function otherWays(format: string): string[] {
	if (!hasTime(format)) return TIMES.map((time) => `${format}${time}`);
	const at = format.search(TIME_AFTER_DAY);
	const day = at === -1 ? format : trimmedEnd(format.slice(0, at).trimEnd(), ',');
	return hasTime(day) ? [] : [day];
}

function hasTime(format: string): boolean {
	return TIME_TOKEN.test(format.replace(QUOTED, ''));
}

/**
 * Days that a format must write and read back unchanged. They are of two years: a format without a year reads the
 * current year, which can fit only one of them.
 */
const TOLD_DAYS = ['2031-11-23', '2032-12-24'];

/** Capital letters for day and year, as in spreadsheets. To Luxon `DD` is a whole date, and `Y` is only a letter. */
const CAPITALS = /[DY]/;

/** Luxon's token for a year of any length: it reads the 26 of 31.5.26 as the year 26. */
const LONE_YEAR = /(?<!y)y(?!y)/g;

/** What is wrong with a format, as the end of a sentence; undefined for one that reads the day, month and year. */
export function dateFormatProblem(format: string): string | undefined {
	if (CAPITALS.test(format.replace(QUOTED, ''))) {
		return `has capital letters for day or year; write small ones, such as ${format.replace(/[DY]/g, (letter) => letter.toLowerCase())}`;
	}
	if (format.replace(QUOTED, '').search(LONE_YEAR) !== -1) {
		return `reads the year of 31.5.26 as 26; write yyyy for a year of four digits or yy for one of two, such as ${format.replace(LONE_YEAR, 'yyyy')}`;
	}
	const isKept = TOLD_DAYS.every((day) => {
		const text = DateTime.fromISO(day, { zone: 'utc' }).toFormat(format, { locale: LOCALE });
		return dateInFormat(text, format, 'utc')?.date.toUTC().toISODate() === day;
	});
	if (isKept) return undefined;
	return 'does not say where day, month and year stand; write dd, MM and yyyy for them in the order of your dates, such as dd.MM.yyyy';
}

const SHAPE_PARTS: readonly [RegExp, string][] = [
	[/[a-z]+/gi, 'word'],
	[/\d{3,}/g, 'year'],
	[/\d{1,2}/g, '9'],
];

const DAY_FORMATS = [
	'dd.MM.yyyy',
	'MM/dd/yyyy',
	'dd/MM/yyyy',
	'dd-MM-yyyy',
	'MM-dd-yyyy',
	'yyyy/MM/dd',
	'yyyy.MM.dd',
	'dd.MM.yy',
	'MM/dd/yy',
	'dd/MM/yy',
	'dd MMM yyyy',
	'dd MMMM yyyy',
	'MMM dd, yyyy',
	'MMMM dd, yyyy',
];
/** Common formats of dates in sheets, each with the shape of a date in it. */
const SEEN_FORMATS = DAY_FORMATS.flatMap((day) =>
	['', ...TIMES].map((time) => {
		const format = `${day}${time}`;
		const sample = DateTime.utc(2031, 11, 23, 13, 45, 56).toFormat(format, { locale: LOCALE });
		return { format, shape: shapeOf(sample) };
	}),
);
/** The kinds of characters in a text, such as `9.9.year` for 1.5.2026. Only formats of the same shape are tried. */
function shapeOf(text: string): string {
	return SHAPE_PARTS.reduce((shape, [part, name]) => shape.replace(part, name), text);
}

/** The day and time in examples. 31 cannot be taken for a month. */
const EXAMPLE = DateTime.utc(2026, 5, 31, 14, 30);

/**
 * Why a value is no date and what a person can do about it, as the end of a sentence that begins with the value.
 * `dateFormat` is the value of the option Date Format, if it was chosen. `iso` is an example of a date in ISO 8601, used
 * where it was not.
 */
export function dateProblem(given: unknown, iso: string, dateFormat: string | undefined): string {
	if (isTimeOfDay(given)) {
		const time = typeof given === 'number' ? ` (${clockTime(given)})` : '';
		return `is a time without a day${time}; put day and time into one cell, such as =A2+B2 in Excel`;
	}
	return `is not a date; ${dateCure(given, iso, dateFormat)}`;
}

/** A time of day as text: `8:30`, `08:30:15`, `8:30 PM`. */
const TIME_TEXT = /^\s*\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?\s*$/i;
const MINUTES_PER_DAY = 1440;

/** True for a time without a day. A spreadsheet keeps one as a part of a day: 0.3541666 is 08:30. */
function isTimeOfDay(given: unknown): boolean {
	if (typeof given === 'number') return given > 0 && given < 1;
	return typeof given === 'string' && given.length <= MAX_LENGTH && TIME_TEXT.test(given);
}

/** A part of a day as the time that a clock shows, to the nearest minute of that day. */
function clockTime(partOfDay: number): string {
	const minutes = Math.min(Math.round(partOfDay * MINUTES_PER_DAY), MINUTES_PER_DAY - 1);
	return DateTime.fromMillis(minutes * 60_000, { zone: 'utc' }).toFormat('HH:mm');
}

function dateCure(given: unknown, iso: string, dateFormat: string | undefined): string {
	if (dateFormat !== undefined) {
		const example = EXAMPLE.toFormat(dateFormat, { locale: LOCALE });
		return `write it as ${dateFormat}, such as ${example}`;
	}
	const readings = typeof given === 'string' ? readingsOf(plainText(given)) : [];
	if (readings.length === 0) return `write year, month and day, such as ${iso}`;
	return `set the option Date Format ${readings.join(', or ')}`;
}

/** One format for each day that the text may mean. */
function readingsOf(text: string): string[] {
	if (text.length > MAX_LENGTH) return [];
	const shape = shapeOf(text);
	const formats = new Map<string, string>();
	for (const { format } of SEEN_FORMATS.filter((seen) => seen.shape === shape)) {
		const day = dateInFormat(text, format, 'utc')?.date.toISODate();
		if (day !== undefined && !formats.has(day)) formats.set(day, format);
	}
	return [...formats].map(([day, format]) => `to ${format} to read ${day}`);
}
