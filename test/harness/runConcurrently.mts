/** Runs some work for each element, with up to `lanes` runs at the same time. Rejects at the first failure. */
export async function runConcurrently<Element>(
	elements: Iterable<Element>,
	lanes: number,
	work: (element: Element) => Promise<void>,
): Promise<void> {
	const waiting = elements[Symbol.iterator]();
	const lane = async () => {
		for (let next = waiting.next(); next.done !== true; next = waiting.next())
			await work(next.value);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}
