import type { ICredentialsDecrypted } from 'n8n-workflow';

import type { DataFilterFormat } from '../domain/list/listQueryString';
import type { Deadline, ServiceContext } from './deadline';

/** What a credential says about the service. */
export interface ServiceAddress {
	/** Without a trailing slash. */
	baseUrl: string;
	/** Path of the create operation, with its leading slash. */
	createPath: string;
	dataFilterFormat: DataFilterFormat;
}

/** Everything that the requests of one execution, poll or look-up share. */
export interface Connection {
	context: ServiceContext;
	address: ServiceAddress;
	/** Handed to n8n's authentication. Without it n8n would read and decrypt the credential anew for every request. */
	credential: ICredentialsDecrypted;
	/** Takes the API key out of text that came from outside. */
	redact: (text: string) => string;
	deadline: Deadline;
}
