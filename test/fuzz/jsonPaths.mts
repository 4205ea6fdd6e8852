/** Steps from the root of a JSON value: keys and indexes. */
export type JsonPath = readonly (string | number)[];

/**
 * One path for each kind of value in a JSON value. All elements of an array count as one kind, represented by the
 * first one that has it. The root is a separate kind.
 */
export function pathsOf(root: unknown): JsonPath[] {
	const found = new Map<string, JsonPath>();
	const visit = (value: unknown, path: JsonPath, kind: string) => {
		if (!found.has(kind)) found.set(kind, path);
		if (Array.isArray(value)) {
			value.forEach((element, index) => visit(element, [...path, index], `${kind}/*`));
		} else if (typeof value === 'object' && value !== null) {
			for (const [key, child] of Object.entries(value))
				visit(child, [...path, key], `${kind}/${key}`);
		}
	};
	visit(root, [], '');
	return [...found.values()];
}

/** A text that no test's JSON value contains. */
const HOLE = '(replaced)';

/** The JSON text of `root` with the value at `path` replaced. Unchanged if nothing exists at the path. */
export function replaced(root: unknown, path: JsonPath, replacement: string): string {
	const whole = { root: structuredClone(root) };
	const steps = ['root', ...path];
	const last = steps.pop() ?? '';
	const parent = steps.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), whole);
	if (Object.hasOwn(Object(parent), last)) Reflect.set(Object(parent), last, HOLE);
	return JSON.stringify(whole.root).replace(JSON.stringify(HOLE), () => replacement);
}
