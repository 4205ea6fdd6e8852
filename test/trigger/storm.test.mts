import { expect, test } from 'vitest';

import { POLL_ENGINES } from '#harness/pollEngine.mts';
import { SCENARIOS } from './scenarios.mts';
import { runStorm } from './storm.mts';

/** Storms per scenario and engine. More of them: STORM_SEEDS=300 npx vitest run test/trigger/storm.test.mts */
const SEEDS = Number(process.env.STORM_SEEDS ?? 1);
const FIRST_SEED = Number(process.env.STORM_FIRST_SEED ?? 1);
const ONLY = process.env.STORM_ONLY;

test.each(
	SCENARIOS.filter(({ name }) => ONLY === undefined || name === ONLY).flatMap((scenario) =>
		POLL_ENGINES.map((engine) => ({ scenario, engine, name: scenario.name })),
	),
)(
	'$name, $engine: nothing missed, nothing twice',
	{ timeout: 3600_000 },
	async ({ scenario, engine }) => {
		const sums = { emitted: 0, missed: 0, announced: 0, repeated: 0, requests: 0 };
		const failed: string[] = [];
		for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
			const result = await runStorm(scenario, engine, seed);
			for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += result[name];
			const { missed, repeated } = result;
			if (missed + repeated > 0)
				failed.push(`seed ${seed}: missed ${missed}, repeated ${repeated}`);
		}
		if (SEEDS > 1) console.log(`${scenario.name}, ${engine}, ${SEEDS} storms:`, sums);
		expect(failed).toEqual([]);
		expect(sums.emitted).toBeGreaterThan(0);
	},
);

/** Storms that found a fault, or something that only the log tells, when many seeds were run: they stay. */
test.each([
	['page cap', 'durableCursors', 402],
	['Start From edited', 'durableCursors', 171],
	['a second longer than a poll', 'durableCursors', 57],
	['a second longer than a poll', 'durableCursors', 160],
	['a second longer than a poll', 'scheduler', 84],
	['a second longer than a poll', 'durableCursors', 84],
	['a second longer than a poll', 'scheduler', 258],
	['more than can be remembered', 'scheduler', 181],
] as const)('%s, %s, seed %i: nothing missed, nothing twice', async (name, engine, seed) => {
	const scenario = SCENARIOS.find((candidate) => candidate.name === name);
	if (scenario === undefined) throw new Error(`there is no scenario "${name}"`);
	expect(await runStorm(scenario, engine, seed)).toMatchObject({ missed: 0, repeated: 0 });
});
