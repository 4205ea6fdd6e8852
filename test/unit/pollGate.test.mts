import { expect, test } from 'vitest';

import { takeTurn, type PollSeat } from '../../nodes/InspectionService/trigger/pollGate.ts';

let node = 0;

/** A node that n8n's scheduler polls: every poll has a copy of the static data of its own. */
function scheduledNode(): (revision: number) => PollSeat {
	const nodeKey = `node ${String(node++)}`;
	return (revision) => ({ data: {}, nodeKey, budgetMs: 36_000, revision });
}

test('in memory, a second poll on the same data waits for its turn', () => {
	const seat: PollSeat = { data: {}, nodeKey: 'memory', budgetMs: 300_000, revision: 1 };
	const now = () => 0;
	const first = takeTurn(seat, now);
	expect(takeTurn(seat, now)).toBeUndefined();
	// n8n started again: what ran before is gone.
	expect(takeTurn({ ...seat, data: {} }, now)).toBeDefined();
	first?.end(2);
	expect(takeTurn(seat, now)).toBeDefined();
});

test('under the scheduler, polls that are due at once take turns, and an abandoned one is not waited for', () => {
	const seat = scheduledNode();
	expect(takeTurn(seat(1), () => 0)).toBeDefined();
	expect(takeTurn(seat(1), () => 44_000)).toBeUndefined();
	expect(takeTurn(scheduledNode()(1), () => 44_000)).toBeDefined();
	expect(takeTurn(seat(1), () => 45_000)).toBeDefined();
});

test('a poll whose data is from before the last one stored its own leaves it to the next', () => {
	const seat = scheduledNode();
	takeTurn(seat(1), () => 1_000)?.end(2);
	expect(takeTurn(seat(1), () => 2_000)).toBeUndefined();
	expect(takeTurn(seat(2), () => 2_000)).toBeDefined();
});

test('an emission that was not stored is made again', () => {
	const seat = scheduledNode();
	takeTurn(seat(1), () => 1_000)?.end(2);
	expect(takeTurn(seat(1), () => 6_000)).toBeDefined();
});

test('behind a poll that stored nothing, or with a clock set back, nobody waits', () => {
	const idle = scheduledNode();
	takeTurn(idle(1), () => 1_000)?.end(undefined);
	expect(takeTurn(idle(1), () => 1_001)).toBeDefined();
	const back = scheduledNode();
	takeTurn(back(1), () => 90_000_000)?.end(2);
	expect(takeTurn(back(1), () => 1_000)).toBeDefined();
});
