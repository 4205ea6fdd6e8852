import {
	type FieldType,
	type ILoadOptionsFunctions,
	NodeOperationError,
	type ResourceMapperField,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { cleanLine, htmlText, listText } from '../domain/formatting';
import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { isRecord, type JsonRecord, textOf } from '../domain/json';
import { hasStatus } from '../domain/request/requestFailure';
import { formOf } from '../domain/template/form';
import { editorNames, REQUIRED_MARK } from '../domain/template/keys';
import {
	type AnswerableType,
	type Column,
	isQuestion,
	questionsOf,
} from '../domain/template/questions';
import {
	type FormTrait,
	NO_QUESTIONS,
	SHOWN_QUESTIONS,
	TRAITS,
	traitsOf,
} from '../fields/formTraits';
import { templateReference } from '../fields/locators';
import { connectToService } from '../transport/inspectionServiceClient';
import { resolved } from './chosenLists';

const NOTHING_CHOSEN = 'Choose a template first: its questions appear here.';
const NO_VALUE_YET =
	"The template is an expression that has no value yet. Run the nodes before this one, or choose 'Map Automatically'.";

/**
 * Returns the mapper's columns for the chosen template, and a notice for Map Automatically: which names the questions
 * have, or why there are none. Throws if a saved mapping would be lost: n8n 2.41 drops every value whose column is
 * missing from the result, but keeps the mapping after an error.
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
		// n8n 2.41 never clears a notice, so this one replaces an earlier one about a missing template.
		return { fields, emptyFieldsNotice: columnNamesNotice(template) };
	} catch (error) {
		const emptyFieldsNotice = noticeOf(error);
		if (saved.columns.length === 0) return { fields: [], emptyFieldsNotice };
		throw new NodeOperationError(this.getNode(), emptyFieldsNotice);
	}
}

/** Returns the column names that Map Automatically finds, as HTML. Empty Row of Template → Get has the same names. */
function columnNamesNotice(template: JsonRecord): string {
	const { questions, keys } = formOf(template);
	const names = questions.map((one) => keys.keyOf(one) + (one.required ? REQUIRED_MARK : ''));
	const title = cleanLine(textOf(template.name) ?? 'this template');
	const shown = listText(names.slice(0, SHOWN_QUESTIONS), names.length, ' | ');
	return htmlText(`Column names for ${title}: ${shown}`);
}

/** Returns the notice for an error, as HTML. In the mapper, n8n 2.41 shows notices, but not errors. */
function noticeOf(error: unknown): string {
	if (hasStatus(error, 404)) {
		return 'This template was not found: it was deleted, or belongs to another organization. Check its ID or identifier, or choose another template.';
	}
	return htmlText(error instanceof Error ? error.message : String(error));
}

/** A column of n8n's mapper. n8n saves all its properties in the workflow. */
interface QuestionColumn extends ResourceMapperField {
	/** The ID of the column's template. Missing in mappings that weren't created in the editor. */
	template?: string;
	/** Set on the first column only. */
	[TRAITS]?: readonly FormTrait[];
}

/** The mapper's state that a workflow saves. */
interface SavedMapping {
	readonly columns: readonly QuestionColumn[];
	/** IDs of the columns that have a value. */
	readonly mapped: ReadonlySet<string>;
	/** True until n8n requests columns for the first time. */
	readonly isNew: boolean;
}

function savedMapping(responses: unknown): SavedMapping {
	const { schema, value }: Record<string, unknown> = isRecord(responses) ? responses : {};
	const isColumn = (column: unknown): column is QuestionColumn =>
		isRecord(column) && typeof column.id === 'string' && typeof column.displayName === 'string';
	return {
		columns: Array.isArray(schema) ? schema.filter(isColumn) : [],
		mapped: new Set(isRecord(value) ? Object.keys(value) : []),
		isNew: !isRecord(value),
	};
}

/**
 * Returns the mapper's columns in the order of the form: one per question, and one per repeatable section before its
 * first question. Before them, returns columns with a value whose question was removed, so that n8n keeps the value
 * until the user removes it.
 */
export function templateColumns(template: JsonRecord, saved: SavedMapping): QuestionColumn[] {
	const form = questionsOf(template);
	if (form.questions.length === 0) return [];
	const names = editorNames([...form.questions, ...form.sections]);
	const required = form.questions.filter((one) => one.required && one.section === null);
	const shown = new Set<Column>(
		[...new Set([...required, ...form.questions])].slice(0, SHOWN_QUESTIONS),
	);
	const inOrder = new Set(
		form.questions.flatMap((question): Column[] =>
			question.section === null ? [question] : [question.section, question],
		),
	);
	const columns = [...inOrder].map((column) => {
		const isShown = shown.has(column) || saved.mapped.has(column.columnId);
		return columnOf(column, names.get(column), isShown);
	});
	const present = new Set(columns.map(({ id }) => id));
	const id = guidOf(template.id) ?? '';
	const isRemovedQuestion = (column: QuestionColumn) =>
		!present.has(column.id) && saved.mapped.has(column.id) && (column.template ?? id) === id;
	const removedQuestions = saved.columns.filter(isRemovedQuestion).map(
		({ id, displayName, type }): QuestionColumn => ({
			id,
			displayName: REMOVED_QUESTION_MARK + displayName.replace(REMOVED_QUESTION_MARK, ''),
			// Omit the choices, because n8n passes them with their expressions evaluated. A text field shows any value
			// as saved.
			type: type === 'options' ? 'string' : type,
			...UNMATCHED,
			removed: false,
		}),
	);
	return [...removedQuestions, ...withoutFlood(columns, saved)].map((column, index) => ({
		...column,
		...(index === 0 && { [TRAITS]: traitsOf(form) }),
		template: id,
	}));
}

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
 * Never marks a column as required. Otherwise, n8n 2.41 wouldn't run the node while the column is empty, and would name
 * the column by its ID. Sections and questions without choices get a text field, because n8n doesn't change an array
 * that is dragged into a text field.
 */
function columnOf(column: Column, name = column.name, isShown: boolean): QuestionColumn {
	const id = column.columnId;
	const shared = { ...UNMATCHED, removed: !isShown };
	if (!isQuestion(column)) return { id, displayName: name, type: 'string', ...shared };
	const displayName = column.required ? name + REQUIRED_MARK : name;
	const type = COLUMN_TYPES[column.type];
	if (type !== 'options') return { id, displayName, type, ...shared };
	if (column.choices.length === 0) return { id, displayName, type: 'string', ...shared };
	// An empty choice means no answer in n8n.
	const named = column.choices.filter((choice) => choice !== '');
	const options = named.map((choice) => ({ name: choice, value: choice }));
	return { id, displayName, type, options, ...shared };
}

const UNMATCHED = { required: false, defaultMatch: false, canBeUsedToMatch: false, display: true };

/**
 * Prefix for the name of a question that was removed from the template. It isn't a suffix, because n8n 2.41 cuts names
 * after about 27 characters.
 */
const REMOVED_QUESTION_MARK = '(removed) ';

/**
 * Leaves out hidden columns, if there are many, from all results but the first. n8n 2.41 hides columns with `removed`
 * only in the first result. Later, it shows every column that isn't in the saved mapping.
 */
function withoutFlood(columns: QuestionColumn[], saved: SavedMapping): QuestionColumn[] {
	const known = new Set([...saved.columns.map(({ id }) => id), ...saved.mapped]);
	const unknown = columns.filter(({ id }) => !known.has(id));
	if (saved.isNew || unknown.length <= SHOWN_QUESTIONS) return columns;
	return columns.filter(({ id, removed }) => known.has(id) || removed !== true);
}
