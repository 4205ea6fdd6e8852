import { parseArgs } from 'node:util';

import { fuzz } from './fuzz.mts';

const { values } = parseArgs({
	options: {
		count: { type: 'string', default: '30000' },
		seed: { type: 'string', default: '1' },
		all: { type: 'boolean', default: false },
	},
});
const started = performance.now();
const report = await fuzz({
	count: values.all ? Infinity : Number(values.count),
	seed: Number(values.seed),
	onProgress: (done, total) => {
		if (done % 1000 === 0) console.log(`${String(done)} of ${String(total)}`);
	},
});
const seconds = Math.round((performance.now() - started) / 1000);
const { run, possible, scenarios, errors, faults } = report;
for (const fault of faults) console.log(fault);
console.log(
	`${run} of ${possible} mutants, ${scenarios} scenarios, ${seconds} s: ${errors} clear errors or faults, ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
