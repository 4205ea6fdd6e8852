import { type Problem, problemText } from './problem';

/**
 * An error in the user's input. `message` contains the field, the value, and the fix. `detail` is shown as a list, if
 * one line isn't enough. Both are plain text. HTML is escaped later, where n8n renders it.
 */
export class InputError extends Error {
	readonly detail: readonly string[] | undefined;
	/** The problems in `message` as separate objects, so that they can be reported together with those of other rows. */
	readonly problems: readonly Problem[];

	constructor(message: string, detail?: readonly string[], problems?: readonly Problem[]) {
		super(message);
		this.detail = detail;
		this.problems = problems ?? [{ message: message.replace(/\.$/, '') }];
		this.name = 'InputError';
	}

	/** Creates the error for one problem. */
	static of(problem: Problem): InputError {
		return new InputError(`${problemText(problem)}.`, undefined, [problem]);
	}

	/**
	 * Creates the error for all problems with the rows of one inspection. The error has one sentence for each problem.
	 * `notices` are sentences that may explain the problems.
	 */
	static ofRow(
		problems: readonly Problem[],
		rowCount = 1,
		notices?: { first: readonly string[]; last: readonly string[] },
	): InputError {
		const sentences = [
			...(notices?.first ?? []),
			...problems.map((problem) => `${problemText(problem)}.`),
			...(notices?.last ?? []),
		];
		if (problems.length === 1) return new InputError(sentences.join(' '), undefined, problems);
		const subject = rowCount === 1 ? 'this row' : 'these rows';
		const message = `${String(problems.length)} problems in ${subject}`;
		return new InputError(message, sentences, problems);
	}
}

/** Calls `make`, which handles one row of an inspection. If `make` throws an InputError, adds the number of the row. */
export function namingRow<Made>(row: number, make: () => Made): Made {
	let refusal: unknown;
	try {
		return make();
	} catch (error) {
		refusal = error;
	}
	if (!(refusal instanceof InputError)) throw refusal;
	const problems = refusal.problems.map((problem) => ({ ...problem, rows: [row] }));
	throw new InputError(`row ${String(row)}: ${refusal.message}`, refusal.detail, problems);
}
