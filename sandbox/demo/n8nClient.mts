/** A client of the REST API that n8n's editor uses, for tests and the demo. */
import { randomUUID } from 'node:crypto';

import { type JsonRecord, parseJson, recordsOf, textOf } from '#sandbox/json.mts';
import { type Execution, idOf, readExecution, recordIn } from './n8nExecution.mts';
import { untilFound } from './waiting.mts';

/**
 * The owner account of every n8n that this project starts. The password can be public, because each n8n listens on
 * 127.0.0.1 only.
 */
export const OWNER = {
	email: 'owner@example.com',
	password: 'Inspection1',
	firstName: 'Demo',
	lastName: 'Owner',
};

/** A workflow in n8n's export format. */
export interface WorkflowFile {
	name: string;
	nodes: JsonRecord[];
	connections: JsonRecord;
	settings?: JsonRecord;
}

/** A reference to a saved credential, as workflows contain it. */
export type SavedCredential = Record<'id' | 'name', string>;

const EXECUTION_TIMEOUT_MS = 120_000;
const OVER = new Set(['success', 'error', 'canceled', 'crashed']);

/** Creates the owner account if it doesn't exist, and logs in as the owner. */
export async function connectN8n(url: string): Promise<N8nClient> {
	const client = new N8nClient(url);
	const { userManagement } = recordIn(await client.request('GET', '/settings'));
	if (recordIn(userManagement)['showSetupOnFirstLoad'] === true) {
		await client.request('POST', '/owner/setup', OWNER);
	}
	const { email, password } = OWNER;
	await client.request('POST', '/login', { emailOrLdapLoginId: email, password });
	return client;
}

export class N8nClient {
	private readonly url: string;
	/** n8n ties a session to both the cookie and this ID. */
	private readonly browserId = randomUUID();
	private cookie = '';

	constructor(url: string) {
		this.url = url;
	}

	/**
	 * Calls an endpoint below /rest. Returns the response's `data` member. @throws with n8n's message unless the status
	 * is 2xx
	 */
	async request(method: string, path: string, body?: unknown): Promise<unknown> {
		return await dataOf(await this.send(method, path, body));
	}

	async createCredential(name: string, type: string, data: JsonRecord): Promise<SavedCredential> {
		return { id: idOf(await this.request('POST', '/credentials', { name, type, data })), name };
	}

	async createWorkflow(workflow: WorkflowFile): Promise<{ id: string }> {
		// n8n 1.x requires `active`; later versions ignore it.
		const body = { settings: { executionOrder: 'v1' }, ...workflow, active: false };
		return { id: idOf(await this.request('POST', '/workflows', body)) };
	}

	/**
	 * Resolves when n8n has registered the workflow's triggers. Rejects with n8n's message if n8n can't register them.
	 */
	async activate(id: string): Promise<void> {
		const { versionId } = recordIn(await this.request('GET', `/workflows/${id}`));
		await this.setActive(id, true, versionId);
		// Since some 2.3x version, n8n activates workflows through a queue. If n8n doesn't use the queue, the
		// publication status is missing, and the workflow is already active.
		await untilFound(async () => {
			const publication = await this.ifKnown('GET', `/workflows/${id}/publication-status`);
			const { status = 'published', triggers } = publication ?? {};
			if (status !== 'failed' && status !== 'partial') return status === 'published' || undefined;
			const reasons = recordsOf(triggers).flatMap((row) => textOf(row['errorMessage']) ?? []);
			throw new Error(`Workflow ${id} was not activated: ${reasons.join('; ')}`);
		}, EXECUTION_TIMEOUT_MS);
	}

	async deactivate(id: string): Promise<void> {
		await this.setActive(id, false);
	}

	/**
	 * Runs the workflow from this trigger node, like the button "Execute workflow", and waits until the execution ends.
	 */
	async run(id: string, fromNode: string, timeoutMs?: number): Promise<Execution> {
		const workflowData = await this.request('GET', `/workflows/${id}`);
		const body = { workflowData, triggerToStartFrom: { name: fromNode } };
		const { executionId } = recordIn(await this.request('POST', `/workflows/${id}/run`, body));
		return await this.finished(String(executionId), timeoutMs);
	}

	/** Waits until an execution has ended, successfully or not. */
	async finished(executionId: string, timeoutMs = EXECUTION_TIMEOUT_MS): Promise<Execution> {
		return await untilFound(async () => {
			const execution = await this.execution(executionId);
			return OVER.has(execution.status) && execution.isWhole ? execution : undefined;
		}, timeoutMs);
	}

	/** Returns a workflow's finished executions, oldest first. Returns at most 100, which is n8n's page size. */
	async executions(workflowId: string): Promise<Execution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const list = recordIn(await this.request('GET', `/executions?limit=100&filter=${filter}`));
		const over = recordsOf(list['results']).filter((row) => OVER.has(textOf(row['status']) ?? ''));
		const ids = over.map(idOf).sort((a, b) => Number(a) - Number(b));
		return await Promise.all(ids.map((id) => this.execution(id)));
	}

	private async execution(id: string): Promise<Execution> {
		return readExecution(recordIn(await this.request('GET', `/executions/${id}`)));
	}

	private async setActive(id: string, active: boolean, versionId?: unknown): Promise<void> {
		const verb = active ? 'activate' : 'deactivate';
		const isDone = await this.ifKnown('POST', `/workflows/${id}/${verb}`, { versionId });
		if (isDone !== undefined) return;
		// n8n 1.x has no endpoint for activation. In that version, updating the workflow activates it.
		await this.request('PATCH', `/workflows/${id}`, { active, versionId });
	}

	/**
	 * Like `request`, but returns an empty object if the response has no data, and undefined if n8n doesn't have the
	 * endpoint (404).
	 */
	private async ifKnown(method: string, path: string, body?: unknown) {
		const response = await this.send(method, path, body);
		return response.status === 404 ? undefined : recordIn(await dataOf(response));
	}

	/** Like `request`, but returns the raw response. */
	async send(method: string, path: string, body?: unknown): Promise<Response> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'browser-id': this.browserId,
				cookie: this.cookie,
				// n8n closes idle connections after 5 s, which can happen just when this client sends the next request.
				connection: 'close',
				'content-type': 'application/json',
			},
			body: body === undefined ? null : JSON.stringify(body),
			signal: AbortSignal.timeout(60_000),
		});
		const issued = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (issued !== undefined) this.cookie = issued.split(';')[0] ?? '';
		return response;
	}
}

/** Returns the `data` member of a response. @throws with n8n's message unless the status is 2xx */
async function dataOf(response: Response): Promise<unknown> {
	const text = await response.text();
	const body = recordIn(parseJson(text));
	if (response.ok) return body['data'];
	const message = textOf(body['message']) ?? text.slice(0, 500);
	throw new Error(`n8n answered ${String(response.status)} at ${response.url}: ${message}`);
}
