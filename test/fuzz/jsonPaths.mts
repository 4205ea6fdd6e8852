/** The keys and indexes that lead from the root of a JSON value to a value in it. */
export type JsonPath = readonly (string | number)[];

/**
 * Returns one path for each kind of value in a JSON value. The elements of an array are of the same kind. A path leads
 * to the first value of its kind. The root is a separate kind.
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

/** Text that no JSON value of these tests contains. */
const HOLE = '(replaced)';

/**
 * Returns the JSON text of `root` in which the value at `path` is replaced. If nothing is at `path`, nothing is
 * replaced.
 */
export function replaced(root: unknown, path: JsonPath, replacement: string): string {
	const whole = { root: structuredClone(root) };
	const steps = ['root', ...path];
	const last = steps.pop() ?? '';
	const parent = steps.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), whole);
	if (Object.hasOwn(Object(parent), last)) Reflect.set(Object(parent), last, HOLE);
	return JSON.stringify(whole.root).replace(JSON.stringify(HOLE), () => replacement);
}
