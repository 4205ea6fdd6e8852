import type { Watch } from '#connector/domain/changes/watch.ts';

/** The criteria of a trigger with default options. Times are in seconds. */
export const PLAIN_WATCH: Watch = {
	...({ sortBy: 'updated_at', teamId: undefined, includes: [] } as const),
	lookback: 60,
	settle: 0,
	maxItems: 500,
	oncePerInspection: false,
	matches: () => true,
};
