import type { JsonRecord } from '../json';
import { type Control, controlsOf } from './control';

/** The types of controls that Create can answer (`Response` in docs/service.openapi.yaml). */
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

interface ColumnOfTemplate {
	/** The `field_id`, which is unique within a template (`Control` in docs/service.openapi.yaml). */
	fieldId: string;
	/** The GUID of the control, which the API calls `template_control_id`. */
	controlId: string;
	label: string;
	path: string;
	/** A name that is unique among the columns of the template: the label, or the path if the label isn't unique. */
	name: string;
	/**
	 * The ID of the column in n8n's mapper: `section:<field id>` for a section (docs/create.md). For a question, the field
	 * ID, unless NO_COLUMN_ID matches it.
	 */
	columnId: string;
}

export type RepeatableSection = ColumnOfTemplate;

export interface Question extends ColumnOfTemplate {
	type: AnswerableType;
	required: boolean;
	choices: readonly string[];
	showTime: boolean;
	/** The innermost repeatable section that contains the question. Null outside repeatable sections. */
	section: RepeatableSection | null;
}

/** A column of n8n's mapper or of a sheet: a question, or a whole repeatable section. */
export type Column = Question | RepeatableSection;

export function isQuestion(column: Column | UnfillableControl): column is Question {
	return 'type' in column;
}

/** A control that Create can't fill, such as a photo. Inspections from the service can contain its response. */
type UnfillableControl = Pick<Question, 'fieldId' | 'controlId' | 'path' | 'section'>;

export interface TemplateQuestions {
	/** All controls, in the order of the form. */
	controls: readonly Control[];
	questions: readonly Question[];
	sections: readonly RepeatableSection[];
	unfillable: readonly UnfillableControl[];
}

const TYPES: ReadonlyMap<string, AnswerableType> = new Map(
	ANSWERABLE_TYPES.map((type) => [type.toLowerCase(), type]),
);

/**
 * Matches field IDs that can't be column IDs. n8n evaluates an ID that begins with `=`, and drops keys such as
 * `__proto__`. The column ID of such a question is `question:<field id>`.
 */
const NO_COLUMN_ID = /^(?:=|(?:__proto__|constructor|prototype)$)/;

/**
 * Returns the questions and repeatable sections of a template, which must have been fetched with its controls. Leaves
 * out a control without a `field_id`, because no answer could refer to it. For the same reason, leaves out a control
 * with the `field_id` of an earlier control.
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
	/** The repeatable section that contains each control. Parents come before their children. */
	const around = new Map<Control, RepeatableSection | null>();
	for (const control of controls) {
		const { id, fieldId, label, path, parent, choices, showTime } = control;
		const section = parent && (sections.get(parent) ?? around.get(parent) ?? null);
		around.set(control, section);
		const ids = { fieldId, controlId: id };
		const [name, type] = [names.get(control), typeOf(control)];
		if (name === undefined) {
			unfillable.push({ ...ids, path, section });
		} else if (type === undefined) {
			const columnId = columnIdOf('section', fieldId);
			sections.set(control, { ...ids, label, path, name, columnId });
		} else {
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
	}
	return { controls, questions, sections: [...sections.values()], unfillable };
}

function typeOf(control: Control): AnswerableType | undefined {
	return TYPES.get(control.type.toLowerCase());
}

/**
 * Returns a function that builds unique column IDs, such as `section:x`. If an ID is taken, adds a number:
 * `section:2:x`. Each field ID equals at most two of these IDs, so the running time is linear.
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

/**
 * Returns a unique name for each column: the label if it's unique, else the path if it's unique, else the path with the
 * field ID.
 */
function columnNames(columns: readonly Control[]): Map<Control, string> {
	const labels = occurringOnce(columns.map(({ label }) => label));
	const paths = occurringOnce(columns.map(({ path }) => path));
	// Don't use a path that is also the label of another column.
	const names = new UniqueNames(labels);
	const nameOf = ({ label, path, fieldId }: Control) => {
		if (labels.has(label)) return label;
		const withId = `${path} (${fieldId})`.trim();
		return names.add(paths.has(path) ? [path, withId, fieldId] : [withId, fieldId]);
	};
	return new Map(columns.map((column) => [column, nameOf(column)]));
}

/**
 * Assigns unique names. Uses the first candidate that is allowed and unused, preferably one that is also unused after
 * `normalize`. If no candidate is free, adds a number in parentheses to the last one. Automatic mapping doesn't read
 * this number as an instance number.
 */
export class UniqueNames {
	private readonly isAllowed: (name: string) => boolean;
	private readonly normalize: (name: string) => string;
	private readonly used: Set<string>;
	private readonly usedNormalized: Set<string>;
	/** For each name, the next number to try. */
	private readonly nextNumbers = new Map<string, number>();

	constructor(
		used: Iterable<string>,
		isAllowed: (name: string) => boolean = () => true,
		normalize: (name: string) => string = (name) => name,
	) {
		this.isAllowed = isAllowed;
		this.normalize = normalize;
		this.used = new Set(used);
		this.usedNormalized = new Set([...this.used].map(normalize));
	}

	add(candidates: readonly string[]): string {
		const last = candidates.at(-1) ?? 'answer';
		const free = candidates.filter((name) => this.isFree(name));
		let name =
			free.find((candidate) => !this.usedNormalized.has(this.normalize(candidate))) ?? free[0];
		for (let number = this.nextNumbers.get(last) ?? 2; name === undefined; number++) {
			const numbered = `${last} (${String(number)})`;
			if (this.isFree(numbered)) name = numbered;
			this.nextNumbers.set(last, number + 1);
		}
		this.used.add(name);
		this.usedNormalized.add(this.normalize(name));
		return name;
	}

	private isFree(name: string): boolean {
		return this.isAllowed(name) && !this.used.has(name);
	}
}

/** Returns the strings that occur exactly once. Ignores empty strings. */
export function occurringOnce(texts: readonly string[]): Set<string> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return new Set(texts.filter((text) => text !== '' && counts.get(text) === 1));
}
