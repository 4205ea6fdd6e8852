/** Publishes the example `sheet-form-to-inspections`, and uploads sheets in its form like a colleague. */
import { readSheet } from 'read-excel-file/node';

import { type ExampleInput, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import type { WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { type JsonRecord, recordsOf } from '#sandbox/json.mts';
import type { ConnectedN8n } from './connectedN8n.mts';

const EXAMPLE = 'sheet-form-to-inspections';
const PATH = 'site-safety-sheet';

/** The published form. */
export interface SheetForm {
	readonly url: string;
	/** Uploads an Excel file. Returns the form's last page, and the rows of the file that it offers. */
	upload(content: Buffer): Promise<{ page: string; rows: unknown[][] }>;
}

/**
 * Publishes the form. `path` is the end of its address, which must be unique in n8n. `changed` returns the workflow as
 * the user changed it after the import.
 */
export async function publishSheetForm(
	{ n8n, credential }: Pick<ConnectedN8n, 'n8n' | 'credential'>,
	path = PATH,
	changed: (workflow: WorkflowFile) => WorkflowFile = (workflow) => workflow,
): Promise<SheetForm> {
	const { client, filesFolder } = n8n;
	const login = { user: 'colleague', password: 'sent by mail' };
	const formLogin = await client.createCredential('Form', 'httpBasicAuth', login);
	const input: ExampleInput = { credential, filesFolder, formLogin };
	const workflow = changed(await loadExample(EXAMPLE, input));
	const text = JSON.stringify(workflow).replaceAll(PATH, path);
	const { id } = await client.createWorkflow(JSON.parse(text) as WorkflowFile);
	await client.activate(id);
	const url = `${n8n.url}/form/${path}`;
	const authorization = `Basic ${btoa(`${login.user}:${login.password}`)}`;
	return { url, upload: async (content) => await upload(url, authorization, content) };
}

async function upload(url: string, authorization: string, content: Buffer) {
	const body = new FormData();
	body.append('field-0', new File([new Uint8Array(content)], 'walks.xlsx'));
	const sent = await fetch(url, { method: 'POST', headers: { authorization }, body });
	const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	// Waits until the execution has reached the final page. If the page is requested earlier, n8n delays its response.
	await untilFound(async () => (await (await fetch(status)).text()).includes('form-waiting'));
	const page = await (await fetch(formWaitingUrl)).text();
	const [, files = ''] = /"((?:%5B)?%7B%22data%22[^"]*)"/.exec(page) ?? [];
	const parsed: unknown = JSON.parse(decodeURIComponent(files));
	// n8n 1.x returns one file instead of a list of files. It returns the file's bytes as the characters of a string.
	const [file] = recordsOf(Array.isArray(parsed) ? parsed : [parsed]);
	const bytes = file?.['data'] as string | { data: number[] };
	const sheet = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes.data);
	return { page, rows: await readSheet(sheet) };
}

/** Returns the workflow with other parameters in one of its nodes. */
export function withParameters(
	workflow: WorkflowFile,
	node: string,
	parameters: JsonRecord,
): WorkflowFile {
	const nodes = workflow.nodes.map((one) => {
		if (one['name'] !== node) return one;
		return { ...one, parameters: { ...(one['parameters'] as JsonRecord), ...parameters } };
	});
	return { ...workflow, nodes };
}
