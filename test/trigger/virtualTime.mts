import { settled } from '#harness/changingList.mts';

/**
 * A clock in ms that advances only when all tasks wait. If the program is deterministic, the order of its tasks is,
 * too.
 */
export class VirtualTime {
	private readonly sleepers: { at: number; wake: () => void }[] = [];
	now: number;

	constructor(start: number) {
		this.now = start;
	}

	/** Resolves when the clock has advanced by `ms`. */
	async sleep(ms: number): Promise<void> {
		await new Promise<void>((wake) => {
			this.sleepers.push({ at: this.now + ms, wake });
		});
	}

	/** Advances the clock until `program` has ended. */
	async run(program: Promise<unknown>): Promise<void> {
		let isDone = false;
		const end = program.finally(() => (isDone = true));
		end.catch(() => undefined);
		await settled();
		while (!isDone) {
			// Tasks that wait for the same time continue in the order in which they began to wait, because the sort is
			// stable.
			const next = this.sleepers.sort((a, b) => a.at - b.at).shift();
			if (next === undefined) throw new Error('everybody waits for something that never comes');
			this.now = next.at;
			next.wake();
			await settled();
		}
		await end;
	}
}
