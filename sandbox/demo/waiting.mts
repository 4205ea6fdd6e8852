import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 90_000;

/** Asks again, ten times a second, until there is an answer. @throws after 90 seconds (or `patienceMs`) */
export async function untilFound<T>(
	find: () => Promise<T | undefined> | T | undefined,
	patienceMs = PATIENCE_MS,
): Promise<T> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const found = await find();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`nothing after ${String(patienceMs / 1000)} s`);
		await pause(100);
	}
}

/** Waits until it holds, as `untilFound`. */
export async function until(
	holds: () => Promise<boolean> | boolean,
	patienceMs = PATIENCE_MS,
): Promise<void> {
	await untilFound(async () => (await holds()) || undefined, patienceMs);
}
