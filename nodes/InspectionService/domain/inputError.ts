/**
 * Input that a user can correct. The item loop turns it into n8n's NodeOperationError with the item's index.
 * `message` names the field, the value and the cure. `detail` holds what does not fit in one line, shown as a list. Both
 * are plain text: what n8n renders as HTML is escaped later.
 */
export class InputError extends Error {
	readonly detail: readonly string[] | undefined;

	constructor(message: string, detail?: readonly string[]) {
		super(message);
		this.detail = detail;
		this.name = 'InputError';
	}
}
