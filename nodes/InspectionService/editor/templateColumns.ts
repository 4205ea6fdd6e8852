import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import { editorNames, REQUIRED_MARK } from '../domain/template/editorNames';
import type {
	AnswerableType,
	Question,
	RepeatableSection,
	TemplateQuestions,
} from '../domain/template/questions';
import { SHOWN_QUESTIONS } from '../fields/formTraits';

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
 * The mapper's columns in the order of the form: one per question, and before the first question of a repeatable
 * section one for the section. A section without questions has none. `mapped` holds the ids of the columns that have a
 * value: these are always shown.
 */
export function templateColumns(
	{ questions, sections }: TemplateQuestions,
	mapped: ReadonlySet<string>,
): ResourceMapperField[] {
	const names = editorNames([...questions, ...sections]);
	const shown = shownQuestions(questions);
	const columns = new Map<Question | RepeatableSection, ResourceMapperField>();
	for (const question of questions) {
		const { section } = question;
		if (section !== null && !columns.has(section)) {
			columns.set(section, sectionColumn(section, names.get(section)));
		}
		columns.set(question, questionColumn(question, shown.has(question), names.get(question)));
	}
	return [...columns.values()].map((column) =>
		mapped.has(column.id) ? { ...column, removed: false } : column,
	);
}

/** The questions shown at first. Required ones come first, but for those of sections: most forms are sent without them. */
function shownQuestions(questions: readonly Question[]): ReadonlySet<Question> {
	const required = questions.filter((question) => question.required && question.section === null);
	return new Set([...new Set([...required, ...questions])].slice(0, SHOWN_QUESTIONS));
}

/**
 * No column is required by the editor: n8n 2.41 would start no execution while one is empty, and would call it by its id
 * in the reason. The name says that an answer is required, and the node's own message when it runs.
 */
function questionColumn(
	question: Question,
	isShown: boolean,
	name = question.name,
): ResourceMapperField {
	const type = columnType(question);
	return {
		id: question.columnId,
		displayName: question.required ? name + REQUIRED_MARK : name,
		required: false,
		type,
		...(type === 'options' && {
			options: question.choices.map((choice) => ({ name: choice, value: choice })),
		}),
		...NOT_MATCHED,
		removed: !isShown,
	};
}

/** A question without choices gets a text field, because a list would offer nothing to choose. */
function columnType({ type, choices }: Question): FieldType {
	const usual = COLUMN_TYPES[type];
	return usual === 'options' && choices.length === 0 ? 'string' : usual;
}

/**
 * The column for all instances of a section. It is a text field, because an array that is dragged into one arrives as it
 * is. It is not shown at first, because most forms are filled in without it. It holds no example, because n8n would add
 * what is dragged in after the example.
 */
function sectionColumn(
	section: RepeatableSection,
	displayName = section.name,
): ResourceMapperField {
	return {
		id: section.columnId,
		displayName,
		required: false,
		type: 'string',
		...NOT_MATCHED,
		removed: true,
	};
}

const NOT_MATCHED = { defaultMatch: false, canBeUsedToMatch: false, display: true };
