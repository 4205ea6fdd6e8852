import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { cleanLine, htmlText, listText } from '../domain/formatting';
import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { isRecord, textOf } from '../domain/json';
import { type Form, formOf } from '../domain/template/form';
import { editorNames, listName, REQUIRED_MARK } from '../domain/template/keys';
import { type AnswerableType, type Column, isQuestion } from '../domain/template/questions';
import {
	type FormTrait,
	NO_QUESTIONS,
	SHOWN_QUESTIONS,
	TRAITS,
	traitsOf,
} from '../fields/formTraits';
import { templateReference } from '../fields/locators';
import { nodeError } from '../output/nodeError';
import { connectToService } from '../transport/inspectionServiceClient';
import { resolved } from './chosenLists';
import { listEntry } from './literalValue';

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
	const saved = savedMapping(this.getCurrentNodeParameter('responses'));
	try {
		const form = await chosenForm(this);
		// n8n 2.41 never clears a notice, so this one replaces an earlier one about a missing template.
		return { fields: formColumns(form, saved), emptyFieldsNotice: columnNamesNotice(form) };
	} catch (error) {
		const shown = nodeError(this.getNode(), error);
		if (saved.columns.length > 0) throw shown;
		// In the mapper, n8n 2.41 shows notices, but not errors.
		const lines = [htmlText(shown.message), shown.description];
		return { fields: [], emptyFieldsNotice: lines.filter(Boolean).join('. ') };
	}
}

/** Throws InputError if no template is chosen yet, or if it has no questions. */
async function chosenForm(context: ILoadOptionsFunctions): Promise<Form> {
	const locator: unknown = context.getCurrentNodeParameter('templateId');
	if (locator !== undefined && resolved(locator) === undefined) throw new InputError(NO_VALUE_YET);
	const reference = templateReference(locator);
	if (reference === undefined) throw new InputError(NOTHING_CHOSEN);
	const service = await connectToService(context);
	const form = formOf(await service.getTemplate(reference, { includeControls: true }));
	if (form.questions.length === 0) throw new InputError(NO_QUESTIONS);
	return form;
}

/** Returns the column names that Map Automatically finds, as HTML. Empty Row of Template → Get has the same names. */
function columnNamesNotice({ template, questions, keys }: Form): string {
	const names = questions.map((one) => keys.keyOf(one) + (one.required ? REQUIRED_MARK : ''));
	const title = cleanLine(textOf(template.name) ?? 'this template');
	const shown = listText(names.slice(0, SHOWN_QUESTIONS), names.length, ' | ');
	return htmlText(`Column names for ${title}: ${shown}`);
}

/** A column of n8n's mapper. n8n saves all its properties in the workflow. */
interface MapperColumn extends ResourceMapperField {
	/** The ID of the column's template. Missing in mappings that weren't created in the editor. */
	template?: string;
	/** Set on the first column only. */
	[TRAITS]?: readonly FormTrait[];
}

/** The properties that differ between the columns of a template. */
type OwnProperties = Pick<MapperColumn, 'id' | 'displayName' | 'type' | 'options' | 'removed'>;

/** The mapper's state that a workflow saves. */
interface SavedMapping {
	readonly columns: readonly MapperColumn[];
	/** IDs of the columns that have a value. */
	readonly mapped: ReadonlySet<string>;
	/** True until n8n requests columns for the first time. */
	readonly isNew: boolean;
}

function savedMapping(responses: unknown): SavedMapping {
	const { schema, value }: Record<string, unknown> = isRecord(responses) ? responses : {};
	const isColumn = (column: unknown): column is MapperColumn =>
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
 *
 * Never marks a column as required. Otherwise, n8n 2.41 wouldn't run the node while the column is empty, and would name
 * the column by its ID.
 */
function formColumns(form: Form, saved: SavedMapping): MapperColumn[] {
	const { questions, sections } = form;
	const template = guidOf(form.template.id) ?? '';
	const names = editorNames([...questions, ...sections]);
	const required = questions.filter((one) => one.required && one.section === null);
	const first = [...new Set([...required, ...questions])].slice(0, SHOWN_QUESTIONS);
	const shown = new Set<Column>(first);
	const inOrder = new Set(
		questions.flatMap((one): Column[] => (one.section === null ? [one] : [one.section, one])),
	);
	const columns = [...inOrder].map((column) => {
		const isShown = shown.has(column) || saved.mapped.has(column.columnId);
		return columnOf(column, names.get(column) ?? column.name, isShown);
	});
	const present = new Set(columns.map(({ id }) => id));
	const removed = saved.columns.filter(
		(column) =>
			!present.has(column.id) &&
			saved.mapped.has(column.id) &&
			(column.template ?? template) === template,
	);
	return [...removed.map(removedColumn), ...withoutFlood(columns, saved)].map((column, index) => ({
		...column,
		displayName: listName(column.displayName) || listName(column.id),
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		...(index === 0 && { [TRAITS]: traitsOf(form) }),
		template,
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
 * Returns the column of a question or section. Sections and questions without choices get a text field, because n8n
 * doesn't change an array that is dragged into a text field.
 */
function columnOf(column: Column, name: string, isShown: boolean): OwnProperties {
	const shared = { id: column.columnId, removed: !isShown };
	if (!isQuestion(column)) return { ...shared, displayName: name, type: 'string' };
	const displayName = column.required ? name + REQUIRED_MARK : name;
	const type = COLUMN_TYPES[column.type];
	if (type !== 'options') return { ...shared, displayName, type };
	// An empty choice means no answer in n8n.
	const choices = column.choices.filter((choice) => choice !== '');
	if (choices.length === 0) return { ...shared, displayName, type: 'string' };
	const options = choices.map((choice) => listEntry(choice, choice));
	return { ...shared, displayName, type, options };
}

/**
 * Prefix for the name of a question that was removed from the template. It isn't a suffix, because n8n 2.41 cuts names
 * after about 27 characters.
 */
const REMOVED_QUESTION_MARK = '(removed) ';

function removedColumn({ id, displayName, type }: MapperColumn): OwnProperties {
	return {
		id,
		displayName: REMOVED_QUESTION_MARK + displayName.replace(REMOVED_QUESTION_MARK, ''),
		// Omit the choices, because n8n passes them with their expressions evaluated. A text field shows any value as
		// saved.
		type: type === 'options' ? 'string' : type,
		removed: false,
	};
}

/**
 * Leaves out hidden columns, if there are many, from all results but the first. n8n 2.41 hides columns with `removed`
 * only in the first result. Later, it shows every column that isn't in the saved mapping.
 */
function withoutFlood(columns: OwnProperties[], saved: SavedMapping): OwnProperties[] {
	const known = new Set([...saved.columns.map(({ id }) => id), ...saved.mapped]);
	const unknown = columns.filter(({ id }) => !known.has(id));
	if (saved.isNew || unknown.length <= SHOWN_QUESTIONS) return columns;
	return columns.filter(({ id, removed }) => known.has(id) || removed !== true);
}
