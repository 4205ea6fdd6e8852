import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { copyTree, sourcesIn, TREE } from './copiedTree.mts';
import { type KeyedMutant, keyedMutantsOf, sampleOf } from './mutants.mts';
import { MutantTrial } from './mutantTrial.mts';
import { reasonFor } from './survivors.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		/** Mutants of each folder. */
		sample: { type: 'string', default: '60' },
		/** Chooses other mutants. */
		seed: { type: 'string', default: '1' },
		/** Only with unit tests. */
		unit: { type: 'boolean', default: false },
	},
});

/** Tries a sample of the mutants below a folder of the connector; the number that no test notices and nothing excuses. */
async function tryFolder(trial: MutantTrial, folder: string): Promise<number> {
	const all = sourcesIn(folder).flatMap(keyedMutantsOf);
	const sample = sampleOf(all, Number(values.sample), values.seed);
	let [noticed, excused] = [0, 0];
	for (const mutant of sample) {
		if (reasonFor(mutant.key) !== undefined) excused += 1;
		else if (await trial.isNoticed(mutant)) noticed += 1;
		else console.log(`  not noticed: ${described(mutant)}`);
	}
	const percent = Math.round((100 * (noticed + excused)) / Math.max(1, sample.length));
	console.log(
		`${folder}: ${String(noticed)} of ${String(sample.length)} noticed, ${String(excused)} excused: ${String(percent)}% (there are ${String(all.length)} mutants)`,
	);
	return sample.length - noticed - excused;
}

function described({ key, file, line, original, replacement }: KeyedMutant): string {
	return `${key} ${file}:${String(line)} ${JSON.stringify(original)} → ${JSON.stringify(replacement)}`;
}

copyTree();
const trial = await MutantTrial.start(values.unit);
try {
	let unexcused = 0;
	for (const folder of positionals) unexcused += await tryFolder(trial, folder);
	process.exitCode = unexcused === 0 ? 0 : 1;
} finally {
	await trial.close();
	rmSync(TREE, { recursive: true, force: true });
}
