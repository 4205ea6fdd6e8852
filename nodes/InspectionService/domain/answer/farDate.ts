/** Years from today to the most distant likely date. A warranty ends within 20 years, and a building can be a century old. */
const [MAX_YEARS_AHEAD, MAX_YEARS_BACK] = [20, 100];
/** Calendars whose years have four digits, and are far from those of the Gregorian calendar. */
const CALENDARS = {
	buddhist: 'Buddhist',
	'islamic-umalqura': 'Hijri',
	persian: 'Persian',
	hebrew: 'Hebrew',
};

/**
 * Explains that a date in ISO 8601 is far from today, and which calendar it may be from. Undefined for a likely date.
 * `now` is today.
 */
export function farDate(iso: string, now = new Date()): string | undefined {
	const [year, thisYear] = [Number(iso.slice(0, 4)), now.getUTCFullYear()];
	if (year >= thisYear - MAX_YEARS_BACK && year <= thisYear + MAX_YEARS_AHEAD) return undefined;
	const likely = otherYears(now).flatMap(({ name, current }) => {
		const isNear = Math.abs(year - current) <= MAX_YEARS_AHEAD;
		return isNear ? [`, and it is now ${String(current)} in the ${name} calendar`] : [];
	});
	return `is in the year ${String(year)}${likely.join('')}`;
}

/** The current year in each calendar. Kept, because a sheet can have thousands of such dates. */
let known: { day: string; years: readonly { name: string; current: number }[] } | undefined;

function otherYears(now: Date) {
	const day = now.toISOString().slice(0, 10);
	if (known?.day !== day) {
		const years = Object.entries(CALENDARS).map(([calendar, name]) => ({
			name,
			current: yearIn(calendar, now),
		}));
		known = { day, years };
	}
	return known.years;
}

function yearIn(calendar: string, now: Date): number {
	const format = new Intl.DateTimeFormat('en', { calendar, year: 'numeric', timeZone: 'UTC' });
	const parts = format.formatToParts(now);
	return Number(parts.find(({ type }) => type === 'year')?.value);
}
