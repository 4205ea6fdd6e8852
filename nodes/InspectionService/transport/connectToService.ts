import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';

import { normaliseApiKey } from '../domain/request/apiKey';
import { normaliseBaseUrl } from '../domain/request/baseUrl';
import { normaliseCreatePath } from '../domain/request/createPath';
import { redactorOf } from '../domain/request/redaction';
import type { ServiceAddress } from './connection';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { Deadline } from './deadline';
import { nodeError } from './nodeError';
import { clientOf } from './serviceCalls';
import type { ServiceContext } from './serviceContext';
import { REAL_TIMING, type Timing } from './timing';

/**
 * The client for the credential of `context`'s node. One client is one connection: its requests share what
 * the service says about too many of them. No request is made yet. Throws NodeOperationError where the credential's
 * API key, base URL or create path cannot be used.
 */
export async function connectToService(
	context: ServiceContext,
	{ timing = REAL_TIMING }: { timing?: Timing } = {},
): Promise<InspectionServiceClient> {
	const data = await context.getCredentials('inspectionServiceApi');
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
