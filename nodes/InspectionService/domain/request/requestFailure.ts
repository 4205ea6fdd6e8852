import { meaningOf, type NetworkTrouble } from './networkFailure';

/** The calls of the service, and of the storage that its files lie in. */
export type ServiceOperation =
	| 'getTemplate'
	| 'createInspection'
	| 'listInspections'
	| 'getFileUrl'
	| 'downloadFile';

export interface StatusFailure {
	kind: 'status';
	status: number;
	/** The response's body as text, whatever it holds. */
	body: string;
	retryAfterMs?: number;
	/** Where a redirect leads. */
	location?: string;
}

/** Why one attempt of a request did not give what was asked for. */
export type RequestFailure =
	| StatusFailure
	/** A success that cannot be used: `reason` completes "The response of the service cannot be used: …". `broken` may heal by asking again. */
	| { kind: 'response'; status: number; reason: string; broken: boolean }
	/** A file whose bytes ended early. */
	| { kind: 'cutOff'; detail: string }
	| { kind: 'network'; trouble: NetworkTrouble }
	/** Nothing was sent: `by` was the response to another request, and the pause it asks for is longer than it may be. */
	| { kind: 'throttled'; by: StatusFailure }
	/** It ran into its own time limit, or into the end of the poll that it is part of. */
	| { kind: 'timeUp' }
	| { kind: 'cancelled'; sent: boolean }
	/** n8n did not send it: no credential, a domain that is not allowed, … */
	| { kind: 'notSent'; detail: string };

/** Server errors and timeouts of a gateway in front of the service: asking again may help. */
export function isServerTrouble(status: number): boolean {
	return status === 408 || status >= 500;
}

/**
 * Whether a create may have taken effect, although it failed. A refusal (4xx) or redirect did nothing
 * (createInspection of docs/service.openapi.yaml, its errors); 303 ("see what became of it"), 408 and 5xx leave it open, as does a
 * response that got lost.
 */
export function mayHaveTakenEffect(failure: RequestFailure): boolean {
	switch (failure.kind) {
		case 'status':
			return isServerTrouble(failure.status) || failure.status < 300 || failure.status === 303;
		case 'response':
		case 'timeUp':
			return true;
		case 'network':
			return !meaningOf(failure.trouble).unsent;
		case 'cancelled':
			return failure.sent;
		default:
			return false;
	}
}
