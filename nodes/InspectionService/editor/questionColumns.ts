import {
	type ILoadOptionsFunctions,
	NodeApiError,
	NodeOperationError,
	type ResourceMapperField,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { isRecord, type JsonRecord } from '../domain/json';
import { htmlText } from '../domain/shownText';
import { questionsOf } from '../domain/template/templateQuestions';
import { templateReference } from '../fields/templateLocator';
import { connectToService } from '../transport/connectToService';
import { SHOWN_QUESTIONS, templateColumns } from './templateColumns';

/**
 * The mapper's columns for the chosen template in the order of the form: one per question, and before the first
 * question of a repeatable section one for the section. Where there are none, a notice says why and what to do.
 *
 * A mapping that was saved stays: n8n 2.41 asks again whenever the node is opened, and takes every value away whose
 * column is not in the answer. While the template is not known, the answer is what was saved; where it cannot be
 * had, an error, which n8n takes as no answer.
 */
export async function getQuestionColumns(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const locator: unknown = this.getCurrentNodeParameter('templateId');
	const mapping = savedMapping(this.getCurrentNodeParameter('responses'));
	const saved = mapping.columns;
	try {
		const reference = isUnresolved(locator) ? undefined : templateReference(locator);
		if (reference === undefined) {
			return saved.length > 0 ? { fields: saved } : notice(nothingChosen(locator));
		}
		const service = await connectToService(this);
		const template = await service.getTemplate(reference, { includeControls: true });
		const columns = columnsOf(template, mapping);
		if (columns.fields.length > 0 || saved.length === 0) return columns;
		throw new InputError(columns.emptyFieldsNotice ?? '');
	} catch (error) {
		const told = noticeOf(error);
		if (saved.length === 0) return told;
		throw new NodeOperationError(this.getNode(), told.emptyFieldsNotice ?? '');
	}
}

/** A mapping as n8n handed it over. */
interface SavedMapping {
	columns: ResourceMapperField[];
	/** Ids of the columns that have a value. */
	mapped: ReadonlySet<string>;
	/** True until n8n has asked for columns once, with or without success. */
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

function isColumn(value: unknown): value is ResourceMapperField {
	return isRecord(value) && typeof value.id === 'string' && typeof value.displayName === 'string';
}

/** Why there are no columns: n8n 2.41 shows nothing of an error here, but a notice as HTML. */
function noticeOf(error: unknown): ResourceMapperFields {
	if (error instanceof NodeApiError && error.httpCode === '404') {
		return notice(
			'This template was not found: it was deleted, or belongs to another organization. Check its ID or identifier, or choose another template.',
		);
	}
	return notice(htmlText(error instanceof Error ? error.message : String(error)));
}

/** An expression that the editor could not work out is handed over as its text. */
function isUnresolved(locator: unknown): boolean {
	const value = isRecord(locator) ? locator.value : locator;
	return typeof value === 'string' && value.startsWith('=');
}

function nothingChosen(locator: unknown): string {
	return isUnresolved(locator)
		? 'The template comes from an expression without a value yet. Run the nodes before this one, or map the answers automatically.'
		: 'Choose a template first: its questions appear here.';
}

function notice(emptyFieldsNotice: string): ResourceMapperFields {
	return { fields: [], emptyFieldsNotice };
}

function columnsOf(template: JsonRecord, mapping: SavedMapping): ResourceMapperFields {
	const all = questionsOf(template);
	if (all.questions.length === 0) {
		return notice(
			'This template has no questions that can be answered here. Add questions to it and publish it, then refresh this list. Without answers, an inspection can be created all the same.',
		);
	}
	return { fields: withoutFlood(templateColumns(all, mapping.mapped), mapping) };
}

/**
 * n8n 2.41 shows every column that a mapping does not know yet, `removed` or not, once it has asked for columns:
 * also the 850 that a long template has left after a first try failed. As many are not handed over; choosing the template
 * again brings them.
 */
function withoutFlood(
	columns: ResourceMapperField[],
	{ columns: saved, mapped, isNew }: SavedMapping,
): ResourceMapperField[] {
	const known = new Set([...saved.map(({ id }) => id), ...mapped]);
	const isUnknown = ({ id }: ResourceMapperField) => !known.has(id);
	if (isNew || columns.filter(isUnknown).length <= SHOWN_QUESTIONS) return columns;
	return columns.filter((column) => !isUnknown(column) || column.removed !== true);
}
