/**
 * The goals: how much longer the connector may take than a bare loop or undici. These changes were measured and saved no
 * time: decoding a body in one step, not searching successful responses for the API key, a faster counter of values, shared
 * abort signals, and requesting the next page of a poll in advance.
 */
import { WAYS } from './jobs.mts';
import type { Result } from './measurement.mts';

export interface Goal {
	readonly way: string;
	readonly baseline: string;
	/** The highest allowed time, as a multiple of the baseline's time. */
	readonly time: number;
	/** The highest allowed memory, as a multiple of the baseline's memory. */
	readonly memory?: number;
}

const comparedWith = (baseline: string, way = WAYS.connector) => ({ way, baseline });

/** The goals, by the name of the job. */
export const GOALS: Readonly<Record<string, Goal>> = {
	'Get Many, 5,000 at 20 ms': { ...comparedWith(WAYS.helper), time: 1.25 },
	'Get Many, 5,000 at 0 ms': { ...comparedWith(WAYS.helper), time: 1.5 },
	'Get Many, 200,000 at 0 ms': { ...comparedWith(WAYS.helper), time: 1.05, memory: 1.25 },
	'Create 500 at 20 ms': { ...comparedWith(WAYS.helper), time: 1.15 },
	'Create 10,000 at 0 ms': { ...comparedWith(WAYS.helper), time: 1.6 },
	'Poll of a minute with 1,000 changes': { ...comparedWith(WAYS.undici, WAYS.trigger), time: 3 },
};

/**
 * Returns one line for each job that has a goal. The line has the ratio to the baseline, and tells whether the goal is
 * reached.
 */
export function goalLines(results: readonly Result[]): string[] {
	return Object.entries(GOALS).flatMap(([job, goal]) => {
		const find = (way: string) => results.find((one) => one.job === job && one.way === way);
		const [ours, baseline] = [find(goal.way), find(goal.baseline)];
		if (ours === undefined || baseline === undefined) return [];
		if (ours.failure !== undefined || baseline.failure !== undefined) {
			return [`Goal of ${job}: not measured, because a run failed`];
		}
		const parts = [part('time', ours.ms / baseline.ms, goal.time)];
		if (goal.memory !== undefined && ours.memory !== null && baseline.memory !== null) {
			parts.push(part('memory', ours.memory / baseline.memory, goal.memory));
		}
		return [`Goal of ${job}, compared with ${goal.baseline}: ${parts.join('; ')}`];
	});
}

function part(what: string, ratio: number, goal: number): string {
	const verdict = ratio <= goal ? 'reached' : 'MISSED';
	return `${what} ${ratio.toFixed(2)} × (goal ${goal.toFixed(2)} ×, ${verdict})`;
}
