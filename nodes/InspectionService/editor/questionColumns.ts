import {
	type ILoadOptionsFunctions,
	NodeOperationError,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { hasStatus } from '../domain/request/requestFailure';
import { htmlText } from '../domain/shownText';
import { NO_QUESTIONS } from '../fields/formTraits';
import { templateReference } from '../fields/locators';
import { connectToService } from '../transport/inspectionServiceClient';
import { resolved } from './chosenLists';
import { savedMapping, templateColumns } from './templateColumns';

const NOTHING_CHOSEN = 'Choose a template first: its questions appear here.';
const NO_VALUE_YET =
	'The template comes from an expression without a value yet. Run the nodes before this one, or map the answers automatically.';

/**
 * The mapper's columns for the chosen template, or a notice why there are none. A saved mapping must not get lost: n8n 2.41
 * drops every value whose column does not come back, but after an error it keeps the mapping as it is.
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

/** n8n 2.41 shows no error in this place, but it shows a notice, as HTML. */
function noticeOf(error: unknown): string {
	if (hasStatus(error, 404)) {
		return 'This template was not found: it was deleted, or belongs to another organization. Check its ID or identifier, or choose another template.';
	}
	return htmlText(error instanceof Error ? error.message : String(error));
}
