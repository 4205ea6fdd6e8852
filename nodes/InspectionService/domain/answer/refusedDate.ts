import { DateTime } from 'luxon';

import { isRecord } from '../json';
import { withPlainDigits } from '../normalizeText';
import type { ValueProblem } from '../problem';
import { dateInFormat, LOCALE, MAX_DATE_TEXT, waysToRead, withEnglishMonth } from './dateFormat';
import { clockTime, earlyDay } from './spreadsheetDate';

/**
 * Returns why a value isn't a date, and how to fix the value. `iso` is an ISO 8601 example, used if no Date Format is
 * set.
 */
export function dateProblem(
	given: unknown,
	iso: string,
	dateFormat: string | undefined,
): Omit<ValueProblem, 'value'> {
	const time = timeOfDay(given);
	if (time !== undefined) {
		const message = `is a time without a day${time}. Put the day and the time into one cell, such as =A2+B2 in Excel`;
		return { message, kind: 'time without a day' };
	}
	const isShort = typeof given === 'string' && given.length <= MAX_DATE_TEXT;
	const text = isShort ? withEnglishMonth(withPlainDigits(given)) : '';
	const readings = dateFormat === undefined ? readableWith(text) : [];
	if (readings.length > 0) {
		const fixes = readings.map(([day, format]) => `to "${format}" to read it as ${day}`);
		const what = readings.length > 1 ? 'could mean different dates' : 'is not recognized as a date';
		const message = `${what}. Set the option 'Date Format' ${fixes.join(', or ')}`;
		// The formats are part of `kind`, so that values that need different formats are reported in separate lines.
		const kind = readings.map(([, format]) => format).join();
		return { message, kind, option: 'Date Format' };
	}
	const early = typeof given === 'number' ? earlyDay(given) : undefined;
	if (early !== undefined) {
		const message = `is not read as a date, because a number can't mean a date before 1950. If you mean ${early}, write it as text`;
		return { message, kind: 'early day' };
	}
	if (isOutsideMonth(text, dateFormat)) {
		return { message: "isn't a day in the calendar. Correct the day" };
	}
	const example =
		dateFormat === undefined
			? `Write year, month, and day, such as ${iso}`
			: `Write it as "${dateFormat}", such as ${DateTime.utc(2026, 5, 31, 14, 30).toFormat(dateFormat, { locale: LOCALE })}`;
	// Without a digit, the text most likely stands for a missing date: `-`, `n.d.`, `TBD`.
	const isWord = typeof given === 'string' && !/\p{N}/u.test(given);
	return { message: `is not a date. ${example}${isWord ? ', or leave the cell empty' : ''}` };
}

const TIME_TEXT = /^\s*\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?\s*$/i;

/**
 * Returns the suffix of the message about a time without a day. Undefined for any other value. The suffix is empty for
 * text such as `8:30`. For a spreadsheet's fraction of a day, it's the time to the minute: ` (08:30)` for 0.3541666.
 */
function timeOfDay(given: unknown): string | undefined {
	if (typeof given === 'string') {
		return given.length <= MAX_DATE_TEXT && TIME_TEXT.test(given) ? '' : undefined;
	}
	if (typeof given !== 'number' || !(given > 0 && given < 1)) return undefined;
	return ` (${clockTime(given)})`;
}

/** Matches the time after a day, such as `, 2:30 PM`. */
const CLOCK = /(,? )\d{1,2}:\d{2}(:\d{2})?( [ap]m)?$/i;
/** Matches a number or a word of a day. `withEnglishMonth` has replaced month names with three letters. */
const PART = /\d+|\p{L}[\p{L}\p{M}]*/gu;
const MONTH = /^[A-Z][a-z]{2}$/;
const BETWEEN = /^[ .,/-]*$/;

/** The unit of each number in a day, by the tokens of Luxon. */
type Unit = 'd' | 'M' | 'y';
const [DAY_FIRST, MONTH_FIRST, YEAR_FIRST] = [
	['d', 'M', 'y'],
	['M', 'd', 'y'],
	['y', 'M', 'd'],
] as const satisfies Unit[][];
/** The most likely order of numbers is first. Nobody writes the month first with periods. */
const [WITH_SLASHES, WITH_PERIODS, WITH_OTHERS] = [
	[MONTH_FIRST, DAY_FIRST, YEAR_FIRST],
	[DAY_FIRST, YEAR_FIRST],
	[DAY_FIRST, MONTH_FIRST, YEAR_FIRST],
];

/** Returns the formats in which text can be a day, such as `MM/dd/yyyy` and `dd/MM/yyyy` for 1/2/2026. */
function formatsOf(text: string): string[] {
	const [clock = '', before = '', seconds, half] = CLOCK.exec(text) ?? [];
	const hours = half === undefined ? 'HH' : 'hh';
	const time =
		clock &&
		`${before}${hours}:mm${seconds === undefined ? '' : ':ss'}${half === undefined ? '' : ' a'}`;
	const day = text.slice(0, text.length - clock.length);
	const parts = day.match(PART) ?? [];
	const isCounted = (part: string) => /^\d/.test(part) || MONTH.test(part);
	if (parts.filter(isCounted).length !== 3 || !BETWEEN.test(day.replace(PART, ''))) return [];
	const orders = day.includes('/') ? WITH_SLASHES : day.includes('.') ? WITH_PERIODS : WITH_OTHERS;
	return orders.flatMap((order) => {
		const units = order.values();
		const tokens = parts.map((part) =>
			isCounted(part) ? tokenOf(part, units.next().value) : `'${part}'`,
		);
		if (tokens.includes(undefined)) return [];
		const names = tokens.values();
		return day.replace(PART, () => names.next().value ?? '') + time;
	});
}

/** Returns the token for a part of a day. Undefined if the part can't be this unit. */
function tokenOf(part: string, unit: Unit | undefined): string | undefined {
	if (MONTH.test(part)) return unit === 'M' ? 'MMM' : undefined;
	if (unit === 'y') return { 2: 'yy', 4: 'yyyy' }[part.length];
	return part.length > 2 ? undefined : unit?.repeat(2);
}

/** The first likely year for two digits at the beginning: 24 in 24/02/29, but not 12 in 12/05/26. */
const FIRST_LIKELY_YEAR = 2015;

/**
 * Returns the days that text such as `01/02/2026` may mean, each with a format that reads this day. Two digits at the
 * beginning can only be a likely year: from `FIRST_LIKELY_YEAR` to the next year.
 */
export function readableWith(text: string): [day: string, format: string][] {
	const formats = new Map<string, string>();
	for (const format of formatsOf(text)) {
		const day = dateInFormat(text, format, 'utc')?.date.toISODate();
		if (day === undefined || formats.has(day)) continue;
		const [isYearFirst, year] = [/^yy(?!y)/.test(format), Number(day.slice(0, 4))];
		const isLikely = year >= FIRST_LIKELY_YEAR && year <= new Date().getFullYear() + 1;
		if (!isYearFirst || (isLikely && !format.includes('MMM'))) formats.set(day, format);
	}
	return [...formats].map(([day, format]) => [day, format]);
}

/**
 * Whether text is a day that its month doesn't have, such as 31/02/2026. Tries ISO 8601 and `dateFormat`, or the formats of
 * `formatsOf` if `dateFormat` is undefined.
 */
function isOutsideMonth(text: string, dateFormat: string | undefined): boolean {
	const formats = dateFormat === undefined ? formatsOf(text) : [dateFormat];
	const ways = ['yyyy-MM-dd', ...formats].flatMap((format) => [...waysToRead(format)]);
	return ways.some((way) => {
		const units: unknown = DateTime.fromFormatExplain(text, way, { locale: LOCALE }).result;
		if (!isRecord(units)) return false;
		const month = DateTime.utc(Number(units.year), Number(units.month));
		return Number(units.day) > Number(month.daysInMonth);
	});
}
