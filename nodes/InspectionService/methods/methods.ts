import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import type { ListSearch } from './recentLists';

/** Search methods of the resource locators, by the names in the fields. Values are escaped for n8n (`literalValue`). */
export const listSearch = {
	searchFiles: withCleanNames(async () => (await import('./chosenLists')).searchFiles),
	searchInspections: withCleanNames(async () => (await import('./recentLists')).searchInspections),
	searchSections: withCleanNames(async () => (await import('./chosenLists')).searchSections),
	searchTeams: withCleanNames(async () => (await import('./recentLists')).searchTeams),
	searchTemplates: withCleanNames(async () => (await import('./recentLists')).searchTemplates),
};

export const loadOptions = {
	async getOutputFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { getOutputFields } = await import('./chosenLists');
		const { withShownName } = await import('./literalValue');
		const options = await getOutputFields.call(this).catch(failWith(this));
		return options.map(withShownName);
	},
};

export const resourceMapping = {
	async getQuestionColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const { getQuestionColumns } = await import('./questionColumns');
		const { withCleanName } = await import('./literalValue');
		const columns = await getQuestionColumns.call(this).catch(failWith(this));
		return { ...columns, fields: columns.fields.map(withCleanName) };
	},
};

function failWith(context: ILoadOptionsFunctions): (cause: unknown) => Promise<never> {
	return async (cause) => {
		const { thrownError } = await import('../output/nodeError');
		throw thrownError(context.getNode(), cause);
	};
}

function withCleanNames(load: () => Promise<ListSearch>): ListSearch {
	return async function (filter, paginationToken) {
		const search = await load();
		const { withShownName } = await import('./literalValue');
		const found = await search.call(this, filter, paginationToken).catch(failWith(this));
		return { ...found, results: found.results.map(withShownName) };
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
