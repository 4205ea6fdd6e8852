import type { Caller } from './authentication.mts';
import { parseGuid } from './guid.mts';
import { type NoPage, pageAtEnds } from './listEnds.mts';
import type { Inspection, Status } from './model.mts';
import { badRequest, notFound, unauthorized } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import type { SortKey } from './store.mts';
import { floorTo, parseTimestamp, type Ticks } from './time.mts';
import { inspectionView, type ViewContext } from './view.mts';

/** The parameters of listInspections that passed the document's schemas. */
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

/** Later than every timestamp; -NEVER is earlier. */
const NEVER: Ticks = 1n << 63n;

type Condition = (inspection: Inspection) => boolean;

/** First and last requested moment. A missing one leaves that end open. */
function rangesOf(given: ListParameters, { filterPrecision }: SandboxSettings) {
	const ticksOf = (text: string | undefined, open: Ticks) => {
		const ticks = parseTimestamp(text ?? '');
		return ticks === null ? open : floorTo(ticks, filterPrecision);
	};
	return {
		updatedAt: [ticksOf(given.updated_after, -NEVER), ticksOf(given.updated_before, NEVER)],
		createdAt: [ticksOf(given.created_after, -NEVER), ticksOf(given.created_before, NEVER)],
	} as const;
}

/** Index of the first inspection at or after `from` in a list sorted by `key`. */
function indexOf(sorted: readonly Inspection[], key: SortKey, from: Ticks): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((sorted[middle]?.[key] ?? NEVER) < from) low = middle + 1;
		else high = middle;
	}
	return low;
}

function ofTeam(id: string, caller: Caller, { store }: ViewContext): Condition {
	const wanted = parseGuid(id);
	const team = store.teams.get(wanted ?? '');
	if (team === undefined) throw notFound('Team not found');
	if (team.organizationId !== caller.organization.id) throw unauthorized();
	return ({ teamId }) => teamId === wanted;
}

/** The conditions of a query besides its timestamps. */
function conditionsOf(given: ListParameters, caller: Caller, context: ViewContext): Condition[] {
	const { team_id, status = [], data_filter } = given;
	const conditions: Condition[] = [];
	if (team_id !== undefined) conditions.push(ofTeam(team_id, caller, context));
	if (status.length > 0) conditions.push((inspection) => status.includes(inspection.status));
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

/** Wraps a page, with totals, in the envelope that the settings choose. */
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

/** Marks a response without a body. */
export const NO_CONTENT = Symbol('204');

/** listInspections of the document: a page. */
export function listInspections(
	{ data_filter, ...others }: ListParameters,
	caller: Caller,
	context: ViewContext,
): object | null | typeof NO_CONTENT {
	const { store, settings } = context;
	const includes = new Set(others.includes);
	const given = includes.has('data') ? { ...others, data_filter } : others;
	const conditions = conditionsOf(given, caller, context);
	const key = given.sort_by === 'updated_at' ? 'updatedAt' : 'createdAt';
	const other = key === 'updatedAt' ? 'createdAt' : 'updatedAt';
	const ranges = rangesOf(given, settings);
	const [from, to] = ranges[key];
	const [otherFrom, otherTo] = ranges[other];
	if (otherFrom > -NEVER || otherTo < NEVER) {
		conditions.push(({ [other]: moment }) => moment >= otherFrom && moment <= otherTo);
	}
	const sorted = store.sortedBy(key, caller.organization.id);
	const inRange = sorted.slice(indexOf(sorted, key, from), indexOf(sorted, key, to + 1n));
	const found = conditions.reduce((rows, condition) => rows.filter(condition), inRange);
	if (given.sort_order === 'desc') found.reverse();

	const { page } = given;
	const page_size = Math.min(given.page_size, settings.pageCap ?? given.page_size);
	const rows = pageAtEnds(found, given, settings);
	const items = typeof rows === 'string' ? missingPage(rows) : rows;
	if (items === NO_CONTENT) return items;
	const views = items?.map((inspection) => inspectionView(inspection, context, includes)) ?? null;
	return envelopeOf(views, found.length, { page, page_size }, settings);
}

/** @throws ServiceError if the service rejects a page without inspections */
function missingPage(how: NoPage): null | typeof NO_CONTENT {
	if (how === '404') throw notFound('Page not found');
	if (how === '400') throw badRequest('page is out of range');
	return how === 'null' ? null : NO_CONTENT;
}
