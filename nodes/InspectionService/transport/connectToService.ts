import { normaliseBaseUrl } from '../domain/baseUrl';
import { normaliseCreatePath } from '../domain/createPath';
import { textOf } from '../domain/json';
import { redactorOf } from '../domain/redaction';
import type { ServiceContext } from './connection';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { Patience } from './patience';
import { clientOf } from './serviceCalls';
import { REAL_TIMING, type Timing } from './timing';

/**
 * The client for the credential of `context`'s node. One client is one connection: its requests share what
 * the service says about too many of them. No request is made yet. Throws InputError where the credential's
 * base URL or create path cannot be used.
 */
export async function connectToService(
	context: ServiceContext,
	{ timing = REAL_TIMING }: { timing?: Timing } = {},
): Promise<InspectionServiceClient> {
	const credential = await context.getCredentials('inspectionServiceApi');
	return clientOf({
		context,
		address: {
			baseUrl: normaliseBaseUrl(credential.baseUrl),
			createPath: normaliseCreatePath(credential.createPath),
			dataFilterFormat: credential.dataFilterFormat === 'json' ? 'json' : 'brackets',
		},
		redact: redactorOf(textOf(credential.apiKey) ?? ''),
		patience: new Patience(context, timing),
	});
}
