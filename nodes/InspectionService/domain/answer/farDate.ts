/** Years from today to the most distant likely date. A warranty ends within 20 years, and a building can be a century old. */
const [MAX_YEARS_AHEAD, MAX_YEARS_BACK] = [20, 100];
/** Other calendars with years of four digits, and how many years each is ahead. Hijri gains a year in 33 years. */
const CALENDARS = { Buddhist: 543, Hijri: -578, Persian: -621, Hebrew: 3760 };

/**
 * Explains that a date in ISO 8601 is far from today, and which calendar it may be from. Undefined for a likely date.
 * `now` is today.
 */
export function farDate(iso: string, now = new Date()): string | undefined {
	const [year, thisYear] = [Number(iso.slice(0, 4)), now.getUTCFullYear()];
	if (year >= thisYear - MAX_YEARS_BACK && year <= thisYear + MAX_YEARS_AHEAD) return undefined;
	const [calendar] =
		Object.entries(CALENDARS).find(
			([, ahead]) => Math.abs(year - ahead - thisYear) <= MAX_YEARS_AHEAD,
		) ?? [];
	const why = calendar === undefined ? '' : `, which may be a year of the ${calendar} calendar`;
	return `is in the year ${String(year)}${why}`;
}
