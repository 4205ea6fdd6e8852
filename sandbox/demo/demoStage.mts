/** What runs for the demo and for the examples' end-to-end tests, with n8n filled as its user would. */
import type { Sandbox } from '../service/sandbox.mts';
import type { ChatSink } from './chatSink.mts';
import { copyExampleSheets, type ExampleName, loadExample } from './exampleWorkflow.mts';
import type { MailSink } from './mailSink.mts';
import type { N8nServer } from './n8nServer.mts';

/** Everything that runs for the demo. */
export interface DemoStage {
	sandbox: Sandbox;
	n8n: N8nServer;
	chat: ChatSink;
	mail: MailSink;
}

/** The demo on its stage, with what n8n holds. */
export interface PreparedDemo extends DemoStage {
	/** Workflow ids. */
	workflows: Record<DemoWorkflow, string>;
}

/** All examples but the one that needs a PostgreSQL. */
type DemoWorkflow = Exclude<ExampleName, 'postgres'>;

/** n8n polls at most once a minute by its own schedules; the demo does not let people wait for it. */
export const POLL_SECONDS = 10;

/** Credentials, sheets and the example workflows in n8n. */
export async function prepareDemo(stage: DemoStage): Promise<PreparedDemo> {
	const { sandbox, n8n, chat, mail } = stage;
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
	const imported = async (name: DemoWorkflow) => {
		const workflow = await loadExample(name, {
			credential,
			mailAccount,
			filesFolder: n8n.filesFolder,
			chatUrl: chat.url,
			pollSeconds: POLL_SECONDS,
		});
		return (await n8n.client.createWorkflow(workflow)).id;
	};
	const workflows = {
		create: await imported('create'),
		findings: await imported('findings'),
		trigger: await imported('trigger'),
		form: await imported('form'),
		getMany: await imported('getMany'),
		dataTable: await imported('dataTable'),
	};
	return { ...stage, workflows };
}

/** The address of the form that the example has; it answers once its workflow is active. */
export function formUrl({ n8n }: PreparedDemo): string {
	return `${n8n.url}/form/site-safety-walk`;
}
