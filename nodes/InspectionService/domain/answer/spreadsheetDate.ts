import { shownValue } from '../formatting';

const [MS_PER_DAY, SECONDS_OF_DAY, MINUTES_PER_DAY] = [86_400_000, 86_400, 1440];
/** Day 0 of spreadsheets: December 30, 1899, because they count a February 29, 1900, which didn't exist. */
const SPREADSHEET_EPOCH = Date.UTC(1899, 11, 30);
/** Spreadsheet days from 1950 to 2199. Years and counts of seconds since 1970 are outside this range. */
const [FIRST_DAY, LAST_DAY] = [18_264, 109_575];
/** Days from 2015 to 2035: likely dates of inspections. Other numbers are more likely counts or IDs. */
const [FIRST_LIKELY_DAY, LAST_LIKELY_DAY] = [42_005, 49_674];

/**
 * Converts a spreadsheet's day number to ms since 1970, as if the spreadsheet's local time were UTC. Undefined for
 * numbers that are more likely something else. Rounds to the second, because most times of day are rounded fractions.
 */
export function spreadsheetMs(days: number): number | undefined {
	if (!(days >= FIRST_DAY && days < LAST_DAY)) return undefined;
	return SPREADSHEET_EPOCH + Math.round(days * SECONDS_OF_DAY) * 1000;
}

/**
 * Describes the date or time that a spreadsheet most likely stored as this number: `the day 2026-05-31` for 46173. A
 * number below 1 can be a time or a percentage, so the text has both. Undefined for any other number.
 */
export function spreadsheetMoment(given: number): string | undefined {
	const day = Math.floor(given);
	if (given > 0 && given < 1) {
		return `the time ${clockTime(given)} or ${String(Number((given * 100).toFixed(1)))} %`;
	}
	if (!(given >= FIRST_LIKELY_DAY && given <= LAST_LIKELY_DAY)) return undefined;
	return given === day ? `the day ${dayOf(day)}` : `${dayOf(day)} ${clockTime(given - day)}`;
}

/** Formats a date as given. A spreadsheet's number also has its day: `46146 (2026-05-04)`. */
export function shownDate(given: unknown): string {
	const moment = typeof given === 'number' ? spreadsheetMoment(given) : undefined;
	if (moment === undefined) return shownValue(given);
	return `${String(given)} (${moment.replace('the day ', '')})`;
}

/** Formats a fraction of a day as a time, to the minute: `08:30` for 0.354. */
function clockTime(partOfDay: number): string {
	const minutes = Math.min(Math.round(partOfDay * MINUTES_PER_DAY), MINUTES_PER_DAY - 1);
	return new Date(minutes * 60_000).toISOString().slice(11, 16);
}

function dayOf(days: number): string {
	return new Date(SPREADSHEET_EPOCH + days * MS_PER_DAY).toISOString().slice(0, 10);
}
