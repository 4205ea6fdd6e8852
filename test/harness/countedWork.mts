import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** Matches the addresses of the connector's code, both the sources and the build. */
const CONNECTOR = /\/nodes\/InspectionService\/(?!__schema__)/;

// V8 counts only code that it compiles after this point, and it compiles a function at its first call. So a file that
// imports this module needs a separate process (`ALONE` in vitest.config.mts). Optimized code isn't counted, so
// optimization is off.
for (const compiler of ['opt', 'maglev']) setFlagsFromString(`--no-${compiler}`);
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Returns how often the connector's functions and code blocks have run since the previous call. */
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
 * Runs some work. Returns how often the connector's functions and code blocks run, as counted by V8, which doesn't
 * depend on the machine's speed. Time within a single call of the engine isn't included, such as matching a pattern or
 * `includes`.
 */
export async function countedWork(work: () => unknown): Promise<number> {
	takeCount();
	await work();
	return takeCount();
}
