import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { testCredential } from '../transport/credentialTest';

/** What the editor asks when a credential is saved. Both nodes have it, because n8n takes the first node that has one. */
export async function inspectionServiceApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await testCredential(this, credential);
}
