import type { IncomingHttpHeaders } from 'node:http';

import type { Operation } from './model.mts';

/** One request as it arrived, at either origin. */
export interface LoggedRequest {
	number: number;
	/** Null where the address is no operation's. */
	operation: Operation | null;
	origin: 'api' | 'files';
	method: string;
	/** Path and query as sent. */
	url: string;
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	/** Body as text, once it was read; '' without one. */
	body: string;
	/** 0 while it is not answered, and where the connection was reset. */
	status: number;
	/** Milliseconds since 1970, by the machine's clock. */
	startedAt: number;
	/** Null while the connection waits for the answer. */
	endedAt: number | null;
}

type Filter = Operation | ((entry: LoggedRequest) => boolean);

/** Every request since the start or the last `clear`, so that tests can say what was asked and how often. */
export class RequestLog implements Iterable<LoggedRequest> {
	private entries: LoggedRequest[] = [];
	private readonly inFlight = new Map<Operation | null, number>();
	private readonly peaks = new Map<Operation | null, number>();
	private totalInFlight = 0;
	private totalPeak = 0;
	private numbered = 0;
	private readonly isKeeping: boolean;

	/** Told not to keep, it has only the counters of what is in flight. */
	constructor(isKeeping = true) {
		this.isKeeping = isKeeping;
	}

	open(request: Omit<LoggedRequest, 'number' | 'startedAt' | 'endedAt' | 'status'>): LoggedRequest {
		this.numbered += 1;
		const entry: LoggedRequest = {
			...request,
			number: this.numbered,
			status: 0,
			startedAt: Date.now(),
			endedAt: null,
		};
		if (this.isKeeping) this.entries.push(entry);
		const running = (this.inFlight.get(entry.operation) ?? 0) + 1;
		this.inFlight.set(entry.operation, running);
		this.peaks.set(entry.operation, Math.max(running, this.peaks.get(entry.operation) ?? 0));
		this.totalInFlight += 1;
		this.totalPeak = Math.max(this.totalPeak, this.totalInFlight);
		return entry;
	}

	/** To be called once, when the answer is out or the connection gone. */
	close(entry: LoggedRequest): void {
		entry.endedAt = Date.now();
		this.inFlight.set(entry.operation, (this.inFlight.get(entry.operation) ?? 1) - 1);
		this.totalInFlight -= 1;
	}

	[Symbol.iterator](): Iterator<LoggedRequest> {
		return this.entries[Symbol.iterator]();
	}

	/** All entries, oldest first; of one operation, or those that match. */
	all(filter?: Filter): LoggedRequest[] {
		if (filter === undefined) return [...this.entries];
		if (typeof filter === 'function') return this.entries.filter(filter);
		return this.entries.filter((entry) => entry.operation === filter);
	}

	last(filter?: Filter): LoggedRequest | undefined {
		return this.all(filter).at(-1);
	}

	count(filter?: Filter): number {
		return filter === undefined ? this.entries.length : this.all(filter).length;
	}

	/** The most requests that were open at one moment. */
	peakInFlight(operation?: Operation): number {
		return operation === undefined ? this.totalPeak : (this.peaks.get(operation) ?? 0);
	}

	/** Forgets entries and peaks; what is in flight still counts. */
	clear(): void {
		this.entries = [];
		this.peaks.clear();
		for (const [operation, running] of this.inFlight) this.peaks.set(operation, running);
		this.totalPeak = this.totalInFlight;
	}
}
