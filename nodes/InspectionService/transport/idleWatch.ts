import type { ByteStream } from './inspectionServiceClient';

/**
 * Notices a download that stops in the middle of a file. n8n sets no time limit for the bytes of a response that it hands
 * over as a stream. The timers are AbortSignals, because these keep no process alive.
 */
export class IdleWatch {
	private readonly idleMs: number;
	private readonly controller = new AbortController();
	private hasProgressed = false;
	private isOver = false;

	constructor(idleMs: number) {
		this.idleMs = idleMs;
	}

	/** Aborted when no byte has come for `idleMs`; at the latest after twice that time. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Notices each chunk of the body as it arrives. The body stays unread, for others to read. */
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
