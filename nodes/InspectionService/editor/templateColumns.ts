import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import { guidOf } from '../domain/id';
import { isRecord, type JsonRecord } from '../domain/json';
import { editorNames, REQUIRED_MARK } from '../domain/template/keys';
import {
	type AnswerableType,
	type Column,
	isQuestion,
	questionsOf,
} from '../domain/template/questions';
import { type FormTrait, SHOWN_QUESTIONS, TRAITS, traitsOf } from '../fields/formTraits';

/** n8n saves it in the workflow as it is. */
export interface QuestionColumn extends ResourceMapperField {
	/** The id of its template. Missing in a mapping that the editor has not made. */
	template?: string;
	/** Of the first column only. */
	[TRAITS]?: readonly FormTrait[];
}

type SavedMapping = ReturnType<typeof savedMapping>;

/** What a workflow has saved of the mapper. */
export function savedMapping(responses: unknown) {
	const { schema, value }: Record<string, unknown> = isRecord(responses) ? responses : {};
	const isColumn = (column: unknown): column is QuestionColumn =>
		isRecord(column) && typeof column.id === 'string' && typeof column.displayName === 'string';
	return {
		columns: Array.isArray(schema) ? schema.filter(isColumn) : [],
		/** Ids of the columns that have a value. */
		mapped: new Set(isRecord(value) ? Object.keys(value) : []),
		/** True until n8n has asked for columns for the first time. */
		isNew: !isRecord(value),
	};
}

/**
 * The mapper's columns in the order of the form: one per question, and one for a repeatable section before its first.
 * Columns of this template whose question is gone come first, so that their values stay until the user takes them out.
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
	const isGone = (column: QuestionColumn) =>
		!present.has(column.id) && saved.mapped.has(column.id) && (column.template ?? id) === id;
	const gone = saved.columns.filter(isGone).map(
		({ id, displayName, type }): QuestionColumn => ({
			id,
			displayName: GONE_MARK + displayName.replace(GONE_MARK, ''),
			// Without its choices, which n8n hands over as it has worked them out: a text shows any value as it is saved.
			type: type === 'options' ? 'string' : type,
			...UNMATCHED,
			removed: false,
		}),
	);
	return [...gone, ...withoutFlood(columns, saved)].map((column, place) => ({
		...column,
		...(place === 0 && { [TRAITS]: traitsOf(form) }),
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
 * No column is required by the editor: n8n 2.41 would start no execution while one is empty, and would call it by its id.
 * A question without choices and a section get a text field: an array that is dragged into it arrives as it is.
 */
function columnOf(column: Column, name = column.name, isShown: boolean): QuestionColumn {
	const id = column.columnId;
	const shared = { ...UNMATCHED, removed: !isShown };
	if (!isQuestion(column)) return { id, displayName: name, type: 'string', ...shared };
	const displayName = column.required ? name + REQUIRED_MARK : name;
	const type = COLUMN_TYPES[column.type];
	if (type !== 'options') return { id, displayName, type, ...shared };
	if (column.choices.length === 0) return { id, displayName, type: 'string', ...shared };
	const options = column.choices.map((choice) => ({ name: choice, value: choice }));
	return { id, displayName, type, options, ...shared };
}

const UNMATCHED = { required: false, defaultMatch: false, canBeUsedToMatch: false, display: true };

/** At the beginning of the name: n8n 2.41 cuts it after about 27 characters. */
const GONE_MARK = '(gone) ';

/** After its first request n8n 2.41 shows every column that the mapping does not know, `removed` or not. */
function withoutFlood(columns: QuestionColumn[], saved: SavedMapping): QuestionColumn[] {
	const known = new Set([...saved.columns.map(({ id }) => id), ...saved.mapped]);
	const unknown = columns.filter(({ id }) => !known.has(id));
	if (saved.isNew || unknown.length <= SHOWN_QUESTIONS) return columns;
	return columns.filter(({ id, removed }) => known.has(id) || removed !== true);
}
