import type { JsonRecord } from '../json';
import { type Control, controlsOf } from './control';

/** Types of controls that can be answered at creation (Response of docs/service.openapi.yaml). */
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
	/** Unique within its template (Control of docs/service.openapi.yaml). */
	fieldId: string;
	/** A GUID, usable as `template_control_id`. */
	controlId: string;
	label: string;
	path: string;
	/** Unique among the template's columns: the label, or the path if the label isn't unique. */
	name: string;
	/**
	 * ID of the section's column in n8n's resource mapper: `section:<field id>` (docs/create/repeatable-sections.md).
	 * See `columnIds`.
	 */
	columnId: string;
}

export interface Question {
	fieldId: string;
	controlId: string;
	label: string;
	path: string;
	name: string;
	/** ID of its column in n8n's resource mapper: the field ID, except for NO_COLUMN_ID. */
	columnId: string;
	type: AnswerableType;
	required: boolean;
	choices: readonly string[];
	showTime: boolean;
	/** The innermost repeatable section around the control. Null outside repeatable sections. */
	section: RepeatableSection | null;
}

/** The possible meanings of a row's key or a mapper's column. */
export type Column = Question | RepeatableSection;

export function isQuestion(column: Column): column is Question {
	return 'type' in column;
}

/**
 * A control in a repeatable section that Create can't fill, such as a photo. Stored inspections contain its response.
 */
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
 * Field IDs that can't be column IDs: n8n evaluates text that begins with `=`, and drops the other three as keys. The
 * column of such a question is `question:<field id>`.
 */
const NO_COLUMN_ID = /^(?:=|(?:__proto__|constructor|prototype)$)/;

/**
 * Returns the questions and repeatable sections of a template that was fetched with its controls. Leaves out a control
 * with no `field_id`, or with that of an earlier control, because an answer couldn't refer to it.
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
	/** The section around each control. Parents come before their children. */
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
 * Builds column IDs that aren't field IDs. If a field ID looks the same, adds a number: `section:2:x`. A field ID can
 * collide with two sections at most, `x` and `2:x`, so the work is linear in the number of field IDs.
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

/** Returns the label. If it isn't unique, the path. If that isn't unique either, the path with the field ID. */
function columnNames(columns: readonly Control[]): Map<Control, string> {
	const labels = occurringOnce(columns.map(({ label }) => label));
	const paths = occurringOnce(columns.map(({ path }) => path));
	// A path can't take a name that is another column's label.
	const names = new UniqueNames(labels);
	const nameOf = ({ label, path, fieldId }: Control) => {
		if (labels.has(label)) return label;
		const withId = `${path} (${fieldId})`.trim();
		return names.add(paths.has(path) ? [path, withId, fieldId] : [withId, fieldId]);
	};
	return new Map(columns.map((column) => [column, nameOf(column)]));
}

/**
 * Assigns unique names: the first candidate that's allowed and free. If there is none, the last candidate with a number
 * in parentheses, which automatic mapping doesn't read as an instance. That only happens with labels made to look like
 * IDs. Prefers candidates that don't equal a used name after `formOf`.
 */
export class UniqueNames {
	private readonly isAllowed: (name: string) => boolean;
	private readonly formOf: (name: string) => string;
	private readonly used: Set<string>;
	private readonly usedForms: Set<string>;
	/** The next number to try, for each name that was numbered. */
	private readonly nextNumbers = new Map<string, number>();

	constructor(
		used: Iterable<string>,
		isAllowed: (name: string) => boolean = () => true,
		formOf: (name: string) => string = (name) => name,
	) {
		this.isAllowed = isAllowed;
		this.formOf = formOf;
		this.used = new Set(used);
		this.usedForms = new Set([...this.used].map(formOf));
	}

	add(candidates: readonly string[]): string {
		const last = candidates.at(-1) ?? 'answer';
		const free = candidates.filter((name) => this.isFree(name));
		let name = free.find((candidate) => !this.usedForms.has(this.formOf(candidate))) ?? free[0];
		for (let number = this.nextNumbers.get(last) ?? 2; name === undefined; number++) {
			const numbered = `${last} (${String(number)})`;
			if (this.isFree(numbered)) name = numbered;
			this.nextNumbers.set(last, number + 1);
		}
		this.used.add(name);
		this.usedForms.add(this.formOf(name));
		return name;
	}

	private isFree(name: string): boolean {
		return this.isAllowed(name) && !this.used.has(name);
	}
}

/** Returns the strings that occur only once. */
export function occurringOnce(texts: readonly string[]): Set<string> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return new Set(texts.filter((text) => text !== '' && counts.get(text) === 1));
}
