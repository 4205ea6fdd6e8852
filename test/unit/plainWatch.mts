import type { Watch } from '#connector/domain/changes/emitNewVersions.ts';

/** What a trigger without any option of its own watches. */
export const PLAIN_WATCH: Watch = {
	sortBy: 'updated_at',
	filter: {},
	includes: [],
	lookback: 60,
	maxItems: 500,
	oncePerInspection: false,
	matches: () => true,
};
