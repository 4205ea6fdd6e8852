import { afterAll, afterEach, beforeAll } from 'vitest';

import { type SandboxOptions, startSandbox } from '#sandbox/service/sandbox.mts';
import { checkedSettings } from '#sandbox/service/settings.mts';
import type { Credential } from './credential.mts';

/**
 * Settings for every sandbox, as JSON. The projects `ends` use it to repeat tests with services that end a list
 * differently.
 */
const SETTINGS_OF_ALL = process.env.SANDBOX_SETTINGS;

/** False if a list may take more requests than with the default settings. */
export const COUNTS_REQUESTS = SETTINGS_OF_ALL === undefined;

/**
 * A sandbox for the tests of one file, and a credential with a key of organization north. Start it at the top of the
 * file. Every test starts from the state at the top of the file, plus templates that tests add.
 */
export async function sandboxForTests(options: SandboxOptions = { data: 'empty' }) {
	const sandbox = await startSandbox(options);
	Object.assign(sandbox.settings, checkedSettings(JSON.parse(SETTINGS_OF_ALL ?? '{}')));
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
