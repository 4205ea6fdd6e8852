import type { ControlId, FieldId } from '../id';

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

/** A control that can be answered, in template order. */
export interface Question {
	fieldId: FieldId;
	controlId: ControlId;
	label: string;
	/** Slash-separated labels from the top page to the control, its own label last, whatever the service leaves out. */
	path: string;
	/** Unique among the template's columns: the label, or the path where the label is not unique. */
	name: string;
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
