import { describe, expect, test } from 'vitest';

import { type Checkpoint, checkpointAt } from '#connector/domain/changes/checkpoint.ts';
import { SeenVersions } from '#connector/domain/changes/seenVersions.ts';
import {
	chooseCheckpoint,
	markOfStored,
	type Polled,
	type StartFrom,
	storeCheckpoint,
	type StoredData,
} from '#connector/domain/changes/storedCheckpoint.ts';
import { type Timestamp, timestampOf } from '#connector/domain/timestamp.ts';

const POLLED: Polled = {
	nodeId: 'n1',
	nodeName: 'Trigger',
	baseUrl: 'https://service.example',
	credentialId: 'c1',
	event: 'updated',
	teamId: undefined,
	startFrom: undefined,
};

/** A checkpoint that is told from others by its watermark. */
function checkpoint(minute: number): Checkpoint {
	return checkpointAt(at(minute));
}

/** A date as Start From. */
function dateOf(moment: Timestamp): StartFrom {
	return { parameter: moment, moment };
}

function at(minute: number): Timestamp {
	const moment = timestampOf(`2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`);
	if (moment === undefined) throw new Error('no timestamp');
	return moment;
}

/** What is stored behind polls that reach the given watermarks, each seeing what the last one left. */
function storedBehind(
	polls: readonly { minute: number; emits: boolean }[],
	polled: Polled,
	stored: StoredData = { own: undefined, backup: undefined },
): StoredData {
	let current = stored;
	for (const { minute, emits } of polls) {
		const reading = chooseCheckpoint(current, polled);
		current = storeCheckpoint(reading, checkpoint(minute), polled, emits) ?? current;
	}
	return JSON.parse(JSON.stringify(current));
}

const watermarkOf = (stored: StoredData, polled: Polled) =>
	chooseCheckpoint(stored, polled).checkpoint?.watermark;

test('nothing stored: the trigger is new, and that is no loss', () => {
	const reading = chooseCheckpoint({ own: undefined, backup: undefined }, POLLED);
	expect(reading.checkpoint).toBeUndefined();
	expect(reading.isUnreadable).toBe(false);
});

test('the table keeps nothing of an activation poll that emits nothing: the backup is used', () => {
	const { backup } = storedBehind([{ minute: 1, emits: false }], POLLED);
	expect(watermarkOf({ own: undefined, backup }, POLLED)).toBe(at(1));
});

test('an emission that was not saved with the node is made again, although the backup was', () => {
	const baseline = storedBehind([{ minute: 1, emits: false }], POLLED);
	const emission = storedBehind([{ minute: 5, emits: true }], POLLED, {
		own: undefined,
		backup: baseline.backup,
	});
	expect(watermarkOf({ own: undefined, backup: emission.backup }, POLLED)).toBe(at(1));
});

test('a first emission that was not saved leaves nothing to go on from', () => {
	const { backup } = storedBehind([{ minute: 5, emits: true }], POLLED);
	const reading = chooseCheckpoint({ own: undefined, backup }, POLLED);
	expect(reading.checkpoint).toBeUndefined();
	expect(reading.isUnreadable).toBe(false);
});

test('a backup that is ahead of the node does not win', () => {
	const first = storedBehind([{ minute: 1, emits: true }], POLLED);
	const second = storedBehind([{ minute: 5, emits: true }], POLLED, first);
	expect(watermarkOf({ own: first.own, backup: second.backup }, POLLED)).toBe(at(1));
});

describe('an edited node whose row in the table is older than the activation poll', () => {
	const before = { ...POLLED, teamId: 'b' };
	const edits: [string, Polled][] = [
		['event', { ...before, event: 'created' }],
		['base URL', { ...before, baseUrl: 'https://other.example' }],
		['team', { ...before, teamId: 'a' }],
		['credential', { ...before, credentialId: 'c2' }],
		['Start From', { ...before, startFrom: dateOf(at(30)) }],
	];
	const row = storedBehind([{ minute: 1, emits: true }], before);

	/** After a poll of the edited node that reaches `minute`. */
	function after(
		stored: StoredData,
		polled: Polled,
		{ minute, emits }: { minute: number; emits: boolean },
	): StoredData {
		const reading = chooseCheckpoint(stored, polled);
		return storeCheckpoint(reading, checkpoint(minute), polled, emits) ?? stored;
	}

	test.each(edits)('%s: goes on from the backup', (_, polled) => {
		const activated = after(row, polled, { minute: 5, emits: false });
		const reading = chooseCheckpoint({ own: row.own, backup: activated.backup }, polled);
		expect(reading.checkpoint?.watermark).toBe(at(5));
		// An idle poll puts it into the row.
		expect(storeCheckpoint(reading, checkpoint(5), polled, false)).toBeDefined();
	});

	test.each(edits)('%s: an emission that was not saved is made again', (_, polled) => {
		const activated = after(row, polled, { minute: 5, emits: false });
		const left = { own: row.own, backup: activated.backup };
		const { backup } = after(left, polled, { minute: 7, emits: true });
		expect(watermarkOf({ own: row.own, backup }, polled)).toBe(at(5));
		const direct = after(row, polled, { minute: 7, emits: true });
		expect(watermarkOf({ own: row.own, backup: direct.backup }, polled)).not.toBe(at(7));
	});
});

test('data that the node has stored after its backup counts, also where it was renamed in between', () => {
	const first = storedBehind([{ minute: 1, emits: true }], POLLED);
	const renamed = { ...POLLED, nodeName: 'Watch' };
	const { own } = storedBehind([{ minute: 5, emits: true }], renamed, first);
	expect(watermarkOf({ own, backup: first.backup }, renamed)).toBe(at(5));
});

test('Start From cleared and set to the same date again begins anew from there', () => {
	const from = { ...POLLED, startFrom: dateOf(at(30)) };
	const begun = storedBehind([{ minute: 40, emits: true }], from);
	// The poll after the clearing has found nothing.
	const cleared = storedBehind([{ minute: 40, emits: false }], POLLED, begun);
	expect(watermarkOf(cleared, POLLED)).toBe(at(40));
	expect(watermarkOf(cleared, from)).toBe(at(30));
});

test('edited twice before its row was stored, a trigger goes on from the last edit', () => {
	const row = storedBehind([{ minute: 1, emits: true }], POLLED);
	const created = { ...POLLED, event: 'created' };
	const { backup } = storedBehind([{ minute: 5, emits: false }], created, row);
	const narrowed = { ...created, teamId: 'a' };
	expect(watermarkOf({ own: row.own, backup }, narrowed)).toBe(at(5));
});

describe('n8n changes over to the table of cursors and back', () => {
	const inWorkflow = storedBehind([{ minute: 1, emits: true }], POLLED);
	const inTable = storedBehind(
		[
			{ minute: 5, emits: true },
			{ minute: 6, emits: true },
		],
		POLLED,
		inWorkflow,
	);

	test('old data beside the workflow does not count', () => {
		const stored = { own: inWorkflow.own, backup: inTable.backup };
		expect(watermarkOf(stored, POLLED)).toBe(at(6));
	});

	test('an emission that was not saved beside an old row is made again, and only that one', () => {
		const meanwhile = storedBehind(
			[
				{ minute: 8, emits: true },
				{ minute: 9, emits: true },
			],
			POLLED,
			inTable,
		);
		const emission = storedBehind([{ minute: 12, emits: true }], POLLED, {
			own: inTable.own,
			backup: meanwhile.backup,
		});
		expect(watermarkOf({ own: inTable.own, backup: emission.backup }, POLLED)).toBe(at(9));
	});

	test('an old row in the table does not count either', () => {
		const later = storedBehind(
			[
				{ minute: 8, emits: true },
				{ minute: 9, emits: true },
			],
			POLLED,
			inTable,
		);
		expect(watermarkOf({ own: inTable.own, backup: later.backup }, POLLED)).toBe(at(9));
	});
});

describe('a change of what is polled', () => {
	const TEAM = { ...POLLED, teamId: 'a' };

	test('another team begins now, also where Start From is set; one team instead of any goes on', () => {
		const from = { startFrom: dateOf(at(0)) };
		const stored = storedBehind([{ minute: 3, emits: true }], { ...TEAM, ...from });
		for (const teamId of ['b', undefined]) {
			const reading = chooseCheckpoint(stored, { ...POLLED, ...from, teamId });
			expect(reading.checkpoint).toBeUndefined();
			expect(reading.isUnreadable).toBe(false);
		}
		const any = storedBehind([{ minute: 3, emits: true }], POLLED);
		expect(watermarkOf(any, TEAM)).toBe(at(3));
	});

	test('another credential begins now, also where Start From is set; a new key in the same one goes on', () => {
		const from = { startFrom: dateOf(at(0)) };
		const stored = storedBehind([{ minute: 3, emits: true }], { ...POLLED, ...from });
		expect(watermarkOf(stored, { ...POLLED, ...from })).toBe(at(3));
		const other = { ...POLLED, ...from, credentialId: 'c2' };
		const reading = chooseCheckpoint(stored, other);
		expect(reading.checkpoint).toBeUndefined();
		expect(reading.isUnreadable).toBe(false);
		// What the first poll of the other credential leaves counts from then on.
		const begun = storedBehind([{ minute: 9, emits: false }], other, stored);
		expect(watermarkOf(begun, other)).toBe(at(9));
	});

	test('Start From by expression is not edited while its value moves; another expression is an edit', () => {
		const weekAgo = (minute: number) => ({
			...POLLED,
			startFrom: { parameter: '={{ $now.minus({ days: 7 }) }}', moment: at(minute) },
		});
		const begun = storedBehind([{ minute: 30, emits: true }], weekAgo(1));
		expect(watermarkOf(begun, weekAgo(2))).toBe(at(30));
		const dayAgo = {
			...POLLED,
			startFrom: { parameter: '={{ $now.minus({ days: 1 }) }}', moment: at(20) },
		};
		expect(watermarkOf(begun, dayAgo)).toBe(at(20));
		expect(watermarkOf(begun, POLLED)).toBe(at(30));
	});

	test('an edited Start From begins anew from there; cleared, it just goes on', () => {
		const from = { ...POLLED, startFrom: dateOf(at(0)) };
		const stored = storedBehind([{ minute: 30, emits: true }], from);
		expect(watermarkOf(stored, from)).toBe(at(30));
		expect(watermarkOf(stored, { ...POLLED, startFrom: dateOf(at(10)) })).toBe(at(10));
		expect(watermarkOf(stored, POLLED)).toBe(at(30));
		const live = storedBehind([{ minute: 30, emits: true }], POLLED);
		expect(watermarkOf(live, from)).toBe(at(0));
	});
});

describe('a renamed node', () => {
	const renamed = { ...POLLED, nodeName: 'Inspections' };

	test('goes on from the backup where data is kept under the name', () => {
		for (const emits of [true, false]) {
			const { backup } = storedBehind([{ minute: 3, emits }], POLLED);
			expect(watermarkOf({ own: undefined, backup }, renamed)).toBe(at(3));
		}
	});

	test('goes on from its own data where that is kept under the id, even if the backup is ahead', () => {
		const first = storedBehind([{ minute: 1, emits: true }], POLLED);
		const second = storedBehind([{ minute: 5, emits: true }], POLLED, first);
		expect(watermarkOf({ own: first.own, backup: second.backup }, renamed)).toBe(at(1));
	});

	test('does not fall back to what it left under an earlier name', () => {
		const first = storedBehind([{ minute: 1, emits: true }], POLLED);
		const second = storedBehind([{ minute: 5, emits: true }], renamed, {
			own: undefined,
			backup: first.backup,
		});
		expect(watermarkOf({ own: first.own, backup: second.backup }, POLLED)).toBe(at(5));
	});

	test('does not take over another node that has exchanged names with it', () => {
		const other = storedBehind([{ minute: 9, emits: true }], { ...renamed, nodeId: 'n2' });
		const { backup } = storedBehind([{ minute: 3, emits: true }], POLLED);
		expect(watermarkOf({ own: other.own, backup }, renamed)).toBe(at(3));
	});
});

test('a new node under the name of another one starts anew, and that is no loss', () => {
	const { own } = storedBehind([{ minute: 9, emits: true }], { ...POLLED, nodeId: 'old' });
	const reading = chooseCheckpoint({ own, backup: undefined }, POLLED);
	expect(reading.checkpoint).toBeUndefined();
	expect(reading.isUnreadable).toBe(false);
	const stored = storeCheckpoint(reading, checkpoint(12), POLLED, false);
	expect(stored && watermarkOf({ own: stored.own, backup: stored.backup }, POLLED)).toBe(at(12));
});

test('another event or base URL starts anew, and what is stored then belongs to it', () => {
	const stored = storedBehind([{ minute: 3, emits: true }], POLLED);
	for (const change of [{ event: 'created' as const }, { baseUrl: 'https://other.example' }]) {
		const polled = { ...POLLED, ...change };
		expect(chooseCheckpoint(stored, polled).checkpoint).toBeUndefined();
		expect(chooseCheckpoint(stored, polled).isUnreadable).toBe(false);
		const anew = storedBehind([{ minute: 7, emits: false }], polled, stored);
		expect(watermarkOf(anew, polled)).toBe(at(7));
		expect(watermarkOf(anew, POLLED)).toBeUndefined();
	}
});

test.each([
	['garbage', 'x'],
	['an older version', { lastTimeChecked: '2026-01-01T00:00:00Z' }],
	['a damaged cursor', { version: 1, watermark: 'soon', seen: {} }],
	['a later version', { version: 99 }],
])('%s is not used, and counts as unreadable', (_, own) => {
	const reading = chooseCheckpoint({ own, backup: undefined }, POLLED);
	expect(reading.checkpoint).toBeUndefined();
	expect(reading.isUnreadable).toBe(true);
});

test('with garbage in the node and a good backup, nothing is lost', () => {
	const { backup } = storedBehind(
		[
			{ minute: 3, emits: true },
			{ minute: 4, emits: true },
		],
		POLLED,
	);
	const reading = chooseCheckpoint({ own: { garbage: true }, backup }, POLLED);
	expect(reading.checkpoint?.watermark).toBe(at(4));
	expect(reading.isUnreadable).toBe(false);
});

test('a poll that changed nothing stores nothing', () => {
	const stored = storedBehind([{ minute: 3, emits: true }], POLLED);
	const reading = chooseCheckpoint(stored, POLLED);
	expect(storeCheckpoint(reading, checkpoint(3), POLLED, false)).toBeUndefined();
});

test('a poll notices that another one has stored in the meantime', () => {
	const stored = storedBehind([{ minute: 3, emits: true }], POLLED);
	const mark = markOfStored(stored);
	const later = storedBehind([{ minute: 4, emits: false }], POLLED, stored);
	expect(markOfStored(stored)).toBe(mark);
	expect(markOfStored(later)).not.toBe(mark);
});

test('versions that were seen survive as text, with every digit', () => {
	const seen = new SeenVersions();
	const stamps = ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.1234567Z', '2026-03-01T10:00:01.5Z'];
	for (const text of stamps) {
		const stamp = timestampOf(text);
		if (stamp !== undefined) seen.add(stamp, 'a');
	}
	const backup = SeenVersions.parse(JSON.parse(JSON.stringify(seen.toJson())));
	for (const text of stamps) {
		const stamp = timestampOf(text);
		if (stamp === undefined) throw new Error('no timestamp');
		expect(backup?.has(stamp, 'a')).toBe(true);
		expect(backup?.has(stamp, 'b')).toBe(false);
	}
	expect(SeenVersions.parse({ '2026-03-01T10:00:00': 'x:tooshort' })).toBeUndefined();
});
