import { meaningOf, type NetworkTrouble } from './networkFailure';

/** The calls of the service, and of the storage that its files lie in. */
export type ServiceOperation =
	| 'getTemplate'
	| 'createInspection'
	| 'listInspections'
	| 'getFileUrl'
	/** The list, when a credential is tested. */
	| 'testCredential'
	| 'downloadFile';

export interface StatusFailure {
	kind: 'status';
	status: number;
	/** The response's body as text, whatever it holds. */
	body: string;
	retryAfterMs?: number;
	/** Where a redirect leads. */
	location?: string;
	/** True where a storage refuses a signed URL, so that another one may help. */
	refusesUrl?: boolean;
}

/** Why one attempt of a request did not give what was asked for. */
export type RequestFailure =
	| StatusFailure
	/**
	 * A success that cannot be used. `reason` completes "The response of the service cannot be used: …". `broken` is true
	 * where another try may help, because the response is empty or was cut off.
	 */
	| { kind: 'response'; status: number; reason: string; broken: boolean }
	/** A file whose bytes ended early. */
	| { kind: 'cutOff'; detail: string }
	| { kind: 'fileTooLarge'; maxBytes: number }
	| { kind: 'network'; trouble: NetworkTrouble }
	/** Nothing was sent, because the response `by` to another request has asked for too long a pause. */
	| { kind: 'throttled'; by: StatusFailure }
	/** The request's own time limit was over, or the time of its poll. */
	| { kind: 'timeUp' }
	| { kind: 'cancelled'; sent: boolean }
	/** n8n did not send the request, for example to a domain that the credential does not allow. */
	| { kind: 'notSent'; detail: string }
	/**
	 * n8n did not send the request, or not on to `target` where it was redirected to, because it is set to refuse that
	 * address (`N8N_SSRF_PROTECTION_ENABLED`).
	 */
	| { kind: 'blockedAddress'; target: string };

/** Whether a status is an error of the server, or a timeout (408): a retry may help. */
export function isServerTrouble(status: number): boolean {
	return status === 408 || status >= 500;
}

/**
 * Whether a create may have taken effect, although it failed. A refusal (4xx) or a redirect has no effect (the errors of
 * createInspection of docs/service.openapi.yaml). The effect is unknown after 303 ("see what became of it"), 408 and
 * 5xx, and where the response got lost.
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

/** The result of a request: the value that was asked for, or why there is none. */
export type RequestResult<Value> = { value: Value } | { failure: RequestFailure };
