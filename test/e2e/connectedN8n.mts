import { join } from 'node:path';

import { afterAll, expect } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { type ExampleInput, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import { startMailServer } from '#sandbox/demo/inboxes.mts';
import type { N8nClient, WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { type N8nOptions, type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { chain, type PlainNode, START } from './connectorWorkflow.mts';

const { VITEST_POOL_ID: WORKER = '0' } = process.env;
const FOLDER = join(RUNS, 'e2e');

let packed: ReturnType<typeof packConnector> | undefined;

/** The path of the packed connector. */
export const packedTarball = async () =>
	(await (packed ??= packConnector(join(FOLDER, `tarball-${WORKER}`)))).path;

/** A fresh n8n with the packed connector; who starts it ends it. @param name of the folder that it keeps its data in */
export async function freshN8n(name: string, options: Partial<N8nOptions> = {}) {
	const tarball = await packedTarball();
	return await startN8n({ userFolder: join(FOLDER, name), fresh: true, tarball, ...options });
}

let shared: Promise<N8nServer> | undefined;

/** The n8n of all files that a worker of vitest runs: to start one takes longer than most files. */
async function sharedN8n(): Promise<N8nServer> {
	const n8n = await freshN8n(`n8n-${WORKER}`);
	// So does vitest end a worker.
	process.once('SIGTERM', () => void n8n.kill().finally(() => process.exit()));
	return n8n;
}

/** A saved credential, by default with a key of the sandbox's organization north. */
export const saveCredential = async (
	client: N8nClient,
	{ apiUrl: baseUrl, keys }: Sandbox,
	apiKey = keys.north,
) => await client.createCredential('North', CREDENTIAL_TYPE, { baseUrl, apiKey });

/** An n8n with the packed connector, a sandbox, a credential for it, and what tests do with them. */
export type ConnectedN8n = Awaited<ReturnType<typeof connect>>;

export async function connect(n8n: N8nServer, sandbox: Sandbox) {
	const { client, filesFolder } = n8n;
	const credential = await saveCredential(client, sandbox);

	/** Runs a saved workflow. */
	const runSaved = async (id: string) => await client.run(id, START.name);
	/** Saves a workflow, or nodes that follow one after the other on a manual trigger, and runs it. */
	const run = async (what: WorkflowFile | readonly PlainNode[]) => {
		const workflow = 'nodes' in what ? what : chain('Test', [START, ...what]);
		const { id } = await client.createWorkflow(workflow);
		return await runSaved(id);
	};
	/** As `run`, without an error; what the last node gives. */
	const outputOf = async (nodes: readonly PlainNode[]): Promise<JsonRecord[]> => {
		const execution = await run(nodes);
		expect(execution.error).toBeUndefined();
		return execution.items(nodes.at(-1)?.name ?? '').map(({ json }) => json);
	};
	/** Imports an example as a user does; its id. */
	const imported = async (example: string, more: Partial<ExampleInput> = {}) => {
		const input = { credential, filesFolder, ...more };
		return (await client.createWorkflow(await loadExample(example, input))).id;
	};
	return { sandbox, n8n, credential, run, outputOf, imported, runSaved };
}

/**
 * An n8n for the tests of one file, and a sandbox of their own, to be asked for at the top of it.
 *
 * ```ts
 * const { sandbox, run } = await connectedN8n({ data: 'demo' });
 * ```
 *
 * @param own the n8n to use, which ends behind the last test; where there is none, one that other files use, too
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

/** What an execution says to who looks at it: the error's message and description, without markup. */
export const toldBy = ({ error }: Execution) =>
	`${error?.message ?? ''} ${error?.description ?? ''}`.replaceAll(/<[^>]+>/g, ' ');

/** A mail server for the tests of one file, and the credential that n8n sends its mails with. */
export async function connectedMail({ client }: N8nServer) {
	const mail = await startMailServer();
	afterAll(() => mail.close());
	const account = { host: '127.0.0.1', port: mail.port, secure: false };
	return { mail, mailAccount: await client.createCredential('Local mail', 'smtp', account) };
}
