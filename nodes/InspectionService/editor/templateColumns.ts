import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import type { AnswerableType, Question, RepeatableSection } from '../domain/template/question';
import type { TemplateQuestions } from '../domain/template/templateQuestions';
import { columnNames, REQUIRED_MARK } from './columnNames';

/**
 * Questions that the panel shows at first. The others of a longer template are in the panel's list of questions to add.
 * n8n draws an input for every column that is shown. Seen with n8n 2.41 and 1000 questions: with 30 shown, the panel
 * keeps up with typing; with 100, each key takes a tenth of a second; with all, the panel does not open.
 */
export const SHOWN_QUESTIONS = 50;

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
 * section one for the section. `mapped` holds the ids of the columns that have a value: these are always shown.
 */
export function templateColumns(
	{ questions, sections }: TemplateQuestions,
	mapped: ReadonlySet<string>,
): ResourceMapperField[] {
	const names = columnNames([...questions, ...sections]);
	const shown = shownQuestions(questions);
	const columns = new Map<Question | RepeatableSection, ResourceMapperField>();
	const addSection = (section: RepeatableSection) => {
		if (columns.has(section)) return;
		columns.set(section, sectionColumn(section, names.get(section)));
	};
	for (const question of questions) {
		if (question.section) addSection(question.section);
		columns.set(question, questionColumn(question, shown.has(question), names.get(question)));
	}
	sections.forEach(addSection);
	return [...columns.values()].map((column) =>
		mapped.has(column.id) ? { ...column, removed: false } : column,
	);
}

/** The questions shown at first. Required ones come first, because n8n starts no execution while one of them is empty. */
function shownQuestions(questions: readonly Question[]): ReadonlySet<Question> {
	const required = questions.filter(isRequiredByEditor);
	return new Set([...new Set([...required, ...questions])].slice(0, SHOWN_QUESTIONS));
}

/**
 * Whether the editor requires a value for the question. It does not inside a repeatable section: n8n would start no
 * execution while the column is empty, and nobody could remove the column to use that of the section instead. The node
 * checks such a question when it runs.
 */
function isRequiredByEditor({ required, section }: Question): boolean {
	return required && section === null;
}

function questionColumn(
	question: Question,
	isShown: boolean,
	name = question.name,
): ResourceMapperField {
	const type = columnType(question);
	const required = isShown && isRequiredByEditor(question);
	return {
		id: question.fieldId,
		displayName: question.required && !required ? name + REQUIRED_MARK : name,
		required,
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
