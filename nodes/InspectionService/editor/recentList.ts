import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { InspectionRecord } from '../domain/list/inspectionPage';
import { cleanLine } from '../domain/shownText';
import { listName } from '../domain/template/editorNames';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import { type FoundEntry, locatorEntries, note } from './locatorEntries';
import { recentPages } from './recentInspections';

/** Characters of a filter that the note of an empty list repeats. The note then fits into a name. */
const MAX_SHOWN_FILTER = 60;

/** The list of a resource locator, as n8n asks for it. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** How a list is made from inspections, and what it says where it is empty. */
interface RecentSearch {
	entriesOf: (inspection: InspectionRecord) => FoundEntry[];
	/**
	 * With how many entries a load ends; n8n loads more when the user scrolls. Without it all are read at once, because an
	 * entry may come from many inspections.
	 */
	enough?: number;
	/** Finds what no inspection has, by the text that was typed. */
	lookUp?: (service: InspectionServiceClient, text: string) => Promise<FoundEntry[]>;
	/** The entry of a list where the service has no inspections. */
	nothing: string;
	/** `what` is listed, and `cure` says what else to do: `No <what> matching "x" …: <cure>`. */
	what: string;
	cure: string;
}

/**
 * A list made from recent inspections, the last updated ones first: the service lists neither templates nor teams
 * (listInspections of docs/service.openapi.yaml). n8n's token is the number of the page to go on with.
 */
export function recentList(search: RecentSearch): ListSearch {
	const { entriesOf, enough = Infinity, lookUp, what, cure } = search;
	return async function (filter = '', paginationToken = '1') {
		const service = await connectToService(this);
		const text = filter.trim();
		const from = Number(paginationToken) || 1;
		const found: FoundEntry[] = [];
		let end: { next: number | undefined; count: number } = { next: undefined, count: 0 };
		for await (const pages of recentPages(service, { from })) {
			const entries = pages.inspections.flatMap(entriesOf);
			for (const entry of entries) if (matches(entry, text)) found.push(entry);
			end = pages;
			if (found.length >= enough) break;
		}
		if (found.length === 0 && text !== '') found.push(...((await lookUp?.(service, text)) ?? []));
		const results = locatorEntries(found, what);
		if (results.length === 0 && from === 1) return note(emptyList(search, end, text));
		if (end.next === undefined) return { results };
		if (found.length >= enough) return { results, paginationToken: String(end.next) };
		return { results: [...results, ...note(`Only ${inspectionsRead(end)}: ${cure}`).results] };
	};
}

function matches({ name, value, words = [] }: FoundEntry, text: string): boolean {
	const wanted = text.toLowerCase();
	if (wanted === '' || value.toLowerCase() === wanted) return true;
	return [listName(name), ...words].some((known) => known.toLowerCase().includes(wanted));
}

function emptyList(
	{ nothing, what, cure }: RecentSearch,
	{ next, count }: { next: number | undefined; count: number },
	text: string,
): string {
	if (count === 0 && text === '') return nothing;
	const matching = text === '' ? '' : ` matching "${cleanLine(text, MAX_SHOWN_FILTER)}"`;
	const where = next === undefined ? 'recent inspections' : inspectionsRead({ count });
	return `No ${what}${matching} in ${where}: ${cure}`;
}

function inspectionsRead({ count }: { count: number }): string {
	return `the last ${count.toLocaleString('en')} inspections`;
}
