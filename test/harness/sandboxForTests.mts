import { afterAll, afterEach, beforeAll } from 'vitest';

import { type SandboxOptions, startSandbox } from '#sandbox/service/sandbox.mts';
import type { Credential } from './credential.mts';

/**
 * A sandbox for the tests of one file, and a credential with a key of organization north. Start it at the top of the
 * file. Every test starts from the state at the top of the file, plus templates that tests add.
 */
export async function sandboxForTests(options: SandboxOptions = { data: 'empty' }) {
	const sandbox = await startSandbox(options);
	const settings = { ...sandbox.settings };
	const given = new Set<string>();
	let resetClock = sandbox.clock.save();
	beforeAll(() => {
		resetClock = sandbox.clock.save();
		for (const { id } of sandbox.store.inspections()) given.add(id);
	});
	const reset = () => {
		sandbox.faults.clear();
		sandbox.requests.clear();
		resetClock();
		Object.assign(sandbox.settings, settings);
		for (const { id } of sandbox.store.inspections()) {
			if (!given.has(id)) sandbox.store.removeInspection(id);
		}
	};
	afterEach(reset);
	afterAll(async () => await sandbox.close());
	const credential: Credential = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
	// `reset` runs after each test. Properties call it between their runs.
	return { sandbox, credential, reset };
}
