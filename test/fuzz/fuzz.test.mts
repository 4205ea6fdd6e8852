import { expect, test } from 'vitest';

import { fuzz } from './fuzz.mts';

/** One of each place of each scenario. `npm run test:long` has more, `npm run fuzz` 30,000 or all of them. */
const SAMPLE = Number(process.env['FUZZ_SAMPLE'] ?? 400);

test('whatever one value becomes of all that comes from outside, the outcome is a clear error or a sane result', async () => {
	const { run, faults } = await fuzz(SAMPLE, 20_261_121);
	expect(faults).toEqual([]);
	expect(run).toBe(SAMPLE);
}, 600_000);
