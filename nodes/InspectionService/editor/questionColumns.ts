import {
	type ILoadOptionsFunctions,
	NodeApiError,
	NodeOperationError,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { isRecord, type JsonRecord } from '../domain/json';
import { htmlText } from '../domain/shownText';
import { questionsOf } from '../domain/template/questions';
import { SHOWN_QUESTIONS, traitsOf } from '../fields/formTraits';
import { templateReference } from '../fields/locators';
import { connectToService } from '../transport/connectToService';
import { goneColumns, type QuestionColumn } from './goneColumns';
import { isUnresolved } from './outputTemplate';
import { templateColumns } from './templateColumns';

/**
 * The mapper's columns for the chosen template in the order of the form: one per question, and before the first
 * question of a repeatable section one for the section. Where there are none, a notice says why and what to do.
 *
 * A saved mapping must not get lost. n8n 2.41 asks for the columns whenever the node is opened, and drops every value
 * whose column does not come back. So the column of a question that the template has lost comes back (`goneColumns`).
 * Where the template is not known yet or cannot be read, an error is thrown: after an error n8n keeps the mapping as it
 * is.
 */
export async function getQuestionColumns(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const locator: unknown = this.getCurrentNodeParameter('templateId');
	const mapping = savedMapping(this.getCurrentNodeParameter('responses'));
	try {
		const reference = isUnresolved(locator) ? undefined : templateReference(locator);
		if (reference === undefined) throw new InputError(nothingChosen(locator));
		const service = await connectToService(this);
		const template = await service.getTemplate(reference, { includeControls: true });
		return { fields: columnsOf(template, mapping) };
	} catch (error) {
		const emptyFieldsNotice = noticeOf(error);
		if (mapping.columns.length === 0) return { fields: [], emptyFieldsNotice };
		throw new NodeOperationError(this.getNode(), emptyFieldsNotice);
	}
}

/** The mapping that is saved in the workflow, as n8n hands it over. */
interface SavedMapping {
	columns: QuestionColumn[];
	/** Ids of the columns that have a value. */
	mapped: ReadonlySet<string>;
	/** True until n8n has asked for columns for the first time, with or without success. */
	isNew: boolean;
}

function savedMapping(responses: unknown): SavedMapping {
	const { schema, value }: Record<string, unknown> = isRecord(responses) ? responses : {};
	return {
		columns: Array.isArray(schema) ? schema.filter(isColumn) : [],
		mapped: new Set(isRecord(value) ? Object.keys(value) : []),
		isNew: !isRecord(value),
	};
}

function isColumn(value: unknown): value is QuestionColumn {
	return isRecord(value) && typeof value.id === 'string' && typeof value.displayName === 'string';
}

/** A notice that says why there are no columns. n8n 2.41 shows no error in this place, but it shows a notice, as HTML. */
function noticeOf(error: unknown): string {
	if (error instanceof NodeApiError && error.httpCode === '404') {
		return 'This template was not found: it was deleted, or belongs to another organization. Check its ID or identifier, or choose another template.';
	}
	return htmlText(error instanceof Error ? error.message : String(error));
}

function nothingChosen(locator: unknown): string {
	return isUnresolved(locator)
		? 'The template comes from an expression without a value yet. Run the nodes before this one, or map the answers automatically.'
		: 'Choose a template first: its questions appear here.';
}

const NO_QUESTIONS =
	'This template has no questions that can be answered here. Add questions to it and publish it, then refresh this list. Without answers, an inspection can be created all the same.';

/** @throws InputError where the template has no questions */
function columnsOf(template: JsonRecord, mapping: SavedMapping): QuestionColumn[] {
	const all = questionsOf(template);
	if (all.questions.length === 0) throw new InputError(NO_QUESTIONS);
	const templateId = guidOf(template.id) ?? '';
	const made = templateColumns(all, mapping.mapped).map((column) => ({
		...column,
		template: templateId,
	}));
	const [first, ...others] = [
		...goneColumns(made, mapping, templateId),
		...withoutFlood(made, mapping),
	];
	return first === undefined ? [] : [{ ...first, traits: traitsOf(all) }, ...others];
}

/**
 * The columns without the many that n8n would show all at once. After its first request n8n 2.41 shows every column that
 * the mapping does not know, `removed` or not. Where that first request failed, a long template would then fill the
 * panel, for example with 850 columns. Columns left out come back when the user chooses the template again.
 */
function withoutFlood(
	columns: QuestionColumn[],
	{ columns: saved, mapped, isNew }: SavedMapping,
): QuestionColumn[] {
	const known = new Set([...saved.map(({ id }) => id), ...mapped]);
	const isUnknown = ({ id }: QuestionColumn) => !known.has(id);
	if (isNew || columns.filter(isUnknown).length <= SHOWN_QUESTIONS) return columns;
	return columns.filter((column) => !isUnknown(column) || column.removed !== true);
}
