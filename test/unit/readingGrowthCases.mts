// What long texts the rules of the rooms list/ and changes/ are fed with (see growth.test.mts). What reads many
// inspections is measured by their number instead: readingGrowth.test.mts.
import * as checkpoints from '../../nodes/InspectionService/domain/changes/checkpoint.ts';
import { unseenVersions } from '../../nodes/InspectionService/domain/changes/emitNewVersions.ts';
import * as seenVersions from '../../nodes/InspectionService/domain/changes/seenVersions.ts';
import * as stored from '../../nodes/InspectionService/domain/changes/storedCheckpoint.ts';
import * as keyRange from '../../nodes/InspectionService/domain/list/keyRange.ts';
import * as movingFilter from '../../nodes/InspectionService/domain/list/movingFilter.ts';
import { NewestVersions } from '../../nodes/InspectionService/domain/list/newestVersions.ts';
import { spanOf, timesOfPage } from '../../nodes/InspectionService/domain/list/pageChecks.ts';
import * as searchWindows from '../../nodes/InspectionService/domain/list/searchWindows.ts';
import { Sightings } from '../../nodes/InspectionService/domain/list/sightings.ts';
import { type Timestamp, timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';
import { because, feeds, type GrowthCase, within } from './growthCase.mts';
import { PLAIN_WATCH } from './plainWatch.mts';

const COUNTED = because('measured by the number of inspections in readingGrowth.test.mts');
const ORDER = { sortBy: 'updated_at', sortOrder: 'asc' } as const;
const POLLED = {
	...{ nodeId: 'n', nodeName: 'N', baseUrl: 'https://s', event: 'changed' },
	...{ credentialId: undefined, teamId: undefined, startFrom: undefined },
};

/** A moment with so many digits as the text has, where it has none but digits. */
export function momentOf(text: string): Timestamp {
	const moment =
		timestampOf(`2026-01-01T00:00:00.${text}1Z`) ?? timestampOf('2026-01-01T00:00:00Z');
	if (moment === undefined) throw new Error('the year 2026 has no first second');
	return moment;
}

const rowOf = (text: string) => ({
	...{ id: text, status: text },
	...{ created_at: `2026-01-01T00:00:00.${text}Z`, updated_at: `2026-01-01T00:00:00.${text}Z` },
});
const rangeOf = (text: string) => ({ after: momentOf(text), before: momentOf(`${text}1`) });

/** A stored state whose every text is long. */
const stateOf = (text: string) => ({
	...{ version: 2, watermark: `2026-01-01T00:00:00.${text}Z`, emitted: text },
	...{ seen: { '2026-01-01T00:00:00Z': `:${text}`, [text]: text } },
	...{ nodeId: text, nodeName: text, baseUrl: text, event: text, revision: 1 },
});

function checkpointWith(text: string): checkpoints.Checkpoint {
	const checkpoint = checkpoints.checkpointAt(momentOf(''));
	checkpoint.seen.add(momentOf(text), text);
	checkpoint.emitted = text;
	return checkpoint;
}

export const READING_GROWTH: Readonly<Record<string, Readonly<Record<string, GrowthCase>>>> = {
	'changes/checkpoint.ts': {
		checkpointAt: feeds((text) => checkpoints.checkpointAt(momentOf(text))),
		boundCheckpoint: feeds((text) =>
			checkpoints.boundCheckpoint(checkpointWith(text), 60, { seenVersions: 0 }),
		),
		keepEmitted: feeds((text) => checkpoints.keepEmitted(checkpointWith(text), [text, text])),
		rangeFrom: feeds((text) => checkpoints.rangeFrom(momentOf(text))),
		raiseWatermark: feeds((text) => {
			checkpoints.raiseWatermark(checkpointWith(text), momentOf(`${text}1`));
		}),
		checkpointToJson: feeds((text) => checkpoints.checkpointToJson(checkpointWith(text))),
		checkpointOf: feeds((text) => checkpoints.checkpointOf(stateOf(text))),
	},
	'changes/emitNewVersions.ts': {
		emitNewVersions: COUNTED,
		unseenVersions: feeds((text) =>
			unseenVersions(checkpointWith(text), PLAIN_WATCH, [rowOf(text), rowOf(`${text}1`)]),
		),
	},
	'changes/firstPoll.ts': { firstPoll: COUNTED },
	'changes/readChanges.ts': { readChanges: COUNTED },
	'changes/seenVersions.ts': {
		markOf: feeds((text) => seenVersions.markOf(text)),
		marksIn: feeds((text) => seenVersions.marksIn(text)),
		SeenVersions: feeds((text) => seenVersions.SeenVersions.parse(stateOf(text).seen)),
	},
	'changes/serviceClock.ts': { ServiceClock: because('counts milliseconds') },
	'changes/storedCheckpoint.ts': {
		chooseCheckpoint: feeds((text) =>
			stored.chooseCheckpoint(
				{ own: stateOf(text), backup: { ...stateOf(text), before: stateOf(text) } },
				{ ...POLLED, nodeId: text },
			),
		),
		storeCheckpoint: feeds((text) =>
			stored.storeCheckpoint(
				stored.chooseCheckpoint({ own: stateOf(text), backup: undefined }, POLLED),
				checkpointWith(text),
				{ ...POLLED, nodeName: text },
				true,
			),
		),
		textOfCheckpoint: feeds((text) => stored.textOfCheckpoint(checkpointWith(text))),
		revisionOf: feeds((text) => stored.revisionOf(stateOf(text))),
		markOfStored: feeds((text) =>
			stored.markOfStored({ own: stateOf(text), backup: stateOf(text) }),
		),
	},
	'list/askPage.ts': {
		askPage: within('readWhole'),
		isAll: within('readWhole'),
		isSurelyAll: because('takes two numbers and a yes or no'),
	},
	'list/findInspections.ts': { findInspections: COUNTED },
	'list/keyRange.ts': {
		rangeOf: feeds((text) => keyRange.rangeOf({ updatedAfter: text }, 'updated_at')),
		withRange: feeds((text) => keyRange.withRange({ teamId: text }, 'updated_at', rangeOf(text))),
		isEmptyRange: feeds((text) => keyRange.isEmptyRange(rangeOf(text))),
		remainderAfter: feeds((text) => keyRange.remainderAfter(ORDER, rangeOf(text), momentOf(text))),
	},
	'list/limitRequests.ts': {
		limitRequests: because('counts requests'),
		allOf: because('waits for promises'),
	},
	'list/movingFilter.ts': {
		withoutMovingFilters: feeds((text) => movingFilter.withoutMovingFilters({ teamId: text })),
		hasMovingFilters: feeds((text) => movingFilter.hasMovingFilters({ updatedAfter: text })),
		passesMovingFilters: feeds((text) =>
			movingFilter.passesMovingFilters(rowOf(text), { updatedAfter: text, status: ['new'] }),
		),
	},
	'list/newestVersions.ts': {
		NewestVersions: feeds((text) => {
			const newest = new NewestVersions(() => true);
			newest.add([rowOf(text), rowOf(text), rowOf(`${text}1`)]);
			return [newest.sorted(ORDER), newest.inOrderRead()];
		}),
	},
	'list/pageChecks.ts': {
		timesOfPage: feeds((text) => timesOfPage(ORDER, {}, [rowOf(text), rowOf(`${text}1`)])),
		spanOf: feeds((text) => spanOf([momentOf(text), momentOf(`${text}1`)])),
	},
	'list/readFirst.ts': { readFirst: COUNTED },
	'list/readFullSecond.ts': { readFullSecond: within('readWhole') },
	'list/readRange.ts': { readRange: within('readWhole') },
	'list/readWhole.ts': { readWhole: COUNTED, readPages: within('readWhole') },
	'list/searchWindows.ts': {
		windowsBefore: feeds((text) => [...searchWindows.windowsBefore(momentOf(text), 1)]),
		windowsAround: feeds((text) =>
			searchWindows.windowsAround([momentOf(text), momentOf(`${text}1`)], 1),
		),
	},
	'list/sightings.ts': {
		Sightings: feeds((text) => {
			const sightings = new Sightings([text, `${text}1`]);
			sightings.add([rowOf(text), rowOf(`${text}1`)]);
			return [sightings.isComplete, sightings.newest, sightings.oldest];
		}),
	},
	'list/part.ts': {
		takeParts: because('works on the parts of one reading, 20 or so at most'),
		pagesOf: because('divides two numbers'),
	},
};
