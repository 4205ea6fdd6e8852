import {
	type ILoadOptionsFunctions,
	NodeOperationError,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { htmlText } from '../domain/formatting';
import { InputError } from '../domain/inputError';
import { hasStatus } from '../domain/request/requestFailure';
import { NO_QUESTIONS } from '../fields/formTraits';
import { templateReference } from '../fields/locators';
import { connectToService } from '../transport/inspectionServiceClient';
import { resolved } from './chosenLists';
import { savedMapping, templateColumns } from './templateColumns';

const NOTHING_CHOSEN = 'Choose a template first: its questions appear here.';
const NO_VALUE_YET =
	'The template is an expression that has no value yet. Run the nodes before this one, or map the answers automatically.';

/**
 * Returns the mapper's columns for the chosen template, or a notice that explains why the list is empty. Throws if a
 * saved mapping would be lost: n8n 2.41 drops every value whose column is missing from the result, but keeps the
 * mapping after an error.
 */
export async function getQuestionColumns(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const locator: unknown = this.getCurrentNodeParameter('templateId');
	const saved = savedMapping(this.getCurrentNodeParameter('responses'));
	try {
		if (locator !== undefined && resolved(locator) === undefined)
			throw new InputError(NO_VALUE_YET);
		const reference = templateReference(locator);
		if (reference === undefined) throw new InputError(NOTHING_CHOSEN);
		const service = await connectToService(this);
		const template = await service.getTemplate(reference, { includeControls: true });
		const fields = templateColumns(template, saved);
		if (fields.length === 0) throw new InputError(NO_QUESTIONS);
		return { fields };
	} catch (error) {
		const emptyFieldsNotice = noticeOf(error);
		if (saved.columns.length === 0) return { fields: [], emptyFieldsNotice };
		throw new NodeOperationError(this.getNode(), emptyFieldsNotice);
	}
}

/** n8n 2.41 doesn't show errors here, but it shows notices, as HTML. */
function noticeOf(error: unknown): string {
	if (hasStatus(error, 404)) {
		return 'This template was not found: it was deleted, or belongs to another organization. Check its ID or identifier, or choose another template.';
	}
	return htmlText(error instanceof Error ? error.message : String(error));
}
