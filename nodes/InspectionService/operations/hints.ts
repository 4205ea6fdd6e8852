export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** More of them would fill the panel. */
const SHOWN_PROBLEMS = 5;

/** One hint for all that is missing from the items, each sentence once, and one for each advice on what to do with them. */
export function outputHints(problems: readonly string[], advice: readonly string[]): Hint[] {
	const hints = advice.map((message): Hint => ({ message, type: 'info' }));
	if (problems.length === 0) return hints;
	const distinct = [...new Set(problems)];
	const more = distinct.length - SHOWN_PROBLEMS;
	const shown = distinct.slice(0, SHOWN_PROBLEMS).join(' ');
	const message = more > 0 ? `${shown} … and ${String(more)} more` : shown;
	return [{ message, type: 'warning' }, ...hints];
}
