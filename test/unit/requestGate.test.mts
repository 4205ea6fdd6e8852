import { describe, expect, test } from 'vitest';

import {
	accepted,
	ended,
	isFull,
	nextStart,
	openGate,
	started,
	throttled,
} from '../../nodes/InspectionService/domain/requestGate.ts';

interface Run {
	seconds: number;
	refusals: number;
	/** Requests let through in each second of the run. */
	perSecond: number[];
	peakActive: number;
}

/**
 * Requests through a gate against a service that lets `limit(second)` pass in any second and answers after 20 ms.
 * Simulated time: one step is a millisecond.
 */
function run(requests: number, limit: (second: number) => number): Run {
	let gate = openGate(10);
	let waiting = requests;
	let active: { startedAt: number; endsAt: number; refused: boolean }[] = [];
	const passed: number[] = [];
	const outcome: Run = { seconds: 0, refusals: 0, perSecond: [], peakActive: 0 };
	for (let now = 1_000_000; passed.length < requests; now++) {
		const second = Math.floor((now - 1_000_000) / 1000);
		if (second > 600) throw new Error(`stuck after ${passed.length} requests`);
		const over = active.filter(({ endsAt }) => endsAt <= now);
		active = active.filter(({ endsAt }) => endsAt > now);
		for (const { startedAt, refused } of over) {
			if (refused) {
				outcome.refusals += 1;
				waiting += 1;
				gate = throttled(gate, { startedAt, now, waitMs: 1000 });
			} else {
				passed.push(now);
				outcome.perSecond[second] = (outcome.perSecond[second] ?? 0) + 1;
				gate = accepted(gate);
			}
			gate = ended(gate);
		}
		while (waiting > 0 && !isFull(gate) && nextStart(gate) <= now) {
			gate = started(gate, now);
			waiting -= 1;
			const recent = passed.length - 1 - passed.findLastIndex((at) => at <= now - 1000);
			const pending = active.filter(({ refused }) => !refused).length;
			active.push({ startedAt: now, endsAt: now + 20, refused: recent + pending >= limit(second) });
		}
		outcome.peakActive = Math.max(outcome.peakActive, active.length);
		outcome.seconds = (now - 1_000_000) / 1000;
	}
	return outcome;
}

describe('the gate', () => {
	test('without a limit runs at full width and never waits', () => {
		const { seconds, peakActive, refusals } = run(500, () => Infinity);
		expect({ peakActive, refusals }).toEqual({ peakActive: 10, refusals: 0 });
		expect(seconds).toBeLessThan(1.1);
	});

	test.each([5, 50, 200])('uses more than half of a limit of %d a second, and is seldom refused', (limit) => {
		const requests = limit * 20;
		const { seconds, refusals, peakActive } = run(requests, () => limit);
		expect(peakActive).toBeLessThanOrEqual(10);
		expect(seconds).toBeLessThan((requests / limit) * 2);
		expect(refusals).toBeLessThan(requests * 0.1);
	});

	test('recovers when the limit is gone', () => {
		const { perSecond } = run(20_000, (second) => (second < 5 ? 20 : Infinity));
		expect(Math.max(...perSecond.map((count) => count ?? 0))).toBeGreaterThan(300);
	});

	test('a refusal makes all of them wait as long as the service says', () => {
		const gate = throttled(ended(started(openGate(10), 1000)), {
			startedAt: 1000,
			now: 1020,
			waitMs: 30_000,
		});
		expect(nextStart(gate)).toBe(31_020);
	});

	test('a wave of refusals halves the width once', () => {
		let gate = openGate(8);
		for (let n = 0; n < 8; n++) gate = started(gate, 1000);
		for (let n = 0; n < 8; n++) {
			gate = ended(throttled(gate, { startedAt: 1000, now: 1020 + n, waitMs: 100 }));
		}
		expect(gate.window).toBe(4);
	});
});
