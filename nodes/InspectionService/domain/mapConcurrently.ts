/**
 * Requests of one connection at once, and items or lanes that ask side by side. They hide a network delay of 50 ms, and are
 * few enough for a service whose limits nobody knows (TooManyRequests of docs/service.openapi.yaml).
 */
export const MAX_ACTIVE = 10;

/** In the order of the elements. After a failure no further call is begun; those under way are waited for. */
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
