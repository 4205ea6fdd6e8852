/** Requests that n8n's editor sends in the background, for tests only. */
import type { N8nClient } from '#sandbox/demo/n8nClient.mts';
import { recordIn } from '#sandbox/demo/n8nExecution.mts';
import { type JsonRecord, recordsOf, textOf } from '#sandbox/json.mts';

/** The action node whose panel is open in the editor. */
interface OpenNode {
	type: string;
	parameters: JsonRecord;
	credentials?: JsonRecord;
}

/**
 * Saves and tests a credential. Saving is necessary because n8n 1.x tests only saved credentials. `status` in the
 * result is OK or Error.
 */
export async function testCredential(client: N8nClient, type: string, data: JsonRecord) {
	const saved = await client.createCredential('To be tested', type, data);
	const credentials = { ...saved, type, data };
	const result = recordIn(await client.request('POST', '/credentials/test', { credentials }));
	return { status: textOf(result['status']) ?? '', message: textOf(result['message']) ?? '' };
}

/** Returns the columns of Create's mapper. */
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

/** Returns the bytes of an output item's file, as the editor's button "Download" requests them. */
export async function binaryContent(client: N8nClient, binary: unknown): Promise<Buffer> {
	const { id, data } = recordIn(binary);
	// A file without an ID is stored in the execution itself, which is the default of n8n 1.x.
	if (id === undefined) return Buffer.from(textOf(data) ?? '', 'base64');
	const query = new URLSearchParams({ id: textOf(id) ?? '', action: 'download' });
	const response = await client.send('GET', `/binary-data?${query.toString()}`);
	return Buffer.from(await response.arrayBuffer());
}
