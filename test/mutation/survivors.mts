/** Mutants that no test has to notice, by key, and why. */
const REASONS: Readonly<Record<string, string>> = {
	// domain/create/uniqueKey.ts, isEarlier
	beb6c69e9577: 'one id at one time is one inspection',
	// domain/create/mergeDetails.ts, mergeDetails
	f304c607b88e: 'for the types: a task is made by createDetails and always a record',
};

export function reasonFor(key: string): string | undefined {
	return REASONS[key];
}
