import { describe, expect, it } from 'vitest';

import { dayOfInstant } from '#connector/domain/answer/dateAnswer.ts';

describe('the day of an instant', () => {
	it.each([
		['midnight UTC is the UTC day', '2026-05-31T00:00:00Z', 'America/New_York', '2026-05-31'],
		['midnight in the zone is its day', '2026-05-30T22:00:00Z', 'Europe/Berlin', '2026-05-31'],
		['west of Greenwich, too', '2026-05-31T04:00:00Z', 'America/New_York', '2026-05-31'],
		['a zone with half an hour', '2026-05-30T18:30:00Z', 'Asia/Kolkata', '2026-05-31'],
		['a day that begins at 01:00', '2026-09-06T04:00:00Z', 'America/Santiago', '2026-09-06'],
		["an hour before it isn't a day", '2026-05-30T21:00:00Z', 'Europe/Berlin', undefined],
		["a millisecond after it isn't a day", '2026-05-30T22:00:00.001Z', 'Europe/Berlin', undefined],
		[
			"midnight in winter isn't midnight in summer",
			'2026-05-30T23:00:00Z',
			'Europe/Berlin',
			undefined,
		],
		['an unknown zone has no days', '2026-05-30T22:00:00Z', 'Nowhere/At_All', undefined],
		['before 1970', '1969-12-30T23:00:00Z', 'Europe/Berlin', '1969-12-31'],
	])('follows the time zone: %s', (_, instant, timeZone, day) => {
		expect(dayOfInstant(Date.parse(instant), timeZone)).toBe(day);
	});

	it('is undefined for an invalid date', () => {
		expect(dayOfInstant(Number.NaN, 'UTC')).toBeUndefined();
	});
});
