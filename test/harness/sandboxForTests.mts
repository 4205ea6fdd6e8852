import { afterAll, afterEach, beforeAll } from 'vitest';

import { type SandboxOptions, startSandbox } from '#sandbox/service/sandbox.mts';
import { checkedSettings } from '#sandbox/service/settings.mts';
import type { Credential } from './credential.mts';

/**
 * Settings for every test's sandbox, as JSON. The Vitest projects `ends` set this to repeat tests with services that
 * behave differently at the end of a list.
 */
const SETTINGS_OF_ALL = process.env.SANDBOX_SETTINGS;

/**
 * Whether tests can rely on the number of list requests. False if settings are changed, because other services can need
 * more requests.
 */
export const COUNTS_REQUESTS = SETTINGS_OF_ALL === undefined;

/**
 * Returns a sandbox for the tests of one file, and a credential with an API key of organization north. Call this at the
 * top of the file. After each test, everything is reset except for templates that the test added.
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
	// `reset` runs after each test. Property tests also call it between their runs.
	return { sandbox, credential, reset };
}
