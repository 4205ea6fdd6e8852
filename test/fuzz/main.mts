import { parseArgs } from 'node:util';

import { fuzz } from './fuzz.mts';

/** 30,000 take a few minutes. */
const DEFAULT_COUNT = '30000';

const { values } = parseArgs({
	options: {
		count: { type: 'string', default: DEFAULT_COUNT },
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
for (const fault of report.faults) console.log(fault);
console.log(
	`${String(report.run)} of ${String(report.possible)} mutants, ${String(report.scenarios)} scenarios, ${String(seconds)} s: ${String(report.errors)} clear errors or faults, ${String(report.faults.length)} faults`,
);
process.exitCode = report.faults.length === 0 ? 0 : 1;
