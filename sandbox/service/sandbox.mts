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
	/** `demo`: templates and hundreds of inspections. `empty`: organizations, people and keys only. */
	data: 'demo' | 'empty';
	/** Inspections of organization north in the demo data, 320 by default. */
	demoInspections?: number;
	settings?: Partial<SandboxSettings>;
	/** Port of the API; 0 or none: any that is free. */
	port?: number;
	/** Port of the files' origin; 0 or none: any that is free. */
	filesPort?: number;
	/** Prints one line per answered request to stderr. */
	log?: boolean;
	/** Offer /_control/* on the API's port, for tests that run in another process. */
	control?: boolean;
}

export type Sandbox = ReturnType<typeof makeSandbox> & {
	/** Ends both servers and every connection, waiting ones too. */
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
		/** Origin of the API: the credential's base URL, without a trailing slash. */
		apiUrl: '',
		/** Origin that signed file URLs lead to. */
		filesUrl: '',
		keys: KEYS,
		/** People and teams of the two organizations. */
		tenants,
		/** Mutable: the next request sees a change. */
		settings,
		clock,
		store,
		faults: new FaultBoard(),
		requests: new RequestLog(options),
	};
}

/** Loopback only: the sandbox is never to be reached from elsewhere. Gives the origin, without a slash at the end. */
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
