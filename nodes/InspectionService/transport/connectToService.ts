import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';

import { normaliseApiKey, redactorOf } from '../domain/request/apiKey';
import { normaliseBaseUrl, normaliseCreatePath } from '../domain/request/serviceAddress';
import type { ServiceAddress } from './connection';
import { Deadline, type ServiceContext } from './deadline';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { nodeError } from './nodeError';
import { clientOf } from './serviceCalls';
import { REAL_TIMING, type Timing } from './timing';

interface ClientOptions {
	timing?: Timing;
}

/**
 * The client for a poll or a look-up of the editor: they have no items, so the credential is read once, for the node.
 * Throws what `clientForCredential` throws.
 */
export async function connectToService(
	context: ServiceContext,
	options: ClientOptions = {},
): Promise<InspectionServiceClient> {
	const credential = await context.getCredentials('inspectionServiceApi');
	return clientForCredential(context, credential, options);
}

/**
 * The client for a credential as n8n decrypted it. One client is one connection: when the service refuses one of its
 * requests as one too many (429), all of them slow down. No request is made yet. Throws NodeOperationError where the
 * credential's API key, base URL or create path cannot be used.
 */
export function clientForCredential(
	context: ServiceContext,
	data: ICredentialDataDecryptedObject,
	{ timing = REAL_TIMING }: ClientOptions = {},
): InspectionServiceClient {
	const node = context.getNode();
	const { id, name = '' } = node.credentials?.inspectionServiceApi ?? {};
	const { apiKey, ...address } = settingsOf(node, data);
	return clientOf({
		context,
		address,
		credential: { id: id ?? '', name, type: 'inspectionServiceApi', data: { ...data, apiKey } },
		redact: redactorOf(apiKey),
		deadline: new Deadline(context, timing),
	});
}

function settingsOf(
	node: INode,
	credential: ICredentialDataDecryptedObject,
): ServiceAddress & { apiKey: string } {
	try {
		return {
			apiKey: normaliseApiKey(credential.apiKey),
			baseUrl: normaliseBaseUrl(credential.baseUrl),
			createPath: normaliseCreatePath(credential.createPath),
			dataFilterFormat: credential.dataFilterFormat === 'json' ? 'json' : 'brackets',
		};
	} catch (error) {
		throw nodeError(node, error);
	}
}
