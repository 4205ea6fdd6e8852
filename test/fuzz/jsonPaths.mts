/** Steps from the root of a JSON value: keys and indexes. */
export type JsonPath = readonly (string | number)[];

/**
 * One path for each kind of value in a JSON value: all elements of an array count as one kind, and the first one that
 * has it stands for all. The root is a kind of its own.
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

/** The JSON text of `root` with the value at `path` replaced; as it is where there is nothing at the path. */
export function replaced(root: unknown, path: JsonPath, replacement: string): string {
	const [step, ...rest] = path;
	if (step === undefined) return replacement;
	if (Array.isArray(root) && typeof step === 'number' && step < root.length) {
		const parts = root.map((element, index) =>
			index === step ? replaced(element, rest, replacement) : JSON.stringify(element),
		);
		return `[${parts.join(',')}]`;
	}
	if (typeof root === 'object' && root !== null && Object.hasOwn(root, step)) {
		const parts = Object.entries(root).map(([key, value]) => {
			const json = key === step ? replaced(value, rest, replacement) : JSON.stringify(value);
			return `${JSON.stringify(key)}:${json}`;
		});
		return `{${parts.join(',')}}`;
	}
	return JSON.stringify(root);
}
