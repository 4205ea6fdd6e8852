import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { Operation } from './model.mts';

/** A request that arrived at the API or at the file storage. */
export interface LoggedRequest {
	number: number;
	/** Null if no operation has this address. */
	operation: Operation | null;
	origin: 'api' | 'files';
	method: string;
	/** The path and query, as sent. */
	url: string;
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	/** The body as text. Empty if there is none, or if it hasn't been read yet. */
	body: string;
	/** The response's status. 0 if the response hasn't been sent yet, or if the connection was reset. */
	status: number;
	/** When the request arrived, in ms since 1970 by the machine's clock. */
	startedAt: number;
	/** When the response was sent or the connection closed, in ms since 1970 by the machine's clock. Null before that. */
	endedAt: number | null;
}

type Filter = Operation | ((entry: LoggedRequest) => boolean);

/** All requests since the start or the last `clear`. Tests use it to check which requests were sent, and how often. */
export class RequestLog {
	private entries: LoggedRequest[] = [];
	/** The number of open requests, for each operation and in total. `peaks` has the highest of these numbers so far. */
	private inFlight = new Map<string, number>();
	private peaks = new Map<string, number>();
	private numbered = 0;
	private readonly isPrinted: boolean;

	/** If `log` is true, prints one line to stderr when a request ends. */
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

	/** Call this once per request, when the response was sent or the connection has closed. */
	close(entry: LoggedRequest): void {
		entry.endedAt = Date.now();
		this.countOpen(entry, -1);
		if (!this.isPrinted) return;
		const { origin, method, url, status, startedAt } = entry;
		const result = status === 0 ? 'broken off' : String(status);
		console.error(`${origin} ${method} ${url} ${result} ${String(entry.endedAt - startedAt)} ms`);
	}

	/** Returns log entries, oldest first: all of them, those of one operation, or those that `filter` accepts. */
	all(filter: Filter = () => true): LoggedRequest[] {
		const isWanted = typeof filter === 'function' ? filter : null;
		return this.entries.filter((entry) => isWanted?.(entry) ?? entry.operation === filter);
	}

	count(filter?: Filter): number {
		return this.all(filter).length;
	}

	/** Returns the highest number of requests that were open at the same time. */
	peakInFlight(operation: Operation | 'all' = 'all'): number {
		return this.peaks.get(operation) ?? 0;
	}

	/** Removes all entries and resets the peaks to the number of requests that are still open. */
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
