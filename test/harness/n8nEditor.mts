/** What n8n's editor asks behind a person's back, and shows; the demo needs none of it. */
import { type JsonRecord, recordsOf, textOf } from '#connector/domain/json.ts';
import type { N8nClient } from '#sandbox/demo/n8nClient.mts';
import { recordIn } from '#sandbox/demo/n8nExecution.mts';

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

/**
 * `{status: 'OK' | 'Error', message}`: saves a credential and tests it, as the editor of every version does (n8n 1.x
 * tests none that is not saved).
 */
export async function testCredential(client: N8nClient, type: string, data: JsonRecord) {
	const saved = await client.createCredential('To be tested', type, data);
	const credentials = { ...saved, type, data };
	const result = recordIn(await client.request('POST', '/credentials/test', { credentials }));
	return { status: textOf(result['status']) ?? '', message: textOf(result['message']) ?? '' };
}

/** One page of a searchable list; `next` is what to ask the following page with. */
export async function searchList(
	client: N8nClient,
	question: ParameterQuestion,
	page: { filter?: string; next?: string } = {},
): Promise<{ entries: JsonRecord[]; next: string | undefined }> {
	const { filter, next: paginationToken } = page;
	const found = await ask(client, 'resource-locator-results', question, {
		filter,
		paginationToken,
	});
	return { entries: recordsOf(found['results']), next: textOf(found['paginationToken']) };
}

/** A resource mapper's columns as the editor gets them: `{fields, emptyFieldsNotice?}`. */
export async function mapperColumns(
	client: N8nClient,
	question: ParameterQuestion,
): Promise<{ fields: JsonRecord[]; notice: string | undefined }> {
	const found = await ask(client, 'resource-mapper-fields', question);
	return { fields: recordsOf(found['fields']), notice: textOf(found['emptyFieldsNotice']) };
}

async function ask(client: N8nClient, what: string, question: ParameterQuestion, more = {}) {
	const { nodeType: name, parameters: currentNodeParameters, ...asked } = question;
	const nodeTypeAndVersion = { name, version: 1 };
	const body = { ...asked, nodeTypeAndVersion, currentNodeParameters, ...more };
	return recordIn(await client.request('POST', `/dynamic-node-parameters/${what}`, body));
}

/** The bytes behind an output item's `binary.<property>`, as the editor's "Download" gets them. */
export async function binaryContent(client: N8nClient, binary: unknown): Promise<Buffer> {
	const { id, data } = recordIn(binary);
	// Without an id the bytes are in the execution itself (n8n 1.x keeps them so unless told otherwise).
	if (id === undefined) return Buffer.from(textOf(data) ?? '', 'base64');
	const query = new URLSearchParams({ id: textOf(id) ?? '', action: 'download' });
	const response = await client.send('GET', `/binary-data?${query.toString()}`);
	return Buffer.from(await response.arrayBuffer());
}
