import { wholeNumber } from './field';

/** The option of Create and Get. Default: 90 days (docs/no-duplicates.md). */
export const UNIQUE_KEY_DAYS = wholeNumber({
	displayName: 'Unique Key Days',
	min: 0,
	default: 90,
	description: 'How many days back to look for inspections with the same key, or 0 for all of them',
});
