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

/** ControlOptions of the document. */
function optionsOf(spec: ControlSpec): ControlOptions {
	const options = {
		is_required: spec.required,
		show_time: spec.showTime,
		is_multiline: spec.multiline,
		placeholder: spec.placeholder,
		choices: spec.choices,
		is_repeatable: spec.repeatable,
	};
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The flat list of controls, parents before their children, in the order written. */
export function controlsOf(templateId: string, specs: readonly ControlSpec[]): Control[] {
	const controls: Control[] = [];
	const add = (spec: ControlSpec, parent: Control | null, repeatableId: string | null): string => {
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
		control.childIds = (spec.children ?? []).map((child) => add(child, control, inner));
		return control.id;
	};
	for (const spec of specs) add(spec, null, null);
	return controls;
}
