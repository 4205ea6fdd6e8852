/**
 * The service responded in a way that cannot be worked with: neither the user's input nor the network is at
 * fault. `message` says what came and what was looked for.
 */
export class UnexpectedResponseError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'UnexpectedResponseError';
	}
}
