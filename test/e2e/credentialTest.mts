import type { JsonRecord } from '../../nodes/InspectionService/domain/json.ts';
import type { N8nClient } from '../../sandbox/demo/n8nClient.mts';
import { CREDENTIAL_TYPE } from './connectorWorkflow.mts';

/**
 * Saves a credential and tests it, as the editor of every version does: n8n 1.x tests none that is not saved.
 * Answers n8n's `{status: 'OK' | 'Error', message}`.
 */
export async function testSavedCredential(client: N8nClient, data: JsonRecord): Promise<unknown> {
	const saved = await client.createCredential('To be tested', CREDENTIAL_TYPE, data);
	const credentials = { ...saved, type: CREDENTIAL_TYPE, data };
	return await client.request('POST', '/credentials/test', { credentials });
}
