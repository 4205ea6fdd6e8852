// @module-tag slow
import { expect, test } from 'vitest';

import { POLL_ENGINES } from '#harness/pollEngine.mts';
import { SCENARIOS } from './scenarios.mts';
import { Storm } from './storm.mts';

/**
 * How many storms run for each scenario and engine. A storm is a random simulation of the service and n8n's polls. To
 * run more: STORM_SEEDS=300 npx vitest run test/trigger/storm.test.mts. To run one scenario, add: -t 'page cap,
 * scheduler'.
 */
const SEEDS = Number(process.env.STORM_SEEDS ?? 1);
const FIRST_SEED = Number(process.env.STORM_FIRST_SEED ?? 1);

const storms = SCENARIOS.flatMap((scenario) =>
	POLL_ENGINES.map((engine) => [scenario.name, engine, scenario] as const),
);

test.each(storms)(
	'no emission is missed, repeated, or early in the storm %s, %s',
	{ timeout: 3600_000 },
	async (_, engine, scenario) => {
		const failed: string[] = [];
		for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
			const { emitted, ...wrong } = await new Storm(scenario, engine, seed).run();
			const { missed, repeated, early } = wrong;
			if (missed + repeated + early > 0 || emitted === 0)
				failed.push(`seed ${seed}: emitted ${emitted}, ${JSON.stringify(wrong)}`);
		}
		expect(failed).toEqual([]);
	},
);
