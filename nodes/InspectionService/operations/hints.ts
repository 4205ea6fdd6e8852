import type { IExecuteFunctions } from 'n8n-workflow';

import { htmlText } from '../domain/shownText';
import type { ExecutionOutput } from '../output/inspectionOutput';

export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** Shows hints in the output panel, which takes them for HTML. */
export function showHints(context: IExecuteFunctions, hints: readonly Hint[]): void {
	for (const { message, type } of hints) {
		context.addExecutionHints({ message: htmlText(message), type, location: 'outputPane' });
	}
}

const SHOWN_PROBLEMS = 5;

/** One hint for all that is missing from the items, each sentence once. */
export function problemHints(problems: readonly string[]): Hint[] {
	if (problems.length === 0) return [];
	const distinct = [...new Set(problems)];
	const more = distinct.length - SHOWN_PROBLEMS;
	const shown = distinct.slice(0, SHOWN_PROBLEMS).join(' ');
	const message = more > 0 ? `${shown} … and ${String(more)} more` : shown;
	return [{ message, type: 'warning' }];
}

/** What is missing from the items that came out, and what to do with them. */
export function outputHints(problems: readonly string[], execution: ExecutionOutput): Hint[] {
	return [
		...problemHints([...problems, ...execution.problems()]),
		...[...execution.advice].map((message): Hint => ({ message, type: 'info' })),
	];
}
