import { guidOf, scatter } from './guid.mts';
import type { Control, ControlOptions } from './model.mts';

/** A control as tests and the demo data write it: nested, with everything but type and label optional. */
export interface ControlSpec {
	type: string;
	label: string;
	/** GUID; made of the template's id and the control's position when left out. */
	id?: string;
	fieldId?: string;
	required?: boolean;
	showTime?: boolean;
	multiline?: boolean;
	placeholder?: string;
	choices?: readonly string[];
	/** Dropdown: several choices allowed. */
	multiple?: boolean;
	/** Section: its controls can be answered more than once. */
	repeatable?: boolean;
	children?: readonly ControlSpec[];
}

interface Position {
	templateId: string;
	parent: Control | null;
	repeatableId: string | null;
}

function optionsOf(spec: ControlSpec): ControlOptions {
	const options: ControlOptions = {};
	if (spec.required !== undefined) options.is_required = spec.required;
	if (spec.showTime !== undefined) options.show_time = spec.showTime;
	if (spec.multiline !== undefined) options.is_multiline = spec.multiline;
	if (spec.placeholder !== undefined) options.placeholder = spec.placeholder;
	if (spec.choices !== undefined) options.choices = [...spec.choices];
	if (spec.repeatable !== undefined) options.is_repeatable = spec.repeatable;
	return options;
}

function addControl(spec: ControlSpec, position: Position, controls: Control[]): Control {
	const { templateId, parent, repeatableId } = position;
	const name = `${templateId}/control/${String(controls.length + 1)}`;
	const control: Control = {
		id: spec.id ?? guidOf(name),
		fieldId: spec.fieldId ?? `f${scatter(name).toString(16).padStart(8, '0')}`,
		type: spec.type,
		label: spec.label,
		parents: parent === null ? [] : [...parent.parents, parent.label],
		parentId: parent === null ? null : parent.id,
		childIds: [],
		options: optionsOf(spec),
		multiple: spec.multiple ?? false,
		repeatableId,
	};
	controls.push(control);
	const inner = spec.repeatable === true ? control.id : repeatableId;
	for (const child of spec.children ?? []) {
		const added = addControl(child, { templateId, parent: control, repeatableId: inner }, controls);
		control.childIds.push(added.id);
	}
	return control;
}

/** The flat list of controls, parents before their children, in the order written. */
export function controlsOf(templateId: string, specs: readonly ControlSpec[]): Control[] {
	const controls: Control[] = [];
	for (const spec of specs) {
		addControl(spec, { templateId, parent: null, repeatableId: null }, controls);
	}
	return controls;
}
