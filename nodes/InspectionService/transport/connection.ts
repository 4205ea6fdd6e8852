import type { ICredentialsDecrypted } from 'n8n-workflow';

import type { DataFilterFormat } from '../domain/list/inspectionQuery';
import type { Deadline, ServiceContext } from './deadline';

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
