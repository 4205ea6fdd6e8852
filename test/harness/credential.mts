/** What the credential `inspectionServiceApi` holds; the advanced fields may be missing, as in an old credential. */
export interface Credential {
	baseUrl: string;
	apiKey: string;
	createPath?: string;
	dataFilterFormat?: 'brackets' | 'json';
}

/** The name of the credential's type. */
export const CREDENTIAL_TYPE = 'inspectionServiceApi';
