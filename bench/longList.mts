import type { Sandbox } from '#sandbox/service/sandbox.mts';
import type { InspectionSpec } from '#sandbox/service/specs.mts';

/** When the inspection `n` of `count` was created, in ms before now. */
export type CreatedAgo = (n: number, count: number) => number;

/** So many ms apart. */
export const evenly =
	(betweenMs: number): CreatedAgo =>
	(n, count) =>
		(count + 1 - n) * betweenMs;

/** As many each day as a service that is used more and more: in the end 400 times as many as in the beginning. */
export const everFaster =
	(betweenMs: number): CreatedAgo =>
	(n, count) =>
		betweenMs * (1 + count * (1 - Math.log1p((399 * n) / count) / Math.log(400)));

/** Adds inspections up to now; gives their ids and moments, the oldest first. */
export function addInspections(
	{ store, clock }: Sandbox,
	{ count, createdAgo }: { count: number; createdAgo: CreatedAgo },
	specOf: (n: number) => InspectionSpec,
): { id: string; at: string }[] {
	const now = clock.date().getTime();
	return Array.from({ length: count }, (_, n) => {
		const at = new Date(now - createdAgo(n, count)).toISOString();
		return { id: store.addInspection(specOf(n), { at }).id, at };
	});
}
