import type { Caller } from './authentication.mts';
import { parseGuid } from './guid.mts';
import { EXACT, type ListQuery, type NoPage } from './inspectionList.mts';
import type { Inspection } from './model.mts';
import { badRequest, notFound, unauthorized } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import { inspectionView, type ViewContext } from './view.mts';

/** The parameters of listInspections, after validation by the OpenAPI document's schemas. */
export interface ListParameters extends ListQuery {
	includes?: string[];
	team_id?: string;
	data_filter?: { flagged_items_only?: boolean; template_control_ids?: string[] };
}

type Condition = (inspection: Inspection) => boolean;

function ofTeam(id: string, caller: Caller, { store }: ViewContext): Condition {
	const wanted = parseGuid(id);
	const team = store.teams.get(wanted ?? '');
	if (team === undefined) throw notFound('Team not found');
	if (team.organizationId !== caller.organization.id) throw unauthorized();
	return ({ teamId }) => teamId === wanted;
}

/** Returns a query's filters by team and by answers. inspectionList.mts has the other filters. */
function conditionsOf(given: ListParameters, caller: Caller, context: ViewContext): Condition[] {
	const { team_id, data_filter } = given;
	const conditions: Condition[] = [];
	if (team_id !== undefined) conditions.push(ofTeam(team_id, caller, context));
	if (data_filter?.flagged_items_only === true) {
		conditions.push(({ answers }) => answers.some(({ flagged }) => flagged));
	}
	const { template_control_ids: ids = [] } = data_filter ?? {};
	if (ids.length > 0) {
		const controls = new Set(ids.map((id) => parseGuid(id) ?? id));
		conditions.push(({ answers }) => answers.some(({ controlId }) => controls.has(controlId)));
	}
	return conditions;
}

/** Puts a page and the totals into the envelope that the settings choose. */
function envelopeOf(
	items: readonly object[] | null,
	found: number,
	page: { page: number; page_size: number },
	{ envelope, totals }: SandboxSettings,
): object | null {
	if (envelope === 'array') return items;
	const total_count = totals === 'lying' ? 1 : found;
	const total_pages = Math.ceil(total_count / page.page_size);
	const beside = totals === 'absent' ? {} : { ...page, total_count, total_pages };
	const [outer = 'data', inner] = envelope.split('.');
	if (inner === undefined) return { [outer]: items, ...beside };
	return { [outer]: { [inner]: items, ...beside } };
}

/** Means that the response has status 204 and no body. */
export const NO_CONTENT = Symbol('204');

/** Implements the operation listInspections of the OpenAPI document. Returns one page. */
export function listInspections(
	{ data_filter, ...others }: ListParameters,
	caller: Caller,
	context: ViewContext,
): object | null | typeof NO_CONTENT {
	const { store, settings } = context;
	const includes = new Set(others.includes);
	const given = includes.has('data') ? { ...others, data_filter } : others;
	const list = store.listOf(caller.organization.id);
	const { rows, found } = list.page(given, {
		...settings,
		precision: { ...EXACT, filters: settings.filterPrecision },
		filters: conditionsOf(given, caller, context),
	});
	const items = typeof rows === 'string' ? missingPage(rows) : rows;
	if (items === NO_CONTENT) return items;
	const views = items?.map((inspection) => inspectionView(inspection, context, includes)) ?? null;
	const page_size = Math.min(given.page_size, settings.pageCap ?? given.page_size);
	return envelopeOf(views, found, { page: given.page, page_size }, settings);
}

/**
 * Returns the response to a request for a page after the last page. @throws ServiceError if that response is an error
 */
function missingPage(how: NoPage): null | typeof NO_CONTENT {
	if (how === '404') throw notFound('Page not found');
	if (how === '400') throw badRequest('page is out of range');
	return how === 'null' ? null : NO_CONTENT;
}
