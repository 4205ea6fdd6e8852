/** n8n's REST API as its editor uses it: what a test or the demo does in place of a person with a browser. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parse as parseFlatted } from 'flatted';
import {
	isRecord,
	recordsOf,
	textOf,
	type JsonRecord,
} from '../../nodes/InspectionService/domain/json.ts';

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

/** One output item: `error` is set on items of a node's error output. */
export interface OutputItem {
	json: JsonRecord;
	binary: JsonRecord;
	pairedItem: unknown;
}

export interface Execution {
	id: string;
	workflowId: string;
	/** success, error, canceled, crashed, running, waiting, new */
	status: string;
	/** manual, trigger, ... */
	mode: string;
	/** ISO 8601 UTC */
	startedAt: string | undefined;
	/** What stopped the workflow, as the editor shows it. */
	error: { message: string; description: string | undefined; node: string | undefined } | undefined;
	/** The items of a node's output (0 = first, or its error output) in its first run; none when it did not run. */
	items(node: string, output?: number): OutputItem[];
	/** The hints that the node showed above its output. */
	hints(node: string): string[];
	/** The execution as n8n stores it, for what the members above leave out. */
	data: JsonRecord;
}

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

export interface N8nClient {
	/** `{status: 'OK' | 'Error', message}`: n8n's credential test with data as typed into its form. */
	testCredential(type: string, data: JsonRecord): Promise<{ status: string; message: string }>;
	/** Saves a credential. */
	createCredential(
		name: string,
		type: string,
		data: JsonRecord,
	): Promise<{ id: string; name: string }>;
	createWorkflow(workflow: WorkflowFile): Promise<{ id: string }>;
	updateWorkflow(id: string, workflow: WorkflowFile): Promise<void>;
	/** Resolves when the trigger is registered; rejects with n8n's message when that fails. */
	activate(id: string): Promise<void>;
	deactivate(id: string): Promise<void>;
	/** "Execute workflow" from the named trigger node; waits until the execution is over. */
	run(id: string, fromNode: string, patienceMs?: number): Promise<Execution>;
	/** Waits until an execution is over, whatever its outcome. */
	finished(executionId: string, patienceMs?: number): Promise<Execution>;
	/** A workflow's finished executions, oldest first, at most 100 (n8n's page). */
	executions(workflowId: string): Promise<Execution[]>;
	/** One page of a searchable list; `next` is what to ask the following page with. */
	searchList(
		question: ParameterQuestion,
		page?: { filter?: string; next?: string },
	): Promise<{ entries: ListEntry[]; next: string | undefined }>;
	/** A resource mapper's columns as the editor gets them: `{fields, emptyFieldsNotice?}`. */
	mapperColumns(
		question: ParameterQuestion,
	): Promise<{ fields: JsonRecord[]; notice: string | undefined }>;
	/** The bytes behind an output item's `binary.<property>`, as the editor's "Download" gets them. */
	binaryContent(binary: unknown): Promise<Buffer>;
	/** Any other call below /rest; answers the `data` member. @throws N8nApiError */
	request(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** n8n answered with a status that is not 2xx. */
export class N8nApiError extends Error {
	readonly status: number;
	constructor(status: number, message: string) {
		super(message);
		this.name = 'N8nApiError';
		this.status = status;
	}
}

const EXECUTION_PATIENCE_MS = 120_000;
const OVER = new Set(['success', 'error', 'canceled', 'crashed']);

/** Creates the owner account where there is none yet and logs in as the owner. */
export async function connectN8n(url: string): Promise<N8nClient> {
	const send = createSession(url);
	const request = requestsOver(send);
	const settings = recordIn(await request('GET', '/settings'));
	if (recordIn(settings['userManagement'])['showSetupOnFirstLoad'] === true) {
		await request('POST', '/owner/setup', OWNER);
	}
	const { email, password } = OWNER;
	// `email` is what n8n 1.x asks for.
	await request('POST', '/login', { emailOrLdapLoginId: email, email, password });
	return createClient(send, request);
}

type Request = N8nClient['request'];

type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

/** Cookie and browser id: n8n ties a session to both. Rejects with N8nApiError where the status is not 2xx. */
function createSession(url: string): Send {
	const browserId = randomUUID();
	let cookie = '';
	return async (method, path, body) => {
		const response = await fetch(`${url}/rest${path}`, {
			method,
			headers: {
				'browser-id': browserId,
				cookie,
				// n8n closes a connection that was idle for 5 s, perhaps the moment that it is used again.
				connection: 'close',
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(60_000),
		});
		const issued = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (issued !== undefined) cookie = issued.split(';')[0] ?? '';
		if (response.ok) return response;
		const text = await response.text();
		const message = textOf(recordIn(parseJson(text))['message']) ?? text.slice(0, 500);
		throw new N8nApiError(response.status, `${method} /rest${path}: ${response.status} ${message}`);
	};
}

function requestsOver(send: Send): Request {
	return async (method, path, body) => {
		const response = await send(method, path, body);
		return recordIn(parseJson(await response.text()))['data'];
	};
}

function createClient(send: Send, request: Request): N8nClient {
	const loadExecution = async (id: string) =>
		readExecution(recordIn(await request('GET', `/executions/${id}`)));

	const finished = async (id: string, patienceMs = EXECUTION_PATIENCE_MS): Promise<Execution> => {
		const deadline = Date.now() + patienceMs;
		for (;;) {
			const execution = await loadExecution(id);
			if (OVER.has(execution.status) && !isHalfStored(execution)) return execution;
			if (Date.now() > deadline) {
				throw new Error(`Execution ${id} is still "${execution.status}" after ${patienceMs} ms`);
			}
			await pause(100);
		}
	};

	const ask = (question: ParameterQuestion) => ({
		path: question.path,
		methodName: question.methodName,
		nodeTypeAndVersion: { name: question.nodeType, version: 1 },
		currentNodeParameters: question.parameters,
		credentials: question.credentials,
	});

	return {
		request,
		finished,
		async testCredential(type, data) {
			const credentials = { id: '', name: 'test', type, data };
			const result = recordIn(await request('POST', '/credentials/test', { credentials }));
			return { status: textOf(result['status']) ?? '', message: textOf(result['message']) ?? '' };
		},
		async createCredential(name, type, data) {
			return { id: idOf(await request('POST', '/credentials', { name, type, data })), name };
		},
		async createWorkflow(workflow) {
			// n8n 1.x insists on `active`, later versions ignore it.
			const body = { settings: { executionOrder: 'v1' }, ...workflow, active: false };
			return { id: idOf(await request('POST', '/workflows', body)) };
		},
		async updateWorkflow(id, workflow) {
			await request('PATCH', `/workflows/${id}?forceSave=true`, workflow);
		},
		async activate(id) {
			const { versionId } = recordIn(await request('GET', `/workflows/${id}`));
			await otherwise(
				() => request('POST', `/workflows/${id}/activate`, { versionId }),
				() => request('PATCH', `/workflows/${id}`, { active: true, versionId }),
			);
			await published(request, id);
		},
		async deactivate(id) {
			await otherwise(
				() => request('POST', `/workflows/${id}/deactivate`, {}),
				() => request('PATCH', `/workflows/${id}`, { active: false }),
			);
		},
		async run(id, fromNode, patienceMs) {
			const workflowData = await request('GET', `/workflows/${id}`);
			const body = { workflowData, triggerToStartFrom: { name: fromNode } };
			const { executionId } = recordIn(await request('POST', `/workflows/${id}/run`, body));
			return await finished(String(executionId), patienceMs);
		},
		async executions(workflowId) {
			const filter = encodeURIComponent(JSON.stringify({ workflowId }));
			const list = recordIn(await request('GET', `/executions?limit=100&filter=${filter}`));
			const over = recordsOf(list['results']).filter((row) =>
				OVER.has(textOf(row['status']) ?? ''),
			);
			const ids = over.map(idOf).sort((a, b) => Number(a) - Number(b));
			return await Promise.all(ids.map(loadExecution));
		},
		async searchList(question, page = {}) {
			const answer = recordIn(
				await request('POST', '/dynamic-node-parameters/resource-locator-results', {
					...ask(question),
					filter: page.filter,
					paginationToken: page.next,
				}),
			);
			const entries = recordsOf(answer['results']).map((entry) => ({
				name: textOf(entry['name']) ?? '',
				value: textOf(entry['value']) ?? '',
				url: textOf(entry['url']),
				description: textOf(entry['description']),
			}));
			return { entries, next: textOf(answer['paginationToken']) };
		},
		async mapperColumns(question) {
			const answer = recordIn(
				await request('POST', '/dynamic-node-parameters/resource-mapper-fields', ask(question)),
			);
			return { fields: recordsOf(answer['fields']), notice: textOf(answer['emptyFieldsNotice']) };
		},
		async binaryContent(binary) {
			const { id, data } = recordIn(binary);
			// Without an id the bytes are in the execution itself (n8n 1.x keeps them so unless told otherwise).
			if (id === undefined) return Buffer.from(textOf(data) ?? '', 'base64');
			const query = new URLSearchParams({ id: textOf(id) ?? '', action: 'download' });
			const response = await send('GET', `/binary-data?${query.toString()}`);
			return Buffer.from(await response.arrayBuffer());
		},
	};
}

/** n8n 1.x has no route for activation: its workflow is updated instead. */
async function otherwise(
	first: () => Promise<unknown>,
	second: () => Promise<unknown>,
): Promise<void> {
	try {
		await first();
	} catch (error) {
		if (!(error instanceof N8nApiError) || error.status !== 404) throw error;
		await second();
	}
}

/** Since 2.3x activation is a queued publication; where that is off, n8n answers 404 and all is done already. */
async function published(request: Request, id: string): Promise<void> {
	const deadline = Date.now() + EXECUTION_PATIENCE_MS;
	for (;;) {
		const status = await publicationStatus(request, id);
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

async function publicationStatus(request: Request, id: string): Promise<JsonRecord | undefined> {
	try {
		return recordIn(await request('GET', `/workflows/${id}/publication-status`));
	} catch (error) {
		if (error instanceof N8nApiError && error.status === 404) return undefined;
		throw error;
	}
}

function readExecution(row: JsonRecord): Execution {
	const stored = textOf(row['data']);
	const data = stored === undefined ? {} : recordIn(parseFlatted(stored));
	const result = recordIn(data['resultData']);
	const runs = recordIn(result['runData']);
	const error = recordIn(result['error']);
	const message = textOf(error['message']);
	const firstRun = (node: string) => recordIn(recordsOf(runs[node])[0]);
	return {
		id: idOf(row),
		workflowId: textOf(row['workflowId']) ?? '',
		status: textOf(row['status']) ?? '',
		mode: textOf(row['mode']) ?? '',
		startedAt: textOf(row['startedAt']),
		error:
			message === undefined
				? undefined
				: {
						message,
						description: textOf(error['description']),
						node: textOf(recordIn(error['node'])['name']),
					},
		items: (node, output = 0) => {
			const main = recordIn(firstRun(node)['data'])['main'];
			const items: unknown = Array.isArray(main) ? main[output] : undefined;
			return recordsOf(items).map((item) => ({
				json: recordIn(item['json']),
				binary: recordIn(item['binary']),
				pairedItem: item['pairedItem'],
			}));
		},
		hints: (node) =>
			recordsOf(firstRun(node)['hints']).flatMap((hint) => textOf(hint['message']) ?? []),
		data,
	};
}

/** n8n 1.x stores an execution's status before its data: for a moment a success has run no node. */
function isHalfStored({ status, data }: Execution): boolean {
	const runs = recordIn(recordIn(data['resultData'])['runData']);
	return status === 'success' && Object.keys(runs).length === 0;
}

function recordIn(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}

function idOf(value: unknown): string {
	const { id } = recordIn(value);
	if (typeof id === 'number') return String(id);
	const text = textOf(id);
	if (text === undefined) throw new Error('n8n answered without an id');
	return text;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
