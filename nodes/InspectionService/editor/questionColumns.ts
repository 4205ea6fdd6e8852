import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { sectionColumnId } from '../domain/answer/answerKeys';
import { InputError } from '../domain/inputError';
import { isRecord } from '../domain/json';
import type { JsonRecord } from '../domain/json';
import type { AnswerableType, Question, RepeatableSection } from '../domain/template/question';
import { questionsOf } from '../domain/template/templateQuestions';
import { templateReference } from '../fields/templateLocator';
import { htmlText } from '../domain/shownText';
import { connectToService } from '../transport/connectToService';

const COLUMN_TYPES: Record<AnswerableType, FieldType> = {
	text: 'string',
	'checkIn/location': 'string',
	number: 'number',
	date: 'dateTime',
	radio: 'options',
	checkbox: 'options',
	dropdown: 'options',
};

/**
 * Columns that the panel shows at first. The other optional questions of a longer template wait in its list of
 * questions to add: n8n draws an input for every column shown. Seen with n8n 2.41 and 1000 questions: with 30
 * shown the panel follows the keys, with 100 each key takes a tenth of a second, with all it does not open.
 */
const SHOWN_COLUMNS = 50;

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
	const saved = savedColumns(this.getCurrentNodeParameter('responses'));
	try {
		const reference = isUnresolved(locator) ? undefined : templateReference(locator);
		if (reference === undefined) {
			return saved.length > 0 ? { fields: saved } : notice(nothingChosen(locator));
		}
		const service = await connectToService(this);
		const columns = columnsOf(await service.getTemplate(reference, { includeControls: true }));
		if (columns.fields.length > 0 || saved.length === 0) return columns;
		throw new InputError(columns.emptyFieldsNotice ?? '');
	} catch (error) {
		const told = noticeOf(error);
		if (saved.length === 0) return told;
		throw new NodeOperationError(this.getNode(), told.emptyFieldsNotice ?? '');
	}
}

/** The columns of a saved mapping, as n8n handed them over; empty where nothing is mapped yet. */
function savedColumns(responses: unknown): ResourceMapperField[] {
	const schema: unknown = isRecord(responses) ? responses.schema : undefined;
	return Array.isArray(schema) ? schema.filter(isColumn) : [];
}

function isColumn(value: unknown): value is ResourceMapperField {
	return isRecord(value) && typeof value.id === 'string' && typeof value.displayName === 'string';
}

/** What the user can do about it; anything else is an error of the service, and n8n shows it as one. */
function noticeOf(error: unknown): ResourceMapperFields {
	if (error instanceof InputError) return notice(htmlText(error.message));
	if (error instanceof NodeApiError && error.httpCode === '404') {
		return notice(
			'This template was not found: it was deleted, or belongs to another organization. Check its ID or identifier, or choose another template.',
		);
	}
	throw error;
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

/** The columns of a template that was fetched with its controls. */
export function columnsOf(template: JsonRecord): ResourceMapperFields {
	const { questions, sections } = questionsOf(template);
	if (questions.length === 0) {
		return notice(
			'This template has no questions that can be answered here. Add questions to it and publish it, then refresh this list. Without answers, an inspection can be created all the same.',
		);
	}
	const shown = questions.length > SHOWN_COLUMNS ? SHOWN_COLUMNS : questions.length;
	const columns = new Map<Question | RepeatableSection, ResourceMapperField>();
	questions.forEach((question, place) => {
		const { section } = question;
		if (section && !columns.has(section)) columns.set(section, sectionColumn(section));
		columns.set(question, questionColumn(question, place >= shown && !question.required));
	});
	for (const section of sections) {
		if (!columns.has(section)) columns.set(section, sectionColumn(section));
	}
	return { fields: [...columns.values()] };
}

/**
 * Never required inside a repeatable section: n8n starts no execution while a required column is empty, and
 * lets nobody remove it, so that the section's own column could not be used. The node checks it when it runs.
 */
function questionColumn(question: Question, removed: boolean): ResourceMapperField {
	const type = columnType(question);
	return {
		id: question.fieldId,
		displayName: question.name,
		required: question.required && question.section === null,
		type,
		...(type === 'options' && {
			options: question.choices.map((choice) => ({ name: choice, value: choice })),
		}),
		...column(removed),
	};
}

/** A list without choices would let nobody choose. */
function columnType({ type, choices }: Question): FieldType {
	const usual = COLUMN_TYPES[type];
	return usual === 'options' && choices.length === 0 ? 'string' : usual;
}

/** Starts removed: an array's JSON editor is for those who ask for it (contract). */
function sectionColumn(section: RepeatableSection): ResourceMapperField {
	return {
		id: sectionColumnId(section),
		displayName: section.name,
		required: false,
		type: 'array',
		...column(true),
	};
}

function column(removed: boolean) {
	return { defaultMatch: false, canBeUsedToMatch: false, display: true, removed };
}
