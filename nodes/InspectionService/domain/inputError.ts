import { type Problem, problemText } from './problem';

/**
 * Input that a user can correct. The item loop turns it into an error of n8n.
 * `message` names the field, the value and the cure. `detail` holds what does not fit in one line, shown as a list. Both
 * are plain text: what n8n renders as HTML is escaped later.
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

	/**
	 * The error of all problems of the rows that make one inspection: each is a sentence, and those that are causes stand
	 * before them as the sentence `cause`.
	 */
	static ofRow(
		problems: readonly Problem[],
		{ cause, rowCount = 1 }: { cause?: string | undefined; rowCount?: number } = {},
	): InputError {
		const own = problems.filter(({ isCause }) => isCause !== true);
		const sentences = own.map((problem) => `${problemText(problem)}.`);
		if (cause !== undefined) sentences.unshift(cause);
		if (own.length === 1) return new InputError(sentences.join(' '), undefined, problems);
		const subject = rowCount === 1 ? 'this row' : 'these rows';
		return new InputError(
			`${String(own.length)} things to correct in ${subject}`,
			sentences,
			problems,
		);
	}
}
