import { parseGuid } from './guid.mts';
import type { Control, Template } from './model.mts';
import { objectOf, shownValue } from './sentValue.mts';
import type { SandboxSettings } from './settings.mts';
import type { AnswerSpec } from './specs.mts';
import { storedValue } from './storedValue.mts';

type Rule = (value: unknown, control: Control) => boolean;

const isText: Rule = (value) => typeof value === 'string';

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const isNumber: Rule = (value) =>
	typeof value === 'string' ? NUMBER.test(value.trim()) : Number.isFinite(value);

const isChoice: Rule = (value, { options: { choices = [] } }) =>
	typeof value === 'string' && choices.includes(value);

const areChoices: Rule = (value, control) =>
	Array.isArray(value) && value.every((choice) => isChoice(choice, control));

const isDropdown: Rule = (value, control) => {
	if (!Array.isArray(value)) return isChoice(value, control);
	return areChoices(value, control) && (control.multiple || value.length === 1);
};

const isDate: Rule = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/**
 * Functions that check whether a value is valid, by type of control (schema `Response` in the OpenAPI document). Controls of any
 * other type can't be answered when an inspection is created.
 */
const RULES: Record<string, Rule> = {
	text: isText,
	number: isNumber,
	radio: isChoice,
	checkbox: areChoices,
	dropdown: isDropdown,
	date: isDate,
	'checkIn/location': isText,
};

/** Whether a control can be answered when an inspection is created. */
export const isAnswerable = ({ type }: Control): boolean => Object.hasOwn(RULES, type);

/**
 * Returns a key for the control that an answer names: `id:<control ID>`, or `field:<field ID>` if the answer has no
 * control ID.
 */
function referenceOf({ template_control_id: id, field_id: fieldId }: Record<string, unknown>) {
	if (typeof id === 'string' && id !== '') return `id:${parseGuid(id) ?? id}`;
	return `field:${shownValue(fieldId)}`;
}

/** Returns the answers that name an existing control and a valid instance number, each with that control. */
function candidatesOf(items: readonly unknown[], { controls }: Template) {
	const byReference = new Map(
		controls.flatMap((control): [string, Control][] => [
			[`id:${control.id}`, control],
			[`field:${control.fieldId}`, control],
		]),
	);
	return items.flatMap((sent) => {
		const item = objectOf(sent);
		const control = byReference.get(referenceOf(item));
		const order = item.repeat_section_order ?? 1;
		const response = objectOf(item.response);
		if (control === undefined || !('value' in response)) return [];
		if (typeof order !== 'number' || !Number.isInteger(order) || order < 1) return [];
		return [{ control, order, value: response.value }];
	});
}

/**
 * Returns the number of instances of each repeatable section. Counting ends at the first gap: instances 1, 2, and 4
 * count as 2.
 */
function instanceCounts(candidates: ReturnType<typeof candidatesOf>): Map<string | null, number> {
	const bySection = Map.groupBy(candidates, ({ control }) => control.repeatableId);
	const counts = [...bySection].map(([section, ofSection]): [string | null, number] => {
		const orders = new Set(ofSection.map(({ order }) => order));
		let count = 0;
		while (orders.has(count + 1)) count += 1;
		return [section, count];
	});
	return new Map([...counts, [null, 1]]);
}

/**
 * Returns the answers that the service stores. It silently drops all others, as the OpenAPI document says for
 * createInspection. It drops an answer if the control is unknown, or if the control's type rejects the value. It also
 * drops an answer with instance 0, with an instance after a gap, or with instance 2 or later outside of repeatable
 * sections. If several answers have the same control and instance, it keeps the first.
 */
export function acceptAnswers(
	items: readonly unknown[],
	template: Template,
	settings: SandboxSettings,
): AnswerSpec[] {
	const candidates = candidatesOf(items, template);
	const counts = instanceCounts(candidates);
	const taken = new Set<string>();
	return candidates.flatMap(({ control, order, value }) => {
		const pair = `${control.id} ${String(order)}`;
		if (order > (counts.get(control.repeatableId) ?? 0) || taken.has(pair)) return [];
		if (RULES[control.type]?.(value, control) !== true) return [];
		taken.add(pair);
		return [{ control: control.id, order, value: storedValue(value, control, settings) }];
	});
}
