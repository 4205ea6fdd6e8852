import { startSandbox } from '../service/sandbox.mts';
import { copyExampleSheets, loadExample } from './exampleWorkflow.mts';
import { startChat, startMailServer } from './inboxes.mts';
import { type N8nOptions, startN8n } from './n8nServer.mts';

/** The running servers of the demo, including n8n. */
export type DemoStage = Awaited<ReturnType<typeof setStage>>;

/**
 * Starts the service, a chat, a mail server, and n8n. All of them stop when `stack` is disposed. Also creates the
 * connector's credential in n8n, copies the sheets, and imports the examples that the demo uses.
 */
export async function setStage(options: N8nOptions, stack: AsyncDisposableStack) {
	const sandbox = await startSandbox({ data: 'demo', control: true });
	stack.defer(() => sandbox.close());
	const chat = await startChat();
	stack.defer(() => chat.close());
	const mail = await startMailServer();
	stack.defer(() => mail.close());
	const n8n = await startN8n(options);
	stack.defer(() => n8n.stop());

	await copyExampleSheets(n8n.filesFolder);
	const credential = await n8n.client.createCredential(
		'Local Inspection Service',
		'inspectionServiceApi',
		{ baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
	);
	const mailAccount = await n8n.client.createCredential('Local mail', 'smtp', {
		host: '127.0.0.1',
		port: mail.port,
		secure: false,
	});
	const imported = async (name: string) => {
		const input = { credential, mailAccount, filesFolder: n8n.filesFolder, chatUrl: chat.url };
		return (await n8n.client.createWorkflow(await loadExample(name, input))).id;
	};
	/** IDs of the imported workflows. The demo imports only the examples that its steps run. */
	const workflows = {
		create: await imported('spreadsheet-to-inspections'),
		findings: await imported('findings-to-inspections'),
		trigger: await imported('completed-inspections-to-chat'),
		form: await imported('form-to-inspection'),
		getMany: await imported('inspections-to-spreadsheet'),
		dataTable: await imported('answers-to-data-table'),
	};
	/** The address of the example's form. The form responds once its workflow is active. */
	const formUrl = `${n8n.url}/form/site-safety-walk`;
	return { sandbox, chat, mail, n8n, workflows, formUrl };
}
