import type { ICredentialDataDecryptedObject, ICredentialsDecrypted } from 'n8n-workflow';

import type { DataFilterFormat } from '../domain/list/inspectionQuery';
import { normaliseApiKey, redactorOf } from '../domain/request/apiKey';
import { normaliseBaseUrl, normaliseCreatePath } from '../domain/request/serviceAddress';
import { Deadline, type ServiceContext, type Timing } from './deadline';
import { ResponseBudget } from './responseBody';

/** The settings of a credential, normalized for requests. */
interface ServiceSettings {
	/** The base URL, without a trailing slash. */
	readonly baseUrl: string;
	readonly createPath: string;
	readonly dataFilterFormat: DataFilterFormat;
}

/** State that all requests of one client share. */
export interface Connection extends ServiceSettings {
	readonly context: ServiceContext;
	/**
	 * The decrypted credential. It's passed to n8n with each request, so that n8n doesn't read and decrypt it every time.
	 */
	readonly credential: ICredentialsDecrypted;
	/** Replaces the API key in text, so that the text can be shown or logged. */
	readonly redact: (text: string) => string;
	readonly deadline: Deadline;
	readonly reading: ResponseBudget;
}

/** Creates the connection for a credential. Throws InputError if the credential can't be used. */
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
	const deadline = new Deadline(context, timing);
	return { ...settings, context, credential, redact, deadline, reading: new ResponseBudget() };
}

/** Normalizes the settings of a credential. Throws InputError if a setting can't be used. */
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
