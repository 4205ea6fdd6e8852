/**
 * Requests of one connection at once, and items or lanes that ask side by side. They hide a network delay of 50 ms, and are
 * few enough for a service whose limits nobody knows (TooManyRequests of docs/service.openapi.yaml).
 */
export const MAX_ACTIVE = 10;

/**
 * Maps elements with so many calls at once, and returns the results in the order of the elements. After a failure it starts
 * no further call, waits for those under way, and throws the first reason.
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

/** Limits how many calls are under way at once. After a failure it starts nothing more: later calls throw its reason. */
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
