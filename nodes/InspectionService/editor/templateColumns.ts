import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import type { AnswerableType, Question, RepeatableSection } from '../domain/template/question';
import type { TemplateQuestions } from '../domain/template/templateQuestions';
import { columnNames } from './columnNames';

/**
 * Questions that the panel shows at first. The others of a longer template wait in its list of questions to add: n8n
 * draws an input for every column shown. Seen with n8n 2.41 and 1000 questions: with 30 shown the panel follows
 * the keys, with 100 each key takes a tenth of a second, with all it does not open.
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
 * section one for the section. `mapped` are the ids that have a value already: their columns are always shown.
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

/** The required ones first, because n8n starts no execution while a required column is empty; then the first ones. */
function shownQuestions(questions: readonly Question[]): ReadonlySet<Question> {
	const required = questions.filter(isRequiredByEditor);
	return new Set([...new Set([...required, ...questions])].slice(0, SHOWN_QUESTIONS));
}

/**
 * Never inside a repeatable section: n8n starts no execution while a required column is empty, and lets nobody
 * remove it, so that the section's own column could not be used. The node checks it when it runs.
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
		displayName: question.required && !required ? `${name} (required)` : name,
		required,
		type,
		...(type === 'options' && {
			options: question.choices.map((choice) => ({ name: choice, value: choice })),
		}),
		...NOT_MATCHED,
		removed: !isShown,
	};
}

/** A list without choices would let nobody choose. */
function columnType({ type, choices }: Question): FieldType {
	const usual = COLUMN_TYPES[type];
	return usual === 'options' && choices.length === 0 ? 'string' : usual;
}

/**
 * A plain field: an array dragged into it arrives as it is. It starts removed, because most forms are filled without it.
 * It starts empty too: n8n would write what is dragged in after an example.
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
