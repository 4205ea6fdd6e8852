import { isObject, textOf } from '../domain/json';
import type { NetworkTrouble } from '../domain/request/networkFailure';
import type { RequestFailure } from '../domain/request/requestFailure';
import type { Connection } from './connection';
import type { Deadline } from './deadline';

/** Errors of a chain of causes that are looked at: n8n's, axios', Node's, an AggregateError, and one to spare. */
const MAX_CAUSES = 5;
/** Codes of axios and Node for a request that this side ended, by a signal or by axios' time limit. */
const ENDED = new Set(['ERR_CANCELED', 'ABORT_ERR', 'ECONNABORTED']);

/** The errors of n8n for an address in a private network, and for a host name that is denied. */
const BLOCKED = new Set(['SsrfBlockedIpError', 'SsrfBlockedHostnameError']);

/** An error and what caused it, outermost first. */
type CausingErrors = readonly Record<string, unknown>[];

/**
 * What n8n's request helper threw, as a failure. n8n wraps each error in a NodeApiError, with the network's error among
 * its causes. Without an error of axios or the network, the request was never sent. Where this side ended the request
 * although the execution was not cancelled, its time was over.
 */
export function thrownFailure(
	error: unknown,
	{ deadline, redact }: { deadline: Pick<Deadline, 'isCancelled'> } & Pick<Connection, 'redact'>,
): RequestFailure {
	const chain = causes(error);
	const codes = chain.map(({ code }) => (typeof code === 'string' ? code : ''));
	if (codes.some((code) => ENDED.has(code))) {
		return deadline.isCancelled() ? { kind: 'cancelled', sent: true } : { kind: 'timeUp' };
	}
	const blocked = chain.find(({ name }) => typeof name === 'string' && BLOCKED.has(name));
	if (blocked !== undefined) return { kind: 'blockedAddress', target: redact(targetOf(blocked)) };
	const isNetwork = chain.some(
		({ isAxiosError, syscall }) => isAxiosError === true || typeof syscall === 'string',
	);
	if (!isNetwork) return { kind: 'notSent', detail: redact(textAmong(chain, 'message')) };
	return { kind: 'network', trouble: troubleOf(chain, redact) };
}

/**
 * What broke off a response whose beginning had come, as a failure. The request was sent, so it is a failure of the
 * network, unless this side has ended it.
 */
export function brokenOffFailure(
	error: unknown,
	connection: Parameters<typeof thrownFailure>[1],
): RequestFailure {
	const failure = thrownFailure(error, connection);
	if (failure.kind !== 'notSent') return failure;
	return { kind: 'network', trouble: troubleOf(causes(error), connection.redact) };
}

/** `10.1.2.3 (files.example)`, or what n8n's error has of it. */
function targetOf({ ip, hostname }: Record<string, unknown>): string {
	const [host, address] = [textOf(hostname) ?? '', textOf(ip) ?? ''];
	if (host === '' || address === '' || host === address) return host || address;
	return `${address} (${host})`;
}

function troubleOf(chain: CausingErrors, redact: (text: string) => string): NetworkTrouble {
	const deepestFirst = chain.toReversed();
	const syscall = textAmong(deepestFirst, 'syscall');
	return {
		code: textAmong(deepestFirst, 'code'),
		detail: redact(textAmong(deepestFirst, 'message')),
		...(syscall === '' ? {} : { syscall }),
	};
}

function textAmong(chain: CausingErrors, name: 'code' | 'syscall' | 'message'): string {
	const found = chain.map((error) => error[name]).find((text) => typeof text === 'string' && text);
	return typeof found === 'string' ? found : '';
}

function causes(error: unknown): CausingErrors {
	const chain: Record<string, unknown>[] = [];
	let next: unknown = error;
	while (isObject(next) && chain.length < MAX_CAUSES) {
		chain.push(next);
		next = next.cause;
	}
	return chain;
}
