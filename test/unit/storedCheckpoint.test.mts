import { describe, expect, test } from 'vitest';

import { checkpointAt } from '#connector/domain/changes/checkpoint.ts';
import { SeenVersions } from '#connector/domain/changes/seenVersions.ts';
import {
	type Polled,
	pollStart,
	recordsToStore,
	type StoredData,
} from '#connector/domain/changes/storedCheckpoint.ts';
import { isRecord } from '#connector/domain/json.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import { POLLED } from './polledList.mts';
import { at, timeOf } from './times.mts';

const RENAMED = { ...POLLED, nodeName: 'Inspections' };
const NOTHING: StoredData = { own: undefined, backup: undefined };

/** What is stored after a poll that moves the watermark to `second`. */
function stored(from: StoredData, polled: Polled, second: number, isEmitting: boolean): StoredData {
	const start = pollStart(from, undefined, polled, undefined);
	const next = recordsToStore(start, checkpointAt(at(second)), polled, isEmitting);
	return next === undefined ? from : JSON.parse(JSON.stringify(next));
}

const emission = (from: StoredData, second: number, polled = POLLED) =>
	stored(from, polled, second, true);
const idlePoll = (from: StoredData, second: number, polled = POLLED) =>
	stored(from, polled, second, false);

/** A trigger that has emitted what changed until the first second. */
const FIRST = emission(NOTHING, 1);

/**
 * Where a poll goes on from, `startAt` being the value of Start From. A trigger that begins anew begins `now`, or does so
 * because of `unreadable` data.
 */
function begin(from: StoredData, polled = POLLED, startAt = timestampOf(polled.startFrom)) {
	const { checkpoint, isUnreadable } = pollStart(from, undefined, polled, startAt);
	return checkpoint?.watermark ?? (isUnreadable ? 'unreadable' : 'now');
}

test('a trigger with nothing stored begins now', () => {
	expect(begin(NOTHING)).toBe('now');
});

describe('where n8n has a table of cursors', () => {
	test('an emission that was not saved with the node is made again, although the backup was', () => {
		const activated = { own: undefined, backup: idlePoll(NOTHING, 1).backup };
		expect(begin({ own: undefined, backup: emission(activated, 5).backup })).toBe(at(1));
		expect(begin({ own: undefined, backup: emission(NOTHING, 5).backup })).toBe('now');
	});

	test('a backup that is ahead of the node does not win', () => {
		const { own } = FIRST;
		const activated = { own, backup: idlePoll(FIRST, 3).backup };
		// Also where the node was renamed: its own data is kept under its id.
		for (const polled of [POLLED, RENAMED]) {
			expect(begin({ own, backup: emission(FIRST, 5).backup }, polled)).toBe(at(1));
			expect(begin({ own, backup: emission(activated, 5).backup }, polled)).toBe(at(3));
		}
	});

	test('an emission that was lost stays lost when the table stores the polls behind it', () => {
		// The process remembers an idle poll that the table lost, and emits from there.
		const start = pollStart(FIRST, idlePoll(FIRST, 3).own, POLLED, undefined);
		const backup = recordsToStore(start, checkpointAt(at(9)), POLLED, true)?.backup;
		const { own } = idlePoll({ own: FIRST.own, backup }, 4);
		expect(begin({ own, backup })).toBe(at(4));
	});

	test('n8n changes over to the table and back: old data of either place does not count', () => {
		const inTable = emission(emission(FIRST, 5), 6);
		expect(begin({ own: FIRST.own, backup: inTable.backup })).toBe(at(6));
		const meanwhile = emission(emission(inTable, 8), 9);
		const back = { own: inTable.own, backup: meanwhile.backup };
		expect(begin(back)).toBe(at(9));
		// An emission that was not saved beside the old row is made again, and only that one.
		expect(begin({ own: inTable.own, backup: emission(back, 12).backup })).toBe(at(9));
	});

	const before = { ...POLLED, teamId: 'b' };
	test.each<[string, Partial<Polled>]>([
		['event', { event: 'created' }],
		['base URL', { baseUrl: 'https://other.example' }],
		['team', { teamId: 'a' }],
		['credential', { credentialId: 'c2' }],
		['Start From', { startFrom: at(30) }],
	])(
		'an edited node (%s) goes on from the backup, and makes an emission again that was not saved',
		(_, edit) => {
			const { own } = emission(NOTHING, 1, before);
			const row = { own, backup: own };
			const edited = { ...before, ...edit };
			const activated = { own, backup: idlePoll(row, 5, edited).backup };
			expect(begin(activated, edited)).toBe(at(5));
			// An idle poll puts it into the row.
			expect(begin({ own: idlePoll(activated, 5, edited).own, backup: undefined }, edited)).toBe(
				at(5),
			);
			expect(begin({ own, backup: emission(activated, 7, edited).backup }, edited)).toBe(at(5));
			expect(begin({ own, backup: emission(row, 7, edited).backup }, edited)).not.toBe(at(7));
		},
	);

	test('edited twice before its row was stored, a trigger goes on from the last edit', () => {
		const created = { ...POLLED, event: 'created' };
		const { backup } = idlePoll(FIRST, 5, created);
		expect(begin({ own: FIRST.own, backup }, { ...created, teamId: 'a' })).toBe(at(5));
	});
});

describe('a change of what is polled', () => {
	const from = { ...POLLED, startFrom: at(0) };

	test('another team begins now, also where Start From is set; one team instead of any goes on', () => {
		const ofTeam = emission(NOTHING, 3, { ...from, teamId: 'a' });
		expect(begin(ofTeam, { ...from, teamId: 'b' })).toBe('now');
		expect(begin(ofTeam, from)).toBe('now');
		expect(begin(emission(NOTHING, 3), { ...POLLED, teamId: 'a' })).toBe(at(3));
	});

	test('another credential begins now, also where Start From is set, and goes on from there', () => {
		const one = emission(NOTHING, 3, from);
		const other = { ...from, credentialId: 'c2' };
		expect(begin(one, from)).toBe(at(3));
		expect(begin(one, other)).toBe('now');
		expect(begin(idlePoll(one, 9, other), other)).toBe(at(9));
	});

	test.each([{ event: 'created' }, { baseUrl: 'https://other.example' }])(
		'%j begins anew, from Start From where there is one, and what is stored then belongs to it',
		(edit) => {
			const one = emission(NOTHING, 3);
			const polled = { ...POLLED, ...edit };
			expect(begin(one, polled)).toBe('now');
			const anew = idlePoll(one, 7, polled);
			expect([begin(anew, polled), begin(anew)]).toEqual([at(7), 'now']);
			expect(begin(emission(NOTHING, 3, from), { ...from, ...edit })).toBe(at(0));
		},
	);

	test('an edited Start From begins anew from there; cleared, it just goes on; cleared and set again, it is edited', () => {
		const one = emission(NOTHING, 30, from);
		expect([begin(one, from), begin(one)]).toEqual([at(30), at(30)]);
		expect(begin(one, { ...POLLED, startFrom: at(10) })).toBe(at(10));
		// The poll after the clearing has found nothing.
		expect(begin(idlePoll(one, 30), from)).toBe(at(0));
	});

	test('Start From by expression is not edited while its value moves; another expression is an edit', () => {
		const ago = (days: number) => ({
			...POLLED,
			startFrom: `={{ $now.minus({ days: ${days} }) }}`,
		});
		const one = emission(NOTHING, 30, ago(7));
		expect([begin(one, ago(7), at(2)), begin(one, ago(1), at(20))]).toEqual([at(30), at(20)]);
	});
});

describe('a renamed node', () => {
	test('goes on from the backup where data is kept under the name', () => {
		expect(begin({ own: undefined, backup: emission(NOTHING, 3).backup }, RENAMED)).toBe(at(3));
		expect(begin({ own: undefined, backup: idlePoll(NOTHING, 3).backup }, RENAMED)).toBe(at(3));
	});

	test('goes on from its own data that was stored after the backup', () => {
		const { own } = emission(FIRST, 5, RENAMED);
		expect(begin({ own, backup: FIRST.backup }, RENAMED)).toBe(at(5));
	});

	test('does not fall back to what it left under an earlier name', () => {
		const { backup } = emission({ own: undefined, backup: FIRST.backup }, 5, RENAMED);
		expect(begin({ own: FIRST.own, backup })).toBe(at(5));
	});

	test('does not take over another node that has exchanged names with it', () => {
		const { own } = emission(NOTHING, 9, { ...RENAMED, nodeId: 'n2' });
		expect(begin({ own, backup: emission(NOTHING, 3).backup }, RENAMED)).toBe(at(3));
	});

	test('leaves nothing to a new node under its name', () => {
		const { own } = emission(NOTHING, 9, { ...POLLED, nodeId: 'old' });
		const left = { own, backup: undefined };
		expect([begin(left), begin(idlePoll(left, 12))]).toEqual(['now', at(12)]);
	});
});

describe('data that is not readable', () => {
	test.each([
		['garbage', 'x'],
		['an older version', { lastTimeChecked: '2026-01-01T00:00:00Z' }],
		['a later version', { version: 99 }],
	])('%s is not used, and Start From does not count then', (_, own) => {
		expect(begin({ own, backup: undefined })).toBe('unreadable');
		const polled = { ...POLLED, startFrom: at(0) };
		expect(begin({ own, backup: undefined }, polled)).toBe('unreadable');
	});

	test('is not used where one member of it is lost or damaged', () => {
		const { own } = emission(NOTHING, 3);
		const record = isRecord(own) ? own : {};
		expect(begin({ own: record, backup: undefined })).toBe(at(3));
		const members = Object.keys(record).filter((name) => name !== 'credentialId');
		expect(members).toEqual(expect.arrayContaining(['version', 'watermark', 'seen', 'revision']));
		const used = members.flatMap((name) =>
			[undefined, [{}], true]
				.map((damaged) => ({ own: { ...record, [name]: damaged }, backup: undefined }))
				.filter((data) => begin(data) !== 'unreadable'),
		);
		expect(used).toEqual([]);
	});

	test('in the node loses nothing where the backup is good', () => {
		const { backup } = emission(emission(NOTHING, 3), 4);
		expect(begin({ own: { garbage: true }, backup })).toBe(at(4));
	});
});

test('a poll that changed nothing stores nothing', () => {
	const from = emission(NOTHING, 3);
	expect(idlePoll(from, 3)).toBe(from);
});

test('a poll that comes from what is remembered to what is stored stores that again: else the remembered would stay', () => {
	const own = emission(NOTHING, 3);
	const { own: remembered } = idlePoll(own, 5);
	const start = pollStart(own, remembered, POLLED, undefined);
	const next = recordsToStore(start, checkpointAt(at(3)), POLLED, false);
	expect(next?.own).toMatchObject({ watermark: at(3), revision: start.revision + 1 });
});

test('versions that were seen survive as text, with every digit', () => {
	const seen = new SeenVersions();
	const times = ['10:00:00Z', '10:00:00.1234567Z', '10:00:01.5Z'].map((time) =>
		timeOf(`2026-03-01T${time}`),
	);
	for (const time of times) seen.add(time, 'a');
	const read = SeenVersions.parse(JSON.parse(JSON.stringify(seen.toJson())));
	expect(times.map((time) => [read?.has(time, 'a'), read?.has(time, 'b')])).toEqual(
		times.map(() => [true, false]),
	);
	for (const damaged of ['.5Z:tooshort', '.5Z:', '.5Z', 'soon:0123456789', 7]) {
		expect(SeenVersions.parse({ '2026-03-01T10:00:00': damaged })).toBeUndefined();
	}
});
