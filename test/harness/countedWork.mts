import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** The connector's code: its sources or its build. */
const CONNECTOR = /\/nodes\/InspectionService\/(?!__schema__)/;

// V8 counts the blocks only of functions that it compiles from now on. A function is compiled when it is first called, so
// a file that imports this module needs its own process (`ALONE` in vitest.config.mts). Optimized code isn't counted.
for (const compiler of ['opt', 'maglev']) setFlagsFromString(`--no-${compiler}`);
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** How often the connector's functions and blocks ran since the last call. */
function takeCount(): number {
	let count = 0;
	session.post('Profiler.takePreciseCoverage', (error, { result }) => {
		if (error !== null) throw error;
		const scripts = result.filter(({ url }) => CONNECTOR.test(url));
		const functions = scripts.flatMap((script) => script.functions);
		for (const { ranges } of functions) for (const range of ranges) count += range.count;
	});
	return count;
}

/**
 * Runs some work and counts how often the connector's functions and code blocks run, using V8's counters. The result
 * doesn't depend on the machine's speed. It leaves out time within a single engine call, such as matching a pattern
 * or `includes`.
 */
export async function countedWork(work: () => unknown): Promise<number> {
	takeCount();
	await work();
	return takeCount();
}
