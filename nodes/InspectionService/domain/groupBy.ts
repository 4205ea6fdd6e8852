/** The elements by what `keyOf` gives for them, in their own order. Map.groupBy came with Node 21; n8n runs on 20 too. */
export function groupBy<Element, Key>(
	elements: Iterable<Element>,
	keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
	const groups = new Map<Key, Element[]>();
	for (const element of elements) {
		const key = keyOf(element);
		const known = groups.get(key);
		if (known === undefined) groups.set(key, [element]);
		else known.push(element);
	}
	return groups;
}
