import type { ByteStream } from './inspectionServiceClient';

/**
 * Notices a download whose bytes stay away, which nothing else does: what n8n hands over has no time limit any more.
 * Its timers are AbortSignals, which keep no process alive.
 */
export class IdleWatch {
	private readonly idleMs: number;
	private readonly controller = new AbortController();
	private hasProgressed = false;
	private isOver = false;

	constructor(idleMs: number) {
		this.idleMs = idleMs;
	}

	/** Aborted when nothing has come for between once and twice the time. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Looks at what arrives, without reading it: that is for others. */
	follow(body: ByteStream): void {
		const push = body.push.bind(body);
		body.push = (...chunk) => {
			this.hasProgressed = true;
			return push(...chunk);
		};
		for (const end of ['end', 'error', 'close']) {
			body.once(end, () => {
				this.isOver = true;
			});
		}
		this.wait();
	}

	private wait(): void {
		AbortSignal.timeout(this.idleMs).addEventListener('abort', () => {
			if (this.isOver) return;
			if (!this.hasProgressed) {
				this.controller.abort();
				return;
			}
			this.hasProgressed = false;
			this.wait();
		});
	}
}
