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
const count = values.all ? Infinity : Number(values.count);
const report = await fuzz(count, Number(values.seed), (done) => {
	if (done % 1000 === 0) console.log(`${String(done)} mutants`);
});
const seconds = Math.round((performance.now() - started) / 1000);
const { run, possible, scenarios, errors, faults } = report;
for (const fault of faults) console.log(fault);
console.log(
	`${run} of ${possible} mutants, ${scenarios} scenarios, ${seconds} s: ${errors} clear errors or faults, ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
