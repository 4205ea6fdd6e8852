import type { Sandbox } from '#sandbox/service/sandbox.mts';
import type { InspectionSpec } from '#sandbox/service/specs.mts';

/** Returns how many ms before now inspection `n` of `count` was created. `n` counts from 0. */
export type CreatedAgo = (n: number, count: number) => number;

/** One inspection is created every `betweenMs`. */
export const evenly =
	(betweenMs: number): CreatedAgo =>
	(n, count) =>
		(count + 1 - n) * betweenMs;

/** More and more inspections are created: 400 times as many per day at the end as at the beginning. */
export const everFaster =
	(betweenMs: number): CreatedAgo =>
	(n, count) =>
		betweenMs * (1 + count * (1 - Math.log1p((399 * n) / count) / Math.log(400)));

/** Adds inspections. Returns their IDs and creation times, oldest first. */
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
