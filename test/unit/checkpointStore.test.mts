import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkpointAt } from '#connector/domain/changes/checkpoint.ts';
import { SeenVersions } from '#connector/domain/changes/seenVersions.ts';
import { isRecord } from '#connector/domain/json.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import {
	CheckpointStore,
	type SourceIdentity,
	type StaticData,
} from '#connector/trigger/checkpointStore.ts';
import { createNodeMemory, type NodeMemory } from '#connector/trigger/nodeMemory.ts';
import { at, timeOf } from '#harness/times.mts';
import { PolledList, SOURCE } from './polledList.mts';

const MARKS = ['0123456789', 'abcdefghij'] as const;
const RENAMED = { ...SOURCE, nodeName: 'Inspections' };
const GLOBAL_KEY = `inspectionServiceTrigger:${SOURCE.nodeId}`;

/** The data that n8n saved: the node's own data, and the backup of this data in the workflow's global data. */
interface Saved {
	readonly own: unknown;
	readonly backup: unknown;
}
const NOTHING: Saved = { own: undefined, backup: undefined };

/** Returns the memory of a new process, which doesn't know earlier polls. */
const newMemory = () => createNodeMemory(new PolledList().clock);

/**
 * Returns static data as n8n passes it to a poll. A record without the fields of a checkpoint simulates the data of a
 * version that saved no checkpoint.
 */
function dataOf({ own, backup }: Saved): StaticData {
	const isOurs = !isRecord(own) || 'seen' in own || 'watermark' in own || 'version' in own;
	const node = isOurs ? { ...(own !== undefined && { checkpoint: own }) } : { ...own };
	return structuredClone({
		node,
		global: { ...(backup !== undefined && { [GLOBAL_KEY]: backup }) },
	});
}

const savedIn = ({ node, global }: StaticData): Saved =>
	JSON.parse(JSON.stringify({ own: node['checkpoint'], backup: global[GLOBAL_KEY] }));

/** Runs a poll that moves the watermark to `second`. Returns what n8n then has to save. */
function saved(
	from: Saved,
	source: SourceIdentity,
	second: number,
	isEmitting: boolean,
	memory = newMemory(),
): Saved {
	const data = dataOf(from);
	const store = new CheckpointStore(data, memory, source);
	store.load(undefined);
	expect(store.save(checkpointAt(at(second)), isEmitting)).toBe(true);
	return savedIn(data);
}

const emission = (from: Saved, second: number, source = SOURCE, memory?: NodeMemory) =>
	saved(from, source, second, true, memory);
const idlePoll = (from: Saved, second: number, source = SOURCE, memory?: NodeMemory) =>
	saved(from, source, second, false, memory);

/** The saved data of a trigger that has emitted changes up to the time `at(1)`. */
const FIRST = emission(NOTHING, 1);

/**
 * Returns the time from which a poll reads. `now` means that the trigger starts over, and `unreadable` means that it
 * does so because it can't read its data. `startAt` is the value of Start From.
 */
function begin(from: Saved, source = SOURCE, startAt = timestampOf(source.startFrom)) {
	const store = new CheckpointStore(dataOf(from), newMemory(), source);
	const { checkpoint, isStateLost } = store.load(startAt);
	return checkpoint?.watermark ?? (isStateLost ? 'unreadable' : 'now');
}

test('a trigger without stored data begins now', () => {
	expect(begin(NOTHING)).toBe('now');
});

describe('a trigger with a table of cursors', () => {
	// The record before the lost items is saved (`pending.before` in checkpointStore.ts). Without it, 34 inspections
	// were repeated in 240 storms.
	test("repeats an emission that wasn't saved with the node, even if the backup was", () => {
		const activated = { own: undefined, backup: idlePoll(NOTHING, 1).backup };
		expect(begin({ own: undefined, backup: emission(activated, 5).backup })).toBe(at(1));
		expect(begin({ own: undefined, backup: emission(NOTHING, 5).backup })).toBe('now');
	});

	test("doesn't continue from a backup that is ahead of the node", () => {
		const { own } = FIRST;
		const activated = { own, backup: idlePoll(FIRST, 3).backup };
		// Renaming the node makes no difference, because n8n stores the node's own data by ID.
		for (const source of [SOURCE, RENAMED]) {
			expect(begin({ own, backup: emission(FIRST, 5).backup }, source)).toBe(at(1));
			expect(begin({ own, backup: emission(activated, 5).backup }, source)).toBe(at(3));
		}
	});

	// A revision is higher than all previous ones, including lost ones (checkpointStore.ts). Without it, 79 inspections
	// were missed in 2 of 250 storms.
	test("doesn't repeat a lost emission if the table stores the polls after it", () => {
		const memory = newMemory();
		// The first idle poll isn't saved in the table, but the process remembers it. So the next poll emits only later
		// changes.
		idlePoll(FIRST, 3, SOURCE, memory);
		const { backup } = emission(FIRST, 9, SOURCE, memory);
		const { own } = idlePoll({ own: FIRST.own, backup }, 4);
		expect(begin({ own, backup })).toBe(at(4));
	});

	// The revision of the node's own data is saved (`pending.ownRevision` in checkpointStore.ts). Without it, 398
	// inspections were missed in 180 storms.
	test('ignores old data of either place when n8n switches to the table or back', () => {
		const inTable = emission(emission(FIRST, 5), 6);
		expect(begin({ own: FIRST.own, backup: inTable.backup })).toBe(at(6));
		const meanwhile = emission(emission(inTable, 8), 9);
		const back = { own: inTable.own, backup: meanwhile.backup };
		expect(begin(back)).toBe(at(9));
		// The emission up to `at(12)` is repeated, because n8n saved it without the row.
		expect(begin({ own: inTable.own, backup: emission(back, 12).backup })).toBe(at(9));
	});

	const before = { ...SOURCE, teamId: 'b' };
	test.each<[string, Partial<SourceIdentity>]>([
		['event', { event: 'created' }],
		['base URL', { baseUrl: 'https://other.example' }],
		['team', { teamId: 'a' }],
		['credential', { credentialId: 'c2' }],
		['Start From', { startFrom: at(30) }],
	])(
		"continues from the backup after the node was edited (%s), even if an emission wasn't saved",
		(_, edit) => {
			const { own } = emission(NOTHING, 1, before);
			const row = { own, backup: own };
			const edited = { ...before, ...edit };
			const activated = { own, backup: idlePoll(row, 5, edited).backup };
			expect(begin(activated, edited)).toBe(at(5));
			// The next idle poll saves the same time in the row.
			expect(begin({ own: idlePoll(activated, 5, edited).own, backup: undefined }, edited)).toBe(
				at(5),
			);
			expect(begin({ own, backup: emission(activated, 7, edited).backup }, edited)).toBe(at(5));
			expect(begin({ own, backup: emission(row, 7, edited).backup }, edited)).not.toBe(at(7));
		},
	);

	test('continues from the last edit if the trigger was edited twice before its row was stored', () => {
		const created = { ...SOURCE, event: 'created' };
		const { backup } = idlePoll(FIRST, 5, created);
		expect(begin({ own: FIRST.own, backup }, { ...created, teamId: 'a' })).toBe(at(5));
	});
});

describe('a change of settings', () => {
	const from = { ...SOURCE, startFrom: at(0) };

	test('begins now for a different team, even if Start From is set, but continues for one team instead of any', () => {
		const ofTeam = emission(NOTHING, 3, { ...from, teamId: 'a' });
		expect(begin(ofTeam, { ...from, teamId: 'b' })).toBe('now');
		expect(begin(ofTeam, from)).toBe('now');
		expect(begin(emission(NOTHING, 3), { ...SOURCE, teamId: 'a' })).toBe(at(3));
	});

	test('begins now for a different credential, even if Start From is set', () => {
		const one = emission(NOTHING, 3, from);
		const other = { ...from, credentialId: 'c2' };
		expect(begin(one, from)).toBe(at(3));
		expect(begin(one, other)).toBe('now');
		expect(begin(idlePoll(one, 9, other), other)).toBe(at(9));
	});

	test.each([{ event: 'created' }, { baseUrl: 'https://other.example' }])(
		"of %j starts over from Start From, if it's set",
		(edit) => {
			const one = emission(NOTHING, 3);
			const source = { ...SOURCE, ...edit };
			expect(begin(one, source)).toBe('now');
			const anew = idlePoll(one, 7, source);
			expect([begin(anew, source), begin(anew)]).toEqual([at(7), 'now']);
			expect(begin(emission(NOTHING, 3, from), { ...from, ...edit })).toBe(at(0));
		},
	);

	// A checkpoint is saved again if it differs from the node's own data (checkpointStore.ts). Otherwise, if Start
	// From is cleared and set to the same date again, the trigger doesn't start over.
	test("starts over if Start From is edited, unless it's cleared", () => {
		const one = emission(NOTHING, 30, from);
		expect([begin(one, from), begin(one)]).toEqual([at(30), at(30)]);
		expect(begin(one, { ...SOURCE, startFrom: at(10) })).toBe(at(10));
		// Start From was cleared, and the next poll found nothing.
		expect(begin(idlePoll(one, 30), from)).toBe(at(0));
	});

	test("doesn't start over for a Start From expression with a changing value, only for a different expression", () => {
		const ago = (days: number) => ({
			...SOURCE,
			startFrom: `={{ $now.minus({ days: ${days} }) }}`,
		});
		const one = emission(NOTHING, 30, ago(7));
		expect([begin(one, ago(7), at(2)), begin(one, ago(1), at(20))]).toEqual([at(30), at(20)]);
	});
});

describe('a renamed node', () => {
	test('continues from the backup if data is stored by name', () => {
		expect(begin({ own: undefined, backup: emission(NOTHING, 3).backup }, RENAMED)).toBe(at(3));
		expect(begin({ own: undefined, backup: idlePoll(NOTHING, 3).backup }, RENAMED)).toBe(at(3));
	});

	test('continues from its own data that was stored after the backup', () => {
		const { own } = emission(FIRST, 5, RENAMED);
		expect(begin({ own, backup: FIRST.backup }, RENAMED)).toBe(at(5));
	});

	test("doesn't return to the data under an earlier name", () => {
		const { backup } = emission({ own: undefined, backup: FIRST.backup }, 5, RENAMED);
		expect(begin({ own: FIRST.own, backup })).toBe(at(5));
	});

	test("doesn't use the data of a node that exchanged names with it", () => {
		const { own } = emission(NOTHING, 9, { ...RENAMED, nodeId: 'n2' });
		expect(begin({ own, backup: emission(NOTHING, 3).backup }, RENAMED)).toBe(at(3));
	});

	test('leaves nothing to a new node with its old name', () => {
		const { own } = emission(NOTHING, 9, { ...SOURCE, nodeId: 'old' });
		const left = { own, backup: undefined };
		expect([begin(left), begin(idlePoll(left, 12))]).toEqual(['now', at(12)]);
	});
});

describe('unreadable data', () => {
	test.each([
		['garbage', 'x'],
		['an older version', { lastTimeChecked: '2026-01-01T00:00:00Z' }],
		['a checkpoint without a watermark', { version: 99, seen: {}, revision: 7 }],
	])('%s makes the trigger begin now, even if Start From is set', (_, own) => {
		expect(begin({ own, backup: undefined })).toBe('unreadable');
		const source = { ...SOURCE, startFrom: at(0) };
		expect(begin({ own, backup: undefined }, source)).toBe('unreadable');
	});

	test('in the node loses nothing if the backup is good', () => {
		const { backup } = emission(emission(NOTHING, 3), 4);
		expect(begin({ own: { garbage: true }, backup })).toBe(at(4));
	});
});

describe('data of another version', () => {
	const { own, backup } = emission(NOTHING, 3);
	const record: Record<string, unknown> = isRecord(own) ? own : {};
	const known = Object.keys(record).filter((name) => name !== 'watermark');
	const source: Record<string, unknown> = isRecord(record['source']) ? record['source'] : {};
	/** What another version can have saved under a name: nothing, or a value of a different type. */
	const other = fc.constantFrom<unknown>(undefined, null, [{}], true, 7, { of: 'another version' });

	test('continues from its watermark, whatever its other fields are', () => {
		const changes = (names: readonly string[]) =>
			fc.record(Object.fromEntries(names.map((name) => [name, other])), { requiredKeys: [] });
		const edits = fc.tuple(changes(known), changes(Object.keys(source)));
		fc.assert(
			fc.property(edits, fc.nat(), ([fields, inSource], version) => {
				const edited = { ...record, source: { ...source, ...inSource }, ...fields, version };
				expect(begin({ own: edited, backup: undefined })).toBe(at(3));
				expect(begin({ own: undefined, backup: edited })).toBe(at(3));
			}),
			{ numRuns: Number(process.env.SEEDS ?? 100) },
		);
	});

	test('keeps the emitted changes', () => {
		const data = dataOf(NOTHING);
		const store = new CheckpointStore(data, newMemory(), SOURCE);
		store.load(undefined);
		const checkpoint = checkpointAt(at(3), new Set(MARKS));
		checkpoint.seen.add(at(4), MARKS[0]);
		store.save(checkpoint, true);
		data.node['checkpoint'] = {
			...(isRecord(data.node['checkpoint']) && data.node['checkpoint']),
			version: 99,
			format: 'later',
		};
		const { checkpoint: read } = new CheckpointStore(data, newMemory(), SOURCE).load(undefined);
		expect([read?.seen.has(at(4), MARKS[0]), [...(read?.emitted ?? [])]]).toEqual([
			true,
			[...MARKS],
		]);
	});

	test.each([
		['idle poll', idlePoll],
		['emission', emission],
	])('keeps the fields that this version doesn’t know after an %s', (_, run) => {
		const unknown = { version: 9, cursor: { page: 'x' } };
		const edited = { ...record, ...unknown, source: { ...source, region: 'eu' } };
		const after = run({ own: edited, backup }, 8);
		const kept = { ...unknown, watermark: at(8), source: { ...source, region: 'eu' } };
		expect([after.own, after.backup]).toEqual([
			expect.objectContaining(kept),
			expect.objectContaining(kept),
		]);
	});
});

describe('the data of nodes that are no longer in the workflow', () => {
	const gone = { ...SOURCE, nodeId: 'gone', nodeName: 'Gone' };
	const other = { ...SOURCE, nodeId: 'n2', nodeName: 'Other' };

	/** Returns the keys of the workflow's static data after a poll. The workflow has these nodes. */
	function keysAfterPoll(nodes: readonly SourceIdentity[]) {
		const global = Object.fromEntries(
			[SOURCE, other, gone].map(({ nodeId }) => [
				`inspectionServiceTrigger:${nodeId}`,
				FIRST.backup,
			]),
		);
		const node = {};
		const staticData: Record<string, object> = { global, 'node:Trigger': node };
		staticData['node:Gone'] = { checkpoint: FIRST.own };
		staticData['node:Old Schedule'] = { lastRun: 'of another node type' };
		const workflow = {
			staticData,
			nodes: Object.fromEntries(nodes.map(({ nodeId, nodeName }) => [nodeName, { id: nodeId }])),
		};
		const store = new CheckpointStore({ node, global, workflow }, newMemory(), SOURCE);
		store.load(undefined);
		store.save(checkpointAt(at(9)), false);
		return [...Object.keys(global), ...Object.keys(staticData)];
	}

	test('is deleted, but not the data of other nodes', () => {
		expect(keysAfterPoll([SOURCE, other])).toEqual([
			'inspectionServiceTrigger:n1',
			'inspectionServiceTrigger:n2',
			'global',
			'node:Trigger',
			'node:Old Schedule',
		]);
	});

	test('stays if the workflow’s nodes aren’t known', () => {
		expect(keysAfterPoll([])).toHaveLength(7);
	});
});

test('a poll that changed nothing saves nothing', () => {
	const from = emission(NOTHING, 3);
	expect(idlePoll(from, 3)).toEqual(from);
});

test("a poll that returns from the remembered to the saved state saves it again, so that the remembered one isn't used later", () => {
	const memory = newMemory();
	const from = emission(NOTHING, 3);
	idlePoll(from, 5, SOURCE, memory);
	expect(idlePoll(from, 3, SOURCE, memory).own).toMatchObject({ watermark: at(3), revision: 3 });
});

describe('the memory of a process', () => {
	const beginWith = (memory: NodeMemory, data: StaticData) =>
		new CheckpointStore(data, memory, SOURCE).load(undefined).checkpoint?.watermark;

	test('is used after a poll without items, until n8n has saved something', () => {
		const memory = newMemory();
		idlePoll(FIRST, 5, SOURCE, memory);
		expect(beginWith(memory, dataOf(FIRST))).toBe(at(5));
		expect(beginWith(memory, dataOf(emission(FIRST, 4)))).toBe(at(4));
		emission(FIRST, 7, SOURCE, memory);
		expect(beginWith(memory, dataOf(FIRST))).toBe(at(1));
	});

	test('is used even after a poll with items for a second in-memory registration, which gets the same object', () => {
		const memory = newMemory();
		const twin = dataOf(FIRST);
		new CheckpointStore(twin, memory, SOURCE);
		emission(FIRST, 7, SOURCE, memory);
		expect(beginWith(memory, twin)).toBe(at(7));
	});
});

describe('the lock on polls', () => {
	/** Returns a node, and a function that tries to lock its data at a time. Times are in ms. */
	function node() {
		const list = new PolledList();
		const memory = createNodeMemory(list.clock);
		const lock = (ms: number, from = NOTHING) => {
			list.seconds = ms / 1000;
			return new CheckpointStore(dataOf(from), memory, SOURCE).lock(45_000);
		};
		return { list, memory, lock };
	}

	test('delays a poll until the running one counts as abandoned', () => {
		const { lock } = node();
		expect([0, 44_999, 45_000].map((ms) => lock(ms) !== undefined)).toEqual([true, false, true]);
	});

	test("isn't released by an abandoned poll once the next one has it", () => {
		const { lock } = node();
		const [first, second] = [lock(0), lock(45_000)];
		first?.();
		expect(lock(50_000)).toBeUndefined();
		second?.();
		expect(lock(50_000)).toBeDefined();
	});

	// After a poll, the next poll waits for n8n to save (checkpointStore.ts). Without it, 2,255 inspections were
	// repeated in 108 storms.
	test('delays a poll with data older than the last saved data by at most 5 seconds', () => {
		const { list, memory, lock } = node();
		list.seconds = 100;
		const next = emission(FIRST, 5, SOURCE, memory);
		const runs = (ms: number, from: Saved) => {
			const release = lock(ms, from);
			release?.();
			return release !== undefined;
		};
		expect([runs(104_999, FIRST), runs(104_999, next), runs(105_000, FIRST)]).toEqual([
			false,
			true,
			true,
		]);
	});
});

test('seen versions keep every digit in their text', () => {
	const seen = new SeenVersions();
	const times = ['10:00:00Z', '10:00:00.1234567Z', '10:00:01.5Z'].map((time) =>
		timeOf(`2026-03-01T${time}`),
	);
	for (const time of times) seen.add(time, MARKS[0]);
	const read = SeenVersions.parse(JSON.parse(JSON.stringify(seen.serialize())));
	expect(times.map((time) => MARKS.map((hash) => read.has(time, hash)))).toEqual(
		times.map(() => [true, false]),
	);
	for (const damaged of ['.5Z:tooshort', '.5Z:', '.5Z', 'soon:0123456789', 7]) {
		const others = SeenVersions.parse({ '2026-03-01T10:00:00': damaged, ...seen.serialize() });
		expect(times[2] && others.has(times[2], MARKS[0])).toBe(true);
	}
});
