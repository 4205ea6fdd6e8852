import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

type Method<Parameters extends unknown[], Result> = (
	this: ILoadOptionsFunctions,
	...parameters: Parameters
) => Promise<Result>;

/** Search methods of the resource locators, by the names in the fields. */
export const listSearch = {
	searchFiles: lazily(async () => (await import('./chosenLists')).searchFiles),
	searchInspections: lazily(async () => (await import('./recentLists')).searchInspections),
	searchSections: lazily(async () => (await import('./chosenLists')).searchSections),
	searchTeams: lazily(async () => (await import('./recentLists')).searchTeams),
	searchTemplates: lazily(async () => (await import('./recentLists')).searchTemplates),
};

export const loadOptions = {
	getOutputFields: lazily(async () => (await import('./chosenLists')).getOutputFields),
};

export const resourceMapping = {
	getQuestionColumns: lazily(async () => (await import('./questionColumns')).getQuestionColumns),
};

/** Loads a method when the editor first calls it, and throws its errors as n8n's. */
function lazily<Parameters extends unknown[], Result>(
	load: () => Promise<Method<Parameters, Result>>,
): Method<Parameters, Result> {
	return async function (...parameters) {
		const method = await load();
		return await method.apply(this, parameters).catch(async (cause: unknown) => {
			const { thrownError } = await import('../output/nodeError');
			throw thrownError(this.getNode(), cause);
		});
	};
}

/** Tests a credential. Both nodes define this test, because n8n uses the test of whichever node it finds first. */
export async function inspectionServiceApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { testCredential } = await import('../transport/credentialTest');
	return await testCredential(this, credential);
}
