import { expect, test } from 'vitest';

import { fuzz } from '../fuzz/fuzz.mts';

/** `npm run fuzz` runs 30,000, or all of them. */
const SAMPLE = 2_000;

test(
	'whatever one value of a response becomes, the outcome is a clear error or a sane result',
	{ timeout: 600_000 },
	async () => {
		const { run, faults } = await fuzz({ count: SAMPLE, seed: 20_261_121 });
		expect(faults).toEqual([]);
		expect(run).toBe(SAMPLE);
	},
);
