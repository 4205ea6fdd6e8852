/** Time that passes only when everybody waits. Milliseconds; deterministic for a deterministic program. */
export class VirtualTime {
	private queue: { at: number; order: number; wake: () => void }[] = [];
	private order = 0;
	now: number;

	constructor(start: number) {
		this.now = start;
	}

	/** Resolves when the clock has moved on by `ms`. */
	async sleep(ms: number): Promise<void> {
		await this.until(this.now + ms);
	}

	/** Resolves when the clock shows `at`, or at once where that is past. */
	async until(at: number): Promise<void> {
		await new Promise<void>((wake) => {
			this.order += 1;
			this.queue.push({ at: Math.max(at, this.now), order: this.order, wake });
		});
	}

	/** Lets time pass until `program` has ended. */
	async run(program: Promise<unknown>): Promise<void> {
		let isDone = false;
		const end = program.finally(() => (isDone = true));
		end.catch(() => undefined);
		await settled();
		while (!isDone) {
			const next = this.takeNext();
			if (next === undefined) throw new Error('everybody waits for something that never comes');
			this.now = next.at;
			next.wake();
			await settled();
		}
		await end;
	}

	private takeNext() {
		let best = 0;
		for (const [index, entry] of this.queue.entries()) {
			const current = this.queue[best];
			if (current === undefined) break;
			if (entry.at < current.at || (entry.at === current.at && entry.order < current.order)) {
				best = index;
			}
		}
		return this.queue.splice(best, 1)[0];
	}
}

/** Everything that can go on without time passing has gone on. */
async function settled(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
