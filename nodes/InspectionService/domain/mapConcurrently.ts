/**
 * Maximum concurrent requests of one connection. Also the maximum number of items or groups that are processed concurrently.
 * Ten are enough to compensate for a network delay of 50 ms. They are few enough for a service whose limits are unknown
 * (`TooManyRequests` in docs/service.openapi.yaml).
 */
export const MAX_ACTIVE = 10;

/**
 * Calls `map` for each element, with `concurrency` calls concurrently. Returns the results in the order of the elements.
 * After a failure, starts no more calls, waits for the calls in progress, and throws the first error.
 */
export async function mapConcurrently<Element, Mapped>(
	elements: readonly Element[],
	concurrency: number,
	map: (element: Element) => Promise<Mapped>,
): Promise<Mapped[]> {
	const mapped: Mapped[] = [];
	const waiting = elements.entries();
	let failure: { reason: unknown } | undefined;
	const work = async () => {
		for (const [index, element] of waiting) {
			try {
				mapped[index] = await map(element);
			} catch (reason) {
				failure ??= { reason };
			}
			if (failure !== undefined) return;
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, elements.length) }, work));
	if (failure !== undefined) throw failure.reason;
	return mapped;
}

/**
 * Returns a function that runs at most `limit` calls concurrently. After a failure, it starts no more calls, and all later
 * calls throw the same error.
 */
export function limitConcurrency<Argument, Result>(
	call: (argument: Argument) => Promise<Result>,
	limit: number,
): (argument: Argument) => Promise<Result> {
	const waiting: (() => void)[] = [];
	let active = 0;
	let failure: { reason: unknown } | undefined;
	return async (argument) => {
		if (active < limit) active += 1;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			if (failure !== undefined) throw failure.reason;
			return await call(argument);
		} catch (reason) {
			failure ??= { reason };
			throw failure.reason;
		} finally {
			const next = waiting.shift();
			if (next === undefined) active -= 1;
			else next();
		}
	};
}
