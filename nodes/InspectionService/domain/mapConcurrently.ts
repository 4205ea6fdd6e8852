/**
 * Maximum concurrent requests of one connection, and items or lanes processed concurrently. Enough to hide a network
 * delay of 50 ms, and few enough for a service with unknown limits (TooManyRequests of docs/service.openapi.yaml).
 */
export const MAX_ACTIVE = 10;

/**
 * Maps elements with this many concurrent calls, and returns the results in the order of the elements. After a failure,
 * it starts no more calls, waits for those in progress, and throws the first reason.
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

/** Limits concurrent calls. After a failure, it starts no more calls, and later calls throw the same reason. */
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
