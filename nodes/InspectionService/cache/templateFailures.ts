import { LruCache } from './lruCache';

/**
 * Once a template has failed for this time, it counts as unreadable. Chosen: a restart of the service takes less, and
 * the inspections of other templates can wait for that long.
 */
const UNREADABLE_AFTER_MS = 600_000;
/** Maximum remembered templates, in case that the service sends a new reference with each inspection. */
const MAX_TEMPLATES = 1_000;

interface Failure {
	/** When the first of the failures happened that no success interrupted, and when the last one did: ms. */
	readonly since: number;
	readonly lastAt: number;
	readonly reason: string;
}

/**
 * The templates that currently fail for one trigger node. n8n's process keeps them between polls, because n8n discards
 * what a failed poll saves. So after a restart, the ten minutes begin again.
 */
export class TemplateFailures {
	private readonly now: () => number;
	private readonly failures = new LruCache<Failure>({ maxSize: MAX_TEMPLATES });

	/** `now` returns the time on a monotonic clock, in ms. */
	constructor(now: () => number) {
		this.now = now;
	}

	/**
	 * Returns why a template counts as unreadable, or undefined if it must be requested. An unreadable template is
	 * requested again every ten minutes, because a request that gets no response takes up a whole poll.
	 */
	reasonFor(reference: string): string | undefined {
		const failure = this.failures.get(reference);
		if (failure === undefined || !isUnreadable(failure)) return undefined;
		return this.now() - failure.lastAt < UNREADABLE_AFTER_MS ? failure.reason : undefined;
	}

	/** Records a failed request. Returns whether the template now counts as unreadable. */
	add(reference: string, reason: string): boolean {
		const lastAt = this.now();
		const { since = lastAt } = this.failures.get(reference) ?? {};
		return isUnreadable(this.failures.keep(reference, { since, lastAt, reason }));
	}

	/** Records a successful request. */
	clear(reference: string): void {
		this.failures.forget(reference);
	}
}

function isUnreadable({ since, lastAt }: Failure): boolean {
	return lastAt - since >= UNREADABLE_AFTER_MS;
}
