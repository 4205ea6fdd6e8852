export type ServiceOperation =
	| 'getTemplate'
	| 'createInspection'
	| 'listInspections'
	| 'getFileUrl'
	| 'testCredential'
	| 'downloadFile';

export interface RequestInfo {
	operation: ServiceOperation;
	/** Empty text if the address isn't known yet. */
	baseUrl: string;
	path: string;
	/** The template ID or identifier that the user entered. */
	template?: string;
}

/** A complete response. */
export interface ServiceResponse {
	status: number;
	/** The headers. Their names are in lowercase. */
	headers: Readonly<Record<string, unknown>>;
	body: string;
	/** When the response arrived by n8n's clock, in ms since 1970. */
	receivedAt: number;
	/** Replaces the API key in text for an error. */
	redact: (text: string) => string;
}
