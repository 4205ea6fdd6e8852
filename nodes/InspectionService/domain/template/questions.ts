import { asControlId, asFieldId, type ControlId, type FieldId } from '../id';
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

/** A repeatable section: its questions can be answered once per instance. */
export interface RepeatableSection {
	fieldId: FieldId;
	controlId: ControlId;
	label: string;
	/** Slash-separated labels from the top page to the section, its own label last. */
	path: string;
	/** Unique among the template's columns: the label, or the path where the label is not unique. */
	name: string;
	/**
	 * Id of the section's column in n8n's resource mapper, which takes an array with one object per instance
	 * (docs/create.md). It is `section:<field id>`, or `section:2:<field id>` where another control has the first as its
	 * field id.
	 */
	columnId: string;
}

/**
 * Field ids that cannot be the id of a column: n8n works out a text that begins with `=`, and drops the three others as
 * keys. Such a question's column is `question:<field id>`.
 */
const NO_COLUMN_ID = /^(?:=|(?:__proto__|constructor|prototype)$)/;

/** A control that can be answered, in template order. */
export interface Question {
	fieldId: FieldId;
	controlId: ControlId;
	label: string;
	/** Slash-separated labels from the top page to the control, its own label last, whatever the service leaves out. */
	path: string;
	/** Unique among the template's columns: the label, or the path where the label is not unique. */
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

/** The parts of a template that can be answered: its questions and its repeatable sections, each in template order. */
export interface TemplateQuestions {
	questions: Question[];
	sections: RepeatableSection[];
}

const TYPES: ReadonlyMap<string, AnswerableType> = new Map(
	ANSWERABLE_TYPES.map((type) => [type.toLowerCase(), type]),
);

/**
 * The questions and repeatable sections of a template that was fetched with its controls. Pages, plain sections and
 * control types that cannot be filled at creation are left out. A control is left out, too, where it has no `field_id`
 * or that of an earlier control, because no answer could name it.
 */
export function questionsOf(template: JsonRecord): TemplateQuestions {
	const seen = new Set<string>();
	const columns = controlsOf(template).filter((control) => {
		if (!isColumn(control) || control.fieldId === '' || seen.has(control.fieldId)) return false;
		seen.add(control.fieldId);
		return true;
	});
	const names = columnNames(columns);
	const nameOf = (control: Control) => names.get(control) ?? control.fieldId;

	const sections = new Map<Control, RepeatableSection>();
	const columnIdOf = columnIds(seen);
	for (const control of columns) {
		if (typeOf(control) !== undefined) continue;
		const columnId = columnIdOf('section', control.fieldId);
		sections.set(control, { ...sectionOf(control), name: nameOf(control), columnId });
	}
	const nearest = nearestSections(columns, sections);
	const questions: Question[] = [];
	for (const control of columns) {
		const type = typeOf(control);
		if (type === undefined) continue;
		const section = nearest.get(control) ?? null;
		const { fieldId } = control;
		const columnId = NO_COLUMN_ID.test(fieldId) ? columnIdOf('question', fieldId) : fieldId;
		questions.push({ ...questionOf(control, type), name: nameOf(control), columnId, section });
	}
	return { questions, sections: [...sections.values()] };
}

function isColumn(control: Control): boolean {
	return control.options.isRepeatable || typeOf(control) !== undefined;
}

function typeOf(control: Control): AnswerableType | undefined {
	return TYPES.get(control.type.toLowerCase());
}

function sectionOf(control: Control): Omit<RepeatableSection, 'name' | 'columnId'> {
	return {
		fieldId: asFieldId(control.fieldId),
		controlId: asControlId(control.id),
		label: control.label,
		path: control.path,
	};
}

function questionOf(
	control: Control,
	type: AnswerableType,
): Omit<Question, 'name' | 'columnId' | 'section'> {
	return {
		fieldId: asFieldId(control.fieldId),
		controlId: asControlId(control.id),
		label: control.label === '' ? control.fieldId : control.label,
		path: control.path === '' ? control.fieldId : control.path,
		type,
		required: control.options.isRequired,
		choices: control.options.choices,
		showTime: control.options.showTime,
	};
}

/**
 * Makes the ids of columns that are no field ids. The id of a question's column is its field id, which may look the same;
 * then the id gets a number. A field id is in the way of two sections at most, so that the work is linear in the field
 * ids: `section:2:x` is in the way of `x` and of `2:x`.
 */
function columnIds(fieldIds: ReadonlySet<string>): (kind: string, fieldId: string) => string {
	const taken = new Set(fieldIds);
	return (kind, fieldId) => {
		let id = `${kind}:${fieldId}`;
		for (let n = 2; taken.has(id); n++) id = `${kind}:${String(n)}:${fieldId}`;
		taken.add(id);
		return id;
	};
}

/** The nearest repeatable section around each control. Every control on the way is looked at once. */
function nearestSections(
	columns: Control[],
	sections: ReadonlyMap<Control, RepeatableSection>,
): Map<Control, RepeatableSection | null> {
	const nearest = new Map<Control, RepeatableSection | null>();
	for (const column of columns) {
		const way: Control[] = [];
		let found: RepeatableSection | null | undefined;
		for (let at: Control | null = column; at !== null && found === undefined; at = at.parent) {
			found = nearest.get(at);
			if (found === undefined) {
				way.push(at);
				found = at.parent && sections.get(at.parent);
			}
		}
		for (const control of way) nearest.set(control, found ?? null);
	}
	return nearest;
}

/** The label; the path where the label is not unique; the path with the field id where that is not either. */
function columnNames(columns: Control[]): Map<Control, string> {
	const labels = countOf(columns.map(({ label }) => label));
	const paths = countOf(columns.map(({ path }) => path));
	const names = new Map<Control, string>();
	const taken = new Set<string>();
	const candidatesOf = ({ label, path, fieldId }: Control) => [
		...(label !== '' && labels.get(label) === 1 ? [label] : []),
		...(path !== '' && paths.get(path) === 1 ? [path] : []),
		`${path} (${fieldId})`.trim(),
		fieldId,
	];
	// Labels first, so that no path takes a name that is the label of another column.
	const byLabel = columns.filter(({ label }) => label !== '' && labels.get(label) === 1);
	for (const column of [...byLabel, ...columns]) {
		if (names.has(column)) continue;
		let name = candidatesOf(column).find((candidate) => !taken.has(candidate));
		// Only a label made to look like another column's path and field id gets here.
		for (let n = 2; name === undefined; n++) {
			const numbered = `${column.fieldId} (${String(n)})`;
			if (!taken.has(numbered)) name = numbered;
		}
		taken.add(name);
		names.set(column, name);
	}
	return names;
}

function countOf(values: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}
