import type { Sandbox } from '#sandbox/service/sandbox.mts';
import type { InspectionSpec } from '#sandbox/service/specs.mts';

/** Adds inspections up to now, so many milliseconds apart; gives their ids and moments, the oldest first. */
export function addInspections(
	{ store, clock }: Sandbox,
	{ count, betweenMs }: { count: number; betweenMs: number },
	specOf: (n: number) => InspectionSpec,
): { id: string; at: string }[] {
	const now = clock.date().getTime();
	return Array.from({ length: count }, (_, n) => {
		const at = new Date(now - (count + 1 - n) * betweenMs).toISOString();
		return { id: store.addInspection(specOf(n), { at }).id, at };
	});
}
