import { expect, test } from 'vitest';

import { checkpointAt } from '#connector/domain/changes/checkpoint.ts';
import {
	chooseCheckpoint,
	type Polled,
	storeCheckpoint,
} from '#connector/domain/changes/storedCheckpoint.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';

const POLLED: Polled = {
	...{ nodeId: 'n1', nodeName: 'Trigger', baseUrl: 'https://service.example', event: 'updated' },
	...{ credentialId: undefined, teamId: undefined, startFrom: undefined },
};

test('stored data with one member lost or damaged is not used, and counts as unreadable', () => {
	const watermark = timestampOf('2026-03-01T10:00:00Z');
	if (watermark === undefined) throw new Error('no timestamp');
	const nothing = chooseCheckpoint({ own: undefined, backup: undefined }, POLLED);
	const stored = storeCheckpoint(nothing, checkpointAt(watermark), POLLED, true);
	const own: Record<string, unknown> = JSON.parse(JSON.stringify(stored?.own));

	const whole = chooseCheckpoint({ own, backup: undefined }, POLLED);
	expect([whole.checkpoint?.watermark, whole.isUnreadable]).toEqual([watermark, false]);

	const usedDamaged = Object.keys(own).flatMap((name) =>
		[undefined, [{}], true].flatMap((damaged) => {
			const reading = chooseCheckpoint(
				{ own: { ...own, [name]: damaged }, backup: undefined },
				POLLED,
			);
			const isLost = reading.checkpoint === undefined && reading.isUnreadable;
			return isLost ? [] : [[name, damaged]];
		}),
	);
	expect(usedDamaged).toEqual([]);
});
