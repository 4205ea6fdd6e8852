import { beforeEach, expect, test } from 'vitest';

import { ServiceClock } from '#connector/domain/changes/serviceClock.ts';
import { BEGINNING_OF_TIME } from '#connector/domain/timestamp.ts';
import { timeOf } from '#harness/times.mts';

const [NOON, LATER] = ['2026-05-31T12:00:00Z', '2026-05-31T12:10:01Z'];
const FAR_AHEAD =
	/sent a time that is far from n8n's clock: 2026-05-31 12:10.*n8n's clock showed 2026-05-31 12:00/;

let ms = 0;
let today = NOON;
const clock = () => new ServiceClock({ now: () => ms, today: () => timeOf(today) });

beforeEach(() => {
	ms = 5_000;
	today = NOON;
});

test('starts at the newest time minus the lookback, then advances until the newest second is over', () => {
	today = LATER;
	const service = clock();
	service.record(timeOf('2026-05-31T12:00:30.5Z'), undefined);
	expect(service.lookbackStart(ms, 60)).toBe(timeOf('2026-05-31T11:59:30Z'));
	expect(service.lookbackStart(ms + 40_000, 60)).toBe(timeOf('2026-05-31T12:00:10Z'));
	expect(service.lookbackStart(ms + 61_000, 60)).toBe(timeOf('2026-05-31T12:00:31Z'));
	expect(service.lookbackStart(ms + 3_600_000, 60)).toBe(timeOf('2026-05-31T12:00:31Z'));
});

test('counts a service time more than ten minutes ahead as n8n’s time, with one warning while it lasts', () => {
	const service = clock();
	service.record(timeOf(LATER), undefined);
	const { warning } = service;
	expect(warning).toMatch(FAR_AHEAD);
	expect(service.lookbackStart(ms, 60)).toBe(timeOf('2026-05-31T11:59:00Z'));
	today = '2026-05-31T12:00:30Z';
	service.record(timeOf(NOON), timeOf('2026-05-31T12:11:00Z'));
	expect(service.warning).toBe(warning);
	service.record(timeOf(NOON), timeOf('2026-05-31T12:10:30Z'));
	expect(service.warning).toBeUndefined();
});

test('counts a service time two minutes ahead as n8n’s time, so that correcting that clock loses nothing', () => {
	const service = clock();
	service.record(timeOf('2026-05-31T12:02:00Z'), timeOf('2026-05-31T12:02:00Z'));
	expect(service.lookbackStart(ms, 60)).toBe(timeOf('2026-05-31T11:59:00Z'));
	expect(service.warning).toBeUndefined();
});

test('warns only about a response sent ten minutes before n8n’s time, not about an inspection that old', () => {
	const service = clock();
	today = LATER;
	service.record(timeOf(NOON), undefined);
	expect(service.warning).toBeUndefined();
	service.record(undefined, timeOf(NOON));
	expect(service.warning).toMatch(
		/far from n8n's clock: 2026-05-31 12:00.*n8n's clock showed 2026-05-31 12:10/,
	);
});

test('reports after a restart how long nothing was later', () => {
	const service = clock();
	expect(service.restart()).toBe(0);
	service.record(timeOf(NOON), undefined);
	ms += 30_000;
	service.record(timeOf(NOON), undefined);
	expect(service.restart()).toBe(30);
	expect(service.lookbackStart(ms, 60)).toBe(BEGINNING_OF_TIME);
});
