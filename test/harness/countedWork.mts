import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** V8's optimizing compilers. */
const COMPILERS = ['opt', 'maglev'];
/** Code of the connector: its sources, or what the build makes of them. */
const CONNECTOR = /\/nodes\/InspectionService\/(?!__schema__)/;

/**
 * Runs some work and counts how often the connector's functions and blocks of code run meanwhile, by V8's own counters.
 * The number doesn't depend on the machine's speed. Time spent inside of one call of the engine, such as matching a pattern
 * or `includes`, isn't in it.
 */
export async function countedWork(work: () => unknown): Promise<number> {
	const session = new Session();
	session.connect();
	// Optimized code doesn't count. The profiler throws away what has been optimized before.
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
