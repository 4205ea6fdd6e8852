/** Values of the credential `inspectionServiceApi`. The advanced fields can be missing, as in an old credential. */
export interface Credential {
	baseUrl: string;
	apiKey: string;
	/** Without it, n8n omits the two fields below. */
	advanced?: boolean;
	createPath?: string;
	dataFilterFormat?: string;
}

export const CREDENTIAL_TYPE = 'inspectionServiceApi';
