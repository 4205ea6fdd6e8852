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
