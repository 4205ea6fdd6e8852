/** n8n's REST API as its editor uses it: what a test or the demo does in place of a person with a browser. */
import { randomUUID } from 'node:crypto';

import { type JsonRecord, parseJson, recordsOf, textOf } from '#connector/domain/json.ts';
import { type Execution, idOf, readExecution, recordIn } from './n8nExecution.mts';
import { untilFound } from './waiting.mts';

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

const EXECUTION_TIMEOUT_MS = 120_000;
const OVER = new Set(['success', 'error', 'canceled', 'crashed']);

/** Creates the owner account where there is none yet and logs in as the owner. */
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
	/** n8n ties a session to both. */
	private readonly browserId = randomUUID();
	private cookie = '';

	constructor(url: string) {
		this.url = url;
	}

	/** Any call below /rest; answers the `data` member. @throws with n8n's message where the status is not 2xx */
	async request(method: string, path: string, body?: unknown): Promise<unknown> {
		return await dataOf(await this.send(method, path, body));
	}

	async createCredential(name: string, type: string, data: JsonRecord): Promise<SavedCredential> {
		return { id: idOf(await this.request('POST', '/credentials', { name, type, data })), name };
	}

	async createWorkflow(workflow: WorkflowFile): Promise<{ id: string }> {
		// n8n 1.x insists on `active`, later versions ignore it.
		const body = { settings: { executionOrder: 'v1' }, ...workflow, active: false };
		return { id: idOf(await this.request('POST', '/workflows', body)) };
	}

	/** Resolves when the trigger is registered; rejects with n8n's message when that fails. */
	async activate(id: string): Promise<void> {
		const { versionId } = recordIn(await this.request('GET', `/workflows/${id}`));
		await this.setActive(id, true, versionId);
		// Since 2.3x activation is a queued publication; where that is off, all is done already.
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

	/** "Execute workflow" from the named trigger node; waits until the execution is over. */
	async run(id: string, fromNode: string, timeoutMs?: number): Promise<Execution> {
		const workflowData = await this.request('GET', `/workflows/${id}`);
		const body = { workflowData, triggerToStartFrom: { name: fromNode } };
		const { executionId } = recordIn(await this.request('POST', `/workflows/${id}/run`, body));
		return await this.finished(String(executionId), timeoutMs);
	}

	/** Waits until an execution is over, whatever its outcome. */
	async finished(executionId: string, timeoutMs = EXECUTION_TIMEOUT_MS): Promise<Execution> {
		return await untilFound(async () => {
			const execution = await this.execution(executionId);
			return OVER.has(execution.status) && execution.isWhole ? execution : undefined;
		}, timeoutMs);
	}

	/** A workflow's finished executions, oldest first, at most 100 (n8n's page). */
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
		// n8n 1.x has no route for activation: its workflow is updated instead.
		await this.request('PATCH', `/workflows/${id}`, { active, versionId });
	}

	/** As `request`, with an empty object for no data; undefined where this n8n does not know the route (404). */
	private async ifKnown(method: string, path: string, body?: unknown) {
		const response = await this.send(method, path, body);
		return response.status === 404 ? undefined : recordIn(await dataOf(response));
	}

	/** As `request`, with the response as it came. */
	async send(method: string, path: string, body?: unknown): Promise<Response> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'browser-id': this.browserId,
				cookie: this.cookie,
				// n8n closes a connection that was idle for 5 s, perhaps the moment that it is used again.
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

/** The `data` member of an answer. @throws with n8n's message where the status is not 2xx */
async function dataOf(response: Response): Promise<unknown> {
	const text = await response.text();
	const body = recordIn(parseJson(text));
	if (response.ok) return body['data'];
	const message = textOf(body['message']) ?? text.slice(0, 500);
	throw new Error(`n8n answered ${String(response.status)} at ${response.url}: ${message}`);
}
