import type { Caller } from './authentication.mts';
import { parseGuid } from './guid.mts';
import type { Inspection, Status } from './model.mts';
import { notFound, unauthorized } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import { compare, type SortKey } from './store.mts';
import { floorTo, parseTimestamp, type Ticks } from './time.mts';
import { inspectionView, type ViewContext } from './view.mts';

/** The parameters of listInspections, once they fit the document. */
export interface ListParameters {
	page: number;
	page_size: number;
	sort_by: 'updated_at' | 'created_at';
	sort_order: 'asc' | 'desc';
	includes?: string[];
	team_id?: string;
	status?: Status[];
	updated_after?: string;
	updated_before?: string;
	created_after?: string;
	created_before?: string;
	data_filter?: { flagged_items_only?: boolean; template_control_ids?: string[] };
}

type Condition = (inspection: Inspection) => boolean;

/** Both ends inclusive; what is not given leaves an end open. */
function between(
	key: SortKey,
	[after, before]: [string | undefined, string | undefined],
	{ filterPrecision }: SandboxSettings,
): Condition {
	const ticksOf = (text: string | undefined): Ticks | null => {
		const ticks = text === undefined ? null : parseTimestamp(text);
		return ticks === null ? null : floorTo(ticks, filterPrecision);
	};
	const [from, to] = [ticksOf(after), ticksOf(before)];
	return ({ [key]: moment }) => (from === null || moment >= from) && (to === null || moment <= to);
}

function ofTeam(id: string, caller: Caller, { store, settings }: ViewContext): Condition {
	const wanted = parseGuid(id);
	const team = store.teams.get(wanted ?? '');
	if (settings.teamFilter === 'error') {
		if (team === undefined) throw notFound('Team not found');
		if (team.organizationId !== caller.organization.id) throw unauthorized();
	}
	return ({ teamId }) => teamId === wanted;
}

/** Everything that an inspection must fulfil. */
function conditionsOf(given: ListParameters, caller: Caller, context: ViewContext): Condition[] {
	const { settings } = context;
	const { team_id, status = [], data_filter } = given;
	const conditions: Condition[] = [
		({ organizationId }) => organizationId === caller.organization.id,
		between('updatedAt', [given.updated_after, given.updated_before], settings),
		between('createdAt', [given.created_after, given.created_before], settings),
	];
	if (team_id !== undefined) conditions.push(ofTeam(team_id, caller, context));
	if (status.length > 0) conditions.push((inspection) => status.includes(inspection.status));
	if (data_filter?.flagged_items_only === true) {
		conditions.push(({ answers }) => answers.some(({ flagged }) => flagged));
	}
	const controls = filteredControls(given);
	if (controls !== null && settings.controlFilter === 'inspections') {
		conditions.push(({ answers }) => answers.some(({ controlId }) => controls.has(controlId)));
	}
	return conditions;
}

/** Null without template_control_ids. */
function filteredControls({ data_filter }: ListParameters): ReadonlySet<string> | null {
	const { template_control_ids: ids = [] } = data_filter ?? {};
	return ids.length === 0 ? null : new Set(ids.map((id) => parseGuid(id) ?? id));
}

/** A page as the settings have a list, with totals beside it. */
function envelopeOf(
	items: readonly object[],
	found: number,
	page: { page: number; page_size: number },
	{ envelope, totals }: SandboxSettings,
): object {
	if (envelope === 'array') return items;
	const total_count = totals === 'lying' ? 1 : found;
	const total_pages = Math.ceil(total_count / page.page_size);
	const beside = totals === 'absent' ? {} : { ...page, total_count, total_pages };
	const [outer = 'data', inner] = envelope.split('.');
	if (inner === undefined) return { [outer]: items, ...beside };
	return { [outer]: { [inner]: items, ...beside } };
}

/** listInspections of the document: a page. `request` is another number for every request. */
export function listInspections(
	{ data_filter, ...others }: ListParameters,
	caller: Caller,
	context: ViewContext,
	request: number,
): object {
	const { store, settings } = context;
	const includes = new Set(others.includes);
	const given = includes.has('data') ? { ...others, data_filter } : others;
	const conditions = conditionsOf(given, caller, context);
	const key = given.sort_by === 'updated_at' ? 'updatedAt' : 'createdAt';
	const found = store
		.sortedBy(key)
		.filter((inspection) => conditions.every((isFulfilled) => isFulfilled(inspection)));
	// As a database without a tie-breaker may give them.
	if (settings.tieOrder === 'perRequest') {
		found.sort((a, b) => compare(key, a, b, String(request)));
	}
	if (given.sort_order === 'desc') found.reverse();

	const { page } = given;
	const page_size = Math.min(given.page_size, settings.pageCap ?? given.page_size);
	const onlyControls = settings.controlFilter === 'items' ? filteredControls(given) : null;
	const items = found
		.slice((page - 1) * page_size, page * page_size)
		.map((inspection) => inspectionView(inspection, context, includes, onlyControls));
	return envelopeOf(items, found.length, { page, page_size }, settings);
}
