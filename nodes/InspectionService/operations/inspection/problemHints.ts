import type { NodeExecutionHint } from 'n8n-workflow';

/** Problems that a hint names; it counts the others. Chosen: a hint stays short. */
const SHOWN_PROBLEMS = 5;

/** One hint for all that is missing from the items, each sentence once. */
export function problemHints(problems: readonly string[]): NodeExecutionHint[] {
	if (problems.length === 0) return [];
	const distinct = [...new Set(problems)];
	const more = distinct.length - SHOWN_PROBLEMS;
	const lines = distinct.slice(0, SHOWN_PROBLEMS);
	if (more > 0) lines.push(`… and ${more} more`);
	return [{ message: lines.join(' '), type: 'warning', location: 'outputPane' }];
}
