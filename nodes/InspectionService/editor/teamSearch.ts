import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { displayName, nestedId } from '../domain/displayName';
import { isRecord } from '../domain/json';
import { type FoundEntry, type RecentSearch, searchRecent } from './recentSearch';

const TEAMS: RecentSearch = {
	entriesOf: ({ team, template }) => [
		...teamEntry(team),
		...teamEntry(isRecord(template) ? template.team : undefined),
	],
	nothing: 'No inspections yet, so no teams to list: choose "By ID"',
	what: 'team',
	cure: 'choose "By ID"',
};

/** The team locator's list: the teams of recent inspections and of their templates. */
export async function searchTeams(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchRecent(this, TEAMS, { filter, paginationToken });
}

function teamEntry(team: unknown): FoundEntry[] {
	const value = nestedId(team);
	return value === undefined ? [] : [{ value, name: displayName(team) ?? value, words: [] }];
}
