import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { isRecord, parseJson } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { connectToService } from '../transport/connectToService';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { FIRST_POSITION, readRecent, type ListPosition } from './recentInspections';

/** Fewer entries than this do not fill n8n's dropdown, which then cannot be scrolled to load more. */
const ENOUGH_ENTRIES = 15;
/** Inspections read for one answer without a filter: n8n 2.41 asks for more by itself while its dropdown is not full. */
const INSPECTIONS_PER_ANSWER = 2_500;
/** With a filter n8n asks for more only when the user scrolls, so that one answer has to go further. */
const INSPECTIONS_PER_FILTER = 10_000;

/** One entry of a list, as found in an inspection. */
export interface FoundEntry {
	value: string;
	name: string;
	/** What a user may type to find it, besides the name. */
	words: readonly string[];
}

/** What a list is made of, and what it says where it is empty. */
export interface RecentSearch {
	entriesOf(inspection: InspectionRecord): FoundEntry[];
	/** Where nothing matches the text so far: one more place to look. */
	lookUp?(service: InspectionServiceClient, text: string): Promise<FoundEntry | undefined>;
	/** Without inspections there is nothing to list. */
	nothing: string;
	/** What is listed and what else to do, for `No <what> matching "x" …: <cure>`. */
	what: string;
	cure: string;
}

interface SearchPosition extends ListPosition {
	/** Values that were listed or passed over already. */
	seen: string[];
}

/**
 * A list made of what recent inspections hold, each entry once, the last updated inspection's first: the service has no
 * lists of its own of templates and teams (interface, "Operations covered").
 */
export async function searchRecent(
	context: ILoadOptionsFunctions,
	search: RecentSearch,
	{ filter = '', paginationToken }: { filter?: string; paginationToken?: string },
): Promise<INodeListSearchResult> {
	const service = await connectToService(context);
	const wanted = filter.trim().toLowerCase();
	const start = parsePosition(paginationToken);
	const limit = wanted === '' ? INSPECTIONS_PER_ANSWER : INSPECTIONS_PER_FILTER;
	const seen = new Set(start.seen);
	const results: INodeListSearchItems[] = [];
	let next: ListPosition | undefined = start;
	let count = 0;
	while (next !== undefined && count < limit && results.length < ENOUGH_ENTRIES) {
		const isFirst = next.page === 1;
		const read = await readRecent(service, next);
		for (const entry of read.inspections.flatMap(search.entriesOf)) {
			if (seen.has(entry.value)) continue;
			seen.add(entry.value);
			if (matches(entry, wanted)) results.push({ name: entry.name, value: entry.value });
		}
		next = read.next;
		count += read.inspections.length;
		if (!isFirst || results.length > 0 || wanted === '') continue;
		const found = await search.lookUp?.(service, filter.trim());
		if (found !== undefined) return { results: [{ name: found.name, value: found.value }] };
	}
	if (results.length === 0 && start.page === 1) {
		results.push({
			name: emptyList(search, { filter, count, isEnd: next === undefined }),
			value: '',
		});
	}
	return next === undefined
		? { results }
		: { results, paginationToken: JSON.stringify({ ...next, seen: [...seen] }) };
}

function matches({ name, value, words }: FoundEntry, wanted: string): boolean {
	if (wanted === '' || value.toLowerCase() === wanted) return true;
	return [name, ...words].some((text) => text.toLowerCase().includes(wanted));
}

function emptyList(
	{ nothing, what, cure }: RecentSearch,
	{ filter, count, isEnd }: { filter: string; count: number; isEnd: boolean },
): string {
	if (filter.trim() === '' && isEnd) return nothing;
	const matching = filter.trim() === '' ? '' : ` matching "${filter.trim()}"`;
	const among = isEnd ? 'recent inspections' : `the last ${count.toLocaleString('en')} inspections`;
	return `No ${what}${matching} in ${among}: ${cure}`;
}

function parsePosition(paginationToken: string | undefined): SearchPosition {
	const start = { ...FIRST_POSITION, seen: [] };
	const position = parseJson(paginationToken ?? '');
	if (!isRecord(position)) return start;
	const { page, pageLength, seen } = position;
	if (typeof page !== 'number' || typeof pageLength !== 'number' || !Array.isArray(seen))
		return start;
	return { page, pageLength, seen: seen.filter((value) => typeof value === 'string') };
}
