import { type Problem, problemText } from './problem';

/**
 * Input that a user can correct. `message` names the field, the value and the cure. `detail` is what does not fit in one
 * line, shown as a list. Both are plain text: what n8n renders as HTML is escaped later.
 */
export class InputError extends Error {
	readonly detail: readonly string[] | undefined;
	/** The same as single problems, to be told together with those of other rows. */
	readonly problems: readonly Problem[];

	constructor(message: string, detail?: readonly string[], problems?: readonly Problem[]) {
		super(message);
		this.detail = detail;
		this.problems = problems ?? [{ wrong: message.replace(/\.$/, '') }];
		this.name = 'InputError';
	}

	/** The error of one problem. */
	static of(problem: Problem): InputError {
		return new InputError(`${problemText(problem)}.`, undefined, [problem]);
	}

	/** The error of all problems of the rows that make one inspection, each a sentence. */
	static ofRow(problems: readonly Problem[], rowCount = 1): InputError {
		const sentences = problems.map((problem) => `${problemText(problem)}.`);
		const count = problems.filter(({ isCause }) => isCause !== true).length;
		if (count === 1) return new InputError(sentences.join(' '), undefined, problems);
		const subject = rowCount === 1 ? 'this row' : 'these rows';
		const message = `${String(count)} things to correct in ${subject}`;
		return new InputError(message, sentences, problems);
	}
}

/** Calls `make` for one of the rows that make an inspection. An InputError gets the number of the row. */
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
