/** Mutants that no test has to notice, by key, and why. */
const REASONS: Readonly<Record<string, string>> = {
	// domain/create/uniqueKey.ts, isEarlier
	beb6c69e9577: 'one id at one time is one inspection',
	// domain/create/mergeDetails.ts, mergeDetails
	f304c607b88e: 'for the types: a task is made by createDetails and always a record',
	// domain/request/redirect.ts, redirectTarget
	d7a4b49327c4: 'for the types: a text split by a character has a first part',
	// transport/responseBody.ts, readText
	'56bbb1201819': 'for the types: a stream of bytes gives bytes',
};

export function reasonFor(key: string): string | undefined {
	return REASONS[key];
}
