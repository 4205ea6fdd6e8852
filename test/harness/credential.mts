/**
 * The values of a credential of the type `inspectionServiceApi`. A credential from an earlier version can lack the
 * optional fields.
 */
export interface Credential {
	baseUrl: string;
	apiKey: string;
	/** Whether to show the advanced fields. If it isn't true, n8n omits the two fields below. */
	advanced?: boolean;
	createPath?: string;
	dataFilterFormat?: string;
}

export const CREDENTIAL_TYPE = 'inspectionServiceApi';
