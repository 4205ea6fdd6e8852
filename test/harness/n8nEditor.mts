/** Requests that n8n's editor sends in the background. The demo doesn't need them. */
import type { N8nClient } from '#sandbox/demo/n8nClient.mts';
import { recordIn } from '#sandbox/demo/n8nExecution.mts';
import { type JsonRecord, recordsOf, textOf } from '#sandbox/json.mts';

/** The action node that is open in the editor. */
interface OpenNode {
	type: string;
	parameters: JsonRecord;
	credentials?: JsonRecord;
}

/**
 * Saves a credential and tests it, because n8n 1.x only tests saved ones. Returns `{status: 'OK' | 'Error',
 * message}`.
 */
export async function testCredential(client: N8nClient, type: string, data: JsonRecord) {
	const saved = await client.createCredential('To be tested', type, data);
	const credentials = { ...saved, type, data };
	const result = recordIn(await client.request('POST', '/credentials/test', { credentials }));
	return { status: textOf(result['status']) ?? '', message: textOf(result['message']) ?? '' };
}

/** The columns of Create's mapper. */
export async function mapperColumns(client: N8nClient, node: OpenNode): Promise<JsonRecord[]> {
	const { type: name, parameters: currentNodeParameters, credentials } = node;
	const body = {
		path: 'parameters.responses',
		methodName: 'getQuestionColumns',
		nodeTypeAndVersion: { name, version: 1 },
		currentNodeParameters,
		credentials,
	};
	const path = '/dynamic-node-parameters/resource-mapper-fields';
	return recordsOf(recordIn(await client.request('POST', path, body))['fields']);
}

/** The bytes of an output item's `binary.<property>`, as the editor's "Download" gets them. */
export async function binaryContent(client: N8nClient, binary: unknown): Promise<Buffer> {
	const { id, data } = recordIn(binary);
	// Without an ID, the bytes are in the execution itself, which is the default of n8n 1.x.
	if (id === undefined) return Buffer.from(textOf(data) ?? '', 'base64');
	const query = new URLSearchParams({ id: textOf(id) ?? '', action: 'download' });
	const response = await client.send('GET', `/binary-data?${query.toString()}`);
	return Buffer.from(await response.arrayBuffer());
}
