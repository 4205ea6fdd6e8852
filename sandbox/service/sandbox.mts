import type { FastifyInstance } from 'fastify';

import { createApiServer } from './apiServer.mts';
import { CONTROL_PREFIX, controlRoutes } from './controlRoutes.mts';
import { addDemoData } from './demoData.mts';
import { addOrganizations, KEYS } from './demoOrganizations.mts';
import { FaultBoard } from './faultBoard.mts';
import { createFileServer } from './fileServer.mts';
import { RequestLog } from './requestLog.mts';
import { defaultSettings, type SandboxSettings } from './settings.mts';
import { Store } from './store.mts';
import { ServiceClock } from './time.mts';

export interface SandboxOptions {
	/** `demo`: templates and hundreds of inspections. `empty`: organizations, people, and keys only. */
	data: 'demo' | 'empty';
	/** Inspections of organization north in the demo data. Default: 320. */
	demoInspections?: number;
	settings?: Partial<SandboxSettings>;
	/** Port of the API. Default, or 0: any free port. */
	port?: number;
	/** Port of the files' origin. Default, or 0: any free port. */
	filesPort?: number;
	/** Prints one line per answered request to stderr. */
	log?: boolean;
	/** Serves /_control/* on the API's port, for tests that run in another process. */
	control?: boolean;
}

export type Sandbox = ReturnType<typeof makeSandbox> & {
	/** Stops both servers and closes every connection, including waiting ones. */
	close(): Promise<void>;
};

/** A sandbox without its servers. */
function makeSandbox(options: SandboxOptions) {
	const settings: SandboxSettings = { ...defaultSettings(), ...options.settings };
	const clock = new ServiceClock();
	const store = new Store(clock, settings);
	const tenants = addOrganizations(store);
	if (options.data === 'demo') addDemoData(store, tenants, options.demoInspections);
	return {
		/** Origin of the API without a trailing slash: the credential's base URL. */
		apiUrl: '',
		/** Origin of signed file URLs. */
		filesUrl: '',
		keys: KEYS,
		/** People and teams of the two organizations. */
		tenants,
		/** Mutable: the next request uses the change. */
		settings,
		clock,
		store,
		faults: new FaultBoard(),
		requests: new RequestLog(options),
	};
}

/**
 * Listens on loopback only, so that no other machine can reach the sandbox. Returns the origin without a trailing
 * slash.
 */
async function listen(server: FastifyInstance, port = 0): Promise<string> {
	return (await server.listen({ host: '127.0.0.1', port })).replace(/\/$/, '');
}

/** Starts a local Inspection Service on two ports of 127.0.0.1. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
	const close = async () => {
		await Promise.all([api.close(), files.close()]);
	};
	const sandbox = { ...makeSandbox(options), close };
	const files = createFileServer(sandbox);
	const api = createApiServer(sandbox);
	if (options.control === true) api.register(controlRoutes(sandbox), { prefix: CONTROL_PREFIX });
	try {
		sandbox.filesUrl = await listen(files, options.filesPort);
		sandbox.apiUrl = await listen(api, options.port);
	} catch (error) {
		await close();
		throw error;
	}
	return sandbox;
}
