import { idKey } from '../id';
import { isRecord, type JsonRecord, recordsOf, textOf } from '../json';
import { trimmedEnd } from '../normalizeText';
import { shapeOf, UnexpectedResponseError } from '../unexpectedResponse';

/**
 * A control of a template: its place in the form, and the options that the node uses. A missing option is false or
 * empty.
 */
export interface Control {
	/** A GUID. This and the next three strings are empty if the template doesn't contain them. */
	id: string;
	fieldId: string;
	type: string;
	label: string;
	/**
	 * The labels from the top page to the control, separated by slashes. The last one is the label of the control itself.
	 * In a very long path, `…` replaces the outer labels.
	 */
	path: string;
	/**
	 * The control that contains this control. Null for a top-level control, and if the template doesn't contain the
	 * parent.
	 */
	parent: Control | null;
	children: Control[];
	isRequired: boolean;
	showTime: boolean;
	isRepeatable: boolean;
	choices: string[];
	/** The control as sent by the service. */
	record: JsonRecord;
}

/**
 * The options that the node uses. The service can send them in an object whose name the API doesn't document (Control
 * of docs/service.openapi.yaml).
 */
const KNOWN_OPTIONS = ['is_required', 'show_time', 'choices', 'is_repeatable'];

/**
 * Maximum characters of a path that this module builds. Without a limit, the paths of a chain of 25,000 nested controls
 * would take gigabytes.
 */
const MAX_PATH_LENGTH = 2_000;

/**
 * Returns the controls of a template in the order of the form, each before its children. Builds the tree from the flat
 * list, by `parent_id` and `children` (`TemplateData` in docs/service.openapi.yaml).
 * A control with an unknown parent becomes a top-level control. A cycle of parents is cut at its first control. Throws
 * UnexpectedResponseError if there is no list of controls, because Create would lose all answers without it.
 */
export function controlsOf(template: JsonRecord): Control[] {
	const { data } = template;
	if (!isRecord(data) || !Array.isArray(data.controls)) {
		throw new UnexpectedResponseError(
			`The service sent the template in an unknown form, without the list of questions under "data.controls". It is ${shapeOf(template)}`,
		);
	}
	const nodes = recordsOf(data.controls).map(controlOf);
	joinControls(nodes);
	const roots = nodes.filter(({ parent }) => parent === null);
	// After the top-level controls, go through all controls, because no top-level control leads to a cycle of parents.
	const ordered = [...depthFirst([...roots, ...nodes])];
	for (const node of ordered) node.path = pathOf(node);
	return ordered;
}

export function hasControls({ data }: JsonRecord): boolean {
	return isRecord(data) && Array.isArray(data.controls);
}

/**
 * Parses a control. Its options can be in the control itself, or in any object within the control that contains one of
 * KNOWN_OPTIONS.
 */
function controlOf(record: JsonRecord): Control {
	const carriers = Object.values(record)
		.filter(isRecord)
		.filter((value) => KNOWN_OPTIONS.some((name) => Object.hasOwn(value, name)));
	carriers.push(record);
	const option = (name: string) => carriers.find((carrier) => Object.hasOwn(carrier, name))?.[name];
	return {
		record,
		id: textOf(record.id) ?? '',
		fieldId: textOf(record.field_id) ?? '',
		type: textOf(record.type) ?? '',
		label: textOf(record.label) ?? '',
		path: '',
		parent: null,
		children: [],
		isRequired: option('is_required') === true,
		showTime: option('show_time') === true,
		isRepeatable: option('is_repeatable') === true,
		choices: shownChoices(option('choices')),
	};
}

function shownChoices(value: unknown): string[] {
	if (!Array.isArray(value)) return [];
	const choices = value.filter(
		(choice) => typeof choice === 'string' || typeof choice === 'number',
	);
	return [...new Set(choices.map(String))];
}

/**
 * Sets the parent and the children of every control. The parent is the control in `parent_id`. If there is none, the
 * parent is the first control that lists this control as a child.
 */
function joinControls(nodes: readonly Control[]): void {
	const byId = new Map<string, Control>();
	for (const node of nodes) {
		const id = idKey(node.id);
		if (id !== '' && !byId.has(id)) byId.set(id, node);
	}
	const find = (id: unknown) => (typeof id === 'string' ? byId.get(idKey(id)) : undefined);

	for (const node of nodes) {
		const parent = find(node.record.parent_id);
		if (parent !== undefined && parent !== node) node.parent = parent;
	}
	for (const node of nodes) {
		const { children } = node.record;
		for (const child of Array.isArray(children) ? children.map(find) : []) {
			if (child === undefined || child === node) continue;
			child.parent ??= node;
			if (child.parent === node) node.children.push(child);
		}
	}
	// Append every control to its parent's children, because the parent might not list it. If the parent does, the
	// control is now there twice, but `depthFirst` ignores the second one.
	for (const node of nodes) node.parent?.children.push(node);
}

/**
 * Returns every control once, parents first. Uses an array as the stack, because templates can be deeper than the call
 * stack.
 */
function depthFirst(starts: readonly Control[]): Set<Control> {
	const placed = new Set<Control>();
	for (const start of starts) {
		// A control that isn't placed yet is either at the top level, or its ancestors form a cycle. Then put it at the top
		// level.
		if (!placed.has(start)) start.parent = null;
		const stack = [start];
		for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
			if (placed.has(node)) continue;
			placed.add(node);
			for (const child of node.children.toReversed()) stack.push(child);
		}
	}
	return placed;
}

/**
 * Returns the path of a control, ending with its own label. The path that the service sends can lack the label, end
 * with a slash, or both (`Control` in docs/service.openapi.yaml). A comparison with the path of the parent shows whether
 * the label is missing.
 */
function pathOf({ label, parent, record }: Control): string {
	const parentPath = parent?.path ?? '';
	const joined = parentPath === '' ? label : `${parentPath}/${label}`;
	const given = textOf(record.path) ?? '';
	const trimmed = trimmedEnd(given, '/');
	if (label === '') return trimmed;
	if (trimmed === parentPath || trimmed === '') {
		return joined.length > MAX_PATH_LENGTH ? `…/${label}` : joined;
	}
	for (const path of [given, trimmed]) {
		if (path === label || path.endsWith(`/${label}`)) return path;
	}
	return `${trimmed}/${label}`;
}
