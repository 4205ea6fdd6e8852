import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchItems,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { listName } from '../domain/template/editorNames';
import { testCredential } from '../transport/credentialTest';
import { nodeError } from '../transport/nodeError';
import { searchFiles } from './fileSearch';
import { literalValue } from './literalValue';
import { searchInspections, searchTeams, searchTemplates } from './locatorLists';
import { getOutputFields, searchSections } from './outputLists';
import { getQuestionColumns } from './questionColumns';
import type { ListSearch } from './recentList';

/**
 * The lists of the resource locators, by the method names that the fields have. Each name is one clean line, and n8n
 * works each value out to what the service sent (`literalValue`).
 */
export const listSearch = {
	searchFiles: withCleanNames(searchFiles),
	searchInspections: withCleanNames(searchInspections),
	searchSections: withCleanNames(searchSections),
	searchTeams: withCleanNames(searchTeams),
	searchTemplates: withCleanNames(searchTemplates),
};

/** The lists of other fields, in the same way. */
export const loadOptions = {
	async getOutputFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const options = await getOutputFields.call(this).catch(failWith(this));
		return options.map(withShownName);
	},
};

/** The columns of the resource mapper and their choices, in the same way. */
export const resourceMapping = {
	async getQuestionColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const columns = await getQuestionColumns.call(this).catch(failWith(this));
		return { ...columns, fields: columns.fields.map(withCleanName) };
	},
};

/** Fails with an error that the editor can show, whatever was thrown. */
function failWith(context: ILoadOptionsFunctions): (cause: unknown) => never {
	return (cause) => {
		throw nodeError(context.getNode(), cause);
	};
}

function withCleanNames(search: ListSearch): ListSearch {
	return async function (filter, paginationToken) {
		const found = await search.call(this, filter, paginationToken).catch(failWith(this));
		return { ...found, results: found.results.map(withShownName) };
	};
}

/** An entry without a name that can be shown has its value as the name. */
function withShownName<Entry extends INodePropertyOptions | INodeListSearchItems>(
	entry: Entry,
): Entry {
	const { name, value } = entry;
	const shown = listName(name) || listName(String(value));
	return { ...entry, name: shown, value: typeof value === 'string' ? literalValue(value) : value };
}

function withCleanName(column: ResourceMapperField): ResourceMapperField {
	const { id, displayName, options } = column;
	const name = listName(displayName) || listName(id);
	if (options === undefined) return { ...column, displayName: name };
	return { ...column, displayName: name, options: options.map(withShownName) };
}

/** What the editor asks when a credential is saved. Both nodes have it, because n8n takes the first node that has one. */
export async function inspectionServiceApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await testCredential(this, credential);
}
