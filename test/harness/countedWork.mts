import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** V8's optimizing compilers. */
const COMPILERS = ['opt', 'maglev'];
/** The connector's code: its sources or its build. */
const CONNECTOR = /\/nodes\/InspectionService\/(?!__schema__)/;

/**
 * Runs some work and counts how often the connector's functions and code blocks run, using V8's counters. The result
 * doesn't depend on the machine's speed. It leaves out time within a single engine call, such as matching a pattern
 * or `includes`.
 */
export async function countedWork(work: () => unknown): Promise<number> {
	const session = new Session();
	session.connect();
	// Optimized code isn't counted. Starting the profiler discards code that was optimized before.
	for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`);
	try {
		session.post('Profiler.enable');
		session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
		await work();
		let count = 0;
		session.post('Profiler.takePreciseCoverage', (error, { result }) => {
			if (error !== null) throw error;
			const scripts = result.filter(({ url }) => CONNECTOR.test(url));
			const functions = scripts.flatMap((script) => script.functions);
			for (const { ranges } of functions) for (const range of ranges) count += range.count;
		});
		return count;
	} finally {
		session.post('Profiler.stopPreciseCoverage');
		session.disconnect();
		for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`);
	}
}
