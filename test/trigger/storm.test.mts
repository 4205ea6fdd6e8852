import { expect, test } from 'vitest';

import { ENGINES } from './pollEngines.mts';
import { SCENARIOS } from './scenarios.mts';
import { runStorm } from './storm.mts';
import { type Cell, cellOf, tableOf } from './stormTable.mts';

/** Storms per scenario and engine. More of them: STORM_SEEDS=300 npx vitest run test/trigger/storm.test.mts */
const SEEDS = Number(process.env.STORM_SEEDS ?? 1);
const FIRST_SEED = Number(process.env.STORM_FIRST_SEED ?? 1);
const ONLY = process.env.STORM_ONLY;

const cells: Cell[] = [];

for (const scenario of SCENARIOS.filter(({ name }) => ONLY === undefined || name === ONLY)) {
	for (const engine of ENGINES) {
		test(
			`${scenario.name}, ${engine}: nothing missed, nothing twice`,
			{ timeout: 3600_000 },
			async () => {
				const results = [];
				const failed: string[] = [];
				for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
					const result = await runStorm(scenario, engine, seed);
					results.push(result);
					if (result.missed + result.repeated > 0) {
						failed.push(`seed ${seed}: missed ${result.missed}, repeated ${result.repeated}`);
					}
				}
				cells.push(cellOf(scenario.name, engine, results));
				expect(failed).toEqual([]);
				expect(results.reduce((sum, { emitted }) => sum + emitted, 0)).toBeGreaterThan(0);
			},
		);
	}
}

/** Storms that found a fault, or something that only the log tells, when many seeds were run: they stay. */
const FOUND = [
	['Start From edited', 'scheduler+cursors', 171],
	['a second longer than a poll', 'scheduler+cursors', 57],
	['a second longer than a poll', 'scheduler+cursors', 160],
	['a second longer than a poll', 'scheduler', 258],
	['more than can be remembered', 'scheduler', 181],
] as const;

test.each(FOUND)('%s, %s, seed %i: nothing missed, nothing twice', async (name, engine, seed) => {
	const scenario = SCENARIOS.find((candidate) => candidate.name === name);
	if (scenario === undefined) throw new Error(`there is no scenario "${name}"`);
	expect(await runStorm(scenario, engine, seed)).toMatchObject({ missed: 0, repeated: 0 });
});

test('the table', () => {
	console.log(tableOf(cells));
});
