/** What the credential `inspectionServiceApi` holds; the advanced fields may be missing, as in an old credential. */
export interface Credential {
	baseUrl: string;
	apiKey: string;
	/** Without it n8n leaves out the two below. */
	advanced?: boolean;
	createPath?: string;
	dataFilterFormat?: string;
}

export const CREDENTIAL_TYPE = 'inspectionServiceApi';
