import { idKey } from '../id';
import { isRecord, type JsonRecord, recordsOf, textOf } from '../json';
import { trimmedEnd } from '../plainText';
import { shapeOf, UnexpectedResponseError } from '../responseShape';

/** One control of a template, with its place in the form and the options that are used; absent ones are false or empty. */
export interface Control {
	/** A GUID; '' where the template leaves it out, as the texts below. */
	id: string;
	fieldId: string;
	type: string;
	label: string;
	/**
	 * Slash-separated labels from the top page to the control, its own label last. In a very long path `…` stands for the
	 * outer labels.
	 */
	path: string;
	/** Null for a top-level control and for one whose parent is not in the template. */
	parent: Control | null;
	children: Control[];
	isRequired: boolean;
	showTime: boolean;
	isRepeatable: boolean;
	choices: string[];
	/** As the service gives it. */
	record: JsonRecord;
}

/** The names of options. That of the object around them is not known (Control of docs/service.openapi.yaml). */
const KNOWN_OPTIONS = ['is_required', 'show_time', 'choices', 'is_repeatable'];

/** Characters of a path that is put together here. Without a limit, a chain of 25,000 controls has gigabytes of paths. */
const MAX_PATH_LENGTH = 2_000;

/**
 * The controls of a template in the order of the form, each one before its children. The flat list is joined by
 * `parent_id` and `children` (TemplateData of docs/service.openapi.yaml). A control with an unknown parent becomes a
 * top-level one, and a cycle is cut where it closes. Throws UnexpectedResponseError where there is no list of controls,
 * because an inspection made without knowing them would lose its answers.
 */
export function controlsOf(template: JsonRecord): Control[] {
	const controls = controlList(template);
	if (controls === undefined) {
		throw new UnexpectedResponseError(
			`The service's template has an unknown shape: no list of controls under "data.controls". It is ${shapeOf(template)}`,
		);
	}
	const nodes = recordsOf(controls).map(controlOf);
	joinControls(nodes);
	const roots = nodes.filter(({ parent }) => parent === null);
	// Controls of a cycle hang below no root: they follow in the order of the flat list.
	const ordered = [...depthFirst([...roots, ...nodes])];
	for (const node of ordered) node.path = pathOf(node);
	return ordered;
}

export function hasControls(template: JsonRecord): boolean {
	return controlList(template) !== undefined;
}

function controlList({ data }: JsonRecord): unknown[] | undefined {
	return isRecord(data) && Array.isArray(data.controls) ? data.controls : undefined;
}

/** The options come from any object in the control that has one of their names, or from the control itself. */
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
	return [...new Set(choices.map(String))].filter((choice) => choice !== '');
}

/** Gives every node its parent (`parent_id` first, else the node that lists it) and its children in order. */
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
	// Children that their parent does not list follow those that it lists. The others keep the place that they have.
	for (const node of nodes) node.parent?.children.push(node);
}

/** Every node once, parents first. It has a stack of its own, because templates may be deeper than the call stack. */
function depthFirst(starts: readonly Control[]): Set<Control> {
	const placed = new Set<Control>();
	for (const start of starts) {
		// Only the first control of a cycle still has a parent here: a parent that was placed has placed its children.
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
 * The control's path with its own label last. A service may leave the label out, end the path in a slash, or both
 * (Control of docs/service.openapi.yaml). The parent's path tells which.
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
