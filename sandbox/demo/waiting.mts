import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `find` ten times a second until it returns a value other than undefined or false. Returns that value.
 *
 * @throws after `patienceMs`
 */
export async function untilFound<T>(
	find: () => Promise<T | undefined | false> | T | undefined | false,
	patienceMs = 90_000,
): Promise<T> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const found = await find();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) throw new Error(`nothing after ${String(patienceMs / 1000)} s`);
		await pause(100);
	}
}
