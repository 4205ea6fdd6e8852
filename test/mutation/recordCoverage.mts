import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

import { afterAll, beforeAll } from 'vitest';

// Records which parts of the built connector a test file runs: mutants are tried with the tests that reach them.
const { MUTATION_COVERAGE: target } = process.env;

if (target !== undefined) {
	const session = new Session();
	beforeAll(async () => {
		session.connect();
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
	});
	afterAll(async () => {
		const { result } = await session.post('Profiler.takePreciseCoverage');
		const own = result.filter(({ url }) => url.includes('/dist/nodes/'));
		writeFileSync(target, JSON.stringify(own));
		session.disconnect();
	});
}
