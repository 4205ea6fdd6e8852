import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { displayName } from '../domain/displayName';
import { textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type FoundEntry, type RecentSearch, searchRecent } from './recentSearch';

const INSPECTIONS: RecentSearch = {
	entriesOf: (inspection) => [inspectionEntry(inspection)],
	nothing: 'No inspections yet',
	what: 'inspection',
	cure: 'choose "By ID"',
};

/** The inspection locator's list: `Gate 4, weekly (completed, 2026-05-31)`, the last updated ones first. */
export async function searchInspections(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchRecent(this, INSPECTIONS, { filter, paginationToken });
}

function inspectionEntry({ id, name, status, updated_at, template }: InspectionRecord): FoundEntry {
	const facts = [textOf(status)?.replaceAll('_', ' '), textOf(updated_at)?.slice(0, 10)];
	const shown = facts.filter((fact) => fact !== undefined).join(', ');
	const title = textOf(name) ?? id;
	return {
		value: id,
		name: shown === '' ? title : `${title} (${shown})`,
		words: [displayName(template) ?? ''],
	};
}
