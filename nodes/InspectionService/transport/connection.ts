import type { ICredentialsDecrypted } from 'n8n-workflow';

import type { DataFilterFormat } from '../domain/list/inspectionQuery';
import type { Deadline, ServiceContext } from './deadline';

/** What a credential says, as the requests need it. */
export interface ServiceSettings {
	/** Without a trailing slash. */
	readonly baseUrl: string;
	readonly createPath: string;
	readonly dataFilterFormat: DataFilterFormat;
}

/** What all requests of one client share. */
export interface Connection extends ServiceSettings {
	readonly context: ServiceContext;
	/** Without it n8n would read and decrypt the credential anew for every request. */
	readonly credential: ICredentialsDecrypted;
	/** Takes the API key out of a text. */
	readonly redact: (text: string) => string;
	readonly deadline: Deadline;
}
