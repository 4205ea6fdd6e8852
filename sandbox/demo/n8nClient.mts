/** n8n's REST API as its editor uses it: what a test or the demo does in place of a person with a browser. */
import { setTimeout as pause } from 'node:timers/promises';

import { type JsonRecord, recordsOf, textOf } from '../../nodes/InspectionService/domain/json.ts';
import { type Execution, idOf, isHalfStored, readExecution } from './n8nExecution.mts';
import { createSession, N8nApiError, parseJson, recordIn, type Send } from './n8nSession.mts';

export type { Execution, OutputItem } from './n8nExecution.mts';
export { N8nApiError } from './n8nSession.mts';

/** The owner account that every n8n of this project gets: it listens on 127.0.0.1 only. */
export const OWNER = {
	email: 'owner@example.com',
	password: 'Inspection1',
	firstName: 'Demo',
	lastName: 'Owner',
};

/** A workflow as n8n exports and imports it. */
export interface WorkflowFile {
	name: string;
	nodes: JsonRecord[];
	connections: JsonRecord;
	settings?: JsonRecord;
}

/** A saved credential as workflows name it. */
export type SavedCredential = Record<'id' | 'name', string>;

/** An entry of a searchable list in the editor. */
export interface ListEntry {
	name: string;
	value: string;
	url: string | undefined;
	description: string | undefined;
}

/** Which parameter of which node the editor asks for. */
export interface ParameterQuestion {
	/** e.g. `n8n-nodes-inspection-service.inspectionService` */
	nodeType: string;
	/** e.g. `parameters.templateId` */
	path: string;
	/** The node's method, e.g. `searchTemplates` */
	methodName: string;
	parameters: JsonRecord;
	/** By credential type, as in a workflow's node: `{ inspectionServiceApi: { id, name } }` */
	credentials: JsonRecord;
}

const EXECUTION_TIMEOUT_MS = 120_000;
const OVER = new Set(['success', 'error', 'canceled', 'crashed']);

/** Creates the owner account where there is none yet and logs in as the owner. */
export async function connectN8n(url: string): Promise<N8nClient> {
	const client = new N8nClient(createSession(url));
	const settings = recordIn(await client.request('GET', '/settings'));
	if (recordIn(settings['userManagement'])['showSetupOnFirstLoad'] === true) {
		await client.request('POST', '/owner/setup', OWNER);
	}
	const { email, password } = OWNER;
	// `email` is what n8n 1.x asks for.
	await client.request('POST', '/login', { emailOrLdapLoginId: email, email, password });
	return client;
}

export class N8nClient {
	private readonly send: Send;

	constructor(send: Send) {
		this.send = send;
	}

	/** Any call below /rest; answers the `data` member. @throws N8nApiError */
	async request(method: string, path: string, body?: unknown): Promise<unknown> {
		const response = await this.send(method, path, body);
		return recordIn(parseJson(await response.text()))['data'];
	}

	/** `{status: 'OK' | 'Error', message}`: n8n's credential test with data as typed into its form. */
	async testCredential(
		type: string,
		data: JsonRecord,
	): Promise<{ status: string; message: string }> {
		const credentials = { id: '', name: 'test', type, data };
		const result = recordIn(await this.request('POST', '/credentials/test', { credentials }));
		return { status: textOf(result['status']) ?? '', message: textOf(result['message']) ?? '' };
	}

	/** Saves a credential. */
	async createCredential(name: string, type: string, data: JsonRecord): Promise<SavedCredential> {
		return { id: idOf(await this.request('POST', '/credentials', { name, type, data })), name };
	}

	async createWorkflow(workflow: WorkflowFile): Promise<{ id: string }> {
		// n8n 1.x insists on `active`, later versions ignore it.
		const body = { settings: { executionOrder: 'v1' }, ...workflow, active: false };
		return { id: idOf(await this.request('POST', '/workflows', body)) };
	}

	async updateWorkflow(id: string, workflow: WorkflowFile): Promise<void> {
		await this.request('PATCH', `/workflows/${id}?forceSave=true`, workflow);
	}

	/** Resolves when the trigger is registered; rejects with n8n's message when that fails. */
	async activate(id: string): Promise<void> {
		const { versionId } = recordIn(await this.request('GET', `/workflows/${id}`));
		const isDone = await this.ifKnown('POST', `/workflows/${id}/activate`, { versionId });
		if (isDone === undefined) {
			// n8n 1.x has no route for activation: its workflow is updated instead.
			await this.request('PATCH', `/workflows/${id}`, { active: true, versionId });
		}
		await this.published(id);
	}

	async deactivate(id: string): Promise<void> {
		const isDone = await this.ifKnown('POST', `/workflows/${id}/deactivate`, {});
		if (isDone === undefined) await this.request('PATCH', `/workflows/${id}`, { active: false });
	}

	/** "Execute workflow" from the named trigger node; waits until the execution is over. */
	async run(id: string, fromNode: string, timeoutMs?: number): Promise<Execution> {
		const workflowData = await this.request('GET', `/workflows/${id}`);
		const body = { workflowData, triggerToStartFrom: { name: fromNode } };
		const { executionId } = recordIn(await this.request('POST', `/workflows/${id}/run`, body));
		return await this.finished(String(executionId), timeoutMs);
	}

	/** Waits until an execution is over, whatever its outcome. */
	async finished(executionId: string, timeoutMs = EXECUTION_TIMEOUT_MS): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.execution(executionId);
			if (OVER.has(execution.status) && !isHalfStored(execution)) return execution;
			if (Date.now() > deadline) {
				throw new Error(
					`Execution ${executionId} is still "${execution.status}" after ${timeoutMs} ms`,
				);
			}
			await pause(100);
		}
	}

	/** A workflow's finished executions, oldest first, at most 100 (n8n's page). */
	async executions(workflowId: string): Promise<Execution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const list = recordIn(await this.request('GET', `/executions?limit=100&filter=${filter}`));
		const over = recordsOf(list['results']).filter((row) => OVER.has(textOf(row['status']) ?? ''));
		const ids = over.map(idOf).sort((a, b) => Number(a) - Number(b));
		return await Promise.all(ids.map((id) => this.execution(id)));
	}

	/** One page of a searchable list; `next` is what to ask the following page with. */
	async searchList(
		question: ParameterQuestion,
		page: { filter?: string; next?: string } = {},
	): Promise<{ entries: ListEntry[]; next: string | undefined }> {
		const { filter, next: paginationToken } = page;
		const found = await this.ask('resource-locator-results', question, { filter, paginationToken });
		const entries = recordsOf(found['results']).map((entry) => ({
			name: textOf(entry['name']) ?? '',
			value: textOf(entry['value']) ?? '',
			url: textOf(entry['url']),
			description: textOf(entry['description']),
		}));
		return { entries, next: textOf(found['paginationToken']) };
	}

	/** A resource mapper's columns as the editor gets them: `{fields, emptyFieldsNotice?}`. */
	async mapperColumns(
		question: ParameterQuestion,
	): Promise<{ fields: JsonRecord[]; notice: string | undefined }> {
		const found = await this.ask('resource-mapper-fields', question);
		return { fields: recordsOf(found['fields']), notice: textOf(found['emptyFieldsNotice']) };
	}

	/** The bytes behind an output item's `binary.<property>`, as the editor's "Download" gets them. */
	async binaryContent(binary: unknown): Promise<Buffer> {
		const { id, data } = recordIn(binary);
		// Without an id the bytes are in the execution itself (n8n 1.x keeps them so unless told otherwise).
		if (id === undefined) return Buffer.from(textOf(data) ?? '', 'base64');
		const query = new URLSearchParams({ id: textOf(id) ?? '', action: 'download' });
		const response = await this.send('GET', `/binary-data?${query.toString()}`);
		return Buffer.from(await response.arrayBuffer());
	}

	private async execution(id: string): Promise<Execution> {
		return readExecution(recordIn(await this.request('GET', `/executions/${id}`)));
	}

	private async ask(what: string, question: ParameterQuestion, more = {}): Promise<JsonRecord> {
		const { path, methodName, nodeType, parameters, credentials } = question;
		return recordIn(
			await this.request('POST', `/dynamic-node-parameters/${what}`, {
				path,
				methodName,
				nodeTypeAndVersion: { name: nodeType, version: 1 },
				currentNodeParameters: parameters,
				credentials,
				...more,
			}),
		);
	}

	/** As `request`, with an empty object for no data; undefined where this n8n does not know the route (404). */
	private async ifKnown(
		method: string,
		path: string,
		body?: unknown,
	): Promise<JsonRecord | undefined> {
		try {
			return recordIn(await this.request(method, path, body));
		} catch (error) {
			if (error instanceof N8nApiError && error.status === 404) return undefined;
			throw error;
		}
	}

	/** Since 2.3x activation is a queued publication; where that is off, n8n answers 404 and all is done already. */
	private async published(id: string): Promise<void> {
		const deadline = Date.now() + EXECUTION_TIMEOUT_MS;
		for (;;) {
			const status = await this.ifKnown('GET', `/workflows/${id}/publication-status`);
			const state = status === undefined ? 'published' : textOf(status['status']);
			if (state === 'published') return;
			if (state === 'failed' || state === 'partial') {
				const reasons = recordsOf(status?.['triggers']).flatMap(
					(row) => textOf(row['errorMessage']) ?? [],
				);
				throw new Error(`Workflow ${id} was not activated: ${reasons.join('; ')}`);
			}
			if (Date.now() > deadline) throw new Error(`Workflow ${id} is still "${state}"`);
			await pause(100);
		}
	}
}
