import { idKey } from '../id';
import { isRecord, type JsonRecord, recordsOf, textOf } from '../json';
import { trimmedEnd } from '../normalizeText';
import { shapeOf, UnexpectedResponseError } from '../unexpectedResponse';

/**
 * A control of a template, with its position in the form and the options that are used. Missing options are false or
 * empty.
 */
export interface Control {
	/** A GUID. '' if the template leaves it out, as for the strings below. */
	id: string;
	fieldId: string;
	type: string;
	label: string;
	/**
	 * Slash-separated labels from the top page to the control, ending with its own label. In a very long path, `…`
	 * replaces the outer labels.
	 */
	path: string;
	/** Null for a top-level control, and if the parent isn't in the template. */
	parent: Control | null;
	children: Control[];
	isRequired: boolean;
	showTime: boolean;
	isRepeatable: boolean;
	choices: string[];
	/** The control as the service sends it. */
	record: JsonRecord;
}

/** The names of options. The name of the object around them is unknown (Control of docs/service.openapi.yaml). */
const KNOWN_OPTIONS = ['is_required', 'show_time', 'choices', 'is_repeatable'];

/**
 * Maximum characters of a path that is built here. Without a limit, a chain of 25,000 controls would have gigabytes of
 * paths.
 */
const MAX_PATH_LENGTH = 2_000;

/**
 * Returns the controls of a template in the form's order, each before its children. Joins the flat list by `parent_id`
 * and `children` (TemplateData of docs/service.openapi.yaml). A control with an unknown parent becomes a top-level
 * control, and a cycle is cut where it closes. Throws UnexpectedResponseError if there's no list of controls, because
 * an inspection created without it would lose its answers.
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
	// Controls of a cycle have no root, so they follow in the order of the flat list.
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

/** Reads the options from any object in the control that has one of their names, or from the control itself. */
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

/** Sets the parent of every node (`parent_id` first, else the node that lists it) and its children in order. */
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
	// Add children that their parent doesn't list after those that it lists. Listed children keep their position.
	for (const node of nodes) node.parent?.children.push(node);
}

/** Returns every node once, parents first. Uses its own stack, because templates can be deeper than the call stack. */
function depthFirst(starts: readonly Control[]): Set<Control> {
	const placed = new Set<Control>();
	for (const start of starts) {
		// Only the first control of a cycle still has a parent here, because a placed parent has placed its children.
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
 * Returns the control's path, ending with its own label. A service can leave out the label, end the path with a slash,
 * or both (Control of docs/service.openapi.yaml). The parent's path shows which.
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
