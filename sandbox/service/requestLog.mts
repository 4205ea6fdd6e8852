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
	/** Requests that are open now, and the most that were open at one moment: by operation, and of all. */
	private inFlight = new Map<Operation | 'all', number>();
	private peaks = new Map<Operation | 'all', number>();
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
		this.countOpen(entry, 1);
		return entry;
	}

	/** To be called once, when the answer is out or the connection gone. */
	close(entry: LoggedRequest): void {
		entry.endedAt = Date.now();
		this.countOpen(entry, -1);
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
		return this.peaks.get(operation ?? 'all') ?? 0;
	}

	/** Forgets entries and peaks; what is in flight still counts. */
	clear(): void {
		this.entries = [];
		this.peaks = new Map(this.inFlight);
	}

	private countOpen({ operation }: LoggedRequest, change: 1 | -1): void {
		for (const counted of operation === null ? (['all'] as const) : (['all', operation] as const)) {
			const open = (this.inFlight.get(counted) ?? 0) + change;
			this.inFlight.set(counted, open);
			this.peaks.set(counted, Math.max(open, this.peaks.get(counted) ?? 0));
		}
	}
}
