import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { guidOf } from '../domain/id';

/** One entry of a locator's list, as the service has it. */
export interface FoundEntry {
	/** The id; where it is no GUID, the entry is left out. */
	value: string;
	name: string;
	/** What a user may type to find it, besides the name. */
	words?: readonly string[];
}

/**
 * The entries that a locator's list can have: each id once, and GUIDs only. n8n would work out another text, such as
 * `={{ $json }}`, at every execution, and send it to the service. A last line says how many were left out.
 */
export function locatorEntries(found: readonly FoundEntry[], what: string): INodeListSearchItems[] {
	const entries = new Map<string, INodeListSearchItems>();
	const others = new Set<string>();
	for (const { value, name } of found) {
		const guid = guidOf(value);
		if (guid === undefined) others.add(value);
		else if (!entries.has(guid)) entries.set(guid, { name, value: guid });
	}
	if (others.size === 0) return [...entries.values()];
	const count = `${others.size.toLocaleString('en')} ${what}${others.size === 1 ? ' is' : 's are'}`;
	return [...entries.values(), ...note(`${count} left out, because the ID is no GUID`).results];
}

/** A list that says in its only entry why it is empty. n8n shows nothing else there; the entry has no value. */
export function note(name: string): INodeListSearchResult {
	return { results: [{ name, value: '' }] };
}
