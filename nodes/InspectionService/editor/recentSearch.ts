import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { markOf, marksIn } from '../domain/changes/seenVersions';
import { isRecord, parseJson } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { cleanLine } from '../domain/shownText';
import { listName } from '../domain/template/editorNames';
import { connectToService } from '../transport/connectToService';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { FIRST_POSITION, type ListPosition, readRecent } from './recentInspections';

/** Fewer entries than this do not fill n8n's dropdown, which then cannot be scrolled to load more. */
const ENOUGH_ENTRIES = 15;
/**
 * Inspections read each time the list is loaded without a filter: 25 requests, five at once, so that a person waits a few
 * seconds at most. n8n 2.41 asks again while its dropdown is not full.
 */
const INSPECTIONS_PER_LOAD = 2_500;
/** With a filter more is read each time, because n8n asks for more only when the user scrolls. */
const INSPECTIONS_PER_FILTERED_LOAD = 10_000;

/**
 * Entries of earlier loads that a token remembers, those met last: a token of 25 kB, which n8n's editor sends along
 * when the user scrolls. As many as one load reads inspections, so that inspections which moved to a later page
 * in between are known again. Each is a mark, because an id may be of any length.
 */
const REMEMBERED_ENTRIES = INSPECTIONS_PER_LOAD;
/** Characters of a filter that the note of an empty list repeats. The note then fits into a name. */
const MAX_SHOWN_FILTER = 60;

/** One entry of a list, as found in an inspection. */
export interface FoundEntry {
	value: string;
	name: string;
	/** What a user may type to find it, besides the name. */
	words: readonly string[];
}

/** How a list is made from inspections, and what it says where it is empty. */
export interface RecentSearch {
	entriesOf(inspection: InspectionRecord): FoundEntry[];
	/** Looks in one more place, where nothing on the first page matches the text. */
	lookUp?(service: InspectionServiceClient, text: string): Promise<FoundEntry | undefined>;
	/** The entry of a list where the service has no inspections. */
	nothing: string;
	/** `what` is listed, and `cure` says what else to do: `No <what> matching "x" …: <cure>`. */
	what: string;
	cure: string;
}

/** What a search has found so far, and where it goes on. */
interface Finding {
	results: INodeListSearchItems[];
	/** Marks of the entries that were met (`markOf`), the last met at the end. */
	seen: Set<string>;
	next: ListPosition | undefined;
	/** How many inspections were read. */
	count: number;
}

/**
 * A list made from recent inspections. Each entry comes once, those of the last updated inspection first. The service
 * lists inspections only (listInspections of docs/service.openapi.yaml), neither templates nor teams.
 */
export async function searchRecent(
	context: ILoadOptionsFunctions,
	search: RecentSearch,
	{ filter = '', paginationToken }: { filter?: string; paginationToken?: string },
): Promise<INodeListSearchResult> {
	const service = await connectToService(context);
	const text = filter.trim();
	const finding = startOf(paginationToken);
	const isFirst = finding.next?.page === 1;
	const read = async (limit: number) => await readOn(service, search, { finding, text, limit });
	const readPage = async () => await read(1);
	if (text === '') {
		await read(INSPECTIONS_PER_LOAD);
	} else {
		await readPage();
		const isUnknown = isFirst && finding.results.length === 0;
		const entry = isUnknown ? await search.lookUp?.(service, text) : undefined;
		if (entry !== undefined) return { results: [{ name: entry.name, value: entry.value }] };
		await read(INSPECTIONS_PER_FILTERED_LOAD);
	}
	const { results, next, seen } = finding;
	if (isFirst && results.length === 0) {
		results.push({ name: emptyList(search, finding, text), value: '' });
	}
	if (next === undefined) return { results };
	const remembered = [...seen].slice(-REMEMBERED_ENTRIES).join('');
	return { results, paginationToken: JSON.stringify({ ...next, seen: remembered }) };
}

/** A list that says in its only entry why it is empty. n8n shows nothing else there; the entry has no value. */
export function note(name: string): INodeListSearchResult {
	return { results: [{ name, value: '' }] };
}

/** Reads until there are enough entries, the list ends, or `limit` inspections were read. */
async function readOn(
	service: InspectionServiceClient,
	{ entriesOf }: RecentSearch,
	{ finding, text, limit }: { finding: Finding; text: string; limit: number },
): Promise<void> {
	const { results, seen } = finding;
	while (finding.next !== undefined && finding.count < limit && results.length < ENOUGH_ENTRIES) {
		const { inspections, next } = await readRecent(service, finding.next);
		for (const entry of inspections.flatMap(entriesOf)) {
			const mark = markOf(entry.value);
			const isNew = !seen.delete(mark);
			seen.add(mark);
			if (isNew && matches(entry, text)) results.push({ name: entry.name, value: entry.value });
		}
		finding.next = next;
		finding.count += inspections.length;
	}
}

function matches({ name, value, words }: FoundEntry, text: string): boolean {
	const wanted = text.toLowerCase();
	if (wanted === '' || value.toLowerCase() === wanted) return true;
	return [listName(name), ...words].some((known) => known.toLowerCase().includes(wanted));
}

function emptyList(
	{ nothing, what, cure }: RecentSearch,
	{ count, next }: Finding,
	text: string,
): string {
	if (text === '' && next === undefined) return nothing;
	const matching = text === '' ? '' : ` matching "${cleanLine(text, MAX_SHOWN_FILTER)}"`;
	const read = `the last ${count.toLocaleString('en')} inspections`;
	return `No ${what}${matching} in ${next === undefined ? 'recent inspections' : read}: ${cure}`;
}

/** Where a search begins: with `paginationToken` it goes on from the end of the one before. */
function startOf(paginationToken: string | undefined): Finding {
	const finding = { results: [], seen: new Set<string>(), next: FIRST_POSITION, count: 0 };
	const position = parseJson(paginationToken ?? '');
	if (!isRecord(position)) return finding;
	const { page, firstLength, seen } = position;
	if (typeof page !== 'number' || typeof firstLength !== 'number') return finding;
	const marks = typeof seen === 'string' ? marksIn(seen) : [];
	return { ...finding, seen: new Set(marks), next: { page, firstLength } };
}
