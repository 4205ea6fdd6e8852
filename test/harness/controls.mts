/** Functions that build the controls which most test templates need. */
import type { ControlSpec } from '#sandbox/service/specs.mts';

const question =
	(type: ControlSpec['type']) =>
	(label: string, fieldId: string): ControlSpec => ({ type, label, fieldId });

/** Builds a question with a text answer. */
export const text = question('text');
export const number = question('number');

/** Builds a question with one answer from a list of choices. */
export const radio = (label: string, fieldId: string, ...choices: string[]): ControlSpec => ({
	...question('radio')(label, fieldId),
	choices,
});

export const page = (label: string, children: readonly ControlSpec[]): ControlSpec => ({
	type: 'page',
	label,
	children,
});

export const repeatable = (
	label: string,
	fieldId: string,
	children: readonly ControlSpec[],
): ControlSpec => ({ type: 'section', label, fieldId, is_repeatable: true, children });

export const required = (control: ControlSpec): ControlSpec => ({ ...control, is_required: true });
