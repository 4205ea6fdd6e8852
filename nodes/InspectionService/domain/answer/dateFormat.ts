import { DateTime } from 'luxon';

import { trimmedEnd } from '../trimmedEnd';

/** A text that was read with a format. */
export interface FormattedDate {
	date: DateTime;
	/** True for a text without a time: it names a day. */
	isDay: boolean;
}

/** Longer text is no date that anybody wrote into a cell. */
const MAX_LENGTH = 60;
/** Tokens of Luxon that stand for a time of day, once what is quoted is taken out. */
const TIME_TOKEN = /[HhmsSuTtFfXx]/;
const QUOTED = /'[^']*'/g;
/** Two-digit tokens that stand alone: `dd.MM.yyyy` reads 1.5.2026 too, which is in no doubt. */
const TWO_DIGITS = /(?<![a-z])(?:dd|MM|HH|hh)(?![a-z])/gi;
/** Month names are read in English, whatever the language of the machine. */
const LOCALE = 'en';

/**
 * A date from a text in a format of Luxon's tokens (`dd.MM.yyyy`), undefined where the text does not have it. Text
 * without a zone is read in `timeZone` (IANA). Leading zeros may be left out where that leaves no doubt, and so may the
 * time; after a format without a time one is read too.
 */
export function dateInFormat(
	given: string,
	format: string,
	timeZone: string,
): FormattedDate | undefined {
	if (given.length > MAX_LENGTH) return undefined;
	const text = given.trim();
	for (const written of [format, ...otherWays(format)]) {
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

/** What may follow a day, where the format has no time of its own. */
const TIMES = [' HH:mm', ' HH:mm:ss', ' hh:mm a'];
/** Where the time begins in a format such as `dd.MM.yyyy HH:mm`. */
const TIME_AFTER_DAY = / (?=[Hh])/;

/**
 * The same days with a time after them, or without theirs: a sheet with a column of days and one of days with times has
 * one format for both.
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

/** Days that a format must tell from each other; of two years one is never the current one. */
const TOLD_DAYS = ['2031-11-23', '2032-12-24'];

/** As in the formats of spreadsheets: to Luxon `DD` is a whole date, in the order of some country, and `Y` a letter. */
const CAPITALS = /[DY]/;

/** What is wrong with a format, as the end of a sentence; undefined for one that reads the day, month and year. */
export function dateFormatProblem(format: string): string | undefined {
	if (CAPITALS.test(format.replace(QUOTED, ''))) {
		return `has capital letters for day or year; write small ones, such as ${format.replace(/[DY]/g, (letter) => letter.toLowerCase())}`;
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
/** The ways in which sheets are seen to hold dates, with what a date looks like in each. */
const SEEN_FORMATS = DAY_FORMATS.flatMap((day) =>
	['', ...TIMES].map((time) => {
		const format = `${day}${time}`;
		const sample = DateTime.utc(2031, 11, 23, 13, 45, 56).toFormat(format, { locale: LOCALE });
		return { format, shape: shapeOf(sample) };
	}),
);
/** Which characters stand where, so that only formats that may fit are tried. */
function shapeOf(text: string): string {
	return SHAPE_PARTS.reduce((shape, [part, name]) => shape.replace(part, name), text);
}

/** A day and time that no format can mistake, for examples. */
const EXAMPLE = DateTime.utc(2026, 5, 31, 14, 30);

/**
 * What a person can do about a text that is no date as it stands. `dateFormat` is the one that was chosen, if any;
 * `iso` is an example for where there is none.
 */
export function dateCure(given: unknown, iso: string, dateFormat: string | undefined): string {
	if (dateFormat !== undefined) {
		const example = EXAMPLE.toFormat(dateFormat, { locale: LOCALE });
		return `write it as ${dateFormat}, such as ${example}`;
	}
	const readings = typeof given === 'string' ? readingsOf(given.trim()) : [];
	if (readings.length === 0) return `write it as ISO 8601, such as ${iso}`;
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
