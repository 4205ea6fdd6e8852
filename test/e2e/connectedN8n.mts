import { join } from 'node:path';

import { afterAll, expect } from 'vitest';

import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { type ExampleInput, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import { startMailServer } from '#sandbox/demo/inboxes.mts';
import type { N8nClient, WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { type N8nOptions, type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import type { JsonRecord } from '#sandbox/json.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { chain, type PlainNode, START } from './connectorWorkflow.mts';

const { VITEST_POOL_ID: WORKER = '0' } = process.env;
const FOLDER = join(RUNS, 'e2e');

let packed: ReturnType<typeof packConnector> | undefined;

/** Packs the connector, once in each process. Returns the tarball's path. */
export const packedTarball = async () =>
	(await (packed ??= packConnector(join(FOLDER, `tarball-${WORKER}`)))).path;

/**
 * Starts an n8n with the packed connector and an empty user folder. The caller has to stop it. @param name of the user
 * folder
 */
export async function freshN8n(name: string, options: Partial<N8nOptions> = {}) {
	const tarball = await packedTarball();
	return await startN8n({ userFolder: join(FOLDER, name), fresh: true, tarball, ...options });
}

let shared: Promise<N8nServer> | undefined;

/**
 * Starts the n8n that all test files of a Vitest worker share. Starting n8n takes longer than running most of these
 * files.
 */
async function sharedN8n(): Promise<N8nServer> {
	const n8n = await freshN8n(`n8n-${WORKER}`);
	// Vitest sends this signal to end the worker.
	process.once('SIGTERM', () => void n8n.kill().finally(() => process.exit()));
	return n8n;
}

/** Saves a credential in n8n. By default, the credential has an API key of organization north. */
export const saveCredential = async (
	client: N8nClient,
	{ apiUrl: baseUrl, keys }: Sandbox,
	apiKey = keys.north,
) => await client.createCredential('North', CREDENTIAL_TYPE, { baseUrl, apiKey });

/** An n8n and a sandbox, a credential for the sandbox, and functions that run workflows. */
export type ConnectedN8n = Awaited<ReturnType<typeof connect>>;

export async function connect(n8n: N8nServer, sandbox: Sandbox) {
	const { client, filesFolder } = n8n;
	const credential = await saveCredential(client, sandbox);

	const runSaved = async (id: string) => await client.run(id, START.name);
	/**
	 * Saves and runs a workflow. If `what` is a list of nodes, the workflow has a manual trigger and these nodes in
	 * sequence.
	 */
	const run = async (what: WorkflowFile | readonly PlainNode[]) => {
		const workflow = 'nodes' in what ? what : chain('Test', [START, ...what]);
		const { id } = await client.createWorkflow(workflow);
		return await runSaved(id);
	};
	/** Like `run`, but fails if the execution fails. Returns the output of the last node. */
	const outputOf = async (nodes: readonly PlainNode[]): Promise<JsonRecord[]> => {
		const execution = await run(nodes);
		expect(execution.error).toBeUndefined();
		return execution.items(nodes.at(-1)?.name ?? '').map(({ json }) => json);
	};
	/** Imports an example into n8n. Returns the workflow's ID. */
	const imported = async (example: string, more: Partial<ExampleInput> = {}) => {
		const input = { credential, filesFolder, ...more };
		return (await client.createWorkflow(await loadExample(example, input))).id;
	};
	return { sandbox, n8n, credential, run, outputOf, imported, runSaved };
}

/**
 * Returns an n8n and a separate sandbox for the tests of one file. Call this at the top of the file:
 *
 * ```ts
 * const { sandbox, run } = await connectedN8n({ data: 'demo' });
 * ```
 *
 * @param own an n8n that only this file uses, and that stops after the last test. Default: the one that all files share
 */
export async function connectedN8n(service: SandboxOptions, own?: N8nServer) {
	const n8n = own ?? (await (shared ??= sharedN8n()));
	const sandbox = await startSandbox(service);
	afterAll(async () => {
		await own?.stop();
		await sandbox.close();
	});
	return await connect(n8n, sandbox);
}

/** Returns the message and description of an execution's error as n8n shows them, without markup. */
export const errorTextOf = ({ error }: Execution) =>
	`${error?.message ?? ''} ${error?.description ?? ''}`.replaceAll(/<[^>]+>/g, ' ');

/** Starts a mail server for the tests of one file. Returns it and a credential for n8n's mail node. */
export async function connectedMail({ client }: N8nServer) {
	const mail = await startMailServer();
	afterAll(() => mail.close());
	const account = { host: '127.0.0.1', port: mail.port, secure: false };
	return { mail, mailAccount: await client.createCredential('Local mail', 'smtp', account) };
}
