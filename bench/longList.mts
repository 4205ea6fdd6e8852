import type { Sandbox } from '#sandbox/service/sandbox.mts';
import type { InspectionSpec } from '#sandbox/service/specs.mts';

/** When the inspection `n` of `count` was created, in ms before now. */
export type CreatedAgo = (n: number, count: number) => number;

/** Creates one inspection every `ms`. */
export const evenly =
	(betweenMs: number): CreatedAgo =>
	(n, count) =>
		(count + 1 - n) * betweenMs;

/** Models growing use: 400 times as many inspections per day at the end as at the beginning. */
export const everFaster =
	(betweenMs: number): CreatedAgo =>
	(n, count) =>
		betweenMs * (1 + count * (1 - Math.log1p((399 * n) / count) / Math.log(400)));

/** Adds inspections, the last one now. Returns their IDs and moments, oldest first. */
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
