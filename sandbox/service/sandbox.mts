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
	/** The number of inspections of organization north in the demo data. Default: 320. */
	demoInspections?: number;
	settings?: Partial<SandboxSettings>;
	/** The API's port. 0 or omitted: any free port. */
	port?: number;
	/** The file storage's port. 0 or omitted: any free port. */
	filesPort?: number;
	/** Whether to print one line to stderr when a request ends. */
	log?: boolean;
	/** Whether to serve /_control/* on the API's port, so that other processes can control the sandbox. */
	control?: boolean;
}

export type Sandbox = ReturnType<typeof makeSandbox> & {
	/** Stops both servers, and closes all connections, even those that wait for a response. */
	close(): Promise<void>;
};

/** Returns the sandbox's data and settings, before its servers start. */
function makeSandbox(options: SandboxOptions) {
	const settings: SandboxSettings = { ...defaultSettings(), ...options.settings };
	const clock = new ServiceClock();
	const store = new Store(clock, settings);
	const tenants = addOrganizations(store);
	if (options.data === 'demo') addDemoData(store, tenants, options.demoInspections);
	return {
		/** The API's origin without a trailing slash, which is the credential's base URL. */
		apiUrl: '',
		/** The file storage's origin. Signed URLs begin with this origin. */
		filesUrl: '',
		keys: KEYS,
		/** The organizations, each with its teams and the owner of its keys. */
		tenants,
		/** The current settings. A change takes effect with the next request. */
		settings,
		clock,
		store,
		faults: new FaultBoard(),
		requests: new RequestLog(options),
	};
}

/**
 * Starts a server on the loopback address, so that no other machine can reach it. Returns the server's origin without a
 * trailing slash.
 */
async function listen(server: FastifyInstance, port = 0): Promise<string> {
	return (await server.listen({ host: '127.0.0.1', port })).replace(/\/$/, '');
}

/** Starts a local Inspection Service: the API and the file storage, on two ports of 127.0.0.1. */
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
