/**
 * A response of the service that cannot be used. Neither the user's input nor the network is at fault. `message` says
 * what came and what was looked for.
 */
export class UnexpectedResponseError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'UnexpectedResponseError';
	}
}
