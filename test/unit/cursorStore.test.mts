import { describe, expect, test } from 'vitest';

import { cursorFrom } from '../../nodes/InspectionService/domain/cursor/cursorScan.ts';
import {
	EVERYTHING,
	type CursorScope,
} from '../../nodes/InspectionService/domain/cursor/cursorScope.ts';
import type { Cursor } from '../../nodes/InspectionService/domain/cursor/cursorState.ts';
import {
	readCursor,
	storeCursor,
	type CursorOwner,
	type StoredCursor,
} from '../../nodes/InspectionService/domain/cursor/cursorStore.ts';
import { SeenVersions } from '../../nodes/InspectionService/domain/cursor/seenVersions.ts';
import { timestampOf, type Timestamp } from '../../nodes/InspectionService/domain/timestamp.ts';

const OWNER: CursorOwner = {
	nodeId: 'n1',
	nodeName: 'Trigger',
	baseUrl: 'https://service.example',
	event: 'updated',
};

/** A cursor that is told from others by its floor. */
function cursor(minute: number): Cursor {
	return { ...cursorFrom(at(minute), EVERYTHING), place: null };
}

function at(minute: number): Timestamp {
	const moment = timestampOf(`2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`);
	if (moment === undefined) throw new Error('no timestamp');
	return moment;
}

/** What is stored behind polls that reach the given floors, each seeing what the last one left. */
function storedBehind(
	polls: readonly { minute: number; emits: boolean }[],
	owner: CursorOwner,
	stored: StoredCursor = { own: undefined, copy: undefined },
): StoredCursor {
	let current = stored;
	for (const { minute, emits } of polls) {
		const reading = readCursor(current, owner, EVERYTHING);
		current = storeCursor(reading, cursor(minute), owner, emits) ?? current;
	}
	return JSON.parse(JSON.stringify(current));
}

const floorOf = (stored: StoredCursor, owner: CursorOwner) =>
	readCursor(stored, owner, EVERYTHING).cursor?.floor;

test('nothing stored: the trigger is new, and that is no loss', () => {
	const reading = readCursor({ own: undefined, copy: undefined }, OWNER, EVERYTHING);
	expect(reading.cursor).toBeUndefined();
	expect(reading.isLost).toBe(false);
});

test('the durable engine keeps no null activation poll: the copy is used', () => {
	const { copy } = storedBehind([{ minute: 1, emits: false }], OWNER);
	expect(floorOf({ own: undefined, copy }, OWNER)).toBe(at(1));
});

test('an emission that was not saved with the node is made again, although the copy was', () => {
	const baseline = storedBehind([{ minute: 1, emits: false }], OWNER);
	const emission = storedBehind([{ minute: 5, emits: true }], OWNER, {
		own: undefined,
		copy: baseline.copy,
	});
	expect(floorOf({ own: undefined, copy: emission.copy }, OWNER)).toBe(at(1));
});

test('a first emission that was not saved leaves nothing to go on from', () => {
	const { copy } = storedBehind([{ minute: 5, emits: true }], OWNER);
	const reading = readCursor({ own: undefined, copy }, OWNER, EVERYTHING);
	expect(reading.cursor).toBeUndefined();
	expect(reading.isLost).toBe(false);
});

test('a copy that is ahead of the node does not win', () => {
	const first = storedBehind([{ minute: 1, emits: true }], OWNER);
	const second = storedBehind([{ minute: 5, emits: true }], OWNER, first);
	expect(floorOf({ own: first.own, copy: second.copy }, OWNER)).toBe(at(1));
});

describe('an edited node whose row n8n has kept, though not what the activation poll left in it', () => {
	const NEW: CursorScope = { teamId: undefined, status: ['new'] };
	const edits: [string, CursorOwner, CursorScope][] = [
		['event', { ...OWNER, event: 'created' }, EVERYTHING],
		['base URL', { ...OWNER, baseUrl: 'https://other.example' }, EVERYTHING],
		['filters', OWNER, NEW],
	];
	const row = storedBehind([{ minute: 1, emits: true }], OWNER);

	/** Behind a poll of the edited node that reaches `minute`. */
	function polled(
		stored: StoredCursor,
		owner: CursorOwner,
		scope: CursorScope,
		{ minute, emits }: { minute: number; emits: boolean },
	): StoredCursor {
		const reading = readCursor(stored, owner, scope);
		return storeCursor(reading, { ...cursor(minute), scope }, owner, emits) ?? stored;
	}

	test.each(edits)('%s: goes on from the copy', (_, owner, scope) => {
		const activated = polled(row, owner, scope, { minute: 5, emits: false });
		const reading = readCursor({ own: row.own, copy: activated.copy }, owner, scope);
		expect(reading.cursor?.floor).toBe(at(5));
		// An idle poll puts it into the row.
		expect(storeCursor(reading, { ...cursor(5), scope }, owner, false)).toBeDefined();
	});

	test.each(edits)('%s: an emission that was not saved is made again', (_, owner, scope) => {
		const activated = polled(row, owner, scope, { minute: 5, emits: false });
		const left = { own: row.own, copy: activated.copy };
		const { copy } = polled(left, owner, scope, { minute: 7, emits: true });
		expect(readCursor({ own: row.own, copy }, owner, scope).cursor?.floor).toBe(at(5));
		const direct = polled(row, owner, scope, { minute: 7, emits: true });
		const reading = readCursor({ own: row.own, copy: direct.copy }, owner, scope);
		expect(reading.cursor?.floor).not.toBe(at(7));
	});
});

describe('a renamed node', () => {
	const renamed = { ...OWNER, nodeName: 'Inspections' };

	test('goes on from the copy where data is kept under the name', () => {
		for (const emits of [true, false]) {
			const { copy } = storedBehind([{ minute: 3, emits }], OWNER);
			expect(floorOf({ own: undefined, copy }, renamed)).toBe(at(3));
		}
	});

	test('goes on from its own data where that is kept under the id, even if the copy is ahead', () => {
		const first = storedBehind([{ minute: 1, emits: true }], OWNER);
		const second = storedBehind([{ minute: 5, emits: true }], OWNER, first);
		expect(floorOf({ own: first.own, copy: second.copy }, renamed)).toBe(at(1));
	});

	test('does not fall back to what it left under an earlier name', () => {
		const first = storedBehind([{ minute: 1, emits: true }], OWNER);
		const second = storedBehind([{ minute: 5, emits: true }], renamed, {
			own: undefined,
			copy: first.copy,
		});
		expect(floorOf({ own: first.own, copy: second.copy }, OWNER)).toBe(at(5));
	});

	test('does not take over another node that has exchanged names with it', () => {
		const other = storedBehind([{ minute: 9, emits: true }], { ...renamed, nodeId: 'n2' });
		const { copy } = storedBehind([{ minute: 3, emits: true }], OWNER);
		expect(floorOf({ own: other.own, copy }, renamed)).toBe(at(3));
	});
});

test('a new node under the name of another one starts anew, and that is no loss', () => {
	const { own } = storedBehind([{ minute: 9, emits: true }], { ...OWNER, nodeId: 'old' });
	const reading = readCursor({ own, copy: undefined }, OWNER, EVERYTHING);
	expect(reading.cursor).toBeUndefined();
	expect(reading.isLost).toBe(false);
	const stored = storeCursor(reading, cursor(12), OWNER, false);
	expect(stored && floorOf({ own: stored.own, copy: stored.copy }, OWNER)).toBe(at(12));
});

test('another event or base URL starts anew, and what is stored then belongs to it', () => {
	const stored = storedBehind([{ minute: 3, emits: true }], OWNER);
	for (const change of [{ event: 'created' as const }, { baseUrl: 'https://other.example' }]) {
		const owner = { ...OWNER, ...change };
		expect(readCursor(stored, owner, EVERYTHING).cursor).toBeUndefined();
		expect(readCursor(stored, owner, EVERYTHING).isLost).toBe(false);
		const anew = storedBehind([{ minute: 7, emits: false }], owner, stored);
		expect(floorOf(anew, owner)).toBe(at(7));
		expect(floorOf(anew, OWNER)).toBeUndefined();
	}
});

test.each([
	['garbage', 'x'],
	['an older version', { lastTimeChecked: '2026-01-01T00:00:00Z' }],
	['a damaged cursor', { version: 1, floor: 'soon', newest: null, seen: {} }],
	['a later version', { version: 99 }],
])('%s is not used, and said to be lost', (_, own) => {
	const reading = readCursor({ own, copy: undefined }, OWNER, EVERYTHING);
	expect(reading.cursor).toBeUndefined();
	expect(reading.isLost).toBe(true);
});

test('garbage in the node, a good copy: nothing is lost', () => {
	const { copy } = storedBehind(
		[
			{ minute: 3, emits: true },
			{ minute: 4, emits: true },
		],
		OWNER,
	);
	const reading = readCursor({ own: { garbage: true }, copy }, OWNER, EVERYTHING);
	expect(reading.cursor?.floor).toBe(at(4));
	expect(reading.isLost).toBe(false);
});

test('a poll that changed nothing stores nothing', () => {
	const stored = storedBehind([{ minute: 3, emits: true }], OWNER);
	const reading = readCursor(stored, OWNER, EVERYTHING);
	expect(storeCursor(reading, cursor(3), OWNER, false)).toBeUndefined();
});

test('a poll notices that another one has stored in the meantime', () => {
	const stored = storedBehind([{ minute: 3, emits: true }], OWNER);
	const reading = readCursor(stored, OWNER, EVERYTHING);
	const later = storedBehind([{ minute: 4, emits: false }], OWNER, stored);
	expect(readCursor(stored, OWNER, EVERYTHING).mark).toBe(reading.mark);
	expect(readCursor(later, OWNER, EVERYTHING).mark).not.toBe(reading.mark);
});

test('what is seen survives as text, with every digit', () => {
	const seen = new SeenVersions();
	const stamps = ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.1234567Z', '2026-03-01T10:00:01.5Z'];
	for (const text of stamps) {
		const stamp = timestampOf(text);
		if (stamp !== undefined) seen.add(stamp, 'a');
	}
	const copy = SeenVersions.parse(JSON.parse(JSON.stringify(seen.toJson())));
	for (const text of stamps) {
		const stamp = timestampOf(text);
		if (stamp === undefined) throw new Error('no timestamp');
		expect(copy?.has(stamp, 'a')).toBe(true);
		expect(copy?.has(stamp, 'b')).toBe(false);
	}
	expect(SeenVersions.parse({ '2026-03-01T10:00:00': 'x:tooshort' })).toBeUndefined();
});
