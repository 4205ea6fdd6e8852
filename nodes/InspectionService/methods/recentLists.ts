import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { displayName, nestedId } from '../domain/displayName';
import { cleanLine, shownTime } from '../domain/formatting';
import { guidOf } from '../domain/id';
import { isRecord, textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { listName } from '../domain/template/keys';
import { timestampOf } from '../domain/timestamp';
import { MAX_IDENTIFIER_LENGTH } from '../fields/locators';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import { listEntry } from './literalValue';
import { readRecent } from './recentInspections';

/**
 * Minimum number of entries to load. Fewer entries don't fill n8n's dropdown, so the user can't scroll to load more.
 */
const ENOUGH_TO_SCROLL = 15;
/** Maximum length of the filter repeated in the note of an empty list, in characters. n8n cuts longer lines off. */
const MAX_SHOWN_FILTER = 24;

interface FoundEntry {
	value: string;
	name: string;
	/** Additional search terms besides the name. */
	words?: readonly string[];
}

interface RecentSearch {
	entriesOf: (inspection: InspectionRecord) => FoundEntry[];
	/**
	 * Whether to load only as many entries as the dropdown needs, and more when the user scrolls. Other lists need all
	 * recent inspections, because many inspections have the same entry.
	 */
	isPaged?: boolean;
	/** Finds entries that no recent inspection refers to. `text` is what the user typed. */
	lookUp?: (service: InspectionServiceClient, text: string) => Promise<FoundEntry[]>;
	what: string;
	fix: string;
	/** How to choose an entry whose ID isn't a GUID. */
	withoutGuid?: string;
}

export const searchTemplates = recentList({
	entriesOf: ({ template }) => templateEntry(template),
	async lookUp(service, text) {
		if (guidOf(text) === undefined && text.length > MAX_IDENTIFIER_LENGTH) return [];
		const request = service.getTemplate(text, { includeControls: false });
		// Ignore errors, because most text isn't an identifier yet while the user types.
		return templateEntry(await request.catch(() => undefined));
	},
	what: 'template',
	fix: "choose 'By ID' or 'By Identifier'",
	withoutGuid: "For these, choose 'By Identifier'",
});

export const searchInspections = recentList({
	entriesOf: ({ id, name, status, updated_at, template }) => {
		const time = textOf(updated_at);
		const facts = [textOf(status)?.replaceAll('_', ' '), time && shownTime(time)];
		const shown = facts.filter((fact) => fact !== undefined).join(', ');
		const title = textOf(name) ?? id;
		const words = [displayName(template) ?? ''];
		return [{ value: id, name: shown === '' ? title : `${title} (${shown})`, words }];
	},
	isPaged: true,
	what: 'inspection',
	fix: "choose 'By ID'",
});

export const searchTeams = recentList({
	entriesOf: ({ team, template }) =>
		[team, isRecord(template) ? template.team : undefined].flatMap((one) => {
			const value = nestedId(one);
			return value === undefined ? [] : [{ value, name: displayName(one) ?? value }];
		}),
	what: 'team',
	fix: "choose 'By ID'",
});

/** Returns the list entry of a template. The service may send only an ID instead of a template. */
function templateEntry(template: unknown): FoundEntry[] {
	const { id, name, template_id }: Record<string, unknown> = isRecord(template)
		? template
		: { id: template };
	const value = textOf(id);
	if (value === undefined) return [];
	const identifier = textOf(template_id);
	const title = textOf(name) ?? value;
	return [{ value, name: identifier === undefined ? title : `${title} (${identifier})` }];
}

/**
 * Builds a list from recent inspections, because the service lists neither templates nor teams. The pagination token is
 * the time from which the list continues.
 */
function recentList(search: RecentSearch) {
	const { entriesOf, isPaged = false, lookUp, what, fix, withoutGuid } = search;
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken = '',
	): Promise<INodeListSearchResult> {
		const service = await connectToService(this);
		const text = filter.trim();
		const before = timestampOf(paginationToken);
		const isFirst = before === undefined;
		// First look up the exact identifier or ID. Recent inspections might only contain other templates whose
		// identifier includes the text.
		const isLookedUp = lookUp !== undefined && text !== '' && isFirst;
		const lookedUp = isLookedUp ? await lookUp(service, text) : [];
		const entriesIn = (inspections: readonly InspectionRecord[]) =>
			inspections.flatMap(entriesOf).filter((entry) => matches(entry, text));
		const isEnough = (inspections: readonly InspectionRecord[]) =>
			isPaged && entriesIn(inspections).length >= ENOUGH_TO_SCROLL;
		const { inspections, isCutShort, next } = await readRecent(service, isEnough, { before });
		const results = locatorEntries([...lookedUp, ...entriesIn(inspections)], what, withoutGuid);
		const lastOnes = `the last ${inspections.length.toLocaleString('en')} inspections`;
		if (results.length === 0 && isFirst) {
			if (inspections.length === 0) return showNote(`No inspections yet: ${fix}`);
			const matching = text && ` matches "${cleanLine(text, MAX_SHOWN_FILTER)}"`;
			const searched = isCutShort ? lastOnes : 'recent inspections';
			return showNote(`No ${what}${matching}`, `Searched: ${searched}`, `Otherwise, ${fix}`);
		}
		if (!isCutShort) return { results };
		if (isEnough(inspections) && next !== undefined) return { results, paginationToken: next };
		const end = isFirst ? `Only ${lastOnes} were searched` : 'Older inspections were not searched';
		return { results: [...results, ...showNote(end, `For others, ${fix}`).results] };
	};
}

/** Whether the typed text matches an entry. */
export function matches({ name, value, words = [] }: FoundEntry, text: string): boolean {
	const wanted = text.trim().toLowerCase();
	if (wanted === '' || value.toLowerCase() === wanted) return true;
	return [listName(name), ...words].some((known) => known.toLowerCase().includes(wanted));
}

/**
 * Returns one entry per GUID. Leaves out other IDs, because the node sends no others to the service. If any are left
 * out, the last entries contain their number, and how to choose them (`fix`).
 */
export function locatorEntries(
	found: readonly FoundEntry[],
	what: string,
	fix?: string,
): INodeListSearchItems[] {
	const entries = new Map<string, INodeListSearchItems>();
	const others = new Set<string>();
	for (const { value, name } of found) {
		const guid = guidOf(value);
		if (guid === undefined) others.add(value);
		else if (!entries.has(guid)) entries.set(guid, listEntry(name, guid));
	}
	if (others.size === 0) return [...entries.values()];
	const count = others.size.toLocaleString('en');
	const verb = others.size === 1 ? ' is' : 's are';
	const note = `${count} ${what}${verb} left out: not a GUID as ID`;
	return [...entries.values(), ...showNote(note, ...(fix === undefined ? [] : [fix])).results];
}

/**
 * Returns a list that explains why it's empty. n8n 2.41 cuts a line off after about 55 characters, and shows only one of
 * several entries with the same value. So the values are blank texts of different lengths.
 */
export function showNote(...lines: string[]): INodeListSearchResult {
	return { results: lines.map((name, index) => ({ name, value: ' '.repeat(index) })) };
}
