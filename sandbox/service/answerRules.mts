import { parseGuid } from './guid.mts';
import type { Answer, Control, Template } from './model.mts';
import type { SandboxSettings } from './settings.mts';
import { storedValue } from './storedValue.mts';

type Rule = (value: unknown, control: Control) => boolean;

const isText: Rule = (value) => typeof value === 'string';

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const isNumber: Rule = (value) =>
	typeof value === 'number'
		? Number.isFinite(value)
		: typeof value === 'string' && NUMBER.test(value.trim());

const isChoice: Rule = (value, control) =>
	typeof value === 'string' && (control.options.choices ?? []).includes(value);

const areChoices: Rule = (value, control) =>
	Array.isArray(value) && value.every((choice) => isChoice(choice, control));

const isDropdown: Rule = (value, control) => {
	if (!Array.isArray(value)) return isChoice(value, control);
	return areChoices(value, control) && (control.multiple || value.length === 1);
};

const isDate: Rule = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** The values that each type of control takes (Response of the document). Other types cannot be filled at creation. */
const RULES: Record<string, Rule> = {
	text: isText,
	number: isNumber,
	radio: isChoice,
	checkbox: areChoices,
	dropdown: isDropdown,
	date: isDate,
	'checkIn/location': isText,
};

interface Candidate {
	control: Control;
	order: number;
	value: unknown;
}

function candidateOf(item: unknown, controls: ReadonlyMap<string, Control>): Candidate | null {
	if (typeof item !== 'object' || item === null) return null;
	const reference = controlReference(item);
	const control = reference === null ? undefined : controls.get(reference);
	if (control === undefined) return null;
	const order = 'repeat_section_order' in item ? (item.repeat_section_order ?? 1) : 1;
	if (typeof order !== 'number' || !Number.isInteger(order) || order < 1) return null;
	const response = 'response' in item ? item.response : null;
	if (typeof response !== 'object' || response === null || !('value' in response)) return null;
	return { control, order, value: response.value };
}

/** What names the control: its id, which takes precedence, or its field id. Null where neither is there. */
function controlReference(item: object): string | null {
	const id = 'template_control_id' in item ? item.template_control_id : null;
	if (typeof id === 'string' && id !== '') return `id:${parseGuid(id) ?? id}`;
	const fieldId = 'field_id' in item ? item.field_id : null;
	return typeof fieldId === 'string' && fieldId !== '' ? `field:${fieldId}` : null;
}

function byReference(template: Template): Map<string, Control> {
	return new Map(
		template.controls.flatMap((control): [string, Control][] => [
			[`id:${control.id}`, control],
			[`field:${control.fieldId}`, control],
		]),
	);
}

/** Per repeatable section, how many instances there are from 1 on without a gap. */
function instanceCounts(candidates: readonly Candidate[]): Map<string, number> {
	const orders = new Map<string, Set<number>>();
	for (const { control, order } of candidates) {
		if (control.repeatableId === null) continue;
		const seen = orders.get(control.repeatableId) ?? new Set<number>();
		orders.set(control.repeatableId, seen.add(order));
	}
	return new Map(
		[...orders].map(([section, seen]) => {
			let count = 0;
			while (seen.has(count + 1)) count += 1;
			return [section, count];
		}),
	);
}

/**
 * The answers that are stored of those sent. What is malformed is left out without a word (createInspection of
 * the document): unknown control, a value against its type's rule, an instance of a section that does not repeat, order 0,
 * a gap in the orders, and every later answer to a (field_id, repeat_section_order) that was answered already.
 */
export function acceptAnswers(
	items: readonly unknown[],
	template: Template,
	settings: SandboxSettings,
): Answer[] {
	const controls = byReference(template);
	const candidates = items
		.map((item) => candidateOf(item, controls))
		.filter((candidate) => candidate !== null);
	const counts = instanceCounts(candidates);
	const taken = new Set<string>();

	return candidates.flatMap(({ control, order, value }) => {
		const last = control.repeatableId === null ? 1 : (counts.get(control.repeatableId) ?? 0);
		const pair = `${control.id} ${String(order)}`;
		if (order > last || taken.has(pair)) return [];
		if (RULES[control.type]?.(value, control) !== true) return [];
		taken.add(pair);
		return [
			{
				controlId: control.id,
				order,
				value: storedValue(value, control, settings),
				flagged: false,
			},
		];
	});
}
