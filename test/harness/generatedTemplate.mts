import fc from 'fast-check';

import type { JsonRecord, JsonValue } from '#sandbox/json.mts';

/** Returns a GUID that contains a number, so that failing tests are readable. */
export const guid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A control to build, with its children. */
export interface ControlSpec {
	type: string;
	label: string;
	options?: JsonRecord;
	children?: ControlSpec[];
}

/** Builds a control without children. */
export const control = (type: string, label: string, options: JsonRecord = {}): ControlSpec => {
	return { type, label, options };
};
export const text = (label: string, options?: JsonRecord) => control('text', label, options);
const around =
	(type: string) =>
	(label: string, ...children: ControlSpec[]): ControlSpec => ({ type, label, children });
export const page = around('page');
/** Builds a section that doesn't repeat. */
export const section = around('section');
export const repeatable = (label: string, ...children: ControlSpec[]): ControlSpec => ({
	...section(label, ...children),
	options: { is_repeatable: true },
});

/**
 * Builds a template as the service returns it with `includes=data`. The controls' field IDs are f1, f2, … in the order
 * of the form.
 */
export function templateOf(specs: ControlSpec[], optionsName = 'settings'): JsonRecord {
	const controls: JsonRecord[] = [];
	const add = (spec: ControlSpec, parent: { id: string; path: string } | null): string => {
		const { children = [], options = {} } = spec;
		const n = controls.length + 1;
		const id = guid(n);
		const path = parent ? `${parent.path}/${spec.label}` : spec.label;
		const control: JsonRecord = {
			id,
			field_id: `f${String(n)}`,
			type: spec.type,
			label: spec.label,
			path,
			children_count: children.length,
			parent_id: parent?.id ?? null,
			[optionsName]: options,
		};
		controls.push(control);
		control.children = children.map((child) => add(child, { id, path }));
		return id;
	};
	for (const spec of specs) add(spec, null);
	const data = { control_count: controls.length, controls };
	return { id: guid(0), name: 'Generated', data };
}

const USUAL_LABELS = ['Site', 'site', 'Note', 'A', 'A:2', 'name', 'a/b', 'Ä ö'];
const ODD_LABELS = ['__proto__', 'constructor', 'f2', 'x:0', 'section:f1', '10', '7'];
const anyLabel = fc.oneof(
	{ weight: 5, arbitrary: fc.constantFrom(...USUAL_LABELS) },
	{ weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
	{ weight: 1, arbitrary: fc.constantFrom(...ODD_LABELS) },
);

const TEXTS = ['Yes', 'No', 'N/A', 'Yes, with care', 'a;b', '"quoted"', '0', 'true', 'two\nlines'];
const choice = fc.oneof(
	fc.constantFrom(...TEXTS),
	fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() === text && text !== ''),
);
const byLowerCase = (text: string) => text.toLowerCase();
const choices = fc.uniqueArray(choice, { minLength: 1, maxLength: 6, selector: byLowerCase });

const [is_required, show_time] = [fc.boolean(), fc.boolean()];
const questionOfType = (types: string[], options: Record<string, fc.Arbitrary<JsonValue>> = {}) =>
	fc.record({ type: fc.constantFrom(...types), label: anyLabel, options: fc.record(options) });
const anyQuestion: fc.Arbitrary<ControlSpec> = fc.oneof(
	questionOfType(['text', 'number', 'checkIn/location'], { is_required }),
	questionOfType(['date'], { is_required, show_time }),
	questionOfType(['radio', 'checkbox', 'dropdown'], { choices, is_required }),
	questionOfType(['media', 'signature', 'checkin']),
);

function anySection(depth: number): fc.Arbitrary<ControlSpec> {
	const child = depth > 0 ? fc.oneof(anyQuestion, anySection(depth - 1)) : anyQuestion;
	return fc.record({
		type: fc.constant('section'),
		label: anyLabel,
		options: fc.record({ is_repeatable: fc.boolean() }),
		children: fc.array(child, { maxLength: 4 }),
	});
}

/** Random pages of a template, with nested sections, repeated labels, and controls that can't be answered. */
const anyPage = fc.record({
	type: fc.constant('page'),
	label: anyLabel,
	children: fc.array(fc.oneof(anyQuestion, anySection(2)), { maxLength: 5 }),
});
export const anyPages = fc.array(anyPage, { minLength: 1, maxLength: 3 });

/** Random templates as the service returns them, with various names for the member that has a control's options. */
export const anyTemplate: fc.Arbitrary<JsonRecord> = fc
	.tuple(anyPages, fc.constantFrom('settings', 'options', 'the service'))
	.map(([pages, optionsName]) => templateOf(pages, optionsName));
