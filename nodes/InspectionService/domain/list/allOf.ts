/** Waits until all promises are settled, and only then throws the first failure. So no request is left running. */
export async function allOf<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
	const outcomes = await Promise.allSettled(promises);
	return outcomes.map((outcome) => {
		if (outcome.status === 'rejected') throw outcome.reason;
		return outcome.value;
	});
}
