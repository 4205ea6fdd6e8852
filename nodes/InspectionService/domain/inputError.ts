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
}
