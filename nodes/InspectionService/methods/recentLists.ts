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
import { MAX_IDENTIFIER_LENGTH } from '../fields/locators';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import {
	isFarEnough,
	positionOf,
	type ReadPosition,
	recentPages,
	START,
} from './recentInspections';

/**
 * Minimum number of entries to load. Fewer entries don't fill n8n's dropdown, so the user can't scroll to load more.
 */
const ENOUGH_TO_SCROLL = 15;
/** Maximum length of the filter repeated in the note of an empty list, in characters. */
const MAX_SHOWN_FILTER = 60;

export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

interface FoundEntry {
	value: string;
	name: string;
	/** Additional search terms besides the name. */
	words?: readonly string[];
}

interface RecentSearch {
	entriesOf: (inspection: InspectionRecord) => FoundEntry[];
	/** Minimum number of entries to load at once. n8n loads more entries when the user scrolls. */
	enough: number;
	/** Finds entries that no recent inspection refers to. `text` is what the user typed. */
	lookUp?: (service: InspectionServiceClient, text: string) => Promise<FoundEntry[]>;
	what: string;
	/** Shown in the list if the service returns no inspections. */
	nothing: string;
	fix: string;
}

export const searchTemplates = recentList({
	entriesOf: ({ template }) => templateEntry(template),
	async lookUp(service, text) {
		if (guidOf(text) === undefined && text.length > MAX_IDENTIFIER_LENGTH) return [];
		const request = service.getTemplate(text, { includeControls: false });
		// Ignore errors, because most text isn't an identifier yet while the user types.
		return templateEntry(await request.catch(() => undefined));
	},
	enough: Infinity,
	what: 'template',
	nothing: "No inspections yet, so no templates to list: choose 'By ID' or 'By Identifier'",
	fix: "choose 'By ID' or 'By Identifier'",
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
	enough: ENOUGH_TO_SCROLL,
	what: 'inspection',
	nothing: 'No inspections yet',
	fix: "choose 'By ID'",
});

export const searchTeams = recentList({
	entriesOf: ({ team, template }) =>
		[team, isRecord(template) ? template.team : undefined].flatMap((one) => {
			const value = nestedId(one);
			return value === undefined ? [] : [{ value, name: displayName(one) ?? value }];
		}),
	enough: Infinity,
	what: 'team',
	nothing: "No inspections yet, so no teams to list: choose 'By ID'",
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
 * Builds a list from recent inspections, because the service lists neither templates nor teams. The pagination token
 * contains the position to continue from.
 */
function recentList(search: RecentSearch): ListSearch {
	const { entriesOf, enough, lookUp, what, fix } = search;
	return async function (filter, paginationToken) {
		const service = await connectToService(this);
		const text = filter?.trim() ?? '';
		const start = positionOf(paginationToken);
		// First look up the exact identifier or ID. Recent inspections might only contain other templates whose
		// identifier includes the text.
		const isLookedUp = lookUp !== undefined && text !== '' && start === START;
		const found = isLookedUp ? await lookUp(service, text) : [];
		let { count } = start;
		let next: ReadPosition | undefined;
		for await (const pages of recentPages(service, [], start)) {
			found.push(...pages.inspections.flatMap(entriesOf).filter((entry) => matches(entry, text)));
			count += pages.inspections.length;
			next = pages.next;
			if (found.length >= enough) break;
		}
		const results = locatorEntries(found, what);
		const lastOnes = `the last ${count.toLocaleString('en')} inspections`;
		if (results.length === 0 && start === START) {
			if (count === 0) return showNote(search.nothing);
			const matching = text && ` matching "${cleanLine(text, MAX_SHOWN_FILTER)}"`;
			const searched = next === undefined ? 'recent inspections' : lastOnes;
			return showNote(`No ${what}${matching} in ${searched}: ${fix}`);
		}
		if (next === undefined) return { results };
		if (found.length >= enough && !isFarEnough(next)) {
			return { results, paginationToken: JSON.stringify(next) };
		}
		return {
			results: [
				...results,
				...showNote(`Only ${lastOnes} were searched. For others, ${fix}`).results,
			],
		};
	};
}

/** Whether the typed text matches an entry. */
export function matches({ name, value, words = [] }: FoundEntry, text: string): boolean {
	const wanted = text.trim().toLowerCase();
	if (wanted === '' || value.toLowerCase() === wanted) return true;
	return [listName(name), ...words].some((known) => known.toLowerCase().includes(wanted));
}

/**
 * Returns one entry per GUID. Leaves out other IDs, because n8n would evaluate text such as `={{ $json }}`. If any are
 * left out, the last entry contains their number.
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
	return [
		...entries.values(),
		...showNote(`${count} left out, because of an unknown ID format`).results,
	];
}

/** Returns a list whose only entry, which has no value, explains why the list is empty. */
export function showNote(name: string): INodeListSearchResult {
	return { results: [{ name, value: '' }] };
}
