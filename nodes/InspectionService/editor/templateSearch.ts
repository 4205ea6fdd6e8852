import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { guidOf } from '../domain/id';
import { isRecord, textOf } from '../domain/json';
import { MAX_IDENTIFIER_LENGTH } from '../domain/limits';
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
