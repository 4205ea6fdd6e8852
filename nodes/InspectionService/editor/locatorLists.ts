import { displayName, nestedId } from '../domain/displayName';
import { guidOf } from '../domain/id';
import { isRecord, textOf } from '../domain/json';
import { MAX_IDENTIFIER_LENGTH } from '../fields/locators';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import type { FoundEntry } from './locatorEntries';
import { recentList } from './recentList';

/** Fewer entries than this do not fill n8n's dropdown, which then cannot be scrolled to load more. */
const ENOUGH_TO_SCROLL = 15;

/** The template locator's list: the templates of recent inspections, `Roof inspection (ROOF-01)`. */
export const searchTemplates = recentList({
	entriesOf: ({ template }) => templateEntry(template),
	lookUp: templateNamed,
	nothing: 'No inspections yet, so no templates to list: choose "By ID" or "By Identifier"',
	what: 'template',
	cure: 'choose "By ID" or "By Identifier"',
});

/** The inspection locator's list: `Gate 4, weekly (completed, 2026-05-31)`. */
export const searchInspections = recentList({
	entriesOf: ({ id, name, status, updated_at, template }) => {
		const facts = [textOf(status)?.replaceAll('_', ' '), textOf(updated_at)?.slice(0, 10)];
		const shown = facts.filter((fact) => fact !== undefined).join(', ');
		const title = textOf(name) ?? id;
		const words = [displayName(template) ?? ''];
		return [{ value: id, name: shown === '' ? title : `${title} (${shown})`, words }];
	},
	enough: ENOUGH_TO_SCROLL,
	nothing: 'No inspections yet',
	what: 'inspection',
	cure: 'choose "By ID"',
});

/** The team locator's list: the teams of recent inspections and of their templates. */
export const searchTeams = recentList({
	entriesOf: ({ team, template }) => [
		...teamEntry(team),
		...teamEntry(isRecord(template) ? template.team : undefined),
	],
	nothing: 'No inspections yet, so no teams to list: choose "By ID"',
	what: 'team',
	cure: 'choose "By ID"',
});

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
	return [{ value, name: identifier === undefined ? title : `${title} (${identifier})` }];
}

/** Finds a template that no inspection was made from: the service gives it by its id or identifier. */
async function templateNamed(
	service: InspectionServiceClient,
	text: string,
): Promise<FoundEntry[]> {
	if (guidOf(text) === undefined && text.length > MAX_IDENTIFIER_LENGTH) return [];
	const asked = service.getTemplate(text, { includeControls: false });
	// While the user types, most texts are no identifier yet: an error only means that there is no such template.
	return templateEntry(await asked.catch(() => undefined));
}

function teamEntry(team: unknown): FoundEntry[] {
	const value = nestedId(team);
	return value === undefined ? [] : [{ value, name: displayName(team) ?? value }];
}
