/** Controls of a template as tests write them down: what most templates are made of. */
import type { ControlSpec } from '#sandbox/service/specs.mts';

const question =
	(type: ControlSpec['type']) =>
	(label: string, fieldId: string): ControlSpec => ({ type, label, fieldId });

/** A question that is answered in words. */
export const text = question('text');
export const number = question('number');

/** A question with one answer among choices. */
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
