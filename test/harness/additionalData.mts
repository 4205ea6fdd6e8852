import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeParameters,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { builtPackage } from './builtPackage.mts';
import { type Credential, CREDENTIAL_TYPE } from './credential.mts';
import { core, workflow as n8n } from './n8nCore.mts';

class TestCredentials extends n8n.ICredentialsHelper {
	private readonly credential: Credential;

	constructor(credential: Credential) {
		super();
		this.credential = credential;
	}

	// The members that n8n calls while it runs a node.
	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	preAuthentication = async () => await Promise.resolve(undefined);
	runPreAuthentication = async () => await Promise.resolve(undefined);
	getCredentialsProperties = () => [];
	// The members that n8n calls only to store a credential, which these tests never do.
	getCredentials = notInThisTest;
	updateCredentials = notInThisTest;
	updateCredentialsOauthTokenData = notInThisTest;

	/** Adds authentication to a request. Like n8n's own helper, this passes the request to the credential's function. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = builtPackage.getCredential(CREDENTIAL_TYPE).type;
		if (typeof authenticate !== 'function')
			throw new Error('The credential has no function authenticate');
		const options =
			'url' in request ? request : { ...request, url: '', body: undefined, timeout: undefined };
		return await authenticate(credentials, options);
	}

	/**
	 * Returns the credential as n8n's own helper does: with the fields' defaults, and with expressions evaluated for the
	 * item.
	 */
	async getDecrypted(
		...[additionalData, , , mode, executeData, , at]: Parameters<
			InstanceType<typeof n8n.ICredentialsHelper>['getDecrypted']
		>
	): Promise<ICredentialDataDecryptedObject> {
		if (at === undefined) return { ...this.credential };
		const { properties } = builtPackage.getCredential(CREDENTIAL_TYPE).type;
		const given: INodeParameters = { ...this.credential };
		const data = n8n.NodeHelpers.getNodeParameters(properties, given, true, false, null, null);
		if (data === null) throw new Error('the credential has no fields');
		const read = at.workflow.expression.getParameterValue(
			data,
			at.runExecutionData,
			at.runIndex,
			at.itemIndex,
			at.node.name,
			at.connectionInputData,
			mode,
			core.getAdditionalKeys(additionalData, mode, at.runExecutionData),
			executeData,
			false,
			data,
		);
		return read as ICredentialDataDecryptedObject;
	}
}

/**
 * Returns the data that n8n's server passes to every run of a node. It has the credential, and addresses that tests
 * don't use.
 */
export function additionalDataFor(credential: Credential): IWorkflowExecuteAdditionalData {
	const url = 'http://127.0.0.1:5678/';
	return {
		credentialsHelper: new TestCredentials(credential),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		restApiUrl: url,
		instanceBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		mcpBaseUrl: url,
		mcpTestBaseUrl: url,
		variables: {},
		externalSecretsProxy: new core.ExternalSecretsProxy(),
		executeWorkflow: notInThisTest,
		getRunExecutionData: notInThisTest,
		getRuntimeCredential: notInThisTest,
		startRunnerTask: notInThisTest,
		logAiEvent: notInThisTest,
	};
}

function notInThisTest(): never {
	throw new Error('These tests run without an n8n server');
}
