import { expect, test } from 'vitest';

import { fuzz } from './fuzz.mts';

/**
 * How many values to replace. 400 cover each source of values in each scenario at least once. Infinity means all
 * values.
 */
const SAMPLE = Number(process.env['FUZZ_SAMPLE'] ?? 400);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

test('any change of one external value causes either a clear error or a sane result', async () => {
	const { run, possible, faults } = await fuzz(SAMPLE, SEED);
	expect(faults).toEqual([]);
	expect(run).toBe(SAMPLE === Infinity ? possible : SAMPLE);
}, 3_600_000);
