import type { Scenario } from './storm.mts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Returns bursts of changes. Every `minutes`, on average, `from` to `to` inspections change within `withinMs`. */
function bursts(minutes: number, from: number, to: number, withinMs = 0) {
	return { everyMs: minutes * MINUTE, size: [from, to] as const, withinMs };
}

function kills(everyMs: number, fromMs: number, toMs: number) {
	return { everyMs, awayMs: [fromMs, toMs] as const };
}

function scenario(name: string, others: Partial<Scenario> = {}): Scenario {
	return {
		name,
		settings: {},
		event: 'updated' as const,
		status: [],
		intervalMs: MINUTE,
		durationMs: 20 * MINUTE,
		lookbackSeconds: 60,
		settleSeconds: 0,
		maxItems: 500,
		population: 40,
		changeEveryMs: 20_000,
		late: 0,
		...others,
	};
}

const QUICK = { intervalMs: 10_000, changeEveryMs: 4_000, late: 0.2 };
/** The changes, bursts, and kills of scenarios in which a user edits the trigger while n8n is down. */
const BUSY = { ...QUICK, bursts: bursts(4, 60, 180), kills: kills(3 * MINUTE, 500, 20_000) };
/** Hardly any changes besides the bursts. */
const STILL = { changeEveryMs: HOUR };
const WRONG_CLOCK = {
	population: 60,
	changeEveryMs: 6_000,
	late: 0.2,
	wrongClock: { everyMs: 3 * MINUTE, byMs: [HOUR, 400 * DAY], forMs: [1, 2 * MINUTE] },
	kills: kills(6 * MINUTE, 500, 30_000),
	// n8n's clock is right, and the service's is 12 s ahead of it. If n8n's clock were wrong as well, the trigger
	// couldn't know which times are right.
	settings: { aheadOfN8nMs: 12_345 },
} as const;
/** The service stores and compares more digits than it sends. */
const SHOWN_BY_SECOND = {
	timestampPrecision: '100ns',
	shownPrecision: 's',
	filterPrecision: 'full',
} as const;
const MOSTLY_ON = { kills: kills(4 * MINUTE, 500, 30_000) };
const COMPLETED = { once: true, status: ['completed'] } as const;
const STATUSES = { status: ['new', 'completed'] as const };

/**
 * Wait Until Unchanged is longer than the lookback. Some inspections change so often that they are never unchanged long
 * enough.
 */
const SETTLING = { ...QUICK, ...MOSTLY_ON, settleSeconds: 180 };

/** All scenarios, from few changes to all difficulties at the same time. */
export const SCENARIOS: readonly Scenario[] = [
	scenario('calm'),
	scenario('no inspection yet', { population: 0, changeEveryMs: 30_000, late: 0.5 }),
	scenario('ties over pages', { population: 150, bursts: bursts(4, 80, 320) }),
	scenario('ties, few per poll', { maxItems: 60, population: 150, bursts: bursts(5, 80, 250) }),
	scenario('bulk within seconds', {
		population: 300,
		bursts: bursts(5, 100, 500, 4_000),
		changeEveryMs: 2_000,
		settings: { latency: [200, 1500] },
	}),
	scenario('late commits', { changeEveryMs: 4_000, late: 0.5 }),
	scenario('late bulk', { population: 200, late: 0.3, bursts: bursts(4, 50, 250, 1_000) }),
	scenario('coarse filters', {
		changeEveryMs: 100,
		durationMs: 6 * MINUTE,
		intervalMs: 20_000,
		lookbackSeconds: 5,
		late: 0.1,
		settings: { timestampPrecision: '100ns', filterPrecision: 's' },
	}),
	scenario('updates while paging', {
		population: 250,
		startsFrom: 'the beginning',
		maxItems: 150,
		changeEveryMs: 400,
		durationMs: 8 * MINUTE,
		bursts: bursts(2, 120, 250),
		settings: { latency: [300, 2000], ties: 'by request' },
	}),
	scenario('more than can be remembered', {
		population: 400,
		startsFrom: 'the beginning',
		maxItems: 90,
		maxSeenVersions: 150,
		durationMs: 8 * MINUTE,
		intervalMs: 10_000,
		...STILL,
		bursts: { ...bursts(3, 150, 400), createsOnly: true },
		// Inspections with equal times have the same order in every request. The trigger relies on that for versions that
		// it can't remember: it finds them by page number.
		settings: { ties: 'by id' },
	}),
	scenario('created', {
		event: 'created',
		population: 150,
		changeEveryMs: 1_000,
		late: 0.2,
		bursts: bursts(4, 80, 250),
	}),
	scenario('times shown by the second', {
		population: 200,
		changeEveryMs: 3_000,
		late: 0.2,
		settings: SHOWN_BY_SECOND,
	}),
	scenario('created, times shown by the second', {
		event: 'created',
		population: 150,
		changeEveryMs: 1_000,
		late: 0.2,
		bursts: bursts(4, 80, 250),
		settings: SHOWN_BY_SECOND,
	}),
	scenario('filters', { changeEveryMs: 2_000, ...STATUSES, template: 't1', late: 0.2 }),
	scenario('filters edited', {
		intervalMs: 20_000,
		changeEveryMs: 1_500,
		maxItems: 40,
		late: 0.2,
		...STATUSES,
		whileAway: 'status edited',
		bursts: bursts(4, 50, 180),
		kills: kills(2 * MINUTE, 500, 20_000),
	}),
	scenario('filters edited, few changes', {
		changeEveryMs: 6_000,
		...STATUSES,
		whileAway: 'status edited',
		late: 0.2,
		kills: kills(5 * MINUTE, 500, 3_000),
	}),
	scenario('failures', {
		settings: { failures: 0.3 },
		intervalMs: 10_000,
		changeEveryMs: 5_000,
		population: 150,
		bursts: bursts(4, 80, 250, 500),
	}),
	...[
		scenario('an error at any step of a poll', {}),
		scenario('an error at any step of a poll, in a backlog', {
			population: 1_200,
			startsFrom: 'the beginning',
			maxItems: 200,
		}),
		scenario('an error at any step of a poll, settling', { settleSeconds: 180 }),
		scenario('an error at any step of a poll, without lookback', { lookbackSeconds: 0, late: 0 }),
		scenario('an error at any step of a poll, created', { event: 'created' }),
		scenario('an error at any step of a poll, completed', COMPLETED),
	].map((one) => ({
		...one,
		intervalMs: 10_000,
		changeEveryMs: 3_000,
		bursts: bursts(4, 60, 220, 5_000),
		kills: kills(4 * MINUTE, 500, 30_000),
		settings: { failures: 0.1 },
		throws: 0.25,
	})),
	scenario('restarts', { ...QUICK, changeEveryMs: 5_000, kills: kills(45_000, 500, MINUTE) }),
	scenario('renamed', {
		intervalMs: 10_000,
		changeEveryMs: 8_000,
		whileAway: 'renamed',
		kills: kills(MINUTE, 500, 5_000),
	}),
	// The process remembers a poll without items (checkpointStore.ts). Without it, 5,866 inspections were missed in 27
	// storms.
	// Only one poll runs at a time (`lock` in checkpointStore.ts). Without it, 25,787 inspections were repeated in 36
	// storms.
	scenario('overlapping polls', {
		intervalMs: 10_000,
		changeEveryMs: 3_000,
		population: 150,
		// A poll of several pages takes longer than the interval. With slower requests, a poll would reach its time limit
		// before it finds anything. n8n discards the progress of such a poll.
		settings: { latency: [2_000, 8_000] },
		bursts: bursts(4, 80, 250, 1_000),
	}),
	scenario('backlog', {
		population: 1_200,
		startsFrom: 'the beginning',
		maxItems: 200,
		changeEveryMs: 3_000,
		durationMs: 10 * MINUTE,
		kills: kills(4 * MINUTE, SECOND, 3 * MINUTE),
	}),
	scenario('backlog of other templates', {
		population: 1_500,
		startsFrom: 'the beginning',
		template: 't1',
		changeEveryMs: 10_000,
		durationMs: 10 * MINUTE,
		// A poll reads at most a third of the backlog, and most polls emit nothing.
		settings: {
			templates: ['t1', ...Array.from({ length: 499 }, () => 't2')],
			latency: [4_000, 12_000],
			failures: 0.15,
		},
	}),
	// After a backlog, the watermark doesn't move past the part that wasn't read again (`ceiling` in changePoller.ts).
	// Without it, 257 inspections were missed in 72 storms.
	// The watermark is based on the clock at the start of the poll (`startedAt` in changePoller.ts). Without it, 194
	// inspections were missed in 120 storms.
	scenario('late backlog', {
		population: 300,
		intervalMs: 30_000,
		lookbackSeconds: 20,
		maxItems: 400,
		changeEveryMs: 120,
		durationMs: 8 * MINUTE,
		late: 0.3,
		settings: { latency: [500, 4_000] },
		kills: kills(90_000, 10_000, 90_000),
	}),
	scenario('everything', {
		...QUICK,
		maxItems: 120,
		population: 120,
		changeEveryMs: 1_500,
		whileAway: 'renamed',
		bursts: bursts(3, 60, 220),
		kills: kills(90_000, 500, 45_000),
		settings: { failures: 0.08, latency: [50, 2_500] },
	}),
	scenario('engine switched', {
		...QUICK,
		population: 120,
		bursts: bursts(4, 60, 180),
		whileAway: 'engine switched',
		kills: kills(3 * MINUTE, 500, 30_000),
	}),
	// The process remembers the polls of a second registration (`isLive` in checkpointStore.ts). Without it, 67
	// inspections were repeated in 36 storms. This happens after `import:workflow`, for example.
	scenario('registered twice', { ...QUICK, ...MOSTLY_ON, registered: 'twice' }),
	scenario('one node id in two workflows', {
		...QUICK,
		...MOSTLY_ON,
		bursts: bursts(4, 60, 180),
		registered: 'in two workflows',
	}),
	// A global record without `pending` is used if its revision is higher (checkpointStore.ts). Without it, an edited
	// trigger loses the changes around the time of the edit.
	scenario('team edited', { ...BUSY, changeEveryMs: 3_000, whileAway: 'team edited' }),
	// Only inspections that produced an item count as emitted (changePoller.ts). Otherwise, if an inspection is
	// completed first and gets photos later, it's never emitted. 138 inspections were missed in 18 storms.
	scenario('completed, of those with content', {
		...BUSY,
		...COMPLETED,
		ofContent: true,
		changeEveryMs: 3_000,
	}),
	// The list of emitted inspections is kept if the team changes (checkpointStore.ts). Without it, a later edit starts
	// the workflow again. 299 inspections were repeated in 18 storms.
	scenario('completed, team and credential edited', {
		...BUSY,
		...COMPLETED,
		changeEveryMs: 3_000,
		whileAway: 'team edited',
	}),
	scenario('Start From edited', { ...BUSY, maxItems: 120, whileAway: 'Start From edited' }),
	scenario('page cap', {
		population: 150,
		changeEveryMs: 3_000,
		late: 0.2,
		bursts: bursts(4, 20, 120, 20_000),
		settings: { pageCap: 25 },
	}),
	scenario('a page cap that changes', {
		population: 150,
		changeEveryMs: 3_000,
		late: 0.2,
		bursts: bursts(4, 20, 220, 20_000),
		kills: kills(6 * MINUTE, SECOND, 3 * MINUTE),
		settings: { pageCap: [7, 100] },
	}),
	scenario('a time far ahead of the clock', {
		population: 60,
		changeEveryMs: 3_000,
		late: 0.2,
		// Without the `Date` header, the trigger can't know that a time is in the future.
		settings: { sendsDate: true },
		ahead: { share: 0.05, byMs: [70_000, 400 * DAY] },
		bursts: { ...bursts(4, 60, 180), createsOnly: true },
		kills: kills(6 * MINUTE, 500, 30_000),
	}),
	scenario('a clock that is wrong for a while', WRONG_CLOCK),
	scenario('a clock that is minutes ahead for a while', {
		...WRONG_CLOCK,
		wrongClock: { ...WRONG_CLOCK.wrongClock, byMs: [30_000, 10 * MINUTE] },
	}),
	scenario('a clock that is wrong for a while, created', { ...WRONG_CLOCK, event: 'created' }),
	scenario('a clock that is wrong for a while, completed', { ...WRONG_CLOCK, ...COMPLETED }),
	// n8n's clock limits the service's clock (serviceClock.ts). Without it, a clock that is wrong once silences the
	// trigger. 4,852 inspections were missed in 54 storms.
	scenario('one response far ahead', {
		...QUICK,
		population: 60,
		kills: kills(6 * MINUTE, 500, 30_000),
		settings: { aheadOfN8nMs: 12_345, futureTimes: { share: 0.1, byMs: [HOUR, 400 * DAY] } },
	}),
	scenario('one wrong Date header', {
		...QUICK,
		...MOSTLY_ON,
		population: 120,
		settings: { sendsDate: true, wrongDate: { share: 0.1, byMs: [-400 * DAY, 400 * DAY] } },
	}),
	scenario('settling', { ...SETTLING, bursts: bursts(4, 60, 180) }),
	scenario('settling, shorter than the lookback', {
		...SETTLING,
		settleSeconds: 20,
		bursts: bursts(4, 60, 180, 5_000),
	}),
	scenario('settling, created', { ...SETTLING, event: 'created', bursts: bursts(4, 60, 180) }),
	scenario('settling, completed', { ...SETTLING, ...COMPLETED, ofContent: true, population: 120 }),
	scenario('settling, backlog', {
		...SETTLING,
		population: 1_200,
		startsFrom: 'the beginning',
		maxItems: 200,
	}),
	scenario('settling, engine switched', {
		...SETTLING,
		population: 120,
		bursts: bursts(4, 60, 180),
		whileAway: 'engine switched',
	}),
	scenario('settling, page cap', {
		...SETTLING,
		population: 150,
		bursts: bursts(4, 20, 120, 20_000),
		settings: { pageCap: 25 },
	}),
	// The end of the wait is fixed before the first page (`settledUntil` in changePoller.ts). Without it, 3 inspections
	// were missed in 324 storms.
	scenario('settling, everything', {
		...SETTLING,
		maxItems: 120,
		population: 120,
		changeEveryMs: 1_500,
		whileAway: 'renamed',
		bursts: bursts(3, 60, 220),
		settings: { failures: 0.08, latency: [50, 2_500] },
	}),
	scenario('settling, a clock that is wrong for a while', { ...WRONG_CLOCK, settleSeconds: 180 }),
	scenario('settling, one wrong Date header', {
		...SETTLING,
		population: 120,
		settings: {
			sendsDate: true,
			aheadOfN8nMs: 12_345,
			wrongDate: { share: 0.1, byMs: [-400 * DAY, 400 * DAY] },
		},
	}),
	// Start From counts as edited only if its saved parameter changed (checkpointStore.ts). Otherwise, with an
	// expression whose value changes, every poll starts over.
	scenario('Start From by expression', {
		population: 60,
		...QUICK,
		intervalMs: 20_000,
		startsFrom: 'a day ago',
		kills: kills(3 * MINUTE, 500, 30_000),
	}),
	// A poll without progress continues with the next second (`skipToNextSecond` in changePoller.ts). Without it, the
	// trigger reads the same second forever. 12,502 inspections were missed in 6 storms.
	// n8n's process measures how long nothing changes (serviceClock.ts). Without it, the second of a bulk change is
	// read forever, with up to three times the requests.
	scenario('a second longer than a poll', {
		population: 100,
		lookbackSeconds: 20,
		intervalMs: 20_000,
		budgetMs: 5_000,
		// All inspections of a burst have the same second, and hardly anything else changes. Otherwise, an inspection could
		// leave that second while several polls read it. Then the trigger could miss a different inspection, and the log
		// would report that.
		...STILL,
		settings: { latency: [1_000, 1_000], ties: 'by id' },
		bursts: { ...bursts(6, 700, 1_000), createsOnly: true },
	}),
	scenario('away for a day', {
		changeEveryMs: MINUTE,
		durationMs: 3 * DAY,
		intervalMs: 10 * MINUTE,
		population: 150,
		kills: kills(DAY, DAY, DAY),
	}),
];
