import { DateTime } from 'luxon';

import { withPlainDigits } from '../normalizeText';
import type { ValueProblem } from '../problem';
import { dateInFormat, LOCALE, MAX_DATE_TEXT, withEnglishMonth } from './dateFormat';

/** Matches a time without a day. */
const TIME = /^\s*\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?\s*$/i;

/**
 * Returns why a value isn't a date, and how to fix the value. `iso` is an ISO 8601 example, used if no Date Format is
 * set.
 */
export function dateProblem(
	given: unknown,
	iso: string,
	dateFormat: string | undefined,
): Omit<ValueProblem, 'value'> {
	const isShort = typeof given === 'string' && given.length <= MAX_DATE_TEXT;
	const text = isShort ? withEnglishMonth(withPlainDigits(given)) : '';
	// A spreadsheet stores a time as a fraction of a day.
	if (TIME.test(text) || (typeof given === 'number' && given > 0 && given < 1)) {
		return {
			message:
				'is a time without a day. Put the day and the time into one cell, such as =A2+B2 in Excel',
		};
	}
	const readings = dateFormat === undefined ? readableWith(text) : [];
	if (readings.length > 0) {
		const fixes = readings.map(([day, format]) => `to "${format}" to read it as ${day}`);
		const what = readings.length > 1 ? 'could mean different dates' : 'is not recognized as a date';
		const message = `${what}. Set the option 'Date Format' ${fixes.join(', or ')}`;
		// The formats are part of `kind`, so that values that need different formats are reported in separate lines.
		const kind = readings.map(([, format]) => format).join();
		return { message, kind, option: 'Date Format' };
	}
	const example =
		dateFormat === undefined
			? `, such as ${iso}`
			: ` as "${dateFormat}", such as ${DateTime.utc(2026, 5, 31, 14, 30).toFormat(dateFormat, { locale: LOCALE })}`;
	// Without a digit, the text most likely stands for a missing date: `-`, `n.d.`, `TBD`.
	const isWord = typeof given === 'string' && !/\p{N}/u.test(given);
	const orEmpty = isWord ? ', or leave the cell empty' : '';
	return { message: `is not a date. Write an existing day${example}${orEmpty}` };
}

/** Matches the time after a day, such as `, 2:30 PM`. A date format doesn't need it (`dateInFormat`). */
const CLOCK = /,? \d{1,2}:\d{2}(?::\d{2})?(?: [ap]m)?$/i;
/** Matches a number or a word of a day. */
const PART = /\d+|\p{L}[\p{L}\p{M}]*/gu;
/** Matches a part that says the day, the month, or the year. `withEnglishMonth` writes months with three letters. */
const UNIT_PART = /^(?:\d+|[A-Z][a-z]{2})$/;
const BETWEEN = /^[ .,/-]*$/;

/** Returns the formats in which text can be a day, such as `MM/dd/yyyy` and `dd/MM/yyyy` for 1/2/2026. */
function formatsOf(text: string): string[] {
	const day = text.replace(CLOCK, '');
	const parts = (day.match(PART) ?? []).filter((part) => UNIT_PART.test(part));
	if (parts.length !== 3 || !BETWEEN.test(day.replace(PART, ''))) return [];
	return ordersOf(day).flatMap((order) => {
		const tokens = parts.map((part, index) => tokenOf(part, order.charAt(index)));
		if (tokens.includes(undefined)) return [];
		return day.replace(PART, (part) =>
			UNIT_PART.test(part) ? (tokens.shift() ?? '') : `'${part}'`,
		);
	});
}

/** Returns the orders in which a day can have its units, the most likely first. Units are Luxon's letters. */
function ordersOf(day: string): string[] {
	if (day.includes('/')) return ['Mdy', 'dMy', 'yMd'];
	// Nobody writes the month first with periods.
	return day.includes('.') ? ['dMy', 'yMd'] : ['dMy', 'Mdy', 'yMd'];
}

/** Returns Luxon's token for a part of a day. Undefined if the part can't be this unit. */
function tokenOf(part: string, unit: string): string | undefined {
	if (!/\d/.test(part)) return unit === 'M' ? 'MMM' : undefined;
	if (unit === 'y') return { 2: 'yy', 4: 'yyyy' }[part.length];
	return part.length > 2 ? undefined : unit.repeat(2);
}

/** The first likely year for two digits at the beginning: 24 in 24/02/29, but not 12 in 12/05/26. */
const FIRST_LIKELY_YEAR = 2015;

/**
 * Returns the days that text such as `01/02/2026` may mean, each with a format that reads this day. Two digits at the
 * beginning can only be a likely year: from `FIRST_LIKELY_YEAR` to the next year.
 */
function readableWith(text: string): [day: string, format: string][] {
	const formats = new Map<string, string>();
	for (const format of formatsOf(text)) {
		const day = dateInFormat(text, format, 'utc')?.date.toISODate();
		if (day === undefined || formats.has(day)) continue;
		const [isYearFirst, year] = [/^yy(?!y)/.test(format), Number(day.slice(0, 4))];
		const isLikely = year >= FIRST_LIKELY_YEAR && year <= new Date().getFullYear() + 1;
		if (!isYearFirst || (isLikely && !format.includes('MMM'))) formats.set(day, format);
	}
	return [...formats];
}
