import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { displayName, nestedId } from '../domain/displayName';
import { guidOf } from '../domain/id';
import { isRecord, textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { MAX_IDENTIFIER_LENGTH } from '../fields/templateLocator';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { type FoundEntry, type RecentSearch, searchRecent } from './recentSearch';

const TEMPLATES: RecentSearch = {
	entriesOf: ({ template }) => templateEntry(template),
	lookUp: async (service, text) => await templateNamed(service, text),
	nothing: 'No inspections yet, so no templates to list: choose "By ID" or "By Identifier"',
	what: 'template',
	cure: 'choose "By ID" or "By Identifier"',
};

/** The template locator's list: the templates of recent inspections, `Roof inspection (ROOF-01)`. */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchRecent(this, TEMPLATES, { filter, paginationToken });
}

/**
 * The entry of a template; none where it has no id. The service may give only the id in place of the template: how it
 * looks inside an inspection is not documented.
 */
function templateEntry(template: unknown): FoundEntry[] {
	const { id, name, template_id }: Record<string, unknown> = isRecord(template)
		? template
		: { id: template };
	const value = textOf(id);
	if (value === undefined) return [];
	const identifier = textOf(template_id);
	const title = textOf(name) ?? value;
	return [
		{ value, name: identifier === undefined ? title : `${title} (${identifier})`, words: [] },
	];
}

/** Finds a template that no inspection was made from: the service gives it by its id or identifier. */
async function templateNamed(
	service: InspectionServiceClient,
	text: string,
): Promise<FoundEntry | undefined> {
	if (guidOf(text) === undefined && text.length > MAX_IDENTIFIER_LENGTH) return undefined;
	const asked = service.getTemplate(text, { includeControls: false });
	// While the user types, most texts are no identifier yet: an error only means that there is no such template.
	return templateEntry(await asked.catch(() => undefined))[0];
}

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
