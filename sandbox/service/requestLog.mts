import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { Operation } from './model.mts';

/** One request as it arrived at either origin. */
export interface LoggedRequest {
	number: number;
	/** Null if the address isn't an operation's. */
	operation: Operation | null;
	origin: 'api' | 'files';
	method: string;
	/** Path and query as sent. */
	url: string;
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	/** The body as text, once it was read. '' without a body. */
	body: string;
	/** 0 until the request is answered, and if the connection was reset. */
	status: number;
	/** Milliseconds since 1970 by the machine's clock. */
	startedAt: number;
	/** Null while the connection waits for the response. */
	endedAt: number | null;
}

type Filter = Operation | ((entry: LoggedRequest) => boolean);

/**
 * Every request since the start or the last `clear`, so that tests can check which requests were sent and how often.
 */
export class RequestLog {
	private entries: LoggedRequest[] = [];
	/** Open requests now, and the highest number at one moment, by operation and in total. */
	private inFlight = new Map<string, number>();
	private peaks = new Map<string, number>();
	private numbered = 0;
	private readonly isPrinted: boolean;

	/** `log` prints one line per request to stderr. */
	constructor({ log = false }: { log?: boolean }) {
		this.isPrinted = log;
	}

	open(
		{ method = '', url = '', headers }: IncomingMessage,
		{ operation, origin }: Pick<LoggedRequest, 'operation' | 'origin'>,
	): LoggedRequest {
		const number = (this.numbered += 1);
		const [path = '', search] = url.split('?', 2);
		const query = new URLSearchParams(search);
		const sent = { number, operation, origin, method, url, path, query, headers, body: '' };
		const entry = { ...sent, status: 0, startedAt: Date.now(), endedAt: null };
		this.entries.push(entry);
		this.countOpen(entry, 1);
		return entry;
	}

	/** Call it once, when the response was sent or the connection is gone. */
	close(entry: LoggedRequest): void {
		entry.endedAt = Date.now();
		this.countOpen(entry, -1);
		if (!this.isPrinted) return;
		const { origin, method, url, status, startedAt } = entry;
		const result = status === 0 ? 'broken off' : String(status);
		console.error(`${origin} ${method} ${url} ${result} ${String(entry.endedAt - startedAt)} ms`);
	}

	/** Entries, oldest first: all, those of one operation, or those that match. */
	all(filter: Filter = () => true): LoggedRequest[] {
		const isWanted = typeof filter === 'function' ? filter : null;
		return this.entries.filter((entry) => isWanted?.(entry) ?? entry.operation === filter);
	}

	count(filter?: Filter): number {
		return this.all(filter).length;
	}

	/** The highest number of requests open at one moment. */
	peakInFlight(operation: Operation | 'all' = 'all'): number {
		return this.peaks.get(operation) ?? 0;
	}

	/** Removes entries and peaks. Open requests still count. */
	clear(): void {
		this.entries = [];
		this.peaks = new Map(this.inFlight);
	}

	private countOpen({ operation }: LoggedRequest, change: 1 | -1): void {
		for (const counted of ['all', operation ?? 'none']) {
			const open = (this.inFlight.get(counted) ?? 0) + change;
			this.inFlight.set(counted, open);
			this.peaks.set(counted, Math.max(open, this.peaks.get(counted) ?? 0));
		}
	}
}
