/** Controls of a template as tests write them down: what most templates are made of. */
import type { ControlSpec } from '#sandbox/service/specs.mts';

export const page = (label: string, children: readonly ControlSpec[]): ControlSpec => ({
	type: 'page',
	label,
	children,
});

/** A repeatable section. */
export const repeatable = (
	label: string,
	fieldId: string,
	children: readonly ControlSpec[],
): ControlSpec => ({ type: 'section', label, fieldId, is_repeatable: true, children });

/** A question that is answered in words. */
export const text = (label: string, fieldId: string): ControlSpec => ({
	type: 'text',
	label,
	fieldId,
});

export const number = (label: string, fieldId: string): ControlSpec => ({
	type: 'number',
	label,
	fieldId,
});

/** A question with one answer among choices. */
export const radio = (label: string, fieldId: string, ...choices: string[]): ControlSpec => ({
	type: 'radio',
	label,
	fieldId,
	choices,
});

export const required = (control: ControlSpec): ControlSpec => ({ ...control, is_required: true });
