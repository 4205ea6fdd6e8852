import type { JsonRecord } from '../json';
import { type Control, controlsOf } from './control';

/** Types of control that can be answered at creation (Response of docs/service.openapi.yaml). */
export const ANSWERABLE_TYPES = [
	'text',
	'number',
	'radio',
	'checkbox',
	'dropdown',
	'date',
	'checkIn/location',
] as const;
export type AnswerableType = (typeof ANSWERABLE_TYPES)[number];

export interface RepeatableSection {
	/** Unique inside its template (Control of docs/service.openapi.yaml). */
	fieldId: string;
	/** A GUID, usable as `template_control_id`. */
	controlId: string;
	label: string;
	path: string;
	/** Unique among the template's columns: the label, or the path where the label is not unique. */
	name: string;
	/** Id of the section's column in n8n's resource mapper: `section:<field id>` (docs/create/repeatable-sections.md). See `columnIds`. */
	columnId: string;
}

export interface Question {
	fieldId: string;
	controlId: string;
	label: string;
	path: string;
	name: string;
	/** Id of its column in n8n's resource mapper: the field id, but for NO_COLUMN_ID. */
	columnId: string;
	type: AnswerableType;
	required: boolean;
	choices: readonly string[];
	showTime: boolean;
	/** The nearest repeatable section around the control, null outside of any. */
	section: RepeatableSection | null;
}

/** What a key of a row, or a column of the mapper, can stand for. */
export type Column = Question | RepeatableSection;

export function isQuestion(column: Column): column is Question {
	return 'type' in column;
}

/** A control in a repeatable section that Create can't fill, such as a photo. Stored inspections have its response. */
export interface UnfillableControl {
	fieldId: string;
	controlId: string;
	section: RepeatableSection;
}

export interface TemplateQuestions {
	questions: readonly Question[];
	sections: readonly RepeatableSection[];
	unfillable: readonly UnfillableControl[];
}

const TYPES: ReadonlyMap<string, AnswerableType> = new Map(
	ANSWERABLE_TYPES.map((type) => [type.toLowerCase(), type]),
);

/**
 * Field ids that cannot be the id of a column: n8n works out a text that begins with `=`, and drops the three others as
 * keys. Such a question's column is `question:<field id>`.
 */
const NO_COLUMN_ID = /^(?:=|(?:__proto__|constructor|prototype)$)/;

/**
 * The questions and repeatable sections of a template that was fetched with its controls. A control is left out where it
 * has no `field_id` or that of an earlier control, because no answer could name it.
 */
export function questionsOf(template: JsonRecord): TemplateQuestions {
	const controls = controlsOf(template);
	const byFieldId = new Map<string, Control>();
	for (const control of controls) {
		const { fieldId } = control;
		const isColumn = control.isRepeatable || typeOf(control) !== undefined;
		if (isColumn && fieldId !== '' && !byFieldId.has(fieldId)) byFieldId.set(fieldId, control);
	}
	const names = columnNames([...byFieldId.values()]);
	const columnIdOf = columnIds([...byFieldId.keys()]);
	const sections = new Map<Control, RepeatableSection>();
	const questions: Question[] = [];
	const unfillable: UnfillableControl[] = [];
	/** The section around each control: parents come before their children. */
	const around = new Map<Control, RepeatableSection | null>();
	for (const control of controls) {
		const { id, fieldId, label, path, parent, choices, showTime } = control;
		const section = parent && (sections.get(parent) ?? around.get(parent) ?? null);
		around.set(control, section);
		const name = names.get(control);
		const ids = { fieldId, controlId: id };
		if (name === undefined) {
			if (section !== null) unfillable.push({ ...ids, section });
			continue;
		}
		const type = typeOf(control);
		if (type === undefined) {
			const columnId = columnIdOf('section', fieldId);
			sections.set(control, { ...ids, label, path, name, columnId });
			continue;
		}
		questions.push({
			...ids,
			label: label === '' ? fieldId : label,
			path: path === '' ? fieldId : path,
			name,
			columnId: NO_COLUMN_ID.test(fieldId) ? columnIdOf('question', fieldId) : fieldId,
			type,
			required: control.isRequired,
			choices,
			showTime,
			section,
		});
	}
	return { questions, sections: [...sections.values()], unfillable };
}

function typeOf(control: Control): AnswerableType | undefined {
	return TYPES.get(control.type.toLowerCase());
}

/**
 * Makes the ids of columns that are no field ids. Where a field id looks the same, they have a number: `section:2:x`.
 * That is in the way of two sections at most, of `x` and of `2:x`, so that the work is linear in the field ids.
 */
function columnIds(fieldIds: readonly string[]): (kind: string, fieldId: string) => string {
	const taken = new Set(fieldIds);
	return (kind, fieldId) => {
		let id = `${kind}:${fieldId}`;
		for (let n = 2; taken.has(id); n++) id = `${kind}:${String(n)}:${fieldId}`;
		taken.add(id);
		return id;
	};
}

/** The label; the path where the label is not unique; the path with the field id where that is not either. */
function columnNames(columns: readonly Control[]): Map<Control, string> {
	const labels = standingOnce(columns.map(({ label }) => label));
	const paths = standingOnce(columns.map(({ path }) => path));
	// No path takes a name that is the label of another column.
	const take = nameTaker(labels);
	const nameOf = ({ label, path, fieldId }: Control) => {
		if (labels.has(label)) return label;
		const withId = `${path} (${fieldId})`.trim();
		return take(paths.has(path) ? [path, withId, fieldId] : [withId, fieldId]);
	};
	return new Map(columns.map((column) => [column, nameOf(column)]));
}

/**
 * Gives names, each once and none that is taken: the first candidate that is allowed and free, else the last one with a
 * number in brackets, which is no instance to automatic mapping. Only labels made to look like ids get there. A candidate
 * that `formOf` makes equal to a taken name is given only if no other is free.
 */
export function nameTaker(
	used: Iterable<string>,
	isAllowed: (name: string) => boolean = () => true,
	formOf: (name: string) => string = (name) => name,
) {
	const taken = new Set(used);
	const takenForms = new Set([...taken].map(formOf));
	/** For each name that was numbered: the number to go on with. */
	const nextNumbers = new Map<string, number>();
	const isFree = (name: string) => isAllowed(name) && !taken.has(name);
	return (candidates: readonly string[]): string => {
		const last = candidates.at(-1) ?? 'answer';
		const free = candidates.filter(isFree);
		let name = free.find((candidate) => !takenForms.has(formOf(candidate))) ?? free[0];
		for (let number = nextNumbers.get(last) ?? 2; name === undefined; number++) {
			const numbered = `${last} (${String(number)})`;
			if (isFree(numbered)) name = numbered;
			nextNumbers.set(last, number + 1);
		}
		taken.add(name);
		takenForms.add(formOf(name));
		return name;
	};
}

/** The texts that stand only once among these. */
export function standingOnce(texts: readonly string[]): Set<string> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return new Set(texts.filter((text) => text !== '' && counts.get(text) === 1));
}
