import { InputError } from '#connector/domain/inputError.ts';

/** Why some work is refused, as a list shows it: the message, then a line for each problem. */
export function problemOf(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return [error.message, ...(error.detail ?? [])].join('\n');
	}
	return 'no problem';
}
