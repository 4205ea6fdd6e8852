/**
 * Groups elements by key and keeps their order. Not `Map.groupBy`, because that needs Node 21, and n8n also runs on
 * Node 20.
 */
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
