import type { ICredentialDataDecryptedObject, ICredentialsDecrypted } from 'n8n-workflow';

import type { DataFilterFormat } from '../domain/list/inspectionQuery';
import { normaliseApiKey, redactorOf } from '../domain/request/apiKey';
import { normaliseBaseUrl, normaliseCreatePath } from '../domain/request/serviceAddress';
import { Deadline, type ServiceContext, type Timing } from './deadline';

/** Settings from a credential, normalized for requests. */
export interface ServiceSettings {
	/** Has no trailing slash. */
	readonly baseUrl: string;
	readonly createPath: string;
	readonly dataFilterFormat: DataFilterFormat;
}

/** State shared by all requests of one client. */
export interface Connection extends ServiceSettings {
	readonly context: ServiceContext;
	/** Passed with each request so that n8n doesn't read and decrypt the credential every time. */
	readonly credential: ICredentialsDecrypted;
	/** Removes the API key from text. */
	readonly redact: (text: string) => string;
	readonly deadline: Deadline;
}

/** Throws InputError if the credential is unusable. */
export function connectionTo(
	context: ServiceContext,
	data: ICredentialDataDecryptedObject,
	timing: Timing,
): Connection {
	const { id, name = '' } = context.getNode().credentials?.inspectionServiceApi ?? {};
	const { apiKey, ...settings } = settingsOf(data);
	const credential: ICredentialsDecrypted = {
		id: id ?? '',
		name,
		type: 'inspectionServiceApi',
		data: { ...data, apiKey },
	};
	const redact = redactorOf(apiKey);
	return { ...settings, context, credential, redact, deadline: new Deadline(context, timing) };
}

/** Normalizes a credential's settings. Throws InputError if one can't be used. */
export function settingsOf(
	data: ICredentialDataDecryptedObject,
): ServiceSettings & { apiKey: string } {
	const dataFilterFormat = data.dataFilterFormat === 'json' ? 'json' : 'brackets';
	return {
		apiKey: normaliseApiKey(data.apiKey),
		baseUrl: normaliseBaseUrl(data.baseUrl),
		createPath: normaliseCreatePath(data.createPath),
		dataFilterFormat,
	};
}
